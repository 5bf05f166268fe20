"""The four audits of a game, and of a whole log. Nothing that is stored is believed: all of it is derived again.

*integrity*: bytes against hashes and chain. *legality*: every event is decided again. *accounting*: the score is
computed again, and the claim of an imported record compared. *fairness*: the deals follow from the committed seed.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal

import msgspec

from ddz import dealing
from ddz.commands import Claim, Origin
from ddz.decide import decide
from ddz.errors import BrokenLog, Refused, UnknownGame, Unreadable, UnsupportedVersion
from ddz.events import (
    Dealt,
    Event,
    GameForked,
    GameOpened,
    GameScored,
    SeedRevealed,
    tag_of,
)
from ddz.log import chain, codec
from ddz.log.base import EventLog, Row
from ddz.log.stored import plain_events
from ddz.rules import check_stored_name
from ddz.services.retrace import command_behind, is_seed, seat_command
from ddz.state import START, Over, State, evolve, opening_of

Verdict = Literal["ok", "fault", "chosen", "unrevealed", "not-applicable"]
CLAIM: Final = "accounting/claim"
CHECKS: Final = ("integrity", "legality", "accounting", "fairness")


class Finding(msgspec.Struct, frozen=True):
    """One thing that is wrong."""

    code: str
    """The check and the kind of fault: `legality/turn/not-yours`."""
    seq: int | None
    detail: str


class Audit(msgspec.Struct, frozen=True):
    """What the audits of one line found."""

    game: str
    checks: dict[str, Verdict]
    """integrity, legality, accounting and fairness; only `fault` is a failure."""
    findings: tuple[Finding, ...]
    origin: Origin | None = None
    """Where an imported game comes from, and what its source claims."""
    claim_holds: bool | None = None
    """Whether the source's claim is true; None where there is none, or nothing yet to hold it against."""

    @property
    def ok(self) -> bool:
        """True if nothing was found."""
        return not self.findings


def audit_game(log: EventLog, game: str, head: str | None = None) -> Audit:
    """Audit the line `game`; with `head`, a hash known from before must be one of its events.

    Raises:
        UnknownGame: there is no such game.
        UnsupportedVersion: it was written by a newer ddz.
    """
    rows = log.rows(game)
    if not rows:
        raise UnknownGame(f"there is no game {game}")
    return audit_rows(rows, head)[0]


def audit_rows(rows: Sequence[Row], head: str | None = None) -> tuple[Audit, GameOpened | None]:
    """Audit the line with these rows, its own last; also the event that opened it, unless it is a fork's.

    Raises:
        UnsupportedVersion: as `audit_game` does.
    """
    findings: list[Finding] = []
    events = _checked(rows, findings)
    if head is not None:
        findings += _findings(chain.verify_line_head(rows, head))
    first, game = rows[0].game, rows[-1].game
    state = _retrace(events, rows, findings)
    opened = opening_of(state)
    if opened is not None:
        findings += _check_opening(opened, first)
        findings += _check_given_deals(opened, events)
    claims = _claimed(opened, events, state)
    if claims is not None:
        findings += _check_claim(claims, state)
    audit = Audit(
        game=game,
        checks=_verdicts(opened, events, state, findings),
        findings=tuple(findings),
        origin=opened.origin if opened else None,
        claim_holds=None if claims is None else all(finding.code != CLAIM for finding in findings),
    )
    return audit, opened if first == game else None


def _findings(problems: Iterable[chain.Problem]) -> list[Finding]:
    return [Finding(problem.code, problem.seq, problem.detail) for problem in problems]


def _checked(rows: Sequence[Row], findings: list[Finding]) -> list[Event]:
    """The events as far as they can be read, their hashes and links checked."""
    plain = plain_events(rows)
    if plain is not None:
        return plain
    findings += _findings(chain.verify_rows(rows))
    return readable(rows, findings)


def readable(rows: Sequence[Row], findings: list[Finding]) -> list[Event]:
    """The events up to the first that cannot be read."""
    events: list[Event] = []
    for row in rows:
        try:
            events.append(codec.event_of(row))
        except BrokenLog as broken:
            if isinstance(broken, UnsupportedVersion) and not chain.hash_problems(row):
                raise  # really a newer ddz's, and no forgery
            findings.append(Finding("integrity/unreadable", row.seq, str(broken)))
            break
    return events


def _retrace(events: Sequence[Event], rows: Sequence[Row], findings: list[Finding]) -> State:
    """Decide every event again, and return the state as far as the events make sense."""
    state: State = START
    at = 0
    while at < len(events):
        event, begin = events[at], at
        command = seat_command(event) or command_behind(events, at, state, rows)
        expected: tuple[Event, ...] = (event,)
        if command is None:
            findings.append(
                Finding(
                    "legality/unasked",
                    rows[begin].seq,
                    f"no command of this phase brings about a {tag_of(event)} event",
                )
            )
        else:
            try:
                expected = decide(state, command)
            except Refused as refused:
                findings.append(Finding(f"legality/{refused.code}", rows[begin].seq, str(refused)))
            except (ValueError, OverflowError) as error:  # a forged event before it left a seed or a number of no use
                findings.append(
                    Finding("legality/undecidable", rows[begin].seq, f"nothing can be decided here: {error}")
                )
        for wanted in expected:
            if at == len(events):
                findings.append(
                    Finding(
                        "legality/cut-short", rows[begin].seq, f"a {tag_of(wanted)} event must follow, but is missing"
                    )
                )
                break
            found = events[at]
            if found != wanted:
                findings.append(_difference(rows[at].seq, wanted, found))
            try:
                state = evolve(state, found)
            except BrokenLog as broken:
                findings.append(Finding("legality/meaningless", rows[at].seq, str(broken)))
                return state
            at += 1
    return state


def _difference(seq: int, wanted: Event, found: Event) -> Finding:
    """Where an event is not what its command decides: whose audit it fails, and in which fields."""
    if type(wanted) is not type(found):
        return Finding("legality/other-event", seq, f"a {tag_of(wanted)} event must stand here, not a {tag_of(found)}")
    check = {GameOpened: "fairness", Dealt: "fairness", SeedRevealed: "fairness", GameScored: "accounting"}.get(
        type(wanted), "legality"
    )
    fields = [name for name in wanted.__struct_fields__ if getattr(wanted, name) != getattr(found, name)]
    return Finding(
        f"{check}/{tag_of(found).replace('_', '-')}",
        seq,
        f"{tag_of(found)} is wrong in {', '.join(fields)}: {_values(wanted, found, fields[0])}",
    )


def _values(wanted: Event, found: Event, field: str) -> str:
    def text(event: Event) -> str:
        return codec.plain(getattr(event, field))

    return f"{field} must be {text(wanted)}, not {text(found)}"


def _check_opening(opened: GameOpened, game: str) -> Iterator[Finding]:
    if opened.game != game:
        yield Finding("integrity/game", 1, f"the opening is that of game {opened.game}, but it stands in game {game}")
    try:
        check_stored_name(opened.rules)
    except Unreadable as error:
        yield Finding("legality/rules-name", 1, str(error))


def _check_given_deals(opened: GameOpened, events: Sequence[Event]) -> Iterator[Finding]:
    """A record that brings its seeds along claims that its deals follow from them."""
    origin = opened.origin
    if origin is None or not origin.seeds_given or not (is_seed(opened.nonce) and is_seed(opened.server_seed)):
        return
    nonce, server_seed = bytes.fromhex(opened.nonce), bytes.fromhex(opened.server_seed)
    dealt = [(seq, event) for seq, event in enumerate(events, 1) if isinstance(event, Dealt)]
    for number, (seq, event) in enumerate(dealt[: max(origin.deals, 0)]):
        deck = dealing.deal(nonce, server_seed, opened.seat_seeds, number)
        if (deck.hands, deck.kitty) != (event.hands, event.kitty):
            yield Finding("fairness/dealt", seq, f"deal {number} does not follow from the seeds of the record")


def _claimed(opened: GameOpened | None, events: Sequence[Event], state: State) -> Claim | None:
    """What the source of an imported game claims, once the game is over; it claims nothing of another line."""
    if opened is None or opened.origin is None or not isinstance(state, Over):
        return None
    forked = any(isinstance(event, GameForked) for event in events)
    return None if forked else opened.origin.claim


def _check_claim(claim: Claim, state: State) -> Iterator[Finding]:
    assert isinstance(state, Over)
    score = state.scored.score
    if claim.payouts is not None and claim.payouts != score.payouts:
        detail = f"the source claims payouts of {list(claim.payouts)}, but they are {list(score.payouts)}"
        yield Finding(CLAIM, None, detail)
    if claim.winner is not None and claim.winner != score.winner:
        yield Finding(CLAIM, None, f"the source claims that {claim.winner} won, but it is {score.winner}")


def _verdicts(
    opened: GameOpened | None, events: Sequence[Event], state: State, findings: Sequence[Finding]
) -> dict[str, Verdict]:
    faulty = {finding.code.split("/")[0] for finding in findings}
    sound: dict[str, Verdict] = {
        "integrity": "ok",
        "legality": "ok",
        "accounting": "ok" if isinstance(state, Over) else "not-applicable",
        "fairness": _fairness(opened, events),
    }
    return {check: "fault" if check in faulty else verdict for check, verdict in sound.items()}


def _fairness(opened: GameOpened | None, events: Sequence[Event]) -> Verdict:
    """What a game without fault proves of its deals."""
    if opened is None:
        return "not-applicable"
    origin = opened.origin
    if origin is not None and not origin.seeds_given:
        drawn_here = any(isinstance(event, Dealt) and event.number >= origin.deals for event in events)
        if not drawn_here:
            return "not-applicable"
    if opened.seed_chosen:
        return "chosen"
    revealed = any(isinstance(event, SeedRevealed) for event in reversed(events))
    return "ok" if revealed else "unrevealed"
