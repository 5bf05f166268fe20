"""Logs that cannot be counted are refused, and never guessed at; what only an audit finds, an audit is for."""

from pathlib import Path

import msgspec
import pytest

from ddz.errors import BrokenLog, UnsupportedVersion
from ddz.log import chain
from ddz.log.base import Row
from ddz.log.memory import MemoryLog
from ddz.log.stores import open_log
from ddz.stats.counting import counted_lines
from ddz.stats.statistics import tally

from .logs import forked, opened, play_on, random_of, table_on


def a_game() -> list[Row]:
    table = table_on()
    game = opened(table, 1)
    play_on(table, game, random_of(1))
    forked(table, game, 0.5, "back", random_of(2))
    play_on(table, opened(table, 2), random_of(3))
    return list(table.log.after(0))


ROWS = a_game()
FIRST = ROWS[0].game


def holding(rows: list[Row]) -> MemoryLog:
    """A log that holds what somebody has left of it, whatever its chain says."""
    log = MemoryLog()
    log.insert([msgspec.structs.replace(row, position=position) for position, row in enumerate(rows, 1)])
    return log


def count(rows: list[Row]) -> int:
    return tally(counted_lines(holding(rows))).statuses["over"]


def test_a_whole_log_is_counted() -> None:
    assert count(ROWS) == 2


def at(kind: str, game: str | None = None) -> int:
    return next(at for at, row in enumerate(ROWS) if row.type == kind and row.game == (game or row.game))


NEWER = ROWS[-1].game
SPOILT = {
    "an opening is gone": (at("game_opened", NEWER), None),
    "a play is gone": (at("cards_played", NEWER), None),
    "the origin of a fork is gone": (at("landlord_chosen", FIRST), None),
    "an opening cannot be decoded": (at("game_opened"), {"body": "{}"}),
    "an opening is no JSON": (at("game_opened"), {"body": "{"}),
    "an opening is not UTF-8": (at("game_opened"), {"body": "\0not UTF-8: ff"}),
    "a play of no kind": (at("cards_played", NEWER), {"body": '{"kind":"bridge"}'}),
    "a score that is none": (at("game_scored", NEWER), {"body": '{"score":3}'}),
    "a fork that is none": (at("game_forked"), {"body": '{"parent":1}'}),
    "a nested body": (at("game_scored", NEWER), {"body": "[" * 100_000}),
    "a seq too many": (at("play_passed", NEWER), {"seq": 99}),
}


@pytest.mark.parametrize("what", SPOILT)
def test_a_broken_log_is_refused(what: str) -> None:
    place, change = SPOILT[what]
    rows = list(ROWS)
    if change is None:
        del rows[place]
    else:
        rows[place] = msgspec.structs.replace(rows[place], **change)
    with pytest.raises(BrokenLog) as refused:
        count(rows)
    assert rows[min(place, len(rows) - 1)].game in str(refused.value) or what == "the origin of a fork is gone"


@pytest.mark.parametrize("kind", ["game_opened", "game_forked", "cards_played", "game_scored"])
def test_a_newer_event_is_refused_as_such(kind: str) -> None:
    place = at(kind, None if kind == "game_forked" else NEWER)
    rows = list(ROWS)
    rows[place] = msgspec.structs.replace(rows[place], version=2)
    with pytest.raises(UnsupportedVersion, match="of version 2, but this ddz reads up to 1"):
        count(rows)


def test_a_ring_of_forks_is_refused(tmp_path: Path) -> None:
    """Nobody but a forger makes two forks each other's parents."""
    rows = list(ROWS)
    fork = rows[at("game_forked")]
    other = "zzzzzzzzzzzz"
    body = '{{"at":{},"parent":"{}","parent_head":"x","reason":"back","type":"game_forked"}}'
    rows[at("game_forked")] = chain.sealed(msgspec.structs.replace(fork, body=body.format(fork.seq - 1, other)))
    twin = chain.sealed(
        msgspec.structs.replace(fork, game=other, event_id="other/0", body=body.format(fork.seq - 1, fork.game))
    )
    log = open_log(tmp_path / "games.db", create=True)
    for (name,) in log.connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        log.connection.execute(f"DROP TRIGGER {name}")
    log.insert([msgspec.structs.replace(row, position=place) for place, row in enumerate([*rows, twin], 1)])
    with pytest.raises(BrokenLog, match="forks from a line that is not there"):
        tally(counted_lines(log))
    log.close()


def test_a_ring_of_matches_ends() -> None:
    """Nor two games that each follow the other."""
    table = table_on()
    games = [opened(table, seed) for seed in (1, 2)]
    for game in games:
        play_on(table, game, random_of(1))
    rows = list(table.log.after(0))
    for game, other in (games, games[::-1]):
        place = next(at for at, row in enumerate(rows) if row.game == game)
        body = rows[place].body.replace('"previous":null', f'"previous":"{other}"')
        rows[place] = msgspec.structs.replace(rows[place], body=body)
    assert count(rows) == 2
