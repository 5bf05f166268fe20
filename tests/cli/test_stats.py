"""`ddz stats` at the command line: what is printed is what is counted, in every language and for every filter."""

import importlib.util
import json
import re
import sqlite3
import sys
from pathlib import Path

import msgspec
import pytest
from syrupy.assertion import SnapshotAssertion

from ddz.bots import make
from ddz.frozen.shapes import Player
from ddz.rules import PRESETS
from ddz.services import loop
from ddz.services.lines import fork
from ddz.services.match import next_opening
from ddz.services.opening import Opening
from ddz.services.table import Table
from ddz.words.columns import width
from ddz.words.languages import LANGUAGES

from .stage import PEOPLE, Ddz, forked, import_record, opened, say, stage, turn

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
SAMPLE = next(text for text in re.findall(r"```text\n(.*?)```", README, re.DOTALL) if "$ ddz stats" in text)


def some_games(table: Table) -> None:
    """Records of every end, what was taken back and explored, and one that goes on; the person plays bots in one."""
    for name in ("spring", "anti-spring", "airplane", "airplane-pairs", "redeals"):
        import_record(table, name)
    bombs = import_record(table, "bombs-rocket", claim=False)
    at = turn(table, bombs, "0 play 8c")
    say(table, fork(table, bombs, at, "back").game, "0 play 3", "2 escape")
    say(table, forked(table, bombs, at, "0 play 3"), "1 escape")
    players = (Player("you", "human"), Player("s 1", "bot", "simple", "1"), Player("r 2", "bot", "random", "1"))
    say(table, opened(table, 7, 2, players), "2 pass", "0 escape")
    say(table, opened(table, 7, 0, players), "0 bid 3")
    void = table.open(Opening(players=players, seed=9, first_voice=0, rules=PRESETS["openspiel"])).game
    say(table, void, "0 pass", "1 pass", "2 pass")


@pytest.fixture
def games(db: Path) -> Path:
    with stage(db) as table:
        some_games(table)
    return db


def numbers(text: str) -> list[str]:
    return re.findall(r"[+-]?\d(?:[\d,.]*\d)?%?", text)


@pytest.mark.usefixtures("games")
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_figures_are_printed(lang: str, ddz: Ddz, snapshot: SnapshotAssertion) -> None:
    found = ddz("stats", "--json").json
    assert (found["games"], found["unfinished"], found["explored"], found["superseded"]) == (8, 1, 1, 1)
    assert found["winners"] == {"landlord": 2, "peasants": 3, "escape": 2, "nobody": 1}
    assert found["escapes"]["by"] == {"auction": 1, "landlord": 0, "peasant": 1}
    printed = ddz("stats", "--lang", lang)
    assert printed.err == ""
    blocks = [block.splitlines() for block in printed.out.split("\n\n")]
    overview, standings, spreads, values, causes, melds = blocks
    assert [numbers(line) for line in overview] == [["8", "7", "1"], ["1", "1", "1"], ["5", "1"], ["2", "1", "0", "1"]]
    for block in blocks[1:]:
        assert len({width(line) for line in block}) == 1, "the columns are straight"
    assert len(standings) == 1 + 2 + 3 * 3 + 3 * len(found["players"])
    landlord = found["sides"]["landlord"]
    assert numbers(standings[1]) == [
        str(landlord["games"]),
        str(landlord["wins"]),
        f"{100 * landlord['rate']['value']:.1f}%",
        *(f"{100 * landlord['rate'][end]:.1f}" for end in ("low", "high")),
        f"{landlord['points']['mean']['value']:+.2f}",
        *(f"{landlord['points']['mean'][end]:+.2f}" for end in ("low", "high")),
    ]
    assert len(spreads) == 1 + 3
    assert numbers(spreads[2])[0] == f"{found['turns']['mean']['value']:.2f}"
    assert len(values) == 1 + len(found["base"]["games"]) + len(found["multiplier"]["games"])
    for line, cause in zip(causes[1:], found["causes"].values(), strict=True):
        assert numbers(line)[:2] == [str(cause["times"]), str(cause["games"])]
    for line, meld in zip(melds[1:], found["melds"].values(), strict=True):
        assert numbers(line)[0] == str(meld["plays"])
    if lang == "zh":
        names = r"classic|openspiel|simple|random|\([a-z+-]+\)"
        assert not re.search(r"[a-z]{3,}", re.sub(names, "", printed.out)), "no English left"
    assert printed.out == snapshot


def test_json_is_the_same_for_everybody(games: Path, ddz: Ddz) -> None:
    one = ddz("stats", "--json")
    assert one.json["schema"] == "ddz/stats@1"
    assert ddz("stats", "--json", env={"DDZ_LANG": "zh"}).out == one.out
    assert not re.search(r"\b[a-z][a-z2-7]{11}\b|20\d\d-|games\.db", one.out), "no id, no time, no path"
    with stage(games) as table:
        ids = {line.game for line in table.log.lines()}
    assert not any(game in one.out for game in ids)


def test_merged_logs_count_alike(tmp_path: Path, ddz: Ddz) -> None:
    """Two logs in one, in either order."""
    parts = [tmp_path / "one.db", tmp_path / "two.db"]
    with stage(parts[0]) as table:
        some_games(table)
    with stage(parts[1]) as table:
        table.entropy(9)  # other ids than in the first
        for name in ("spring", "bombs-rocket"):
            import_record(table, name)
        opened(table, 3)
    seen = []
    for order in (parts, parts[::-1]):
        merged = tmp_path / f"merged-{order[0].stem}.db"
        ddz("log", "merge", *order, "--db", merged)
        seen.append(ddz("stats", "--json", "--db", merged).out)
    assert seen[0] == seen[1]
    assert json.loads(seen[0])["games"] == 10


@pytest.mark.usefixtures("games")
@pytest.mark.parametrize(
    ("args", "over", "unfinished"),
    [
        (["--rules", "openspiel"], 1, 0),
        (["--rules", "pagat"], 0, 0),
        (["--bot", "simple"], 2, 1),
        (["--bot", "random", "--rules", "classic"], 1, 1),
        (["--match", "@last"], 1, 0),
    ],
)
def test_filters(args: list[str], over: int, unfinished: int, ddz: Ddz) -> None:
    found = ddz("stats", *args, "--json").json
    assert (found["games"], found["unfinished"]) == (over, unfinished)
    said = ddz("stats", *args).out
    assert said.startswith("no games to count" if not over + unfinished else "finished games")


def test_a_log_that_is_not_there(db: Path, ddz: Ddz) -> None:
    assert ddz("stats").out == "no games to count\n"
    assert ddz("stats", "--json").json["games"] == 0
    assert not db.exists()


def test_games_that_all_go_on_are_said(db: Path, ddz: Ddz) -> None:
    with stage(db) as table:
        opened(table, 7)
    assert ddz("stats").out.splitlines() == [
        "finished games: 0 (-)",
        "not counted: 1 unfinished, 0 explorations, 0 not played on",
    ]


def test_only_ends_without_a_winner(db: Path, ddz: Ddz) -> None:
    with stage(db) as table:
        say(table, opened(table, 7, 0), "0 bid 1", "1 escape")
    printed = ddz("stats").out
    assert "won by a side: 0" in printed
    assert printed.count("\n\n") == 2, "nothing about games that were won"


@pytest.mark.parametrize("args", [["stats"], ["stats", "--json"], ["stats", "--parquet", "tables"]])
def test_a_broken_log_is_refused(args: list[str], db: Path, ddz: Ddz, monkeypatch: pytest.MonkeyPatch) -> None:
    with stage(db) as table:
        game = import_record(table, "spring")
    connection = sqlite3.connect(db)
    for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute("UPDATE events SET body = '{}' WHERE type = 'cards_played'")
    connection.commit()
    connection.close()
    monkeypatch.chdir(db.parent)
    done = ddz(*args, code=5 if "--parquet" not in args or duckdb_is_here() else 2)
    assert (done.json["exit"] == done.code) if "--json" in args else (done.out == "")
    assert done.err.count("\n") == 1
    if done.code == 5:
        assert re.match(rf"ddz: event \d+ of {game} is not what its hash was made of", done.err)
    assert not (db.parent / "tables").exists()


def duckdb_is_here() -> bool:
    return importlib.util.find_spec("duckdb") is not None


def test_a_terminal_that_knows_ascii_alone(db: Path, ddz: Ddz) -> None:
    with stage(db) as table:
        house = msgspec.structs.replace(PRESETS["pagat"], name="王 · 2×")
        say(table, table.open(Opening(players=PEOPLE, seed=7, first_voice=0, rules=house)).game, "0 escape")
    done = ddz.apart("stats", env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert done.out.startswith("finished games: 1 (? - 2x 1)\n")
    assert done.out.isascii()
    assert "王 · 2×" in ddz("stats").out


def test_the_readmes_sample(db: Path, ddz: Ddz) -> None:
    """What `ddz play --auto --bot random --seed 7 --rounds 40` leaves, played without waiting for the disk."""
    command = re.search(r"\(This is after `ddz play --auto --bot random --seed 7 --rounds (\d+)`\.\)", README)
    assert command
    with stage(db) as table:
        players, seated = loop.seat_bots(("random",))
        opening = Opening(players=players, seed=7)
        for _ in range(int(command[1])):
            begun = table.open(opening)
            at = loop.run(table, begun.moment, seated)
            opening = next_opening(at.state, at.game, 7)
    shown = [line for line in SAMPLE.splitlines() if line != "..." and not line.startswith("$")]
    assert ddz("stats").out.splitlines()[: len(shown)] == shown
    assert make("random").version == "1"


# Tables.


@pytest.mark.usefixtures("games")
def test_tables_without_duckdb(ddz: Ddz, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    done = ddz("stats", "--parquet", tmp_path / "tables", code=2)
    assert done.out == ""
    assert done.err == (
        "ddz: Parquet files are written by DuckDB, which is not installed; the extra 'analytics' of ddz brings it. "
        "Type: pip install 'ddz[analytics]' "
        "(in a checkout: pip install '.[analytics]')\n"
    )
    assert not (tmp_path / "tables").exists()


@pytest.mark.usefixtures("games")
def test_tables(ddz: Ddz, tmp_path: Path) -> None:
    pytest.importorskip("duckdb", reason="the extra `analytics` is not installed")
    folder = tmp_path / "new" / "tables"
    written = ddz("stats", "--parquet", folder).out.splitlines()
    assert [line.split()[0] for line in written] == [
        str(folder / f"{name}.parquet") for name in ("games", "seats", "calls", "plays")
    ]
    found = ddz("stats", "--parquet", folder, "--rules", "openspiel", "--json").json
    assert found["schema"] == "ddz/parquet@1"
    assert {each["table"]: each["rows"] for each in found["tables"]} == {"games": 1, "seats": 3, "calls": 3, "plays": 0}
    for each in found["tables"]:
        assert Path(each["file"]).read_bytes()[:4] == b"PAR1"
    file = tmp_path / "file"
    file.write_text("mine")
    assert "File exists" in ddz("stats", "--parquet", file, code=2).err
    assert file.read_text() == "mine"
