"""The feed: the events after a position of the log as a viewer may see them, and waiting for more. It has no clock."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import msgspec

from ddz.errors import BrokenLog
from ddz.log import chain, codec
from ddz.log.base import EventLog, Row
from ddz.log.read import unknown
from ddz.services.sight import TABLE, Sight, hides, look
from ddz.state import fold
from ddz.view import EventView


class FeedEntry(msgspec.Struct, frozen=True):
    """One event of the log, as a viewer may see it."""

    position: int
    """Its place in the whole log; a feed continues after it."""
    game: str
    seq: int
    at: str
    """When it happened, RFC 3339 in UTC."""
    type: str
    event: EventView
    event_id: str
    hash: str


EventsAfter = Callable[[EventLog, int], Iterator[FeedEntry]]
"""The events that are after a position of a log now."""


def of_log(log: EventLog, position: int, reveal: bool = False) -> Iterator[FeedEntry]:
    """The events of all games after `position`, each as a viewer without a seat may see it (see `sight.look`).

    With `reveal` all cards are shown, and each game that hides some is marked `seen`.

    Raises:
        BrokenLog: a position is missing, or a row is not what was hashed.
    """
    for row in log.after(position):
        if row.position != position + 1:
            raise BrokenLog(
                "log/damaged",
                "position {position} of the log is missing: {next} follows",
                position=position + 1,
                next=row.position,
            )
        position = row.position
        yield _entry(row, _sight_of(log, row.game, reveal) if hides(row.type) else TABLE)


def _sight_of(log: EventLog, game: str, reveal: bool) -> Sight:
    return look(log, game, fold(log.history(game)), "all" if reveal else None, reveal)


def of_line(log: EventLog, game: str, sight: Sight, position: int = 0) -> Iterator[FeedEntry]:
    """The events of one game or fork after `position`, those that a fork inherits among them.

    Raises:
        UnknownGame: there is no such game.
        BrokenLog: a row is not what was hashed, or not where it belongs.
    """
    rows = log.rows(game)
    if not rows:
        raise unknown(game)
    for problem in chain.verify_rows(rows):
        raise problem.error()
    for row in rows:
        if row.position > position:
            yield _entry(row, sight)


def follow(
    opened: Callable[[], AbstractContextManager[EventLog]],
    events_after: EventsAfter,
    position: int,
    wait: Callable[[], bool],
) -> Iterator[FeedEntry]:
    """What is after `position`, and then everything that comes, as long as `wait` says so.

    Each look opens the log anew: it may not be there yet, or be another one than before. Between two looks `wait`
    pauses, and answers whether to look again.

    Raises:
        BrokenLog, UnknownGame: as `events_after` does.
    """
    while True:
        with opened() as log:
            for entry in events_after(log, position):
                position = entry.position
                yield entry
        if not wait():
            return


def _entry(row: Row, sight: Sight) -> FeedEntry:
    event = sight.event(codec.event_of(row))
    return FeedEntry(row.position, row.game, row.seq, row.at, row.type, event, row.event_id, row.hash)
