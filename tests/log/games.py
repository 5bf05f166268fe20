"""Real games as batches of events, and logs filled with them."""

import random
from collections.abc import Iterable, Iterator
from pathlib import Path

from ddz.commands import Command, Deal, Escape, Fork, OpenGame, Seeds
from ddz.decide import decide, legal
from ddz.frozen.events import Event
from ddz.frozen.shapes import Player
from ddz.log import chain, sql
from ddz.log.base import EventLog, Row
from ddz.log.driver import BUSY_SECONDS
from ddz.log.sqlite import SqliteLog, opened
from ddz.rules import CLASSIC
from ddz.state import START, Opened, Over, State, Void, fold, turn_of

AT = "2024-05-06T07:08:09Z"
PLAYERS = (Player("安 Ann", "human"), Player('bob "the bot"', "bot", "random", "1"), Player("cat", "human"))

Batch = tuple[Event, ...]


def play(state: State, rng: random.Random, turns: int | None = None) -> Iterator[Batch]:
    """The batches of random play from `state` on; after `turns` of them seat 0 escapes."""
    while not isinstance(state, Over):
        command: Command
        if isinstance(state, Opened | Void):
            command = Deal()
        elif turns is not None and turns <= 0:
            command = Escape(0)
        else:
            command = rng.choice(legal(state))
            turns = None if turns is None else turns - 1
        batch = decide(state, command)
        yield batch
        state = fold(batch, state)


def game(name: str, seed: int = 1, turns: int | None = None) -> list[Batch]:
    """The batches of a whole random game."""
    seeds = Seeds(f"{seed:064x}", f"{seed + 1:064x}")
    opened = decide(START, OpenGame(name, name, 1, None, PLAYERS, CLASSIC, seeds, None, "seed"))
    return [opened, *play(fold(opened), random.Random(seed), turns)]


def fill(log: EventLog, name: str, seed: int = 1, turns: int | None = None, at: str = AT) -> tuple[Row, ...]:
    """Append a whole game, a batch a command, with the command ids NAME-0, NAME-1, ..."""
    return store(log, name, 0, game(name, seed, turns), at)


def store(log: EventLog, name: str, seq: int, batches: list[Batch], at: str = AT) -> tuple[Row, ...]:
    """Append batches one after the other; the line's rows then."""
    for number, batch in enumerate(batches):
        log.append(name, seq, batch, f"{name}-{number}", at)
        seq += len(batch)
    return log.rows(name)


def turn_points(log: EventLog, name: str) -> list[int]:
    """The seqs after which a seat is to act."""
    history = log.history(name)
    return [seq for seq in range(1, len(history) + 1) if turn_of(fold(history[:seq])) is not None]


def fork(log: EventLog, name: str, parent: str, at: int, turns: int | None = 3, seed: int = 5) -> tuple[Row, ...]:
    """Fork `parent` at `at` and play on at random; the fork's rows."""
    head = log.rows(parent, at)[-1].hash
    state = fold(log.history(parent, at))
    first = decide(state, Fork(parent, at, head, "explore"))
    return store(log, name, at, [first, *play(state, random.Random(seed), turns)])


def family(log: EventLog) -> None:
    """Two short games, a fork of the first, and a fork of the fork at a point that the fork itself inherits."""
    fill(log, "ann", seed=1, turns=4)
    fill(log, "bob", seed=2, turns=4)
    points = turn_points(log, "ann")
    fork(log, "left", "ann", points[3], turns=2)
    fork(log, "lower", "left", points[1], turns=2, seed=6)
    fork(log, "deep", "left", turn_points(log, "left")[-1], turns=1, seed=7)


def sqlite_log(path: Path, create: bool = True, busy_seconds: float = BUSY_SECONDS) -> SqliteLog:
    """The log at `path`, which is there or may be created."""
    log = opened(str(path), create, busy_seconds)
    assert log is not None
    return log


def raw(log: EventLog) -> list[Row]:
    """Every row as it is stored, also one that is not what was hashed."""
    if isinstance(log, SqliteLog):
        return list(log._query(f"{sql.SCAN} ORDER BY position"))
    return list(log.after(0))


def check_of(rows: Iterable[Row], known: str | None = None) -> chain.LogCheck:
    """The check of a whole log by all of its rows, with the head `known` if one is given."""
    check = chain.LogCheck(known)
    check.add([(row.position, row.hash) for row in rows])
    return check


def log_head(rows: Iterable[Row]) -> str:
    """The head of the whole log that has these rows."""
    return check_of(rows).head


def head_problems(rows: Iterable[Row], known: str) -> list[chain.Finding]:
    """Whether the log that has these rows still begins with what had the head `known`."""
    return check_of(rows, known).head_problems()


def findings(log: EventLog, head: str | None = None) -> list[chain.Finding]:
    """Everything that the log as a whole and each of its lines shows."""
    found = check_of(raw(log)).gaps
    for line in log.lines():
        found += chain.verify_rows(log.rows(line.game))
    if head is not None:
        found += head_problems(raw(log), head)
    return found


def codes(log: EventLog, head: str | None = None) -> set[str]:
    """The codes of the findings."""
    return {problem.code for problem in findings(log, head)}
