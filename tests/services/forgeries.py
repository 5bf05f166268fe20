"""Whole games that a forger changes and hashes anew."""

import msgspec

from ddz.errors import BrokenLog
from ddz.frozen.events import (
    Event,
)
from ddz.log import codec
from ddz.log.base import Row
from ddz.log.memory import MemoryLog
from ddz.services.audit import CHECKS, CLAIM, Audit, audit_game
from ddz.services.judge import SHAPE, judge_for
from ddz.services.replay import replay
from ddz.services.table import Table

from .tables import (
    forged_log,
    reforged,
    with_event,
)

replaced = msgspec.structs.replace
CLEAN = {"integrity": "ok", "legality": "ok", "accounting": "ok", "fairness": "ok"}


def verdicts(table: Table, game: str) -> dict[str, str]:
    audit = audit_game(table.log, game)
    assert audit.ok, audit.findings
    assert list(audit.checks) == list(CHECKS)
    return dict(audit.checks)


class Forgery:
    """A whole game as rows that a forger changes, before all of them are hashed anew."""

    def __init__(self, game: str, rows: list[Row]) -> None:
        self.game = game
        self.rows = rows

    @property
    def events(self) -> list[Event]:
        return [codec.event_of(row) for row in self.rows]

    def event(self, at: int) -> Event:
        return codec.event_of(self.rows[at])

    def where(self, kind: type, number: int = 0) -> int:
        """The index of an event of this type; negative numbers count from the end."""
        return [at for at, event in enumerate(self.events) if isinstance(event, kind)][number]

    def change(self, at: int, **fields: object) -> int:
        """Change fields of one event; its seq."""
        self.rows[at] = with_event(self.rows[at], replaced(self.event(at), **fields))
        return at + 1

    def audit(self) -> Audit:
        audit = audit_game(forged_log(self.rows), self.game)
        replay(forged_log(self.rows), self.game)
        assert not any(finding.code.startswith("integrity") for finding in audit.findings), "the forger knew the hash"
        assert audit.checks["integrity"] == "ok"
        self.judged(audit)
        return audit

    def judged(self, audit: Audit) -> None:
        """Another log takes it over if and only if nothing was found, but for a false claim of its source."""
        found = [finding.code for finding in audit.findings if finding.code != CLAIM]
        log = MemoryLog()
        code = None
        try:
            log.adopt(reforged(self.rows), judge=judge_for(log))
        except BrokenLog as refused:
            code = refused.code
        assert code is not None if found else code in (None, SHAPE)
        assert log.last_position() == (0 if code else len(self.rows))

    def codes(self) -> list[str]:
        return [finding.code for finding in self.audit().findings]


def forgery_of(table: Table, game: str) -> Forgery:
    return Forgery(game, list(table.log.rows(game)))
