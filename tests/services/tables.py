"""Tables with a clock and entropy that repeat themselves, and whole games on them."""

import functools
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from ddz.actions import Action
from ddz.commands import Bid, Escape, PassBid, Play, Turn
from ddz.decide import legal
from ddz.frozen.events import Event
from ddz.frozen.shapes import Player, Players
from ddz.log import chain
from ddz.log.base import GENESIS, EventLog, Row
from ddz.log.memory import MemoryLog
from ddz.log.sqlite import SqliteLog
from ddz.log.stores import open_log
from ddz.record import parse_action
from ddz.services import loop
from ddz.services.archive import Imported, export_record, import_bytes
from ddz.services.lines import fork
from ddz.services.opening import Opening
from ddz.services.table import Moment, Table, turn_points
from ddz.state import Over, State, Void, turn_of
from ddz.view import SeatView

AT = "2026-01-02T03:04:05Z"
HUMANS: Players = (Player("ann", "human"), Player("bob", "human"), Player("cat", "human"))

VOID_RECORD = """format = "ddz-record/1"
rules = "classic"
seats = ["a", "b", "c"]

[[deals]]
first_bidder = 2
hands = ["333346789QQKKA22B", "556677899TJQKA22R", "44467889TTJJJQKAA"]
kitty = "55T"
actions = ["2 pass", "0 pass", "1 pass"]
"""

SPRING_RECORD = """format = "ddz-record/1"
rules = "classic"
seats = ["ann", "bob", "cat"]
payouts = [12, -6, -6]

[[deals]]
first_bidder = 0
hands = ["33334444555566667", "77788889999TTTTJJ", "JJQQQQKKKKAAAA22B"]
kitty = "22R"
actions = [
  "0 bid 3", "0 play 333444555666 as airplane", "1 pass", "2 pass", "0 play 34567", "1 pass", "2 pass",
  "0 play 22", "1 pass", "2 pass", "0 play R",
]
"""
"""Seat 0 goes out while nobody else plays a card."""


class PassingBot:
    """Never bids, and passes wherever it may."""

    name = "passing"
    version = "1"

    def choose(self, view: SeatView, legal: tuple[Turn, ...], rng: random.Random) -> Turn:  # noqa: ARG002
        return legal[-1]


def table_on(log: EventLog | None = None, seed: object = 1) -> Table:
    """A table on `log`, or on an empty one in memory; the same `seed`, the same ids and seeds."""
    return Table(MemoryLog() if log is None else log, lambda: AT, random.Random(str(seed)).randbytes)


@functools.cache
def _empty_file() -> bytes:
    """An empty log's file: to make one takes longer than most tests."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "empty.db"
        open_log(path, create=True).close()
        return path.read_bytes()


def hasty(path: Path) -> SqliteLog:
    """The log in a file, which need not be there yet; it does not wait for the disk."""
    if not path.exists():
        path.write_bytes(_empty_file())
    log = open_log(path, create=False)
    assert isinstance(log, SqliteLog)
    log.connection.execute("PRAGMA synchronous=OFF")
    return log


def bot_game(table: Table, *names: str, **opening: object) -> Moment:
    """A game that bots play to its end; `random` ones if none is named."""
    players, seated = loop.seat_bots(names or ("random",))
    opened = table.open(Opening(players=players, **opening))
    return loop.run(table, opened.moment, seated)


def play_on(table: Table, game: str, rng: random.Random, turns: int | None = None, escape: float = 0.0) -> Moment:
    """Random legal play on a line until it is over, or for some turns; before each a seat may escape."""
    at = table.load(game)
    while not isinstance(at.state, Over) and turns != 0:
        if isinstance(at.state, Void):
            done = table.redeal(at)
        elif rng.random() < escape:
            done = table.act(game, Escape(rng.randrange(3)), at.seq)
        else:
            done = table.act(game, rng.choice(legal(at.state)), at.seq)
        at = done.moment
        turns = None if turns is None else turns - 1
    return at


def random_game(table: Table, seed: int, turns: int | None = None, escape: float = 0.0) -> Moment:
    """A game of three people who act at random; the same `seed`, the same events but for the ids."""
    rng = random.Random(seed)
    opened = table.open(Opening(players=HUMANS, first_voice=rng.choice([None, 0, 1, 2]), seed=seed))
    return play_on(table, opened.game, rng, turns, escape)


def say(table: Table, game: str, *actions: str) -> Moment:
    """Give actions in the words of a record."""
    at = table.load(game)
    for text in actions:
        done = table.act(game, action(text))
        at = done.moment
    return at


def action(text: str) -> Action:
    return parse_action(text, 0, 0)


def enthroned(table: Table, seed: int = 1) -> Moment:
    """A game in which the first voice has bid 3 and leads."""
    opened = table.open(Opening(players=HUMANS, seed=seed))
    seat = turn_of(opened.state)
    done = table.act(opened.game, Bid(seat, 3))
    return done.moment


def imported(table: Table, text: str, source: str = "a test") -> Imported:
    return import_bytes(table, text.encode(), source)


def void_game(table: Table) -> str:
    """An imported game that nobody bid for."""
    return imported(table, VOID_RECORD).game


def family(table: Table, seed: int = 1) -> list[str]:
    """A whole game, a fork of it, and three forks of that fork: at its own, at an inherited and at its first turn."""
    rng = random.Random(seed)
    root = random_game(table, seed).game
    left = fork(table, root, points(table, root)[-4]).game
    play_on(table, left, rng)
    lines = [root, left]
    own = len(table.log.rows(root, points(table, root)[-4]))
    for at in (points(table, left)[-1], points(table, left)[1], own):
        line = fork(table, left, at, "back").game
        play_on(table, line, rng, escape=0.1)
        lines.append(line)
    return lines


def points(table: Table, game: str) -> tuple[int, ...]:
    return turn_points(table.log.history(game))


def pass_all(table: Table, game: str) -> Moment:
    """Three passes in a row."""
    at = table.load(game)
    for _ in range(3):
        done = table.act(game, PassBid(turn_of(at.state)))
        at = done.moment
    return at


def first_lead(state: State) -> Play:
    turn = legal(state)[0]
    assert isinstance(turn, Play)
    return turn


def reforged(rows: Sequence[Row]) -> list[Row]:
    """The rows of one game as a forger leaves them who knows the hash: numbered and sealed anew, all of them."""
    done: list[Row] = []
    for number, row in enumerate(rows, 1):
        prev = done[-1].hash if done else GENESIS
        done.append(chain.sealed(msgspec.structs.replace(row, position=number, seq=number, prev=prev, hash="")))
    return done


def forged_log(rows: Sequence[Row]) -> MemoryLog:
    """A log that holds what a forger has written, whatever the law says of it."""
    log = MemoryLog()
    for row in reforged(rows):
        log.insert([row])
    return log


def with_event(row: Row, event: Event) -> Row:
    from ddz.log import codec

    kind, version, body = codec.encode(event)
    return msgspec.structs.replace(row, type=kind, version=version, body=body)


def record_without_meta(table: Table, game: str) -> str:
    return export_record(table, game).partition("[meta]")[0]
