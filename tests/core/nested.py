"""Logs with forks of forks of forks, as somebody makes them who takes back move after move."""

import itertools
import random
from pathlib import Path
from typing import Literal

from msgspec.structs import astuple

from ddz.commands import Fork
from ddz.decide import decide, legal
from ddz.frozen.events import Event
from ddz.frozen.shapes import Player
from ddz.log import chain, codec, sql
from ddz.log.base import Row
from ddz.log.sqlite import SqliteLog
from ddz.log.stores import open_log
from ddz.services.table import Opening, Table, turn_points
from ddz.state import fold

AT = "2024-05-06T07:08:09Z"
PLAYERS = (Player("ann", "human"), Player("bob", "bot", "random", "1"), Player("cat", "bot", "random", "1"))
Kind = Literal["chain", "inherited", "wide"]
"""Each fork after the last event of the one before; each of the one before, but at a point that the game itself has;
or all of the game."""


def table_on(log: SqliteLog, seed: int = 1) -> Table:
    """A table whose ids are known."""
    rng = random.Random(seed)
    return Table(log, lambda: AT, rng.randbytes)


def nested(path: Path, kind: Kind, levels: int) -> tuple[str, str]:
    """A new log with one game and so many forks by `back`; the ids of the game and of the last fork.

    The rows are made by the law and the chain, but stored past the trigger, which looks through all ancestors of each.
    """
    log = open_log(path, create=True)
    assert isinstance(log, SqliteLog)
    log.relax_sync()
    table, rng = table_on(log), random.Random(3)
    at = table.open(Opening(players=PLAYERS, seed=7))
    for _ in range(4):
        at = table.act(at.game, rng.choice(legal(at.state)))
    history = log.history(at.game)
    point = log.rows(at.game, turn_points(history)[-2])[-1]
    state, game, parent = fold(history[: point.seq]), at.game, at.game
    rows: list[Row] = []
    for position in itertools.count(log.last_position() + 1):
        if len(rows) == levels:
            break
        (event,) = decide(state, Fork(parent, point.seq, point.hash, "back"))
        row = _row(position, f"fork{position}", point, event)
        rows.append(row)
        if kind != "wide":
            parent = row.game
        if kind == "chain":
            point = row
    connection = log.connection
    connection.execute("BEGIN")
    trigger = connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'events_follow'").fetchone()[0]
    connection.execute("DROP TRIGGER events_follow")
    connection.executemany(sql.INSERT, map(astuple, rows))
    connection.execute(trigger)
    connection.execute("COMMIT")
    log.close()
    return game, rows[-1].game


def _row(position: int, game: str, before: Row, event: Event) -> Row:
    type, version, body = codec.encode(event)
    row = Row(position, game, before.seq + 1, f"{game}-new/0", type, version, AT, body, before.hash, "")
    return chain.sealed(row)
