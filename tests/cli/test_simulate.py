"""`ddz simulate` and `ddz log merge`: what they print, store and refuse."""

import re
import resource
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from ddz.bots import names
from ddz.services import loop, merge
from ddz.simulation import simulate

from .stage import Ddz, forked, import_record, opened, say, stage, turn

BOTS = ", ".join(names())


def games(ddz: Ddz, *where: object) -> list[tuple[Any, ...]]:
    """What was played, without ids and times, in the order of the log."""
    found = []
    for game in reversed(ddz("games", "--limit", 999, "--json", *where).json["games"]):
        told = ddz("replay", game["game"], "--json", *where).json
        found.append((told["rules"], told["result"], [strip(event) for event in told["events"]]))
    return found


def strip(event: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name not in ("game", "match", "time", "hash", "event_id")}


def test_games_are_played_and_stored(ddz: Ddz, db: Path) -> None:
    done = ddz("simulate", "--games", "6", "--bots", "random,simple,random", "--seed", "7", "-j", "1")
    first, second = done.out.splitlines()
    assert re.fullmatch(r"6 games of seed 7, \d+ events, \d+ games a second", first)
    assert second == f"in the log {db}"
    assert done.err == "", "no bar where no terminal is"
    stored = ddz("games", "--json").json["games"]
    assert len(stored) == 6
    assert all(game["phase"] == "over" for game in stored)
    assert "lines audited: 6, with a fault: 0; findings besides: 0" in ddz("audit", "--all").out
    assert [path.name for path in db.parent.iterdir() if "simulation" in path.name] == [], "nothing is left beside it"


def test_the_same_seed_whatever_the_number_of_workers(ddz: Ddz, tmp_path: Path) -> None:
    played = []
    for jobs in (1, 3):
        db = tmp_path / f"{jobs}.db"
        ddz("simulate", "--games", "8", "--bots", "simple,random,random", "--seed", "11", "-j", jobs, "--db", db)
        played.append(games(ddz, "--db", db))
    assert len(played[0]) == 8
    assert played[0] == played[1]


def test_the_first_game_is_that_of_play(ddz: Ddz, tmp_path: Path) -> None:
    ddz("simulate", "--games", "1", "--bots", "simple", "--seed", "5", "--db", tmp_path / "s.db")
    ddz("play", "--auto", "--bot", "simple", "--seed", "5", "--db", tmp_path / "p.db")
    assert games(ddz, "--db", tmp_path / "s.db") == games(ddz, "--db", tmp_path / "p.db")


FIELDS = {
    "schema": str,
    "seed": int,
    "games": int,
    "players": list,
    "rules": str,
    "played": int,
    "events": int,
    "given_up": list,
    "log": (str, type(None)),
    "folder": (str, type(None)),
    "shards": list,
    "jobs": int,
    "engine": str,
    "seconds": float,
    "games_per_second": float,
}


def test_json(ddz: Ddz, db: Path, tmp_path: Path) -> None:
    into_log = ddz("simulate", "--games", "3", "--bots", "random", "--rules", "pagat", "-j", "2", "--json").json
    apart = ddz("simulate", "--games", "3", "--bots", "random", "--out", tmp_path / "s", "--seed", "1", "--json").json
    for found in (into_log, apart):
        assert found.keys() >= FIELDS.keys()
        assert all(isinstance(found[name], types) for name, types in FIELDS.items())
        assert (found["schema"], found["games"], found["played"]) == ("ddz/simulate@1", 3, 3)
        assert found["players"] == [{"bot": "random", "version": "1"}] * 3
    assert (into_log["rules"], into_log["log"], into_log["folder"], into_log["shards"]) == ("pagat", str(db), None, [])
    assert (into_log["jobs"], into_log["engine"]) == (2, "process")
    assert (apart["log"], apart["folder"], apart["seed"]) == (None, str(tmp_path / "s"), 1)
    assert into_log["events"] == int(ddz("log", "head").out.split(":")[0])
    for shard in apart["shards"]:
        assert ddz("log", "verify", "--head", shard["head"], "--db", shard["file"]).code == 0
    assert sum(int(shard["head"].split(":")[0]) for shard in apart["shards"]) == apart["events"]


def test_a_seed_is_drawn_and_told(ddz: Ddz, tmp_path: Path) -> None:
    drawn = [ddz("simulate", "--games", "1", "--bots", "random", "--json").json["seed"] for _ in range(2)]
    assert drawn[0] != drawn[1]
    again = ["simulate", "--games", "1", "--bots", "random", "--seed", drawn[0], "--db", tmp_path / "again.db"]
    ddz(*again)
    assert games(ddz, "--db", tmp_path / "again.db")[0] == games(ddz)[0]


def test_in_chinese(ddz: Ddz, tmp_path: Path) -> None:
    done = ddz("simulate", "--games", "2", "--bots", "random", "--seed", "3", "--lang", "zh", "--out", tmp_path / "s")
    assert re.match(r"种子 3：2 局，\d+ 个事件，每秒 \d+ 局\n已分片存入 ", done.out)
    merged = ddz("log", "merge", *sorted((tmp_path / "s").glob("*.db")), env={"DDZ_LANG": "zh"}).out
    assert re.search(r"：并入 \d 条分支、\d+ 个事件；已有 0 个事件\n", merged)


# ---- what is refused ----


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], "say how many games to play. Type: --games N"),
        (["--games", "3", "--bots", "deep"], f"called 'deep': the bots are {BOTS}"),
        (["--games", "3", "--bots", "random,random"], "name one bot for all, or 3 in seat order, not 2"),
        (["--games", "3", "--rules", "poker"], "there are no rules called 'poker'"),
        (["--games", "3", "--engine", "spark"], "there is no engine called 'spark': the engines are process, ray"),
        (["--games", "3", "--address", "here:1"], "the engine must be ray. Type: --engine ray"),
        (["--games", "3", "--out", "s", "--db", "x.db"], "omit one of --out and --db"),
        (["--resume"], "there is no unfinished simulation in"),
        (["--games", "0"], "--games"),
        (["--games", "3", "-j", "0"], "--jobs"),
    ],
)
def test_what_cannot_be_simulated(ddz: Ddz, tmp_path: Path, options: list[str], words: str) -> None:
    done = ddz("simulate", *options, code=2)
    assert words in " ".join(done.err.split())
    assert done.out == ""
    assert list(tmp_path.iterdir()) == []


def test_games_that_nobody_would_bid_for(ddz: Ddz, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "MOST_REDEALS", 1)
    command = ["simulate", "--games", "30", "--bots", "random", "--seed", "1", "-j", "1"]
    done = ddz(*command, code=1)
    left_out = re.search(r"left out: (\d+) games in which nobody bid \(numbers (\d+)", done.err)
    assert left_out
    assert len(ddz("games", "--limit", 999, "--json").json["games"]) == 30 - int(left_out[1])
    found = ddz(*command, "--json", code=1).json
    assert len(found["given_up"]) == int(left_out[1])
    assert found["given_up"][0] == int(left_out[2])


@pytest.mark.skipif(sys.platform == "win32", reason="there are no limits of this kind")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_full_disk(ddz: Ddz, tmp_path: Path, jobs: int) -> None:
    folder = tmp_path / "s"
    command = ["simulate", "--bots", "random", "--out", folder]

    def little() -> None:
        limit = 120_000
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))

    done = ddz.apart(*command, "--games", 40, "--seed", 2, "-j", jobs, code=6, preexec_fn=little)
    assert "Nothing was stored" in done.err
    assert re.search(
        rf"\d+ of 40 games are kept in {folder}; continue with `ddz simulate --resume --out {folder}`", done.err
    )
    written = [shard for shard in folder.glob("*.db") if shard.stat().st_size]  # not all had begun
    for shard in written:
        assert ddz("audit", "--all", "--db", shard).code == 0
    before = sum(
        len(ddz("games", "--limit", 999, "--json", "--db", shard).json["games"]) for shard in folder.glob("*.db")
    )
    assert ddz("simulate", "--resume", "--out", folder, "--json").json["played"] == 40 - before


def test_a_log_that_takes_no_more_keeps_the_shards(ddz: Ddz, db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is played, and the merge fails; --resume merges."""
    ddz("simulate", "--games", "2", "--bots", "random", "--seed", "1")

    def full(*_: object) -> None:
        raise simulate.StorageRefused("file/unwritable", "full")

    with monkeypatch.context() as patched:
        patched.setattr(merge, "merge", full)
        done = ddz("simulate", "--games", "3", "--bots", "random", "--seed", "2", code=6)
    assert "3 of 3 games are kept in" in done.err
    assert "continue with `ddz simulate --resume`" in done.err
    again = ddz("simulate", "--games", "3", "--bots", "random", code=2)
    assert "holds another simulation, 3 games of seed 2: continue it" in again.err
    assert ddz("simulate", "--resume", "--json").json["played"] == 0
    assert len(ddz("games", "--json").json["games"]) == 5
    assert [path.name for path in db.parent.iterdir() if "simulation" in path.name] == []


def test_a_merge_that_was_broken_off_is_repeated(ddz: Ddz, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some shards are in the log already: their games come into it no second time."""
    taken = merge.merge
    merged: list[Path] = []

    def only_two(log, path, *more):
        if len(merged) == 2:
            raise KeyboardInterrupt
        merged.append(path)
        return taken(log, path, *more)

    monkeypatch.setattr(simulate, "LONGEST_STRETCH", 2)
    with monkeypatch.context() as patched:
        patched.setattr(merge, "merge", only_two)
        done = ddz("simulate", "--games", "9", "--bots", "random", "-j", "1", code=130)
    assert done.err.splitlines()[-1] == "interrupted"
    there = len(ddz("games", "--json").json["games"])
    assert 0 < there < 9
    ddz("simulate", "--resume")
    assert len(ddz("games", "--json").json["games"]) == 9
    assert ddz("audit", "--all").code == 0


def test_a_damaged_shard(ddz: Ddz, tmp_path: Path) -> None:
    folder = tmp_path / "s"
    ddz("simulate", "--games", "3", "--bots", "random", "--out", folder, "-j", "1")
    shard, *_ = sorted(folder.glob("*.db"))
    shard.write_bytes(b"no database, but long enough to be looked at " * 30)
    done = ddz("simulate", "--resume", "--out", folder, code=5)
    assert f"ddz: {shard}: " in done.err
    assert "Remove this file, and its games are played again [log/foreign]" in done.err
    assert "are kept in" not in done.err, "how many, nobody knows"
    shard.unlink()
    assert ddz("simulate", "--resume", "--out", folder, "--json").json["played"] == 1


# ---- merging by hand ----


@pytest.fixture
def other(ddz: Ddz, tmp_path: Path) -> Path:
    """Another log: a game, a fork of it, and a match of two games, of which the second goes on."""
    path = tmp_path / "other.db"
    with stage(path) as table:
        game = import_record(table, "bombs-rocket", claim=False)
        forked(table, game, turn(table, game, "0 play 8c"), "0 play 3")
        say(table, opened(table, seed=7), "0 bid 3")
    ddz("play", "--auto", "--bot", "random", "--rounds", "2", "--db", path)
    return path


def test_a_log_is_merged_whole(ddz: Ddz, other: Path) -> None:
    ddz("simulate", "--games", "2", "--bots", "random")
    before = ddz("log", "head").out.strip()
    lines = ddz("games", "--limit", 999, "--json", "--db", other).json["games"]
    done = ddz("log", "merge", other, "--json")
    events = int(ddz("log", "head", "--db", other).out.split(":")[0])
    assert done.json == {
        **{"schema": "ddz/log-merge@1", "file": str(other)},
        **{"lines": len(lines), "events": events, "known": 0},
    }
    for line in lines:
        game = line["game"]
        assert (
            ddz("export", game, "--events", "--reveal").out.split("\n")[0]
            == (ddz("export", game, "--events", "--reveal", "--db", other).out.split("\n")[0])
        )
        one, two = (
            ddz("replay", game, "--json", "--reveal").json,
            ddz("replay", game, "--json", "--reveal", "--db", other).json,
        )
        assert one == two
        assert ddz("tree", game).out == ddz("tree", game, "--db", other).out
    assert ddz("match", lines[0]["game"]).out == ddz("match", lines[0]["game"], "--db", other).out
    assert ddz("log", "verify", "--head", before).code == 0, "what was there has not changed"
    assert ddz("audit", "--all").code == 0


def test_a_merge_may_be_repeated(ddz: Ddz, other: Path) -> None:
    ddz("log", "merge", other)
    head = ddz("log", "head").out
    again = ddz("log", "merge", other, other, "--json").out.splitlines()
    assert len(again) == 2
    assert all('"lines":0,"events":0,' in line for line in again)
    assert ddz("log", "head").out == head


def test_a_game_that_has_grown_elsewhere_grows_here(ddz: Ddz, db: Path, tmp_path: Path) -> None:
    with stage(db) as table:
        game = opened(table, seed=7)
        say(table, game, "0 bid 3")
    copy = tmp_path / "copy.db"
    ddz("log", "backup", copy)
    ddz("act", game, "--seat", 0, "play", "4", "--db", copy)
    assert "lines taken over: 0, events: 1; events that were here already: 4" in ddz("log", "merge", copy).out
    assert ddz("show", game, "--json").json["seq"] == 5


def test_a_game_that_went_on_otherwise_is_refused_with_its_whole_file(ddz: Ddz, db: Path, tmp_path: Path) -> None:
    with stage(db) as table:
        game = opened(table, seed=7)
        say(table, game, "0 bid 3")
    copy = tmp_path / "copy.db"
    ddz("log", "backup", copy)
    ddz("simulate", "--games", "1", "--bots", "random", "--db", copy)
    ddz("act", game, "--seat", 0, "play", "4", "--db", copy)
    ddz("act", game, "--seat", 0, "play", "5")
    head = ddz("log", "head").out
    other = tmp_path / "third.db"
    ddz("simulate", "--games", "1", "--bots", "random", "--db", other)
    done = ddz("log", "merge", copy, other, code=5)
    assert f"ddz: {copy}: event 5 of {game} is another one here" in done.err
    assert "[log/id-taken]" in done.err
    assert done.out.startswith(f"{other}: lines taken over: 1"), "the next file is taken over all the same"
    assert ddz("log", "verify", "--head", head.strip()).code == 0
    assert len(ddz("games", "--json").json["games"]) == 2, "nothing of the refused file is here"


def test_files_that_are_no_logs(ddz: Ddz, tmp_path: Path, other: Path) -> None:
    (tmp_path / "text.db").write_text("not a database, but long enough to be asked whether it is one\n" * 20, "utf-8")
    done = ddz("log", "merge", tmp_path / "nowhere.db", tmp_path, tmp_path / "text.db", other, code=5)
    assert f"there is no log at {tmp_path / 'nowhere.db'}" in done.err
    assert f"{tmp_path} is a folder, not a log" in done.err
    assert f"{tmp_path / 'text.db'} is no log of ddz" in done.err
    assert done.out.startswith(f"{other}: lines taken over: ")
    assert ddz("log", "merge", tmp_path / "nowhere.db", code=2)
    own = ddz("log", "merge", tmp_path / "games.db", code=2)
    assert "is the very log that takes over the games of others" in own.err


def test_a_spoilt_log_is_refused_whole(ddz: Ddz, other: Path, tmp_path: Path) -> None:
    from .test_tampered import tamper

    spoilt = tmp_path / "spoilt.db"
    shutil.copy(other, spoilt)
    game = ddz("games", "--json", "--db", spoilt).json["games"][0]["game"]
    tamper(spoilt, "UPDATE events SET body = replace(body, '3s', '3h') WHERE game = :game AND seq = 2", game)
    done = ddz("log", "merge", spoilt, code=5)
    assert "is not what its hash was made of" in done.err
    assert ddz("games", "--json").json["games"] == []


def test_what_was_seen_stays_seen(ddz: Ddz, other: Path) -> None:
    unfinished = next(
        each["game"] for each in ddz("games", "--json", "--db", other).json["games"] if each["phase"] == "playing"
    )
    ddz("show", unfinished, "--reveal", "--as", "all", "--db", other)
    ddz("log", "merge", other)
    seen = {each["game"]: each["seen"] for each in ddz("games", "--limit", 999, "--json").json["games"]}
    assert seen[unfinished]
    assert sum(seen.values()) == 1
