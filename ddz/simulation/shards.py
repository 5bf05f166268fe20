"""The shards of a simulation: logs like any other, each with the games of some numbers, in a folder of their own.

The games themselves say which numbers (`numbers`). A process that ends at any moment leaves only files that the next
one can use or remove.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from ddz.errors import BrokenLog, StorageRefused, Unreadable, of_system, unreadable, unwritable
from ddz.log.base import EventLog
from ddz.log.files import SIDECARS
from ddz.log.stores import open_log
from ddz.services import merge
from ddz.simulation import numbers
from ddz.simulation.at_work import WORKERS
from ddz.simulation.plan import PLAN, UNFINISHED, Simulation

_SHARD: Final = re.compile(r"games-(\d{9})-(\d{9})\.db", re.ASCII)
_BESIDE: Final = re.compile(rf"({_SHARD.pattern})(?:{'|'.join(SIDECARS)})", re.ASCII)
"""What SQLite keeps beside a shard while a process writes to it, and leaves there when the process is killed."""


def path_of(folder: Path, of: range) -> Path:
    """The shard for the games of these numbers."""
    return folder / f"games-{of[0]:09}-{of[-1]:09}.db"


def numbers_for(path: Path) -> range | None:
    """The numbers of the games that a shard is for; None for a file that is no shard."""
    found = _SHARD.fullmatch(path.name)
    return range(int(found[1]), int(found[2]) + 1) if found and 0 < int(found[1]) <= int(found[2]) else None


def shards_of(folder: Path) -> list[tuple[Path, range]]:
    """The shards in a folder, each with the numbers that it is for, in their order.

    Raises:
        StorageRefused: the folder cannot be read.
    """
    named = ((folder / name, numbers_for(folder / name)) for name in _names(folder))
    return [(path, of) for path, of in named if of]


def sync_to_disk(path: Path) -> None:
    """Wait until a finished shard is on the disk; until then a power cut may spoil it.

    Raises:
        StorageRefused: the disk does not take it.
    """
    try:
        with path.open("rb+") as file:
            os.fsync(file.fileno())
    except OSError as error:
        raise unwritable(path, error) from error


def missing(folder: Path, simulation: Simulation, there: bytearray | None = None) -> list[range]:
    """The numbers of the games that are still to be played, in stretches: no shard holds them, nor the log.

    `there` marks those that are in the log which is to take over the shards. What is of no use is removed: shards
    without a game (their worker was killed), those with games that the log has taken over, and what SQLite left beside
    a shard that is gone. Where the log has only some of a shard's games, from elsewhere, the others are played again,
    since a shard is taken over whole.

    Raises:
        BrokenLog: a shard is damaged or holds something else; says what to do.
        StorageRefused: the folder cannot be read, or not be written.
    """
    there = numbers.unmarked(simulation) if there is None else there
    left = bytearray(there)
    for path, of in shards_of(folder):
        found = held(path, of, simulation)
        if not found or any(there[number] for number in found):
            _take_away(path)
            continue
        for number in found:
            if left[number]:
                raise BrokenLog(
                    "log/broken",
                    "{path}: game {number} is in another file, too. Remove one of them",
                    path=str(path),
                    number=number,
                )
            left[number] = 1
    shards = {path.name for path, _ in shards_of(folder)}
    for name in _names(folder):
        if (beside := _BESIDE.fullmatch(name)) and beside[1] not in shards:
            _take_away(folder / name)
    return list(_stretches(left))


def held(path: Path, of: range, simulation: Simulation) -> set[int]:
    """The numbers of the games in a shard; none if no game was finished.

    Raises:
        BrokenLog: it is damaged or holds something else; says what to do.
        StorageRefused: it cannot be read.
    """
    try:
        if of[-1] > simulation.games:
            raise BrokenLog("shard/number", "the simulation has no game {number}", number=of[-1])
        with closing(open_log(path, create=False)) as log:
            return numbers.numbers_in(log, of, simulation)
    except BrokenLog as error:
        raise _damaged(type(error), path, error) from error


def take_over(log: EventLog, path: Path, begun: Callable[[], object], head: str | None) -> None:
    """Merge a shard into the log, as `merge.merge` does.

    Raises:
        BrokenLog: it cannot be taken over; says what to do.
        StorageRefused: it cannot be read, or the log takes no more.
    """
    try:
        merge.merge(log, path, begun, head)
    except Unreadable as error:  # it was read a moment ago
        raise StorageRefused.of(error) from error
    except BrokenLog as error:
        if not error.code.startswith(("integrity/", "legality/")):
            raise  # the log itself is broken, not the shard
        raise _damaged(BrokenLog, path, error) from error


def _damaged(kind: type[BrokenLog], path: Path, why: BrokenLog) -> BrokenLog:
    return kind.telling(
        why, "shard/damaged", "{path}: {why}. Remove this file, and its games are played again", path=str(path)
    )


def _stretches(there: bytearray) -> Iterator[range]:
    """Where zeros stand between ones."""
    end = 0
    while (begin := there.find(0, end)) >= 0:
        end = there.find(1, begin)
        yield range(begin, end)


def clear(folder: Path) -> None:
    """Remove all shards, and what is beside them.

    Raises:
        StorageRefused: it cannot be written.
    """
    for name in _names(folder):
        if _SHARD.fullmatch(name) or _BESIDE.fullmatch(name):
            _take_away(folder / name)


def remove(folder: Path) -> None:
    """Remove a simulation: its shards, then the plan, and the folder unless there is something else in it.

    As long as the plan is there, the next command knows what the shards were, and that they are in the log.

    Raises:
        StorageRefused: it cannot be written.
    """
    clear(folder)
    with _written(folder):
        for name in (UNFINISHED, WORKERS, PLAN):
            (folder / name).unlink(missing_ok=True)
        if not any(folder.iterdir()):
            folder.rmdir()


def _names(folder: Path) -> list[str]:
    """The files of a folder in their order; none if it is not there."""
    try:
        return sorted(path.name for path in folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise StorageRefused.of(unreadable(folder, error)) from error


def _take_away(path: Path) -> None:
    """Remove a file, and what SQLite left beside it."""
    with _written(path.parent):
        for ending in ("", *SIDECARS):
            path.with_name(path.name + ending).unlink(missing_ok=True)


@contextmanager
def _written(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StorageRefused(
            "file/not-removed", "{path} cannot be cleared: {why}", path=str(folder), why=of_system(error)
        ) from error
