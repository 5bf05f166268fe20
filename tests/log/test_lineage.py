"""Whose event a fork leaves: one line after the other upwards, against the statement that the triggers ask."""

import random
from pathlib import Path

import pytest
from msgspec.structs import astuple

from ddz.log import sql
from ddz.log.base import Row
from ddz.log.lineage import ForkPoints, Lineage, parent_named
from ddz.log.sqlite import SqliteLog
from ddz.log.stores import open_log

AT = "2024-05-06T07:08:09Z"
NAMES = [f"g{number}" for number in range(9)]


def body(rng: random.Random, parent: str, at: int) -> str:
    """A fork's, sometimes spoilt."""
    whole = f'{{"at":{at},"parent":"{parent}","parent_head":"{"0" * 64}","reason":"back","type":"game_forked"}}'
    return rng.choice([*[whole] * 8, whole + " ", whole[: rng.randrange(len(whole))], whole.replace("parent", "x"), ""])


def lawless(rng: random.Random) -> list[Row]:
    """Lines that name each other as their parents, in rings too, with events of any seq."""
    rows: list[Row] = []
    names = NAMES[: rng.randrange(2, len(NAMES) + 1)]
    for name in names:
        begin = rng.randrange(1, 9)
        type = "game_opened" if rng.random() < 0.1 else "game_forked"
        for seq in range(begin, begin + rng.randrange(1, 5)):
            if rng.random() < 0.8:
                text = body(rng, rng.choice([*names, *names, "nobody"]), seq - 1)
                rows.append(Row(len(rows) + 1, name, seq, f"{name}/{seq}", type, 1, AT, text, "", f"{len(rows):064}"))
            type = "play_passed" if rng.random() < 0.9 else "game_forked"
    return rows


@pytest.fixture
def bare(tmp_path: Path) -> SqliteLog:
    """A log whose triggers somebody has dropped."""
    log = open_log(tmp_path / "log.db", create=True)
    assert isinstance(log, SqliteLog)
    log.relax_sync()
    for (name,) in log.connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        log.connection.execute(f"DROP TRIGGER {name}")
    return log


def inherited(log: SqliteLog, lineage: Lineage, first: Row, upto: int) -> list[Row]:
    """What a line inherits, by the owners of points."""
    found: list[Row] = []
    at = first.seq - 1
    while (owner := lineage.owner(parent_named(first), at)) is not None:
        own = log.own(owner)
        found = [row for row in own if row.seq <= at and row.position <= upto] + found
        first = own[0]
        at = first.seq - 1
    return found


@pytest.mark.parametrize("seed", range(60))
def test_every_line_inherits_what_the_statement_says(bare: SqliteLog, seed: int):
    rng = random.Random(seed)
    bare.connection.executemany(sql.INSERT, map(astuple, lawless(rng)))
    upto = rng.choice([bare.last_position(), rng.randrange(bare.last_position() + 1)])
    lineage, points = Lineage(bare.own), ForkPoints(bare, upto)
    games = [name for name in NAMES if bare.own(name)]
    for name in rng.sample(games, len(games)):
        own = bare.own(name)
        wanted = [row for row in bare.rows(name) if row.game != name and row.position <= upto]
        assert inherited(bare, lineage, own[0], upto) == wanted
        assert points.before(own[0]) == (wanted[-1] if wanted else None)


def test_what_is_asked_again_is_not_read_again(bare: SqliteLog):
    asked: list[str] = []

    def own(game: str) -> tuple[Row, ...]:
        asked.append(game)
        return bare.own(game)

    bare.connection.executemany(sql.INSERT, map(astuple, lawless(random.Random(1))))
    lineage = Lineage(own)
    for at in range(9):
        for name in NAMES:
            lineage.owner(name, at)
    known = [name for name in asked if bare.own(name)]
    assert len(known) == len(set(known))
    assert known
