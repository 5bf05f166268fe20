"""Histories: what several processes were told, in any interleaving, is what one after another would have been told.

Eight processes act in one game, with ids of their own and with shared ones, expecting the last event or an older one;
some are killed, and now and then somebody else holds the lock. What is stored orders the commands that had an effect.
Every answer must then have a place in that order between its question and its end (linearisability): a refusal for
being stale where the game stood where it says, a retry behind the command that it repeats, a refusal of the law where
the law refuses. And the order itself must not contradict the clock.

The long form has 200 histories: `python -m pytest -m long tests/attacks/test_histories.py`.
"""

import json
import os
import random
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import pytest

from ddz.commands import Bid, Pass, PassBid, Play, Turn
from ddz.decide import refusal
from ddz.frozen.events import Event
from ddz.frozen.shapes import Player
from ddz.log import codec
from ddz.log.driver import sqlite3
from ddz.log.stores import open_log
from ddz.services.audit import audit_game
from ddz.services.table import Opening, Table
from ddz.state import START, State, evolve

if sys.platform == "win32":
    pytest.skip("kill -9 is a way of POSIX systems", allow_module_level=True)

WORKER = Path(__file__).with_name("history_worker.py")
PROCESSES = 8
OPERATIONS = 12
PEOPLE = (Player("ann", "human"), Player("bob", "human"), Player("cat", "human"))
NEVER = 2**63


@dataclass
class Operation:
    """What one process asked, and what it was told."""

    id: str
    expect: int | None
    kind: str
    """The name of the command's class, which its JSON does not tell."""
    move: str
    began: int
    ended: int = NEVER
    """NEVER if it was killed before it was told anything."""
    answer: dict[str, object] = field(default_factory=dict)


@dataclass
class Stored:
    """A command that is in the log: where the game stood behind it, and who may have given it."""

    id: str
    seq: int
    began: int = NEVER
    """When the first of those who asked for it began."""
    ended: int = NEVER
    """When the first of those who were told of it knew."""


class Worker:
    """A process that acts; it is begun again where it was killed."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def give(self, task: dict[str, object]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(task) + "\n")
        self.process.stdin.flush()

    def wait(self, doomed: bool) -> None:
        """Until it has done its task, or until it is dead."""
        if doomed:
            self.end()
            assert self.process.returncode == -9
            self.begin()
            return
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "done\n", "it ends by nothing but a kill"

    def end(self) -> None:
        self.process.communicate()  # which closes what it reads from


@pytest.fixture(scope="module")
def workers():
    made = [Worker() for _ in range(PROCESSES)]
    yield made
    for worker in made:
        worker.end()


def disturbed(db: Path, workers: list[Worker], chance: random.Random) -> list[int]:
    """Hold the lock now and then, and kill some; which were killed."""
    doomed = chance.sample(range(PROCESSES), chance.randint(0, 3))
    with closing(sqlite3.connect(str(db), isolation_level=None, timeout=20)) as other:
        for number in doomed:
            time.sleep(chance.random() * 0.05)
            workers[number].process.kill()
            if chance.random() < 0.5:
                other.execute("BEGIN IMMEDIATE")
                time.sleep(chance.random() * 0.03)
                other.execute("ROLLBACK")
    return doomed


def history(folder: Path, workers: list[Worker], seed: int) -> tuple[Path, str, list[Operation], int]:
    """Let all act in a new game, and gather what they wrote down."""
    chance = random.Random(seed)
    db = folder / f"{seed}.db"
    with closing(open_log(db, create=True)) as log:
        table = Table(log, lambda: "2024-05-06T07:08:09Z", os.urandom)
        game = table.open(Opening(players=PEOPLE, seed=seed)).game
    shared = [f"shared-{number}" for number in range(6)]
    journals = [folder / f"{seed}-{number}.jsonl" for number in range(PROCESSES)]
    for number, worker in enumerate(workers):
        worker.give(
            {
                "db": str(db),
                "game": game,
                "seed": seed * 100 + number,
                "operations": OPERATIONS,
                "journal": str(journals[number]),
                "ids": shared,
            }
        )
    doomed = disturbed(db, workers, chance)
    for number, worker in enumerate(workers):
        worker.wait(number in doomed)
    return db, game, [each for journal in journals for each in read(journal)], len(doomed)


def read(journal: Path) -> list[Operation]:
    """The operations of one process; the last may have no end, or half a line."""
    found: list[Operation] = []
    for line in journal.read_text().splitlines() if journal.exists() else []:
        try:
            entry = json.loads(line)
        except ValueError:
            break  # a kill in the middle of a write
        if "began" in entry:
            found.append(Operation(**entry))
        else:
            found[-1].ended = entry.pop("ended")
            found[-1].answer = entry
    return found


def check(db: Path, game: str, operations: list[Operation]) -> None:
    """Find every answer a place."""
    with closing(open_log(db, create=False)) as log:
        assert audit_game(log, game).ok
        rows = log.rows(game)
        events = log.history(game)
    states: dict[int, State] = {}
    state: State = START
    for seq, event in enumerate(events, 1):
        state = evolve(state, event)
        states[seq] = state
    ends: dict[str, int] = {}
    for row in rows:
        command = row.event_id.rpartition("/")[0]
        assert command not in ends or row.seq == ends[command] + 1, "the events of a command stand together, once"
        ends[command] = row.seq
    opening = Stored(rows[0].event_id.rpartition("/")[0], rows[1].seq, began=0, ended=0)
    order = [opening, *(Stored(id, seq) for id, seq in ends.items() if id != opening.id)]
    assert [each.seq for each in order] == sorted(each.seq for each in order)
    place = {each.id: number for number, each in enumerate(order)}
    for asked in operations:
        if asked.id in place:
            stored = order[place[asked.id]]
            stored.began = min(stored.began, asked.began)
            if "ok" in asked.answer:
                stored.ended = min(stored.ended, asked.ended)
    assert all(each.began < NEVER for each in order), "nothing is stored that nobody asked for"
    _check_order(order)
    slots: list[tuple[Operation, int]] = []
    for asked in sorted(operations, key=lambda each: each.ended):
        if asked.answer:
            least = max([slot for before, slot in slots if before.ended < asked.began], default=0)
            slots.append((asked, _slot(asked, order, states, events, least)))


def _check_order(order: list[Stored]) -> None:
    """No command stands before one that had ended when it began."""
    latest = 0
    for each in order:
        assert each.ended >= latest, "stored behind a command that began after this one's end was known"
        latest = max(latest, each.began)


def _slot(
    asked: Operation, order: list[Stored], states: dict[int, State], events: tuple[Event, ...], least: int
) -> int:
    """The first place behind which this answer is right: after `order[slot]`, within its time, from `least` on."""
    for slot in range(least, len(order)):
        begun = order[slot].began < asked.ended
        not_past = slot + 1 == len(order) or order[slot + 1].ended > asked.began
        if begun and not_past and _right(asked, order, slot, states, events):
            return slot
    raise AssertionError(f"no place for {asked} among {[(each.id, each.seq) for each in order]}")


def _right(
    asked: Operation, order: list[Stored], slot: int, states: dict[int, State], events: tuple[Event, ...]
) -> bool:
    """Whether the answer is what a game that stands behind `order[slot]` gives."""
    known = next((number for number, each in enumerate(order) if each.id == asked.id), len(order))
    seq = order[slot].seq
    turn = msgspec.json.decode(asked.move)
    match asked.answer:
        case {"ok": told}:  # done here for the first time, or before
            return known <= slot and order[known].seq == told and same(turn, events[order[known - 1].seq])
        case {"stale": actual}:
            return known > slot and actual == seq and asked.expect is not None and asked.expect != seq
        case {"refused": "log/command-reused"}:
            return known <= slot
        case {"refused": code}:
            refused = refusal(states[seq], command(asked))
            return known > slot and asked.expect in (None, seq) and refused is not None and refused.code == code
    return False


def command(asked: Operation) -> Turn:
    """The command that was given."""
    shape = {each.__name__: each for each in (Bid, PassBid, Play, Pass)}[asked.kind]
    return msgspec.json.decode(asked.move, type=shape, dec_hook=codec._dec_hook)


def same(turn: dict[str, object], event: Event) -> bool:
    """Whether the event is of the seat and the cards or points of the command."""
    stored = msgspec.json.decode(codec.plain(event))
    return all(stored.get(name) == turn[name] for name in ("seat", "cards", "points") if turn.get(name) is not None)


def trial(folder: Path, workers: list[Worker], seeds: range) -> None:
    counts: dict[str, int] = {}
    killed = 0
    for seed in seeds:
        db, game, operations, lost = history(folder, workers, seed)
        check(db, game, operations)
        killed += lost
        for each in operations:
            kind = next(iter(each.answer), "killed")
            counts[kind] = counts.get(kind, 0) + 1
        for path in folder.glob(f"{seed}*"):
            path.unlink()
    print(f"{len(seeds)} histories, {killed} kills: {counts}")
    assert counts["ok"] > len(seeds)
    assert counts["stale"] > len(seeds), "they came into each other's way"
    assert counts["refused"] > len(seeds)


def test_histories(tmp_path: Path, workers: list[Worker]) -> None:
    trial(tmp_path, workers, range(1, 9))


@pytest.mark.long
def test_many_histories(tmp_path: Path, workers: list[Worker]) -> None:
    trial(tmp_path, workers, range(1000, 1200))


class TestTheCheckItself:
    """A check that cannot fail shows nothing."""

    ORDER = (Stored("open", 2, 0, 0), Stored("a", 3, 10, 20), Stored("b", 4, 30, 40))

    def _fails(self, asked: Operation) -> bool:
        try:
            _slot(asked, list(self.ORDER), {}, (), 0)
        except AssertionError:
            return True
        return False

    def test_stale_too_late(self) -> None:
        assert not self._fails(Operation("x", 2, "Pass", '{"seat":0}', 12, 35, {"stale": 3}))
        assert self._fails(Operation("x", 2, "Pass", '{"seat":0}', 41, 45, {"stale": 3})), (
            "the game had moved on before"
        )
        assert self._fails(Operation("x", 2, "Pass", '{"seat":0}', 1, 9, {"stale": 3})), "it had not yet come there"
        assert self._fails(Operation("x", 3, "Pass", '{"seat":0}', 12, 35, {"stale": 3})), (
            "it stood where it was expected"
        )
        assert self._fails(Operation("a", 2, "Pass", '{"seat":0}', 21, 25, {"stale": 3})), "a known id is never stale"

    def test_an_order_against_the_clock(self) -> None:
        with pytest.raises(AssertionError):
            _check_order([Stored("a", 3, 30, 40), Stored("b", 4, 10, 20)])
        _check_order([Stored("a", 3, 15, 40), Stored("b", 4, 10, 20)])
