"""The audit of a whole log: its positions, every line of it, and the rotation of first voices over its matches.

Nothing is kept of what is in order, so that a log of any length is audited in the same memory.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from itertools import islice
from typing import Final

import msgspec

from ddz.errors import Finding
from ddz.frozen.events import Dealt, GameOpened
from ddz.log import chain
from ddz.log.base import EventLog, Span
from ddz.log.lineage import ForkPoints
from ddz.log.stored import plain_events
from ddz.log.stores import open_log
from ddz.rules import next_seat
from ddz.services.audit import Audit, audit_trail
from ddz.services.trail import Trails, extend, readable

LINES_AT_ONCE: Final = 50
"""Lines that are read by one statement and audited as one task; some 3,500 events."""


class LogAudit(msgspec.Struct, frozen=True):
    """What the audit of a whole log found, except the audits of its lines."""

    head: str
    """The log's head, N:DIGEST, as it was when the audit began."""
    head_known: bool
    """It was compared with a head known from before. Without one, a completely rewritten log looks like any other."""
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


Audited = tuple[Audit, tuple[Finding, ...], int]
"""The audit of a line, what is wrong with its place in its match, and how many events are its own."""


def audit_log(
    log: EventLog,
    head: str | None = None,
    each: Callable[[Audit], object] = lambda _: None,
    jobs: int = 1,
    progress: Callable[[int, int], object] = lambda _done, _total: None,
) -> LogAudit:
    """Audit every line of the log, its matches, and with `head` (N:DIGEST) that nothing up to there has changed.

    `each` is told the audit of every line, in the order of their ids; `progress` how many lines of how many are
    done. What is appended meanwhile is left out. A log that other processes can open can be audited by several of them
    (`jobs`).

    Raises:
        Unreadable: `head` is no head of a log.
        UnsupportedVersion: a newer ddz wrote some of it.
    """
    check = chain.LogCheck(head)
    upto = log.last_position()
    hashes, spans = log.hashes(upto), log.spans(LINES_AT_ONCE)
    total = sum(span.lines for span in spans)
    lines = faulty = reached = events = 0
    found: list[Finding] = []
    for audited in _in_order(log, spans, upto, jobs):
        for audit, about_match, own in audited:
            lines += 1
            faulty += not audit.ok
            reached += own
            found += about_match
            each(audit)
        progress(lines, total)
        for piece in islice(hashes, 1):  # along the way, so that the progress is steady
            events += len(piece)
            check.add(piece)
    for piece in hashes:
        events += len(piece)
        check.add(piece)
    whole = (*storage_findings(log), *_unreached(events, reached), *_whole(check))
    return LogAudit(check.head, head is not None, lines, faulty, (*whole, *found))


def _in_order(log: EventLog, spans: list[Span], upto: int, jobs: int) -> Iterator[list[Audited]]:
    if log.address is not None and jobs > 1:
        from ddz.work.workers import in_order

        return in_order(partial(_audit_span_at, log.address, upto), spans, min(jobs, len(spans)))
    trails = Trails(log, upto)
    return (audit_span(log, upto, span, trails) for span in spans)


def _audit_span_at(address: str, upto: int, span: Span) -> list[Audited]:
    """In a process of its own."""
    log, trails = _log_at(address, upto)
    return audit_span(log, upto, span, trails)


@lru_cache(1)
def _log_at(address: str, upto: int) -> tuple[EventLog, Trails]:
    log = open_log(address, create=False)
    return log, Trails(log, upto)


def audit_span(log: EventLog, upto: int, span: Span, trails: Trails) -> list[Audited]:
    """Audit the lines of a span as the log was when `upto` was its last position."""
    audited: list[Audited] = []
    for rows in log.lines_in(span, upto):
        audit, opened = audit_trail(extend(trails.before(rows[0]), rows))
        about_match = () if opened is None else tuple(match_findings(log, upto, audit.game, opened))
        audited.append((audit, about_match, len(rows)))
    return audited


def match_findings(log: EventLog, upto: int, game: str, opened: GameOpened) -> Iterator[Finding]:
    """What is wrong with a game's place in its match, as the log was at the position `upto`.

    The first voice of a match's later game is the seat after the one that opened the last auction.
    """
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
            "game {game} is round {round} of the match {match}, but names no game before it",
            seq=1,
            game=game,
            round=opened.round,
            match=opened.match,
        )
    if opened.voice_from == "rotation":
        yield Finding(
            "match/rotation", "game {game}: the first voice moves on, but no game is named before it", seq=1, game=game
        )


def _rotation(game: str, opened: GameOpened, before: GameOpened, last: Dealt) -> Iterator[Finding]:
    wanted = next_seat(last.first_voice)
    if opened.first_voice != wanted:
        yield Finding(
            "match/rotation",
            "game {game}: seat {wanted} has the first voice after {previous}, not seat {seat}",
            seq=1,
            game=game,
            wanted=wanted,
            previous=opened.previous or "",
            seat=opened.first_voice,
        )
    if (opened.match, opened.round) != (before.match, before.round + 1):
        yield Finding(
            "match/round",
            "game {game} is round {round}, but {previous} before it is {before}",
            seq=1,
            game=game,
            round=opened.round,
            previous=opened.previous or "",
            before=before.round,
        )


class Verified(msgspec.Struct, frozen=True):
    """What the verification of a whole log found; no law is asked."""

    head: str
    """The log's head, N:DIGEST, as it was when the verification began."""
    head_known: bool
    """As in `LogAudit`."""
    events: int
    findings: tuple[Finding, ...]
    """What is wrong with the storage, with hashes, chains and positions."""


def verify_log(log: EventLog, head: str | None = None) -> Verified:
    """Verify every byte of a log: its storage, the hash of every event, every chain, and its head.

    What is hashed is what stands in the table at its position. The lines are found through an index; since a hash
    covers its event's game and seq, no event is reached twice, and all are reached if as many are as there are.

    Raises:
        Unreadable: `head` is no head of a log.
    """
    check = chain.LogCheck(head)
    upto = log.last_position()
    events = reached = 0
    for piece in log.hashes(upto):
        events += len(piece)
        check.add(piece)
    found: list[Finding] = []
    points = ForkPoints(log, upto)
    for span in log.spans(LINES_AT_ONCE):
        for rows in log.lines_in(span, upto):
            reached += len(rows)
            if plain_events(rows) is None:
                found += chain.verify_rows(rows, points.before(rows[0]))
    whole = (*storage_findings(log), *_unreached(events, reached), *_whole(check))
    found = [*whole, *dict.fromkeys(found)]  # an index that lies may lead to the same row twice
    return Verified(check.head, head is not None, events, tuple(found))


def storage_findings(log: EventLog) -> Iterator[Finding]:
    """What is wrong with the storage of a log: guards against changes, pages, indexes, and notes of nothing."""
    for name in log.missing_guards():
        yield Finding("integrity/guard", "the trigger {name} is missing or changed, or is not one of ddz", name=name)
    for said in log.storage_faults():
        yield Finding("integrity/file", "the file is damaged: {said}", said=said)
    for game in log.unnoted():
        yield Finding(
            "integrity/unfinished",
            "the note of unfinished games is wrong about {game}: it omits it, or names it for nothing",
            game=game,
        )
    for game, at in log.seen().items():
        own = log.rows(game)
        if not own or not 1 <= at <= own[-1].seq:
            yield Finding(
                "integrity/seen",
                "hidden cards of {game} were shown at event {at}, which is not there",
                game=game,
                at=at,
            )


def _unreached(events: int, reached: int) -> Iterator[Finding]:
    if reached != events:
        yield Finding(
            "integrity/index",
            "the index leads to {reached} of {events} events: it leads past a game, or a part of one",
            events=events,
            reached=reached,
        )


def _whole(check: chain.LogCheck) -> Iterator[Finding]:
    yield from check.gaps
    yield from check.head_problems()
