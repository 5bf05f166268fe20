"""Whole games of bots, any number of them, on all cores.

Game number n of the seed S deals what round n of `ddz play --seed S` deals, and the bots' chance follows from its
nonce. So a game depends on nothing but its number: not on who plays it, nor on what was played before.
"""

import random
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from math import ceil
from pathlib import Path
from typing import Final

import msgspec

from ddz import bots
from ddz.errors import BrokenLog, DdzError, StorageRefused
from ddz.log import read
from ddz.log.stores import open_log
from ddz.services.loop import NobodyBids, Seated, whole_game
from ddz.services.opening import Opening, chosen, open_command
from ddz.services.table import Table
from ddz.simulation import shards
from ddz.simulation.at_work import helping
from ddz.simulation.numbers import numbers_in
from ddz.simulation.plan import Simulation
from ddz.work.base import Engine

STRETCH_SECONDS: Final = 1.0
"""How many seconds of work a worker is given at once."""
LAST_PARTS: Final = 8
"""Towards the end the stretches become shorter, down to this part of that, so that all workers end together."""
LONGEST_STRETCH: Final = 2000
"""Games, so that a shard stays a file that can be handled, and is merged in one transaction."""


class Task(msgspec.Struct, frozen=True):
    """The games that a worker is to play, and all it needs from outside: it has no clock and no chance of its own."""

    simulation: Simulation
    folder: Path
    begin: int
    """The number of the first game; `end` is the number after the last one."""
    end: int
    at: str
    """The time that the events are to bear."""
    entropy: bytes
    """What the ids of the games are drawn from."""


class Shard(msgspec.Struct, frozen=True):
    """What a worker has done."""

    path: Path
    games: int
    """Those that it played now."""
    events: int
    given_up: tuple[int, ...]
    """The numbers of those in which nobody bid; they are not kept."""
    head: str
    """The head of the shard."""
    seconds: float


class Failure(msgspec.Struct, frozen=True):
    """Why a worker could not do its work: an error of ours, since any other need not survive the way to its parent."""

    error: DdzError


class WorkerFailed(DdzError):
    """A worker could not go on because of a fault in ddz, or in a bot."""


class SimulationResult(msgspec.Struct, frozen=True):
    """What was played by this call."""

    games: int
    events: int
    given_up: tuple[int, ...]
    """Numbers of games."""
    heads: dict[Path, str]
    """Of the shards that were written."""
    known: int
    """Games that were there before."""


def play(
    folder: Path,
    simulation: Simulation,
    engine: Engine,
    jobs: int,
    clock: Callable[[], str],
    entropy: Callable[[int], bytes],
    report: Callable[[int, int], object],
    there: bytearray | None = None,
) -> SimulationResult:
    """Play all games of a simulation that no shard of the folder holds, `jobs` stretches of them at once.

    `report` is called with the number of games done, earlier ones too, and of all games; `there` are those that need
    not be in the folder (`shards.missing`). Whatever happens, the shards are valid logs of whole games, and the next
    call continues.

    Raises:
        StorageRefused: the folder takes no more.
        BrokenLog: a shard is damaged.
        WorkerDied, WorkerFailed: a worker could not go on.
    """
    stretches = Stretches(shards.missing(folder, simulation, there), jobs)
    known = done = simulation.games - stretches.left
    report(done, simulation.games)
    tasks = (Task(simulation, folder, each.start, each.stop, clock(), entropy(32)) for each in stretches)
    written: list[Shard] = []
    with ThreadPoolExecutor(1) as beside, engine:  # workers do not wait for the disk: this thread does
        synced = []
        for answer in engine.unordered(play_stretch, tasks):
            if isinstance(answer, Failure):
                raise answer.error
            stretches.learn(answer.games, answer.seconds)
            synced.append(beside.submit(shards.sync_to_disk, answer.path))
            written.append(answer)
            done += answer.games + len(answer.given_up)
            report(done, simulation.games)
        for each in synced:
            each.result()
    return SimulationResult(
        sum(each.games for each in written),
        sum(each.events for each in written),
        tuple(sorted(number for each in written for number in each.given_up)),
        {each.path: each.head for each in written},
        known,
    )


class Stretches:
    """The games that are to be played, in stretches that keep a worker busy for about a second, and all to the end."""

    def __init__(self, gaps: Sequence[range], jobs: int) -> None:
        self.left = sum(map(len, gaps))
        self._gaps = list(gaps)
        self._jobs = jobs
        self._length = 1
        """A single game first, to learn how fast the bots are."""

    def __iter__(self) -> Iterator[range]:
        """The next stretch, as long as there is one."""
        while self._gaps:
            gap = self._gaps[0]
            share = max(ceil(self.left / self._jobs), ceil(self._length / LAST_PARTS))
            length = min(self._length, len(gap), share)
            self._gaps[:1] = [gap[length:]] if length < len(gap) else []
            self.left -= length
            yield gap[:length]

    def learn(self, games: int, seconds: float) -> None:
        """A worker needed `seconds` for `games`."""
        if games:
            self._length = min(max(1, round(STRETCH_SECONDS * games / seconds)), LONGEST_STRETCH)


def play_stretch(task: Task) -> Shard | Failure:
    """Play some games into a shard of their own, each in one transaction: what a worker does.

    A game that the shard holds already is left as it is.
    """
    began = time.perf_counter()
    numbers = range(task.begin, task.end)
    number = task.begin
    try:
        path = shards.path_of(task.folder, numbers)
        with helping(task.folder), closing(open_log(path, create=True)) as log:
            log.relax_sync()
            table = Table(log, lambda: task.at, random.Random(task.entropy).randbytes)
            there = numbers_in(log, numbers, task.simulation)
            seated = {seat: bots.make(player.bot or "") for seat, player in enumerate(task.simulation.players)}
            events = 0
            given_up: list[int] = []
            for number in numbers:
                if number in there:
                    continue
                try:
                    events += _play(table, task.simulation, number, seated)
                except NobodyBids:
                    given_up.append(number)
            games = len(numbers) - len(there) - len(given_up)
            seconds = time.perf_counter() - began
            return Shard(path, games, events, tuple(given_up), read.head(log), seconds)
    except (StorageRefused, BrokenLog) as error:
        return Failure(error)
    except DdzError as error:
        return Failure(WorkerFailed.of(error))
    except Exception as error:
        return Failure(
            WorkerFailed(
                "worker/fault",
                "game {number} of seed {seed}: {what}",
                number=number,
                seed=task.simulation.seed,
                what=_described(error),
            )
        )


def _play(table: Table, simulation: Simulation, number: int, seated: Seated) -> int:
    """Play game `number`; how many events it took."""
    opening = Opening(players=simulation.players, rules=simulation.rules)
    command = open_command(table.new_id(), opening, chosen(simulation.seed, number))
    events = whole_game(command, seated)
    return len(table.store(command.game, events))


def _described(error: Exception) -> str:
    """An unforeseen error, with its place."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno})"
