"""Events, melds, scores and audits in a language's words. Used by replay, by play and by the log on the screen."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ddz import kernel
from ddz.cards import LETTERS, RANKS, CardSet
from ddz.frozen.events import (
    BidMade,
    BidPassed,
    CardsPlayed,
    DealVoided,
    GameForked,
    GameScored,
    LandlordChosen,
    PlayPassed,
    SeatEscaped,
    SeedRevealed,
)
from ddz.frozen.shapes import Kind, Origin, Players, Score, Seat
from ddz.melds import Meld, played_meld
from ddz.names import shown_name
from ddz.rules import SEATS
from ddz.view import DealtView, EventView, OpenedView

from . import errors
from .base import Words
from .columns import brief, padded, shown

if TYPE_CHECKING:
    from ddz.errors import Finding
    from ddz.services.as_rules import Judgement
    from ddz.services.audit import Audit


def grouped(cards: CardSet, words: Words) -> str:
    """Cards by rank, low to high, equal ranks together: `33 4 10 10 K`."""
    return spaced(cards.counts, words)


def spaced(packed: int, words: Words) -> str:
    """Packed counts by rank, equal ranks together."""
    groups = []
    for rank, letter in enumerate(LETTERS):
        count = kernel.lane(packed, rank)
        if count:
            name = words.ranks[letter]
            groups.append((" " if len(name) > 1 else "").join([name] * count))
    return "  ".join(groups)


def meld_words(meld: Meld, words: Words) -> str:
    """A meld named in words: `airplane 3 to 4 with 7 9`."""
    last = RANKS[meld.rank.index + meld.length - 1]
    return words.melds[meld.kind].format(
        rank=words.ranks[meld.rank.value],
        last=words.ranks[last.value] if meld.kind is not Kind.ROCKET else "",
        kickers=" ".join(words.ranks[letter] for letter in meld.kickers),
    )


def reading_words(meld: Meld, words: Words) -> str:
    """How cards can be read, with what is needed to ask for that reading: `airplane+solos 4, length 3: 444555666`."""
    said = words.reading.format(kind=words.kinds[meld.kind], rank=meld.rank, length=meld.length, core=meld.core)
    return said + _kickers(meld, words)


def move_words(meld: Meld, words: Words) -> str:
    """What may be played: the cards, and what they are."""
    said = words.move.format(cards=meld.cards.ranks, kind=words.kinds[meld.kind], rank=meld.rank)
    return said + _kickers(meld, words)


def _kickers(meld: Meld, words: Words) -> str:
    return words.reading_kickers.format(kickers=meld.kickers) if meld.kickers else ""


def tell_call(points: int, words: Words) -> str:
    """A voice in the auction: a bid of 1 to 3 points, or 0 for a pass."""
    return words.bids.format(points=points) if points else words.passes_bid


def tell(event: EventView, players: Players, words: Words) -> tuple[str, str, str]:
    """An event as (who, what, the cards as they are typed in a record); who is empty where nobody does it."""

    def name(seat: Seat) -> str:
        return shown_name(players[seat].name)

    match event:
        case OpenedView():
            names = ", ".join(map(name, SEATS))
            commitment = words.commitment.format(commitment=brief(event.commitment))
            return "", words.opened.format(players=names, who=name(event.first_voice), commitment=commitment), ""
        case DealtView():
            hands = " | ".join(words.hand_hidden if hand is None else hand.ranks for hand in event.hands)
            kitty = words.hand_hidden if event.kitty is None else event.kitty.ranks
            return "", words.dealt.format(number=event.number + 1, hands=hands, kitty=kitty), ""
        case BidMade():
            return name(event.seat), tell_call(event.points, words), ""
        case BidPassed():
            return name(event.seat), tell_call(0, words), ""
        case DealVoided():
            return "", words.voided.format(who=name(event.next_voice)), ""
        case LandlordChosen():
            return name(event.landlord), words.becomes_landlord.format(base=event.base), str(event.kitty)
        case CardsPlayed():
            return name(event.seat), meld_words(played_meld(event), words), str(event.cards)
        case PlayPassed():
            return name(event.seat), words.passes, ""
        case SeatEscaped():
            return name(event.seat), words.escapes, ""
        case GameScored():
            return "", words.over.format(winner=words.winner[event.score.winner]), ""
        case SeedRevealed():
            return "", words.seed_revealed.format(seed=brief(event.server_seed)), ""
        case GameForked():
            return (
                "",
                words.forked.format(parent=brief(event.parent), at=event.at, reason=words.reasons[event.reason]),
                "",
            )
        case _:
            raise AssertionError(f"every event is told, but this one is not: {event}")


def sentence(event: EventView, players: Players, words: Words) -> str:
    """An event as one sentence: who, what, and the cards as a record writes them."""
    who, what, cards = tell(event, players, words)
    said = f"{what} [{cards}]" if cards else what
    return words.does.format(who=who, what=said) if who else said


def score_rows(score: Score, players: Players, words: Words) -> list[tuple[str, str]]:
    """The score, cause by cause, as (what, figure)."""
    rows = [(words.score_base, str(score.base))]
    rows += [(words.score_cause[cause.name], f"× {cause.factor}") for cause in score.causes]
    rows.append((words.score_multiplier, f"× {score.multiplier}"))
    if score.escaped is None:
        rows.append((words.score_stake, str(score.base * score.multiplier)))
    else:
        paid = -score.payouts[score.escaped]
        rows.append((words.score_escape.format(who=shown_name(players[score.escaped].name)), str(paid)))
    rows += [(shown_name(players[seat].name), f"{points:+d}") for seat, points in enumerate(score.payouts)]
    return rows


def score_lines(score: Score, players: Players, words: Words) -> list[str]:
    """The score, a line a cause and a line a seat."""
    rows = score_rows(score, players, words)
    return [words.score, *("  " + line for line in padded(rows, right=(1,)))]


def audit_lines(audit: "Audit", words: Words) -> list[str]:
    """The verdict of the four audits in one line, and each finding in one more."""
    verdicts = " · ".join(f"{words.checks[check]} {words.verdicts[audit.checks[check]]}" for check in words.checks)
    lines = [words.audit.format(verdicts=verdicts), *findings_lines(audit.findings, words)]
    if audit.origin is not None:
        lines.insert(0, _origin_text(audit.origin, audit.claim_holds, words))
    return lines


def _origin_text(origin: Origin, holds: bool | None, words: Words) -> str:
    """Where an imported game comes from, what its source claims, and whether that is true."""
    text = words.source.format(format=brief(origin.format), source=brief(origin.source))
    if origin.claim is None:
        return text
    winner, payouts = origin.claim.winner, origin.claim.payouts
    claimed = [] if winner is None else [words.winner.get(winner, brief(winner))]
    claimed += [] if payouts is None else [" ".join(f"{points:+d}" for points in payouts)]
    state = words.claim_states["open" if holds is None else "true" if holds else "false"]
    return f"{text} · {words.claims.format(claim=', '.join(claimed), state=state)}"


def judgement_text(found: "Judgement", words: Words) -> str:
    """What other rules say of a game."""
    if found.illegal is not None:
        illegal = found.illegal
        return words.judged_illegal.format(
            rules=shown_name(found.rules.name),
            seq=illegal.seq,
            why=shown(errors.sentence(illegal, words)),
            code=illegal.code,
        )
    if found.score is None:
        return words.judged_legal.format(rules=shown_name(found.rules.name))

    def points(score: Score | None) -> str:
        return "-" if score is None else " ".join(f"{each:+d}" for each in score.payouts)

    return words.judged_score.format(
        rules=shown_name(found.rules.name), points=points(found.score), own=points(found.own_score)
    )


def findings_lines(findings: Sequence["Finding"], words: Words) -> list[str]:
    """Findings, a line each: the code, the seq, a sentence."""
    lines = []
    for finding in findings:
        says = words.finding if finding.seq is None else words.finding_at
        lines.append(says.format(code=finding.code, seq=finding.seq, detail=shown(errors.sentence(finding, words))))
    return lines
