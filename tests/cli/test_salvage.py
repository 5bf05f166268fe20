"""`ddz log salvage`: what people and programs are told, and that the old log stays as it was."""

import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from ddz.log.sqlite import SqliteLog
from ddz.log.stores import open_log

from .stage import Ddz, import_record, opened, say, stage


@pytest.fixture
def broken(db: Path) -> Path:
    """A log with three games; the time of an event of the second, and its hash with it, were changed."""
    with stage(db) as table:
        import_record(table, "bombs-rocket", claim=True)
        game = opened(table, seed=7)
        say(table, game, "0 bid 1")
        import_record(table, "redeals", claim=False)
    with closing(open_log(db, create=False)) as log:
        assert isinstance(log, SqliteLog)
        log.connection.execute("DROP TRIGGER events_stay")
        log.connection.execute("UPDATE events SET at = ? WHERE game = ? AND seq = 3", ("\x1b[2J", game))
    return db


def test_a_whole_log_leaves_nothing_behind(db: Path, ddz: Ddz, tmp_path: Path):
    with stage(db) as table:
        import_record(table, "bombs-rocket", claim=True)
    done = ddz("log", "salvage", db, tmp_path / "new.db")
    assert done.out.splitlines() == [f"{tmp_path / 'new.db'}: lines taken: 1, events: 24; left behind: 0"]
    told = ddz("log", "salvage", db, tmp_path / "again.db", "--json").json
    assert (told["schema"], told["lines"], told["left"]) == ("ddz/log-salvage@1", 1, [])
    assert ddz("log", "merge", tmp_path / "new.db").out, "the claim of the source may be false: that is told, not left"


def test_what_is_left_is_named(broken: Path, ddz: Ddz, tmp_path: Path):
    before = broken.read_bytes()
    done = ddz("log", "salvage", broken, tmp_path / "new.db", code=1)
    left, whole = done.out.splitlines()
    assert "is taken up to event 2, and cut there: event 3 of " in left
    assert "is not what its hash was made of [integrity/hash]" in left
    assert whole.endswith("left behind: 1")
    assert "\x1b" not in done.out
    (told,) = ddz("log", "salvage", broken, tmp_path / "again.db", "--json", code=1).json["left"]
    assert (told["what"], told["seq"], told["code"]) == ("tail", 2, "integrity/hash")
    assert broken.read_bytes() == before
    assert ddz("log", "verify", "--db", tmp_path / "new.db").out
    assert ddz("audit", "--all", "--db", tmp_path / "new.db").out
    assert len(ddz("games", "--json", "--db", tmp_path / "new.db").json["games"]) == 3
    ddz("act", told["game"], "--seat", "0", "pass", "--db", tmp_path / "new.db")


def test_a_log_that_commands_refuse_lives_on(broken: Path, ddz: Ddz, tmp_path: Path):
    shutil.copyfile(broken, tmp_path / "schema.db")
    with closing(open_log(tmp_path / "schema.db", create=False)) as log:
        assert isinstance(log, SqliteLog)
        log.connection.execute("DROP TABLE seen")
    assert "salvage" in ddz("games", "--db", tmp_path / "schema.db", code=5).err
    ddz("log", "salvage", tmp_path / "schema.db", tmp_path / "new.db", code=1)
    assert len(ddz("games", "--json", "--db", tmp_path / "new.db").json["games"]) == 3


def test_what_cannot_be_salvaged(broken: Path, ddz: Ddz, tmp_path: Path):
    (tmp_path / "text").write_text("no log")
    for source, target, code in (
        (broken, broken, 4),
        (tmp_path / "text", tmp_path / "new.db", 5),
        (tmp_path / "nowhere", tmp_path / "new.db", 2),
        (tmp_path, tmp_path / "new.db", 2),
        (broken, tmp_path / "nowhere" / "new.db", 6),
    ):
        assert ddz("log", "salvage", source, target, code=code).err.startswith("ddz: ")
    assert not (tmp_path / "new.db").exists()
    assert json.loads(ddz("log", "salvage", broken, broken, "--json", code=4).out)["code"] == "log/file-exists"
