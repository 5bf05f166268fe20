"""`--db` and DDZ_DB take an address: every command of the table works on a log that is no file."""

import json
from pathlib import Path

import named_store
import pytest

from ddz.log.stores import STORES

from .stage import Ddz


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """An environment whose log is a toy store's: a module, and a line in the registry."""
    monkeypatch.setitem(STORES, "named", named_store.__name__)
    monkeypatch.setattr(named_store, "KEPT", {})
    return {"DDZ_DB": "named:mine"}


def test_a_new_store_is_a_module_and_a_line(named: dict[str, str], tmp_path: Path):
    ddz = Ddz(named)
    assert ddz("path").out == "named:mine\n"
    assert ddz("doctor", "--json").json["log_state"] == "not there yet"
    assert "no games" in ddz("games").out
    assert named_store.KEPT == {}
    ddz("play", "--auto", "--seed", "7", "--rounds", "2")
    listed = ddz("games", "--json").json["games"]
    assert [each["phase"] for each in listed] == ["over", "over"]
    first, second = listed[1]["game"], listed[0]["game"]
    assert ddz("audit", second, "--json").json["ok"]
    assert [each["game"] for each in ddz("match", first, "--json").json["rounds"]] == [first, second]
    line = ddz("fork", first, "--at", "3", "--json").json["game"]
    assert [each["game"] for each in ddz("tree", line, "--json").json["lines"]] == [first, line]
    assert ddz("show", "@last", "--json").json["game"] == line
    assert ddz("games", "--unfinished", "--json").json["games"][0]["game"] == line
    assert ddz("replay", first[:4]).out
    assert ddz("diff", first, line).out
    (tmp_path / "record.json").write_text(ddz("export", second).out, "utf-8")
    ddz("import", tmp_path / "record.json", "--db", "named:imports")
    assert ddz("audit", "@last", "--db", "named:imports", "--json").json["ok"]
    new = ddz("new", "--players", "ann,bob,cat", "--seed", "3", "--first", "0", "--db", "named:new", "--json").json[
        "game"
    ]
    ddz("act", new, "--seat", "0", "pass", "--db", "named:new")
    assert ddz("show", new, "--db", "named:new", "--json").json["seq"] > 2
    assert ddz("audit", "--all", "-j", "2", "--json").json["ok"]
    assert ddz("log", "verify", "--json").json["ok"]
    head = ddz("log", "head").out
    assert ddz("doctor", "--json").json["log_state"] == f"{head.partition(':')[0]} events"
    ddz("log", "backup", tmp_path / "copy.db")
    assert ddz("log", "head", "--db", tmp_path / "copy.db").out == head
    assert json.loads(ddz("log", "merge", tmp_path / "copy.db", "--db", "named:other", "--json").out)["lines"] == 3
    assert ddz("log", "head", "--db", "named:other").out == head
    assert ddz("log", "merge", "named:mine", "--db", f"sqlite:{tmp_path / 'third.db'}").out
    assert ddz("log", "head", "--db", tmp_path / "third.db").out == head
    assert "the very log" in ddz("log", "merge", "named:mine", code=2).err
    assert sorted(file.name for file in tmp_path.iterdir()) == ["copy.db", "record.json", "third.db"]


def test_a_scheme_that_nobody_knows():
    done = Ddz()("games", "--db", "postgres:games", code=2)
    assert "sqlite:, memory:" in done.err
    assert "Traceback" not in done.err
