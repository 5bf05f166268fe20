"""What programs and files get is UTF-8 with plain ends of lines, whatever the locale of the terminal is."""

import json
from pathlib import Path

import pytest

from .stage import Ddz, record

NAMES = ("斗地主·甲", "🐼 Zoë", "Ωmega-Łukasz")
LOCALES = {
    "cp1252": {"PYTHONIOENCODING": "cp1252"},
    "gbk": {"PYTHONIOENCODING": "gbk"},
    "C": {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},  # all of it: Python takes UTF-8 instead else
    "utf-16": {"PYTHONIOENCODING": "utf-16"},
    "ascii": {"PYTHONIOENCODING": "ascii:strict"},
    "C as usual": {"LC_ALL": "C"},
}
"""The first three at every run, the others as `-m long`: each command is a process of its own."""


@pytest.fixture(params=[pytest.param(name, marks=[pytest.mark.long] * (at > 2)) for at, name in enumerate(LOCALES)])
def abroad(request: pytest.FixtureRequest) -> Ddz:
    """The command as a process under another locale."""
    return Ddz({**LOCALES[request.param]})


@pytest.fixture
def game(tmp_path: Path, ddz: Ddz) -> str:
    """A game that is over, of players with names in other scripts."""
    text = record("spring")
    seats = text[text.index("seats = [") : text.index("]", text.index("seats = [")) + 1]
    named = text.replace(seats, f"seats = {json.dumps(NAMES, ensure_ascii=False)}")
    assert named != text
    (tmp_path / "named.toml").write_text(named, encoding="utf-8", newline="\n")
    return ddz("import", tmp_path / "named.toml").out.split()[0]


def test_json_is_utf8(game: str, abroad: Ddz) -> None:
    for command in (["replay", game], ["log", "events"]):
        raw = abroad.raw(*command, "--json")
        for line in raw.decode("utf-8").splitlines():
            json.loads(line)
        assert all(name in raw.decode() for name in NAMES), command
        assert b"\r" not in raw


@pytest.mark.parametrize("form", [[], ["--events"]])
def test_what_is_exported_is_imported_again(form: list[str], game: str, abroad: Ddz, tmp_path: Path) -> None:
    """To standard output, from which it comes back as a record, and into a file, from which its events do."""
    printed = abroad.raw("export", game, *form)
    abroad.raw("export", game, *form, "--out", tmp_path / "out")
    (file,) = (tmp_path / "out").iterdir()
    assert file.read_bytes() == printed
    assert b"\r" not in printed
    told = json.loads(abroad.raw("export", game, *form, "--json"))
    assert told["text"].encode() == printed
    source, elsewhere = (file if form else "-"), tmp_path / "elsewhere.db"
    done = abroad.raw("import", source, "--db", elsewhere, "--json", input=b"" if form else printed)
    again = json.loads(done)["game"]
    shown = json.loads(abroad.raw("show", again, "--db", elsewhere, "--json"))
    assert [each["name"] for each in shown["players"]] == list(NAMES)
    if form:
        assert abroad.raw("export", again, *form, "--db", elsewhere) == printed


def test_a_name_that_is_typed_is_kept_or_refused(abroad: Ddz) -> None:
    """Python reads the words of a command line by the locale, and hands on what it cannot read as no text."""
    readable = "PYTHONUTF8" not in abroad.env
    raw = abroad.raw("new", "--seed", 7, "--players", ",".join(NAMES), "--json", code=0 if readable else 2)
    if readable:
        assert [each["name"] for each in json.loads(raw)["events"][0]["players"]] == list(NAMES)
    else:
        assert json.loads(raw)["exit"] == 2, "better refused than stored as what it is not"


def test_what_people_read_never_chokes(game: str, abroad: Ddz) -> None:
    """A terminal is given what its encoding can carry: a stand-in for the rest, and no end of the command."""
    assert abroad.raw("replay", game)
