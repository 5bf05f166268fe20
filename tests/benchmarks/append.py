"""Appending to a real log in a file: one event a transaction, and whole games one a transaction.

The bare driver is the module that ddz writes with, on a log that ddz has made: it inserts the very same rows, which are
encoded and hashed beforehand. Once with every statement that an append runs, once with the insert alone in its
transaction. `eventsourcing`, where it is installed, stores the same bodies as its own events, by its own means.

A disk is not as fast now as a moment ago. So each contender has its file in one folder, and they take turns game by
game (or a few games) for many rounds: the ratios say more than the figures. Give a folder as the argument to measure
its disk.
"""

import importlib.util
import itertools
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TypeVar

import bench
import corpus
import msgspec

from ddz.decide import decide
from ddz.frozen.events import Event
from ddz.log import codec, driver, sql
from ddz.log.base import EventLog
from ddz.log.memory import MemoryLog
from ddz.log.stores import open_log
from ddz.state import START, State, evolve

AT = "2026-01-02T03:04:05.678901Z"
ROUNDS = 30
GAMES_A_ROUND = 5
"""In the rounds of whole games."""

History = tuple[Event, ...]
Given = TypeVar("Given")
Values = tuple[object, ...]
"""A row, ready to be inserted."""


def append_each(log: EventLog, history: History) -> float:
    """Append the events of a game one a transaction."""
    game = history[0].game
    for seq, event in enumerate(history):
        log.append(game, seq, (event,), f"{game}-{seq}", AT)
    return len(history)


def append_played(log: EventLog, games: list[corpus.Game]) -> float:
    """Decide, evolve and append, a whole game a transaction."""
    for game in games:
        state: State = START
        events: list[Event] = []
        for command in game:
            for event in decide(state, command):
                state = evolve(state, event)
                events.append(event)
        log.append(game[0].game, 0, events, f"{game[0].game}-all", AT)
    return len(games)


def insert_each(connection: driver.Connection, transactions: list[list[Values]], asking: bool = False) -> float:
    """Insert rows with the bare driver; `asking` runs the look-up of an append, too."""
    execute = connection.execute
    for rows in transactions:
        execute("BEGIN IMMEDIATE")
        if asking:
            _, game, _, event_id, *_ = rows[0]
            command = str(event_id).split("/")[0]
            execute(sql.STANDING, (f"{command}/", f"{command}0", game)).fetchall()
        connection.executemany(sql.INSERT, rows)
        execute("COMMIT")
    return len(transactions)


def rows_of(fill: Callable[[EventLog], object]) -> list[Values]:
    """The rows that `fill` makes."""
    log = MemoryLog()
    fill(log)
    return [msgspec.structs.astuple(row) for row in log.after(0)]


def in_turn(work: Callable[[Given], float], given: Iterable[Given]) -> Callable[[], float]:
    """A contender that works at the next of what is given, a round each."""
    rest = iter(given)
    return lambda: bench.rate(lambda: work(next(rest)))


class Desk:
    """A folder with a new file for each contender."""

    def __init__(self, folder: Path, left_open: ExitStack) -> None:
        self.folder = folder
        self.left_open = left_open

    def file(self) -> Path:
        """A new path."""
        return self.folder / f"{len(list(self.folder.iterdir()))}.db"

    def log(self) -> EventLog:
        """A log as ddz opens it."""
        return self.left_open.enter_context(closing(open_log(self.file(), create=True)))

    def connection(self) -> driver.Connection:
        """The bare driver on a log as ddz makes it, in its journal mode."""
        path = self.file()
        open_log(path, create=True).close()
        connection = self.left_open.enter_context(closing(driver.connect(path, "rw")))
        driver.prepare_writing(connection)
        return connection


def singles(desk: Desk, histories: list[History]) -> dict[str, Callable[[], float]]:
    """The contenders at one event a transaction, a game a round."""
    rows = rows_of(lambda log: [append_each(log, history) for history in histories])
    lone = [[[row] for row in own] for _, own in itertools.groupby(rows, key=lambda values: values[1])]
    log, same, alone = desk.log(), desk.connection(), desk.connection()
    contenders = {
        "append": in_turn(lambda history: append_each(log, history), histories),
        "bare driver, same statements": in_turn(lambda rows: insert_each(same, rows, asking=True), lone),
        "bare driver, insert alone": in_turn(lambda rows: insert_each(alone, rows), lone),
    }
    if importlib.util.find_spec("eventsourcing"):
        from eventsourcing_peer import Peer

        peer = desk.left_open.enter_context(closing(Peer(desk.file())))
        bodies = [[codec.encode(event)[2] for event in history] for history in histories]
        contenders["eventsourcing"] = in_turn(peer.append_each, bodies)
    return contenders


def whole(desk: Desk, games: list[corpus.Game]) -> dict[str, Callable[[], float]]:
    """The contenders at one game a transaction, some games a round."""
    rows = rows_of(lambda log: append_played(log, games))
    done = [list(own) for _, own in itertools.groupby(rows, key=lambda values: values[1])]
    log, connection = desk.log(), desk.connection()
    return {
        "decide, evolve and append": in_turn(lambda some: append_played(log, some), parts(games)),
        "bare driver, same rows": in_turn(lambda some: insert_each(connection, some), parts(done)),
    }


def parts(items: list[Given]) -> list[list[Given]]:
    """The items of each round."""
    return [items[at : at + GAMES_A_ROUND] for at in range(0, len(items), GAMES_A_ROUND)]


def main() -> None:
    """Measure and print."""
    games = corpus.games((ROUNDS + 1) * GAMES_A_ROUND)
    histories = [corpus.events(game) for game in games[: ROUNDS + 1]]
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as folder, ExitStack() as stack:
        desk = Desk(Path(folder), stack)
        of_events = bench.interleaved(singles(desk, histories), ROUNDS)
        of_games = bench.interleaved(whole(desk, games), ROUNDS)
    more: dict[str, object] = {"whole games": bench.compared("games/s", of_games)}
    if "eventsourcing" not in of_events:
        more["skipped"] = {"eventsourcing": "not installed"}
    bench.report("appends of one event a transaction", "events/s", of_events, **more)


if __name__ == "__main__":
    main()
