"""The audit of a whole log: its positions, every line of it, and the rotation of first voices over its matches.

Nothing is kept that was found in order, so that a log of any length is audited in the same memory.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from ddz.events import Dealt, GameOpened
from ddz.log import chain
from ddz.log.base import EventLog, Span
from ddz.log.sqlite import SqliteLog, open_log
from ddz.log.stored import plain_events
from ddz.rules import next_seat
from ddz.services.audit import Audit, Finding, audit_rows, readable

LINES_AT_ONCE: Final = 50
"""Lines that are read by one statement and audited as one task; some 3,500 events."""


class LogAudit(msgspec.Struct, frozen=True):
    """What the audits of a whole log found, but for those of each line."""

    head: str
    """The log's head, N:DIGEST, as it was when the audit began."""
    lines: int
    """How many games and forks it has."""
    faulty: int
    """How many of them have findings of their own."""
    findings: tuple[Finding, ...]
    """What is wrong with the log as a whole, and with the rotation of first voices over its matches."""

    @property
    def ok(self) -> bool:
        """True if nothing was found anywhere."""
        return not self.findings and not self.faulty


Audited = tuple[Audit, tuple[Finding, ...]]
"""The audit of a line, and what is wrong with its place in its match."""


def audit_log(
    log: EventLog,
    head: str | None = None,
    each: Callable[[Audit], object] = lambda _: None,
    jobs: int = 1,
    progress: Callable[[int, int], object] = lambda _done, _total: None,
) -> LogAudit:
    """Audit every line of the log, its matches, and with `head` (N:DIGEST) that nothing up to there has changed.

    `each` is told the audit of every line, in the order of their ids; `progress` how many lines of how many are
    done. What is appended meanwhile is left out. A log in a file can be audited by several processes (`jobs`).

    Raises:
        Unreadable: `head` is no head of a log.
        UnsupportedVersion: a newer ddz wrote some of it.
    """
    check = chain.LogCheck(head)
    upto = log.last_position()
    hashes, spans = log.hashes(upto), log.spans(LINES_AT_ONCE)
    total = sum(span.lines for span in spans)
    lines = faulty = 0
    found: list[Finding] = []
    for audited in _in_order(log, spans, upto, jobs):
        for audit, about_match in audited:
            lines += 1
            faulty += not audit.ok
            found += about_match
            each(audit)
        progress(lines, total)
        for piece in islice(hashes, 1):  # along the way, so that the progress is steady
            check.add(piece)
    for piece in hashes:
        check.add(piece)
    return LogAudit(check.head, lines, faulty, (*_findings(check.gaps), *_findings(check.head_problems()), *found))


def _in_order(log: EventLog, spans: list[Span], upto: int, jobs: int) -> Iterator[list[Audited]]:
    if isinstance(log, SqliteLog) and jobs > 1:
        from ddz.services.workers import in_order

        return in_order(partial(_audit_span_at, log.path, upto), spans, min(jobs, len(spans)))
    return (audit_span(log, upto, span) for span in spans)


def _audit_span_at(path: Path, upto: int, span: Span) -> list[Audited]:
    """In a process of its own."""
    return audit_span(_log_at(path), upto, span)


@lru_cache(1)
def _log_at(path: Path) -> EventLog:
    return open_log(path, create=False)


def audit_span(log: EventLog, upto: int, span: Span) -> list[Audited]:
    """Audit the lines of a span as the log was when `upto` was its last position."""
    audited: list[Audited] = []
    for rows in log.lines_in(span, upto):
        audit, opened = audit_rows(rows)
        audited.append((audit, () if opened is None else tuple(_in_match(log, upto, audit.game, opened))))
    return audited


def _in_match(log: EventLog, upto: int, game: str, opened: GameOpened) -> Iterator[Finding]:
    """The first voice of a match's later game sits behind the one that opened the last auction."""
    if opened.previous is None:
        yield from _beginning(game, opened)
        return
    before = [row for row in log.rows(opened.previous) if row.position <= upto]
    events = readable(before, [])
    first, last = events[:1], [event for event in events if isinstance(event, Dealt)]
    if first and isinstance(first[0], GameOpened) and last:  # else it is not in this log, or is itself a finding
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
    check = chain.LogCheck(head)
    upto = log.last_position()
    events = 0
    for piece in log.hashes(upto):
        events += len(piece)
        check.add(piece)
    findings = [*_findings(check.gaps), *_findings(check.head_problems())]
    for span in log.spans(LINES_AT_ONCE):
        for rows in log.lines_in(span, upto):
            if plain_events(rows) is None:
                findings += _findings(chain.verify_rows(rows))
    return events, tuple(dict.fromkeys(findings))  # what a fork inherits is found once


def guard_findings(log: EventLog) -> tuple[Finding, ...]:
    """The guards against changes that somebody has taken out of the log's file."""
    return tuple(
        Finding("integrity/guard", None, f"the trigger {name}, which refuses changes, is missing or changed")
        for name in log.missing_guards()
    )


def _findings(problems: Iterable[chain.Problem]) -> list[Finding]:
    return [Finding(problem.code, problem.seq, problem.detail) for problem in problems]
