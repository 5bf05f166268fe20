"""Logs of old took games over unjudged: whatever number stands in an event, each command says so in a sentence."""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from ddz.cli.exits import MEANING

from ddz.frozen.shapes import MOST_POINTS
from ddz.log import chain
from ddz.log.base import GENESIS, Row
from ddz.log.sqlite import SqliteLog
from ddz.log.stores import open_log

from .stage import Ddz, import_record, opened, say, stage

Path_ = tuple[str | int, ...]
"""The way to a number in the JSON of an event."""
NUMBERS = (10**4000, -(10**4000), 2**63, 2**32 - 1)


def numbers_in(value: Any, way: Path_ = ()) -> Iterator[Path_]:
    """The ways to all numbers in a JSON value."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from numbers_in(each, (*way, name))
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from numbers_in(each, (*way, at))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield way


def changed(value: Any, way: Path_, number: int) -> Any:
    if not way:
        return number
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[way[0]] = changed(value[way[0]], way[1:], number)
    return copy


def sealed(rows: Sequence[Row], game: str, first: int) -> list[Row]:
    """The rows as those of `game`, hashed anew, from a position on."""
    done: list[Row] = []
    for number, row in enumerate(rows, 1):
        anew = msgspec.structs.replace(
            row,
            position=first + number - 1,
            game=game,
            event_id=f"{game}-{number}/0",
            body=row.body.replace(rows[0].game, game),
            prev=done[-1].hash if done else GENESIS,
        )
        done.append(chain.sealed(anew))
    return done


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Row]]:
    """A game whose record brings a base, one with bombs and an escape, and an auction that goes on."""
    with stage(tmp_path_factory.mktemp("numbers") / "games.db") as table:
        bombs = import_record(table, "bombs-rocket", claim=True)
        redealt = import_record(table, "redeals", claim=False)
        bidding = opened(table, seed=7)
        say(table, bidding, "0 bid 1")
        return {game: list(table.log.rows(game)) for game in (bombs, redealt, bidding)}


def places(games: dict[str, list[Row]]) -> dict[str, tuple[str, int, Path_]]:
    """One place for every number that an event of any type has, by its name."""
    found: dict[str, tuple[str, int, Path_]] = {}
    for game, rows in games.items():
        for at, row in enumerate(rows):
            for way in numbers_in(json.loads(row.body)):
                found.setdefault(f"{row.type} {'.'.join(map(str, way))}", (game, at, way))
    return found


def commands(game: str, cut: str, folder: Path) -> list[tuple[object, ...]]:
    """Every command that reads an event."""
    return [
        *(("stats",), ("stats", "--json"), ("games",), ("games", "--json"), ("log", "events", "--json", "--reveal")),
        *(("log", "verify"), ("log", "head"), ("stats", "--parquet", folder)),
        *((name, line) for line in (game, cut) for name in ("replay", "show", "tree", "match", "audit", "export")),
        *((name, line, "--json") for line in (game, cut) for name in ("replay", "show", "match", "audit")),
        *(("export", game, "--events"), ("diff", game, cut), ("diff", cut, game), ("fork", cut, "--at", "2")),
        *(("act", cut, "--seat", "0", word) for word in ("pass", "escape")),
    ]


def test_every_type_of_event_has_its_numbers_here(games: dict[str, list[Row]]):
    assert {name.split(" ")[0] for name in places(games)} == {
        *("game_opened", "dealt", "bid_made", "bid_passed", "deal_voided", "landlord_chosen"),
        *("cards_played", "play_passed", "game_scored"),
    }


def log_with(rows: Sequence[Row], at: int, way: Path_, number: int, db: Path) -> None:
    """A log that holds a game with such a number, and its beginning up to a turn behind it, or to the last before."""
    body = json.dumps(changed(json.loads(rows[at].body), way, number), sort_keys=True, separators=(",", ":"))
    forged = [*rows[:at], msgspec.structs.replace(rows[at], body=body), *rows[at + 1 :]]
    turns = ("dealt", "bid_passed", "play_passed")
    ends = [end for end, row in enumerate(rows, 1) if end > at and row.type in turns]
    whole = sealed(forged, "whole", 1)
    cut = sealed(forged[: ends[0] if ends else at], "cut", len(whole) + 1)
    with closing(open_log(db, create=True)) as log:
        assert isinstance(log, SqliteLog)
        log.relax_sync()
        log.insert([*whole, *cut])


def hold(ddz: Ddz, db: Path, args: Sequence[object], where: str) -> None:
    done = ddz(*args, "--db", db, code=None)
    assert done.code in MEANING, (where, args, done)
    if done.code > 1:
        assert done.err.startswith("ddz: "), (where, args, done)
        assert len(done.err) < 1000, (where, args, done)


def test_no_number_ends_a_command(games: dict[str, list[Row]], tmp_path: Path, ddz: Ddz):
    """Each place has one of the numbers, and every other command; the long form has them all (a minute)."""
    for turn, (where, (game, at, way)) in enumerate(places(games).items()):
        db = tmp_path / f"{turn}.db"
        log_with(games[game], at, way, NUMBERS[turn % len(NUMBERS)], db)
        for args in commands("whole", "cut", tmp_path / "tables")[turn % 2 :: 2]:
            hold(ddz, db, args, where)


@pytest.mark.long
@pytest.mark.parametrize("number", NUMBERS, ids=["10^4000", "-10^4000", "2^63", "2^32-1"])
def test_no_number_anywhere_ends_any_command(number: int, games: dict[str, list[Row]], tmp_path: Path, ddz: Ddz):
    for turn, (where, (game, at, way)) in enumerate(places(games).items()):
        db = tmp_path / f"{turn}.db"
        log_with(games[game], at, way, number, db)
        for args in commands("whole", "cut", tmp_path / "tables"):
            hold(ddz, db, args, where)


@pytest.mark.parametrize("number", NUMBERS)
def test_statistics_of_points_without_end(number: int, games: dict[str, list[Row]], db: Path, ddz: Ddz):
    game, at, way = places(games)["game_scored score.payouts.0"]
    log_with(games[game], at, way, number, db)
    if abs(number) <= MOST_POINTS:
        assert ddz("stats", "--json").json["seats"][0]["roles"]["all"]["points"]["mean"]["value"] == number
        return
    for args in (("stats",), ("stats", "--json")):
        assert "no rules pay so many points" in ddz(*args, code=5).err


def test_statistics_hold_the_most_that_any_rules_pay(games: dict[str, list[Row]], db: Path, ddz: Ddz):
    game, at, way = places(games)["game_scored score.payouts.0"]
    log_with(games[game], at, way, MOST_POINTS, db)
    assert ddz("stats", "--json").json["seats"][0]["roles"]["all"]["points"]["mean"]["value"] == float(MOST_POINTS)
    ddz("stats")
