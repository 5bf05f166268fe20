"""Merging: a log takes over the games of others, a file at a time, each of them all or nothing."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from ddz.errors import BrokenLog, Phrase, StorageRefused, Unreadable
from ddz.log import chain
from ddz.log.base import Adopted, EventLog, Row
from ddz.log.stores import existing_log
from ddz.services.judge import Lawless, judge_for

LINES_AT_ONCE: Final = 10_000
"""Lines that are counted by one read."""


def merge(
    log: EventLog, at: Path | str, begun: Callable[[], object] = lambda: None, head: str | None = None
) -> Adopted:
    """Take over every game and fork of the log at `at`, in its order; what is here already stays as it is.

    `begun` is called for each of them as its turn comes. Each line is judged before it is kept. With `head`, which
    only our own worker can know that has just decided all of it, the other log must have this very head, and is not
    judged again.

    Raises:
        Unreadable: there is no log there, it cannot be read, or it is this one.
        BrokenLog: it is broken, foreign or newer, contradicts this log, or holds a line that is no lawful game of
            ours; nothing of it is taken over.
        StorageRefused: this log takes no more.
    """
    with _other(at) as other:
        if log.same_as(other):
            raise Unreadable("merge/itself", "{path} is the very log that takes over the games of others", path=str(at))
        if head is not None:
            return log.adopt(_known(_counted(other.after(0), begun), head), other.seen())
        return log.adopt(_counted(other.after(0), begun), other.seen(), judge_for(log))


def lines_of(at: Path | str) -> int:
    """The number of games and forks in a log; raises as `merge`."""
    with _other(at) as other:
        return sum(span.lines for span in other.spans(LINES_AT_ONCE))


@contextmanager
def _other(at: Path | str) -> Iterator[EventLog]:
    """A log that must be there, with its name in what is wrong with it."""
    try:
        log = existing_log(at)
    except StorageRefused as error:
        raise Unreadable.of(error) from error
    with closing(log) as other:
        try:
            yield other
        except Lawless as error:
            raise Lawless.telling(
                error,
                "merge/lawless",
                "{path}: {why}. Nothing of it is taken over; its sound games can be salvaged",
                path=str(at),
            ) from error
        except BrokenLog as error:
            if "path" in error.facts:  # a damaged file names itself, and may be the log that takes over
                raise
            raise type(error).at(str(at), error) from error


def _known(rows: Iterable[Row], head: str) -> Iterator[Row]:
    """The rows of a log that must have this head; those that were handed on by then are taken back, if it has not."""
    check = chain.LogCheck()
    for row in rows:
        check.add([(row.position, row.hash)])
        yield row
    if check.head != head:
        raise BrokenLog("integrity/head", "{why}", why=Phrase("head/left", "it is not as its writer left it"))


def _counted(rows: Iterable[Row], begun: Callable[[], object]) -> Iterator[Row]:
    for row in rows:
        if row.type in ("game_opened", "game_forked"):
            begun()
        yield row
