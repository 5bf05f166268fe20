"""The four audits of a game, and of a whole log. Nothing that is stored is believed: all of it is derived again.

*integrity*: bytes against hashes and chain. *legality*: every event is decided again. *accounting*: the score is
computed again, and the claim of an imported record compared. *fairness*: the deals follow from the committed seed.
"""

from collections.abc import Iterator, Sequence
from typing import Final, Literal

import msgspec

from ddz.errors import Finding, Unreadable
from ddz.frozen.events import GameOpened
from ddz.frozen.shapes import Claim, Origin
from ddz.log import chain
from ddz.log.base import EventLog, Row
from ddz.log.read import unknown
from ddz.rules import check_stored_name
from ddz.services.trail import Facts, Trail, extend
from ddz.state import Over, State, from_record, opening_of

Verdict = Literal["ok", "fault", "chosen", "unrevealed", "not-applicable"]
CLAIM: Final = "accounting/claim"
CHECKS: Final = ("integrity", "legality", "accounting", "fairness")


class Audit(msgspec.Struct, frozen=True):
    """What the audits of one line found."""

    game: str
    checks: dict[str, Verdict]
    """integrity, legality, accounting and fairness; only `fault` is a failure."""
    findings: tuple[Finding, ...]
    origin: Origin | None = None
    """Where an imported game comes from, and what its source claims."""
    claim_holds: bool | None = None
    """Whether the source's claim is true; None if there is none, or nothing yet to compare it with."""

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
        raise unknown(game)
    return audit_rows(rows, head)[0]


def audit_rows(rows: Sequence[Row], head: str | None = None) -> tuple[Audit, GameOpened | None]:
    """Audit the line with these rows, inherited ones first; also the event that opened it, unless it is a fork's.

    Raises:
        UnsupportedVersion: as `audit_game` does.
    """
    return audit_trail(extend(None, rows), () if head is None else chain.verify_line_head(rows, head))


def audit_trail(trail: Trail, about_head: Sequence[Finding] = ()) -> tuple[Audit, GameOpened | None]:
    """The audit of the line whose trail this is; as `audit_rows`."""
    game, state = trail.last.game, trail.state
    findings = [*trail.chain, *trail.unreadable]
    findings += about_head
    findings += trail.law
    opened = opening_of(state)
    if opened is not None:
        findings += _check_opening(opened, trail.game)
        findings += (finding for number, finding in trail.given if number < from_record(state))
    claim = _claimed(opened, trail)
    if claim is not None:
        findings += _check_claim(claim, state)
    audit = Audit(
        game=game,
        checks=_verdicts(opened, trail, findings),
        findings=tuple(findings),
        origin=_origin(opened, state),
        claim_holds=None if claim is None else all(finding.code != CLAIM for finding in findings),
    )
    return audit, opened if trail.game == game else None


def _check_opening(opened: GameOpened, game: str) -> Iterator[Finding]:
    if opened.game != game:
        yield Finding(
            "integrity/game",
            "the opening is that of game {named}, but it stands in game {game}",
            seq=1,
            named=opened.game,
            game=game,
        )
    try:
        check_stored_name(opened.rules)
    except Unreadable as error:
        yield Finding("legality/rules-name", "{why}", seq=1, why=error)


def _origin(opened: GameOpened | None, state: State) -> Origin | None:
    """Where the line comes from, with as many deals as the record brings to it, and not to the game it left."""
    if opened is None or opened.origin is None:
        return None
    return msgspec.structs.replace(opened.origin, deals=from_record(state))


def _claimed(opened: GameOpened | None, trail: Trail) -> Claim | None:
    """What the source of an imported game claims, once the game is over; it claims nothing of another line."""
    if opened is None or opened.origin is None or not isinstance(trail.state, Over):
        return None
    return None if trail.facts.forked else opened.origin.claim


def _check_claim(claim: Claim, state: State) -> Iterator[Finding]:
    assert isinstance(state, Over)
    score = state.scored.score
    if claim.payouts is not None and claim.payouts != score.payouts:
        yield Finding(
            CLAIM,
            "the source claims payouts of {claimed}, but they are {payouts}",
            claimed=str(list(claim.payouts)),
            payouts=str(list(score.payouts)),
        )
    if claim.winner is not None and claim.winner != score.winner:
        yield Finding(
            CLAIM, "the source claims that {claimed} won, but it is {winner}", claimed=claim.winner, winner=score.winner
        )


def _verdicts(opened: GameOpened | None, trail: Trail, findings: Sequence[Finding]) -> dict[str, Verdict]:
    faulty = {finding.code.split("/")[0] for finding in findings}
    sound: dict[str, Verdict] = {
        "integrity": "ok",
        "legality": "ok",
        "accounting": "ok" if isinstance(trail.state, Over) else "not-applicable",
        "fairness": _fairness(opened, from_record(trail.state), trail.facts),
    }
    return {check: "fault" if check in faulty else verdict for check, verdict in sound.items()}


def _fairness(opened: GameOpened | None, brought: int, facts: Facts) -> Verdict:
    """What a game without fault proves of its deals."""
    if opened is None:
        return "not-applicable"
    origin = opened.origin
    drawn_here = origin is None or origin.seeds_given or (facts.deals > 0 and facts.highest >= brought)
    if not drawn_here:
        return "not-applicable"
    if opened.seed_chosen:
        return "chosen"
    return "ok" if facts.revealed else "unrevealed"
