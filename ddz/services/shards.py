"""The shards of a simulation: logs like any other, each with the games of some numbers.

Which number a game has, its nonce says, for that follows from the seed and the number. So nothing is written down
beside the games, and no crash can leave it wrong.
"""

import os
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from ddz import dealing
from ddz.errors import BrokenLog, StorageRefused
from ddz.events import GameOpened
from ddz.log import codec
from ddz.log.base import EventLog
from ddz.log.sqlite import open_log
from ddz.services.plan import LOCK, PLAN, Simulation

_NAME: Final = re.compile(r"games-(\d{9})-(\d{9})\.db", re.ASCII)


def path_of(folder: Path, numbers: range) -> Path:
    """The shard for the games of these numbers."""
    return folder / f"games-{numbers[0]:09}-{numbers[-1]:09}.db"


def numbers_for(path: Path) -> range | None:
    """The numbers of the games that a shard is for; None for a file that is no shard."""
    found = _NAME.fullmatch(path.name)
    return range(int(found[1]), int(found[2]) + 1) if found else None


def shards_of(folder: Path) -> list[tuple[Path, range]]:
    """The shards in a folder, each with the numbers that it is for, in their order."""
    named = ((path, numbers_for(path)) for path in sorted(folder.glob("games-*.db")))
    return [(path, numbers) for path, numbers in named if numbers]


def lay_down(path: Path) -> None:
    """Wait until a shard that nobody writes to any more is on the disk; until then a power cut may spoil it.

    Raises:
        StorageRefused: the disk does not take it.
    """
    try:
        with path.open("rb+") as file:
            os.fsync(file.fileno())
    except OSError as error:
        raise StorageRefused(f"{path} cannot be written: {error.strerror}") from error


def numbers_in(log: EventLog, numbers: range, simulation: Simulation) -> set[int]:
    """The numbers of the games that a shard for `numbers` holds, all of them whole.

    Raises:
        BrokenLog: the shard is damaged, or holds something else.
    """
    nonces = {dealing.chosen_seeds(simulation.seed, number)[0].hex(): number for number in numbers}
    begun: dict[str, int] = {}
    whole: set[int] = set()
    for row in log.after(0, ("game_opened", "seed_revealed")):
        event = codec.event_of(row)
        if isinstance(event, GameOpened):
            number = nonces.pop(event.nonce, 0)
            if not number or (event.players, event.rules) != (simulation.players, simulation.rules):
                raise BrokenLog(f"the game {row.game} in it does not belong there")
            begun[row.game] = number
        else:
            whole.add(begun.pop(row.game, 0))
    if begun or 0 in whole:
        raise BrokenLog("not all of its games are whole")
    return whole


def missing(folder: Path, simulation: Simulation) -> list[range]:
    """The numbers of the games that no shard holds, in stretches.

    Raises:
        BrokenLog: a shard is damaged or holds something else; says what to do.
    """
    there = bytearray(simulation.games + 2)
    there[0] = there[-1] = 1
    for path, numbers in shards_of(folder):
        try:
            if numbers[-1] > simulation.games:
                raise BrokenLog(f"the simulation has no game {numbers[-1]}")
            with closing(open_log(path, create=False)) as log:
                found = numbers_in(log, numbers, simulation)
        except BrokenLog as error:
            advice = f"{path}: {error}. Take this file away, and its games are played again"
            raise type(error)(advice, error.code, error.seq) from error
        for number in found:
            if there[number]:
                raise BrokenLog(f"{path}: game {number} is in another file, too. Take one of them away")
            there[number] = 1
    return list(_stretches(there))


def _stretches(there: bytearray) -> Iterator[range]:
    """Where zeros stand between ones."""
    end = 0
    while (begin := there.find(0, end)) >= 0:
        end = there.find(1, begin)
        yield range(begin, end)


def remove(folder: Path) -> None:
    """Take a simulation away: its shards and what is beside them, and the folder unless there is something else.

    Raises:
        StorageRefused: it cannot be written.
    """
    beside = {PLAN, LOCK}
    try:
        for path in folder.iterdir():
            if path.name in beside or _NAME.fullmatch(re.sub(r"-(wal|shm|journal)$", "", path.name)):
                path.unlink()
        if not any(folder.iterdir()):
            folder.rmdir()
    except OSError as error:
        raise StorageRefused(f"{folder} cannot be removed: {error.strerror}") from error
