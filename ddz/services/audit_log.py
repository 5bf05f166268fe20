"""The audit of a whole log: its positions, every line of it, and the rotation of first voices over its matches."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from ddz.events import Dealt, GameOpened
from ddz.log import chain
from ddz.log.base import EventLog, Row
from ddz.rules import next_seat
from ddz.services.audit import Audit, Finding, audit_game, readable


class LogAudit(msgspec.Struct, frozen=True):
    """What the audits of a whole log found."""

    head: str
    """The log's head, N:DIGEST, as it is now."""
    games: tuple[Audit, ...]
    findings: tuple[Finding, ...]
    """What is wrong with the log as a whole, and with the rotation of first voices over its matches."""

    @property
    def ok(self) -> bool:
        """True if nothing was found anywhere."""
        return not self.findings and all(game.ok for game in self.games)


def audit_log(log: EventLog, head: str | None = None) -> LogAudit:
    """Audit every line of the log, its matches, and with `head` (N:DIGEST) that nothing up to there has changed."""
    findings = [Finding(problem.code, problem.seq, problem.detail) for problem in chain.verify_log(log.after(0))]
    if head is not None:
        findings += [Finding(p.code, p.seq, p.detail) for p in chain.verify_head(log.after(0), head)]
    games = sorted({row.game for row in log.after(0)})
    audits = tuple(audit_game(log, game) for game in games)
    return LogAudit(chain.log_head(log.after(0)), audits, (*findings, *_rotations(log, games)))


def _rotations(log: EventLog, games: Sequence[str]) -> Iterator[Finding]:
    """The first voice of a match's later game sits behind the one that opened the last auction."""
    for game in games:
        rows = log.rows(game, 1)
        opened = _opening_of_rows(rows)
        if opened is None or rows[0].game != game:
            continue
        if opened.previous is None:
            yield from _beginning(game, opened)
            continue
        before = log.rows(opened.previous)
        events = readable(before, [])
        first, last = events[:1], [event for event in events if isinstance(event, Dealt)]
        if not first or not isinstance(first[0], GameOpened) or not last:
            continue  # the game before is not in this log, or is itself a finding
        yield from _rotation(game, opened, first[0], last[-1])


def _beginning(game: str, opened: GameOpened) -> Iterator[Finding]:
    """A game that names none before it is the first of its match."""
    if (opened.match, opened.round) != (game, 1):
        yield Finding(
            "match/round",
            1,
            f"game {game} is round {opened.round} of the match {opened.match}, but names no game before it",
        )
    if opened.voice_from == "rotation":
        yield Finding("match/rotation", 1, f"game {game}: the first voice moves on, but no game is named before it")


def _opening_of_rows(rows: Sequence[Row]) -> GameOpened | None:
    events = readable(rows[:1], [])
    return events[0] if events and isinstance(events[0], GameOpened) else None


def _rotation(game: str, opened: GameOpened, before: GameOpened, last: Dealt) -> Iterator[Finding]:
    wanted = next_seat(last.first_voice)
    if opened.first_voice != wanted:
        yield Finding(
            "match/rotation",
            1,
            f"game {game}: seat {wanted} has the first voice after {opened.previous}, not seat {opened.first_voice}",
        )
    if (opened.match, opened.round) != (before.match, before.round + 1):
        yield Finding(
            "match/round", 1, f"game {game} is round {opened.round}, but {opened.previous} before it is {before.round}"
        )


def verify_log(log: EventLog, head: str | None = None) -> tuple[int, tuple[Finding, ...]]:
    """How many events the log has, and what is wrong with its hashes, chains and positions; no law is asked.

    Raises:
        Unreadable: `head` is no head of a log.
    """
    rows = tuple(log.after(0))
    findings = _findings(chain.verify_log(rows))
    if head is not None:
        findings += _findings(chain.verify_head(rows, head))
    for game in sorted({row.game for row in rows}):
        findings += _findings(problem for problem in chain.verify_rows(log.rows(game)))
    return len(rows), tuple(dict.fromkeys(findings))  # what a fork inherits is found once


def guard_findings(log: EventLog) -> tuple[Finding, ...]:
    """The guards against changes that somebody has taken out of the log's file."""
    return tuple(
        Finding("integrity/guard", None, f"the trigger {name}, which refuses changes, is missing or changed")
        for name in log.missing_guards()
    )


def _findings(problems: Iterable[chain.Problem]) -> list[Finding]:
    return [Finding(problem.code, problem.seq, problem.detail) for problem in problems]
