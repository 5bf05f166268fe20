"""What is typed, named or handed in reaches a terminal no more than what is stored: words, files, settings, guests."""

import itertools
import json
import os
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import tomli_w
from ddz.cli.app import app
from typer.main import get_command

from ddz import signs
from ddz.frozen.shapes import Rules
from ddz.record import Record

from .hostile import TEXT, Lines, build, canonical, commands, faults, put, run, texts
from .stage import RECORDS, Ddz

TYPED = TEXT.replace("\0", "")
"""The system knows no word with a NUL in it."""
HALF = "a\udcff\x1b[31m"
"""Bytes that are no text, as Python hands them on."""
FOREIGN = Path(__file__).resolve().parents[2] / "fixtures" / "foreign"

# What a command needs that it may look at any option; each word and the value of each option is tried in its turn.
WORDS: dict[str, list[str]] = {
    "play": ["--auto", "--bot", "random", "--seed", "7"],
    "replay": ["{over}"],
    "audit": ["{over}"],
    "fork": ["{fork}", "--at", "12"],
    "tree": ["{over}"],
    "diff": ["{over}", "{fork}"],
    "games": [],
    "match": ["{over}"],
    "stats": [],
    "new": [],
    "act": ["{open}", "pass", "--seat", "1"],
    "show": ["{over}"],
    "simulate": ["--games", "1", "--bots", "random", "-j", "1", "--seed", "1"],
    "import": ["-"],
    "export": ["{over}"],
    "melds": ["33"],
    "moves": ["345", "--top", "3"],
    "counts": [],
    "rules": ["classic"],
    "schema": ["view"],
    "arena": ["random", "random", "--decks", "1"],
    "train": ["nowhere", "--resume", "--seed", "1"],
    "botzone": [],
    "doctor": [],
    "path": [],
    "log head": [],
    "log verify": [],
    "log events": [],
    "log backup": ["copy.db"],
    "log merge": ["{db}"],
    "log salvage": ["{db}", "saved.db"],
}


def options(command: str) -> list[str]:
    """The options of a command that take a value."""
    found: Any = get_command(app)
    context = found.make_context("ddz", [command])
    for word in command.split():
        found = found.get_command(context, word)
    return [param.opts[-1] for param in found.params if param.param_type_name == "option" and not param.is_flag]


def attempts(command: str, text: str, facts: dict[str, Any]) -> Iterator[list[str]]:
    """The command with `text` as one of its words, as one of its options' values, as one more word, as an option."""
    words = [word.format(**facts) for word in WORDS[command]]
    for at in range(len(words)):
        yield [*words[:at], text, *words[at + 1 :]]
    for option in options(command):
        yield [*words, option, text]
    yield [*words, text]
    yield [*words, f"--{text}"]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Lines]:
    db = tmp_path_factory.mktemp("typed") / "log.db"
    return db, build(db)


@pytest.fixture
def facts(base: tuple[Path, Lines], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The names of the games of a log that is there for one test; files go to a folder of its own."""
    db = tmp_path / "games.db"
    db.write_bytes(base[0].read_bytes())
    monkeypatch.chdir(tmp_path)
    return {**msgspec.structs.asdict(base[1]), "db": db}


def test_every_command_is_given_words() -> None:
    assert commands() == WORDS.keys()


@pytest.mark.parametrize("command", WORDS)
def test_words_of_the_command_line(command: str, facts: dict[str, Any]) -> None:
    tried = [*attempts(command, TYPED, facts)]
    if command not in ("simulate", "arena"):  # these take long
        tried += [*attempts(command, HALF, facts)][::2]
    said = [run([*command.split(), *words], "3\n") for words in tried]
    assert {each.code for each in said} != {0}, "some of it is nothing that the command knows"
    wrong = [fault for each in said for fault in faults(each)]
    assert not wrong, "\n".join(wrong)


def test_what_no_command_is_called() -> None:
    for words in ([TYPED], ["log", TYPED], [f"--{TYPED}"], ["log", f"--{TYPED}", "head"], [HALF]):
        said = run(words)
        assert said.code == 2
        assert not list(faults(said))
        assert "Usage: ddz" in said.err


@pytest.mark.parametrize("name", ["DDZ_DB", "DDZ_LANG", "TERM", "LC_ALL", "XDG_DATA_HOME", "HOME"])
@pytest.mark.parametrize("text", [TYPED, HALF], ids=["text", "no text"])
def test_the_surroundings(name: str, text: str, facts: dict[str, Any]) -> None:
    env = {"DDZ_DB": str(facts["db"]), name: text}
    if name in ("XDG_DATA_HOME", "HOME"):
        env = {"DDZ_DB": "", name: str(facts["db"].parent / text)}
    said = [
        run(command.split(), **env) for command in ("path", "doctor", "doctor --json", "games", "games --json", "new")
    ]
    said.append(run(["play", "--auto", "--bot", "random"], **env))
    wrong = [fault for each in said for fault in faults(each)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.usefixtures("facts")
def test_the_name_of_the_log_is_told_as_it_is_or_not_at_all() -> None:
    """A program would take a name with stand-ins for the name."""
    assert run(["path", "--db", "雷.db"]).out == "雷.db\n"
    said = run(["path", "--db", TYPED])
    assert (said.code, said.out) == (2, "")
    assert ascii(TYPED) in said.err


# Files.


def spoilt(value: dict[str, Any], shape: type[Any]) -> Iterator[dict[str, Any]]:
    """A file's value with a hostile text in one of its places after another."""
    for path, _ in texts(msgspec.inspect.type_info(shape)):
        copy = json.loads(json.dumps(value))
        if put(copy, path, TYPED):
            yield copy
    yield {**value, TYPED: 1}


RECORD = {
    **tomllib.loads((RECORDS / "spring.toml").read_text("utf-8")),
    "meta": {"id": "x", "date": "2024-05-06", "players": ["human"] * 3},
    "fairness": {"nonce": "0", "commitment": "0", "server_seed": "0", "seat_seeds": ["", "", ""]},
}
HOUSE = {"name": "ours", "bomb": 3, "auction": "once", "all_pass": "redeal", "like": "classic"}
BROKEN_TOML = (
    "a = \x1b",
    "\x9b31m",
    'a = "\u202e',
    f'["{TYPED}',
    '"\\u001b" = 1\n"\\u001b" = 2',
    "a = '''\x7f",
    "a = 1\u2028",
)


def records() -> Iterator[bytes]:
    for value in spoilt(RECORD, Record):
        yield tomli_w.dumps(value).encode()
    plain = {key: value for key, value in RECORD.items() if key not in ("fairness", "payouts")}
    yield tomli_w.dumps({**plain, "rules": {**HOUSE, "name": TYPED}}).encode()
    yield tomli_w.dumps({**plain, "meta": {"id": TYPED, "date": TYPED, "players": [TYPED] * 3}}).encode()
    for text in BROKEN_TOML:
        yield text.encode()


def foreign() -> Iterator[bytes]:
    """The records of other engines, with hostile texts for theirs: one key or text after another, and cut short."""
    for file in sorted(FOREIGN.glob("*.json")):
        raw = json.loads(file.read_text("utf-8"))
        whole = json.dumps(raw)
        for text in sorted(set(_strings(raw)))[:8]:
            for instead in (TYPED, signs.shown(TYPED)[:1] + "\x9b\u202e"):
                yield whole.replace(json.dumps(text), json.dumps(instead)).encode()
                yield whole.replace(json.dumps(text), json.dumps(instead, ensure_ascii=False)).encode()
        yield whole[: len(whole) // 2].encode() + TYPED.encode()
    text = (FOREIGN / "openspiel.txt").read_text("utf-8")
    for line in text.splitlines()[:4]:
        yield text.replace(line, TYPED).encode()
        yield text.replace(line, line + "\x1b[31m\u202e").encode()


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)


def events_files(facts: dict[str, Any]) -> Iterator[bytes]:
    """A file of events with hostile texts in its head, in its rows, and for whole lines."""
    lines = run(["export", facts["over"], "--events"], DDZ_DB=str(facts["db"])).out.splitlines()
    for at, line in itertools.product((0, 1, 5), (TYPED, '"\\u001b[31m"')):
        yield "\n".join([*lines[:at], line, *lines[at + 1 :]]).encode()
    for at in (0, 1, 5):
        row = json.loads(lines[at])
        for name, value in [*row.items(), (TYPED, 1)]:
            spoilt_row = {**row, name: TYPED if isinstance(value, str) else value}
            yield "\n".join([*lines[:at], canonical(spoilt_row), *lines[at + 1 :]]).encode()


@pytest.mark.parametrize("kind", ["records", "foreign", "events"])
def test_files_that_are_imported(kind: str, facts: dict[str, Any]) -> None:
    """Under names that are as hostile, and what is taken over is shown."""
    raws = {"records": records, "foreign": foreign, "events": lambda: events_files(facts)}[kind]
    names = []
    for number, raw in enumerate(raws()):
        names.append(f"{TYPED}{number}")
        Path(names[-1]).write_bytes(raw)
    db = str(facts["db"].with_name("imported.db"))
    said = [run(["import", *names], DDZ_DB=db), run(["import", *names, "--json"], DDZ_DB=db)]
    said += [run(["import", "-"], Path(name).read_text("utf-8"), DDZ_DB=db) for name in names[:5]]
    for command in ("games --limit 500", "replay @last", "audit --all", "export @last --reveal", "log events"):
        said.append(run(command.split(), DDZ_DB=db))
    wrong = [fault for each in said for fault in faults(each)]
    assert not wrong, "\n".join(wrong)
    assert said[0].err.count("\n") + said[0].out.count("\n") == len(names), "a file is a line"
    assert len(names) > 10


def test_the_rules_of_a_house(facts: dict[str, Any]) -> None:
    files = []
    raws = [tomli_w.dumps(value).encode() for value in spoilt(HOUSE, Rules)]
    raws += [tomli_w.dumps({**HOUSE, "like": TYPED}).encode(), *(text.encode() for text in BROKEN_TOML)]
    for number, raw in enumerate(raws):
        files.append(f"{TYPED}{number}.toml")
        Path(files[-1]).write_bytes(raw)
    files.append(f"{TYPED}-none.toml")
    said = [run(["rules", file]) for file in files]
    for at, command in enumerate(name for name in WORDS if {"--rules", "--as-rules"} & set(options(name))):
        option = "--as-rules" if command == "audit" else "--rules"
        words = [word.format(**facts) for word in WORDS[command]]
        said.append(run([*command.split(), *words, option, files[at % len(files)]], DDZ_DB=str(facts["db"])))
    wrong = [fault for each in said for fault in faults(each)]
    assert not wrong, "\n".join(wrong)
    assert {each.code for each in said[: len(files)]} == {2}


def test_lines_of_play_and_of_botzone(facts: dict[str, Any]) -> None:
    said = []
    for text in (TYPED, f"hint {TYPED}", f"33 as {TYPED}", f"play {TYPED}", "\udcff\x9b"):
        Path("moves.txt").write_text(text.replace("\n", " "), "utf-8", errors="replace")
        for lang in ("en", "zh"):
            env = {"DDZ_DB": str(facts["db"]), "DDZ_LANG": lang}
            raw = f"{text}\n2\n{text}\n".encode("utf-8", "replace").decode()
            said.append(run(["play", "--seed", "7", "--bot", "random", "--rounds", "1"], raw, **env))
            said.append(run(["play", "--seed", "7", "--bot", "random", "--my-seed", "-"], raw, **env))
            said.append(run(["play", "--seed", "7", "--bot", "random", "--moves", "moves.txt"], **env))
            said.append(run(["replay", facts["over"], "--step"], raw, **env))
    for shape in ({"requests": [{TYPED: TYPED}], "responses": [TYPED]}, {TYPED: 1}, {"requests": [TYPED]}):
        said += [run(["botzone"], json.dumps(shape, ensure_ascii=ascii_only)) for ascii_only in (True, False)]
    said.append(run(["botzone"], TYPED))
    wrong = [fault for each in said for fault in faults(each)]
    assert not wrong, "\n".join(wrong)


# Guests, and real processes.


@pytest.mark.skipif(sys.platform == "win32", reason="the guest is a script of the shell")
def test_the_last_words_of_a_guest(tmp_path: Path, ddz: Ddz) -> None:
    """Its faults are told as they happen, by name and in its own words."""
    guest = tmp_path / "guest\x1b[31m\u202e\x9b.sh"
    guest.write_bytes(b"#!/bin/sh\nprintf '" + TYPED.encode().replace(b"\n", b"\\n") + b"' >&2\nexit 3\n")
    guest.chmod(0o700)
    names = [f"exec:'{guest}'", "random"]
    done = ddz.apart("arena", *names, "--decks", 1, "--rules", "douzero")
    assert "exit code 3" in done.err, "it was asked"
    for text in (done.out, done.err):
        assert all(map(signs.harmless, text.split("\n")))
        assert not any(line.startswith("FORGED") for line in text.split("\n"))


@pytest.mark.skipif(sys.platform == "win32", reason="names of files are bytes elsewhere")
def test_a_process_of_its_own(facts: dict[str, Any], ddz: Ddz) -> None:
    """Bytes that are no text, in a real command line and a real environment; what is for programs keeps the name."""
    name = f"{HALF}.db"
    os.rename(facts["db"], name)  # noqa: PTH104
    done = ddz.apart("games", env={"DDZ_DB": name})
    assert facts["over"] in done.out
    said = json.loads(ddz.apart("doctor", "--json", "--db", name).out)
    assert said["log"] == name
    for words in (("log", "merge", HALF), ("import", HALF), (HALF,)):
        done = ddz.apart(*words, code=None, env={"DDZ_DB": name})
        assert all(map(signs.harmless, (done.out + done.err).split("\n")))


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_what_programs_read_is_the_same_in_a_file(encoding: str, ddz: Ddz) -> None:
    """An export has the bytes that `--out` writes, and JSON is UTF-8, whatever the terminal's encoding is."""
    game = ddz("new", "--players", "雷,Zoë,👩\u200d🚀", "--seed", 7).out.strip()
    ddz("act", game, "--seat", 0, "escape")
    env = {"PYTHONIOENCODING": encoding}
    for form in ((), ("--events",)):
        printed = ddz.apart("export", game, *form, env=env).out
        ddz("export", game, *form, "--out", "out")
        (file,) = Path("out").iterdir()
        assert printed.encode() == file.read_bytes()
        file.unlink()
    names = json.loads(ddz.apart("show", game, "--json", env=env).out)["players"]
    assert [player["name"] for player in names] == ["雷", "Zoë", "👩\u200d🚀"]
