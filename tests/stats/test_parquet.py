"""The tables, read back by DuckDB and held against folded states; and that no failure leaves half of them."""

import json
import os
import re
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ddz.cards import CardSet
from ddz.contract.statistics import PARQUET
from ddz.errors import BrokenLog, NotInstalled, StorageRefused, Unreadable
from ddz.frozen.events import BidMade, BidPassed, CardsPlayed, Dealt, GameScored, PlayPassed
from ddz.log.base import EventLog
from ddz.log.memory import MemoryLog
from ddz.melds import played_meld
from ddz.services.table import Table
from ddz.state import Over, Playing, evolve, fold, opening_of
from ddz.stats.counting import counted_lines
from ddz.stats.parquet import TABLES, columns, export, quoted, unglobbed
from ddz.stats.statistics import Filter, tally
from ddz.stats.summary import summarize

from . import naive
from .logs import everything, opened, play_on, random_of, table_on

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")

if os.environ.get("DDZ_PEERS") == "required":  # CI: a run that means to hold this cannot pass without it
    import duckdb
else:
    duckdb = pytest.importorskip("duckdb", reason="the extra `analytics` is not installed")


@pytest.fixture(scope="module")
def full() -> Table:
    return everything(table_on())


@pytest.fixture(scope="module")
def tables(full: Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the tables of a full log."""
    folder = tmp_path_factory.mktemp("exported") / "tables"
    export(counted_lines(full.log), folder)
    return folder


def rows(folder: Path, table: str) -> list[dict[str, Any]]:
    with duckdb.connect() as connection:
        found = connection.execute("SELECT * FROM read_parquet(?)", [str(folder / f"{table}.parquet")])
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def over(log: EventLog) -> dict[str, Over]:
    """The games that the tables hold, with their last state."""
    return {game: fold(log.history(game)) for game, what in naive.fates(log).items() if what == "over"}


# What stands in them.


def test_every_game_stands_there_once(full: Table, tables: Path) -> None:
    found = rows(tables, "games")
    expected = over(full.log)
    assert len(found) == len(expected)
    for row in found:
        state, times = expected.pop(row["game"]), full.log.rows(row["game"])
        opening, score = opening_of(state), state.scored.score
        names = [cause.name for cause in score.causes]
        last = [event for event in full.log.history(row["game"]) if isinstance(event, Dealt)][-1]
        scored = next(each for each in times if each.type == "game_scored")
        assert row == {
            "game": row["game"],
            "match": opening.match,
            "round": opening.round,
            "rules": opening.rules.name,
            "source": opening.origin and opening.origin.format,
            "opened_at": datetime.fromisoformat(times[0].at.rstrip("Z")),
            "over_at": datetime.fromisoformat(scored.at.rstrip("Z")),
            "deals": last.number + 1,
            "first_voice": last.first_voice,
            "kitty": last.kitty.ranks,
            "kitty_suited": str(last.kitty),
            "winner": score.winner,
            "landlord": score.landlord,
            "base": score.base,
            "multiplier": score.multiplier,
            "bombs": names.count("bomb"),
            "rockets": names.count("rocket"),
            "spring": names.count("spring") == 1,
            "anti_spring": names.count("anti-spring") == 1,
            "escaped": score.escaped,
            "turns": len(state.last.history) if isinstance(state.last, Playing) else 0,
            "plays": sum(bool(turn.meld) for turn in state.last.history) if isinstance(state.last, Playing) else 0,
        }
    assert expected == {}


def test_every_seat(full: Table, tables: Path) -> None:
    found = rows(tables, "seats")
    expected = over(full.log)
    assert [(row["game"], row["seat"]) for row in found] == [
        (row["game"], seat) for row in rows(tables, "games") for seat in range(3)
    ]
    for row in found:
        state, seat = expected[row["game"]], row["seat"]
        player, score = opening_of(state).players[seat], state.scored.score
        last = [event for event in full.log.history(row["game"]) if isinstance(event, Dealt)][-1]
        assert [row[key] for key in ("name", "kind", "bot", "version")] == [
            *(player.name, player.kind, player.bot, player.version)
        ]
        if score.landlord is None:
            assert row["role"] is None
        else:
            assert row["role"] == ("landlord" if seat == score.landlord else "peasant")
        winners = {"landlord": "landlord", "peasants": "peasant"}.get(score.winner)
        assert row["won"] == (None if winners is None else row["role"] == winners)
        assert row["points"] == score.payouts[seat]
        assert row["hand_suited"] == str(last.hands[seat])
        assert row["hand"] == last.hands[seat].ranks
        assert len(row["hand"]) == 17


def test_every_voice(full: Table, tables: Path) -> None:
    expected = []
    for row in rows(tables, "games"):
        deal, number = -1, 0
        for event in full.log.history(row["game"]):
            if isinstance(event, Dealt):
                deal, number = deal + 1, 0
            elif isinstance(event, BidMade | BidPassed):
                number += 1
                expected.append((row["game"], deal, number, event.seat, getattr(event, "points", 0)))
    assert [tuple(row.values()) for row in rows(tables, "calls")] == expected
    assert any(deal for _, deal, *_ in expected), "of redeals too"


def test_every_turn(full: Table, tables: Path) -> None:
    expected = []
    for game in rows(tables, "games"):
        state = fold(())
        turn = 0
        for seq, event in enumerate(full.log.history(game["game"]), 1):
            if isinstance(event, CardsPlayed | PlayPassed):
                turn += 1
                assert isinstance(state, Playing)
                role = "landlord" if event.seat == state.landlord else "peasant"
                head = (game["game"], turn, seq, event.seat, role, state.top is None)
                meld = played_meld(event) if isinstance(event, CardsPlayed) else None
                shape = (str(meld.kind), str(meld.rank), meld.length, meld.cards.ranks, str(meld.cards)) if meld else ()
                expected.append(head + (shape or (None,) * 5))
            state = evolve(state, event)
    found = [tuple(row.values()) for row in rows(tables, "plays")]
    assert found == expected
    assert all(CardSet.parse(row[-1]).ranks == row[-2] for row in found if row[-1])


def test_the_tables_agree_with_the_statistics(full: Table, tables: Path) -> None:
    """Asked in SQL, which shares nothing with the counting in Python."""
    found = msgspec.to_builtins(summarize(tally(counted_lines(full.log))))
    names = {name: str(tables / f"{name}.parquet") for name in TABLES}
    with duckdb.connect() as connection:

        def ask(sql: str) -> list[tuple[Any, ...]]:
            return connection.execute(sql.format(**names)).fetchall()

        assert dict(ask("SELECT winner, count(*) FROM '{games}' GROUP BY 1")).items() <= found["winners"].items()
        assert ask("SELECT count(*), count(*) FILTER (winner IN ('landlord', 'peasants')) FROM '{games}'") == [
            (found["games"], found["decided"])
        ]
        played = "'{plays}' JOIN '{games}' USING (game) WHERE kind IS NOT NULL AND winner IN ('landlord', 'peasants')"
        melds = {name: each["plays"] for name, each in found["melds"].items() if each["plays"]}
        assert dict(ask(f"SELECT kind, count(*) FROM {played} GROUP BY 1")) == melds
        landlord = found["sides"]["landlord"]
        [(games, wins, points)] = ask(
            "SELECT count(won), count(*) FILTER (won), avg(points) FROM '{seats}' WHERE role = 'landlord'"
        )
        assert (games, wins) == (landlord["games"], landlord["wins"])
        assert landlord["points"]["mean"]["value"] == pytest.approx(points, abs=1e-6)


def test_a_filter_chooses_games(full: Table, tmp_path: Path) -> None:
    numbers = export(counted_lines(full.log), tmp_path / "pagat", Filter(rules="pagat"))
    found = rows(tmp_path / "pagat", "games")
    assert len(found) == numbers["games"] > 0
    assert {row["rules"] for row in found} == {"pagat"}
    assert {row["game"] for row in rows(tmp_path / "pagat", "plays")} <= {row["game"] for row in found}


def test_an_empty_log_gives_empty_tables(tmp_path: Path) -> None:
    assert export(counted_lines(MemoryLog()), tmp_path) == dict.fromkeys(TABLES, 0)
    assert all(rows(tmp_path, table) == [] for table in TABLES)


# What must not stand in them.


def test_nothing_of_a_game_that_goes_on(full: Table, tables: Path) -> None:
    fates = naive.fates(full.log)
    for table in TABLES:
        assert {fates[row["game"]] for row in rows(tables, table)} == {"over"}
    hidden = [game for game, fate in fates.items() if fate == "unfinished"]
    assert hidden
    shown = json.dumps([rows(tables, table) for table in TABLES], default=str)
    for game in hidden:
        assert game not in shown


def test_the_seeds_of_a_game_stay_in_the_log(full: Table, tables: Path) -> None:
    shown = json.dumps([rows(tables, table) for table in TABLES], default=str)
    assert not re.search(r"\b[0-9a-f]{64}\b", shown)
    assert full.log.history(rows(tables, "games")[0]["game"])[0].server_seed not in shown


# What they look like.


def documented(table: str) -> list[str]:
    """The names of a table's columns in the README; what stands in parentheses are values."""
    line = re.search(rf"^\| `{table}\.parquet` \|[^|]*\|(.*)\|$", README, re.MULTILINE)
    assert line
    return re.findall(r"`(\w+)`", re.sub(r"\(.*?\)", "", line[1]))


def test_the_columns_are_those_that_are_documented(tables: Path) -> None:
    booleans = re.search(r"Numbers are BIGINT,(.*?)BOOLEAN", README, re.DOTALL)
    assert booleans
    with duckdb.connect() as connection:
        for table in TABLES:
            file = str(tables / f"{table}.parquet")
            described = connection.execute("DESCRIBE SELECT * FROM read_parquet(?)", [file]).fetchall()
            found = {name: kind for name, kind, *_ in described}
            assert found == columns(table)
            assert list(found) == documented(table)
            for name, kind in found.items():
                assert (kind == "BOOLEAN") == (f"`{name}`" in booleans[1]), name
                assert (kind == "TIMESTAMP") == name.endswith("_at"), name
            values = rows(tables, table)
            for name, kind in found.items():
                known = {type(row[name]) for row in values} - {type(None)}
                assert known == {{"BIGINT": int, "BOOLEAN": bool, "TIMESTAMP": datetime, "VARCHAR": str}[kind]}, name
            sql = "SELECT decode(value) FROM parquet_kv_metadata(?) WHERE decode(key) = 'ddz'"
            assert connection.execute(sql, [file]).fetchall() == [(PARQUET,)]


QUERIES = re.findall(r"```sql\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("query", QUERIES)
def test_the_queries_of_the_readme_run(query: str, tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tables.parent)
    with duckdb.connect() as connection:
        assert connection.execute(query).fetchall()


def test_there_are_queries() -> None:
    assert len(QUERIES) >= 2


# Where it goes wrong.


def test_names_of_any_kind(tmp_path: Path) -> None:
    table = table_on()
    name = 'a "b"\n\\ \0 é 王 \x1b[2J, \u2028'
    players = (msgspec.structs.replace(opening_players()[0], name=name), *opening_players()[1:])
    play_on(table, opened(table, 1, players), random_of(1))
    folder = tmp_path / "it's [a] *weird?* {name}"
    export(counted_lines(table.log), folder)
    assert rows_at(folder, "seats")[0]["name"] == name


def test_a_name_is_no_pattern(tmp_path: Path) -> None:
    """To DuckDB `[a]*` means any name that begins with a; we mean this one."""
    for folder, number in (("[a]*?", 1), ("abc", 2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "rows.json").write_text(f'{{"number": {number}}}')
    source = quoted(unglobbed(tmp_path / "[a]*?" / "rows.json"))
    with duckdb.connect() as connection:
        assert connection.execute(f"SELECT number FROM read_json({source})").fetchall() == [(1,)]


def opening_players():
    from .logs import PEOPLE

    return PEOPLE


def rows_at(folder: Path, table: str) -> list[dict[str, Any]]:
    """As `rows`, of a folder whose name is a pattern to DuckDB."""
    plain = folder.parent / "plain"
    folder.rename(plain)
    return rows(plain, table)


def test_older_tables_are_replaced_and_other_files_stay(full: Table, tables: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    for table in TABLES:
        (tmp_path / f"{table}.parquet").write_text("old")
    export(counted_lines(full.log), tmp_path)
    assert {file.name for file in tmp_path.iterdir()} == {"notes.txt", *(f"{table}.parquet" for table in TABLES)}
    for table in TABLES:
        assert rows(tmp_path, table) == rows(tables, table)


def broken_log(full: Table) -> EventLog:
    spoilt = MemoryLog()
    last = [row for row in full.log.after(0) if row.type == "cards_played"][-1]
    spoilt.insert(
        [msgspec.structs.replace(row, body="{}") if row.position == last.position else row for row in full.log.after(0)]
    )
    return spoilt


class Failing:
    """DuckDB as it is on a full disk."""

    Error = duckdb.Error

    @staticmethod
    def connect(*_: Any, **__: Any) -> Any:
        raise duckdb.IOException("No space left on device")


class Interrupted(Failing):
    """DuckDB as it is at Ctrl-C."""

    @staticmethod
    def connect(*_: Any, **__: Any) -> Any:
        raise RuntimeError("Query interrupted")


LONG = """
import os, signal, threading, duckdb
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    duckdb.execute("COPY (SELECT md5(range::VARCHAR) FROM range(1000000000)) TO 'long.parquet' (FORMAT parquet)")
except RuntimeError as error:
    print(error)
"""


@pytest.mark.long  # on a busy machine DuckDB has been seen to go on as if nothing had been pressed
@pytest.mark.skipif(sys.platform == "win32", reason="a way of POSIX systems")
def test_duckdb_hands_on_ctrl_c_as_it_is_thought_to(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LONG], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout == "Query interrupted\n", done.stderr


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("what", ["broken", "full disk", "interrupted", "interrupted late", "no DuckDB"])
def test_a_failure_leaves_all_as_it_was(
    what: str, there: bool, full: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "tables"
    if there:
        folder.mkdir()
        (folder / "games.parquet").write_text("old")
    told = counted_lines(full.log)
    error: type[BaseException] = BrokenLog
    match what:
        case "broken":
            told = counted_lines(broken_log(full))
        case "full disk":
            error = StorageRefused
            monkeypatch.setitem(sys.modules, "duckdb", Failing)
        case "no DuckDB":
            error = NotInstalled
            monkeypatch.setitem(sys.modules, "duckdb", None)
        case "interrupted":
            error = KeyboardInterrupt
            told = interrupted(full.log)
        case "interrupted late":
            error = KeyboardInterrupt
            monkeypatch.setitem(sys.modules, "duckdb", Interrupted)
    with pytest.raises(error):
        export(told, folder)
    assert {file.name: file.read_text() for file in folder.rglob("*")} == ({"games.parquet": "old"} if there else {})
    assert folder.exists() == there


def interrupted(log: EventLog):
    for number, line in enumerate(counted_lines(log)):
        if number == 20:
            raise KeyboardInterrupt
        yield line


def test_points_beyond_a_parquet_integer_are_refused(tmp_path: Path) -> None:
    table = table_on()
    game = opened(table, 1)
    play_on(table, game, random_of(1))
    spoilt = MemoryLog()
    spoilt.insert([beyond(row) for row in table.log.after(0)])
    with pytest.raises(Unreadable, match=f"game {game} pays more points"):
        export(counted_lines(spoilt), tmp_path / "tables")


def beyond(row):
    if row.type != "game_scored":
        return row
    from ddz.log import codec

    event = codec.event_of(row)
    assert isinstance(event, GameScored)
    score = msgspec.structs.replace(event.score, base=2**63)
    return msgspec.structs.replace(row, body=codec.encode(GameScored(score))[2])


def test_a_time_that_is_none_is_refused(full: Table, tmp_path: Path) -> None:
    spoilt = MemoryLog()
    spoilt.insert([msgspec.structs.replace(row, at="\x1b[2J") for row in full.log.after(0)])
    with pytest.raises(BrokenLog, match="has no time that can be read"):
        export(counted_lines(spoilt), tmp_path / "tables")
