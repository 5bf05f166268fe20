"""What each command prints under --json is held against the schema that `ddz schema` prints of it."""

import functools
import inspect
import json
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from ddz.cli.app import COMMANDS, LOG_COMMANDS, load

from ddz.contract.names import json_schema, objects, reader
from ddz.frozen.shapes import KickerPolicy, Rules

from .stage import SCRIPT, Ddz, Done, forked, import_record, opened, record, say, stage, turn


def with_json() -> dict[str, set[str]]:
    """Every command that has --json, and the names of its parameters."""
    entries = {name: entry for name, entry in COMMANDS.items() if entry.function}
    entries |= {f"log {name}": entry for name, entry in LOG_COMMANDS.items()}
    found = {name: set(inspect.signature(load(entry)).parameters) for name, entry in entries.items()}
    return {name: parameters for name, parameters in found.items() if "as_json" in parameters}


WITH_JSON = with_json()
RUNS = {
    "play": ["--auto --bot random --seed 3", "--auto --bot random --seed 3 --rounds 2", "--moves MOVES --seed 7"],
    "export": ["OVER", "OVER --events", "OVER --format botzone", "OVER LINE --out OUT"],
    "path": [""],
    "train": ["OUT --games 8 --auctions 1"],
    "log backup": ["OUT"],
    "melds": ["333444555666", "34"],
    "moves": ["3344455566627BR", "334455 --top 3"],
    "counts": [""],
    "rules": ["", "pagat"],
    "games": ["", "--unfinished", "--db EMPTY"],
    "show": ["OVER", "ON --as 0", "ON --as 1", "ON --as table", "ON --as all --reveal", "LINE --at 3", "BOTS"],
    "replay": ["OVER", "LINE", "ON", "CLAIMS", "BOTS --from 2", "VOID"],
    "audit": ["OVER", "CLAIMS", "FALSE -> 1", "--all -> 1", "OVER --as-rules pagat", "CLAIMS --as-rules pagat"],
    "tree": ["OVER"],
    "diff": ["OVER LINE", "OVER ON", "OVER OVER"],
    "match": ["OVER", "BOTS"],
    "stats": ["", "--bot random", "--db EMPTY"],
    "doctor": ["", "--db FOREIGN"],
    "new": ["--seed 7", "--players bot:random,ann,bob"],
    "act": ["ON --seat 0 bid 3", "ON --seat 0 pass", "ON --seat 0 escape"],
    "fork": ["OVER --at 8", "OVER --at 8 --auto --bot random"],
    "import": ["RECORD", "RECORD NOWHERE FOREIGN -> 2"],
    "simulate": ["--games 2 --bots random --seed 3 -j 1", "--games 2 --bots random --seed 3 -j 1 --out OUT"],
    "arena": ["simple random --decks 1 --seed 7"],
    "schema": [""],
    "log head": [""],
    "log verify": ["", f"--head 1:{'0' * 64} -> 1"],
    "log events": ["", "--reveal"],
    "log merge": ["LOG --db EMPTY", "LOG FOREIGN --db EMPTY -> 5"],
    "log salvage": ["LOG OUT", "TAMPERED OUT -> 1"],
}
"""How each command is run: the words behind it, and the exit code where it is not 0."""


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A folder with a log of games of every kind, and what the words of the commands mean."""
    folder = tmp_path_factory.mktemp("logs")
    log, names = folder / "log.db", {}
    with stage(log) as table:
        over = names["OVER"] = import_record(table, "bombs-rocket", claim=False)
        names["LINE"] = forked(table, over, turn(table, over, "0 play 8c"), "0 play 3")
        say(table, names["LINE"], "2 escape")
        names["ON"] = opened(table, seed=7)
        names["CLAIMS"] = import_record(table, "airplane")
        names["BOTS"] = import_record(table, "spring", claim=False)
    false = folder / "false.toml"
    false.write_text(record("airplane").replace("[-12, 6, 6]", "[12, -6, -6]"), encoding="utf-8")
    (folder / "record.toml").write_text(record("spring"), encoding="utf-8")
    (folder / "moves.txt").write_text("help\nquit\n")
    (folder / "foreign.db").write_text("no log of ddz " * 100)
    names["FALSE"] = Ddz()("import", false, "--db", log).out.split()[0]
    names["VOID"] = Ddz()("new", "--rules", "openspiel", "--first", "0", "--seed", "7", "--db", log).out.strip()
    for seat in (0, 1, 2):
        Ddz()("act", names["VOID"], "--seat", seat, "pass", "--db", log)
    raw = log.read_bytes()
    at = raw.rindex(b'"cards":')
    (folder / "tampered.db").write_bytes(raw[: at + 9] + b"~" + raw[at + 10 :])
    return folder, names


@pytest.fixture
def words(logs: tuple[Path, dict[str, str]], db: Path, tmp_path: Path) -> dict[str, str]:
    """The log of this test, and what the words of the commands mean in it."""
    folder, names = logs
    shutil.copy(folder / "log.db", db)
    files = {
        "RECORD": "record.toml",
        "FOREIGN": "foreign.db",
        "LOG": "log.db",
        "TAMPERED": "tampered.db",
        "MOVES": "moves.txt",
    }
    places = {"EMPTY": tmp_path / "empty.db", "OUT": tmp_path / "out", "NOWHERE": tmp_path / "nowhere"}
    return {**names, **{word: str(folder / name) for word, name in files.items()}, **_texts(places)}


def _texts(places: dict[str, Path]) -> dict[str, str]:
    return {word: str(path) for word, path in places.items()}


@functools.cache
def validator(name: str) -> jsonschema.Draft202012Validator:
    """What holds an object against its schema, with no field more."""
    return jsonschema.Draft202012Validator(json_schema(name, strict=True))


def held(done: Done) -> list[Any]:
    """Every object on standard output, each held against the schema of its name, with no field more."""
    found = [json.loads(line) for line in done.out.splitlines()]
    for line, each in zip(done.out.splitlines(), found, strict=True):
        name = each["schema"]
        validator(name).validate(each)
        read = msgspec.json.decode(line, type=reader(objects()[name], strict=True))
        assert json.loads(msgspec.json.encode(read)) == each, "what is read is all that was written"
    return found


def test_every_command_with_json_is_run() -> None:
    assert set(RUNS) == set(WITH_JSON)


LONG = {"train"}
"""Commands that take long: as `-m long` they are run too."""


@pytest.mark.parametrize(
    ("command", "run"),
    [
        pytest.param(command, run, marks=[pytest.mark.long] * (command in LONG))
        for command, runs in RUNS.items()
        for run in runs
    ],
)
def test_what_is_printed_is_as_its_schema_says(command: str, run: str, words: dict[str, str], ddz: Ddz) -> None:
    args, _, code = run.partition(" -> ")
    done = ddz(*command.split(), *[words.get(word, word) for word in args.split()], "--json", code=int(code or 0))
    found = held(done)
    names = {each["schema"].removeprefix("ddz/").partition("@")[0] for each in found} - {"error", "train-progress"}
    longer = {"show": "view", "schema": "schemas", "log events": "log-event"}
    name = longer.get(command, command.replace(" ", "-"))
    assert names == {f"{name}-all" if "--all" in args else f"{name}-as" if "--as-rules" in args else name}


@pytest.mark.usefixtures("words")
def test_tables_are_as_their_schema_says(ddz: Ddz, tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    (found,) = held(ddz("stats", "--parquet", tmp_path / "tables", "--json"))
    assert found["schema"] == "ddz/parquet@1"


# The schemas themselves.


@pytest.mark.parametrize("name", objects())
def test_a_schema_is_one_and_says_what_each_field_is(name: str, ddz: Ddz) -> None:
    short = name.removeprefix("ddz/").partition("@")[0]
    printed = ddz("schema", short).out
    found = json.loads(printed)
    jsonschema.Draft202012Validator.check_schema(found)
    assert found["title"] == name
    assert found == json.loads(ddz("schema", name, "--json").out)
    for kind, schema in found["$defs"].items():
        assert schema.get("additionalProperties", True) is True, "fields may be added"
        for field, property_ in schema.get("properties", {}).items():
            assert field in ("schema", "type") or _told(property_), (
                f"{kind}.{field} says neither what it is nor its unit"
            )


def _told(schema: dict[str, Any]) -> bool:
    parts = [schema, *schema.get("anyOf", [])]
    return any("description" in part or "$ref" in part for part in parts) or all(map(_of_parts, [schema]))


def _of_parts(schema: dict[str, Any]) -> bool:
    return any(_told(part) for part in [*schema.get("prefixItems", []), *filter(None, [schema.get("items")])])


def test_the_names_are_listed(ddz: Ddz) -> None:
    assert ddz("schema").out.splitlines() == ddz("schema", "--json").json["names"] == list(objects())
    assert "ddz/view@1" in ddz("schema", "viw", code=2).err, "the nearest name"
    assert ddz("schema", "zzz", code=2).err == "ddz: there is no object called 'zzz'. Type: ddz schema to list them\n"


def test_a_field_that_nobody_knows_is_found() -> None:
    one = {"schema": "ddz/log-head@1", "head": "0:00"}
    jsonschema.validate(one, json_schema("ddz/log-head@1", strict=True))
    jsonschema.validate({**one, "more": 1}, json_schema("ddz/log-head@1"))
    for wrong in (
        {**one, "more": 1},
        {"schema": "ddz/log-head@1"},
        {**one, "head": 1},
        {**one, "schema": "ddz/view@1"},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, json_schema("ddz/log-head@1", strict=True))
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, reader(objects()["ddz/log-head@1"], strict=True))


def test_every_knob_of_the_rules_is_in_the_contract() -> None:
    defs = json_schema("ddz/rules@1")["$defs"]
    assert list(defs["KnobsJson"]["properties"]) == list(Rules.__struct_fields__)
    assert list(defs["KickersJson"]["properties"]) == list(KickerPolicy.__struct_fields__)


# Failures.

GOOD = {command: runs[0].partition(" -> ")[0] for command, runs in RUNS.items()}
NO_LOG = {"arena": "--log", "log salvage": None, "doctor": None, "path": None}
"""Commands that have a log only if they are told so, or whose answer it is that there is no good one."""
TAKES_ID = {name for name, parameters in WITH_JSON.items() if parameters & {"game", "ids"}}
WITH_ID = {name: "ON --auto" if name == "play" else GOOD[name] for name in TAKES_ID}
"""Commands that take the id of a game, and the words with one."""


def failed(done: Done) -> dict[str, Any]:
    """The one object that a command gives that has failed."""
    (found,) = held(done)
    assert found["schema"] == "ddz/error@1"
    assert found["exit"] == done.code
    assert found["code"]
    assert found["detail"]
    assert found["detail"].splitlines()[0][:60] in done.err, "the same sentence for people"
    return found


@pytest.mark.parametrize("command", WITH_JSON)
@pytest.mark.parametrize("where", ["before", "behind"])
def test_usage_is_an_object(command: str, where: str, words: dict[str, str], ddz: Ddz) -> None:
    args = [words.get(word, word) for word in GOOD[command].split()]
    args = ["--json", "--no-such", *args] if where == "before" else [*args, "--no-such", "--json"]
    assert failed(ddz(*command.split(), *args, code=2))["code"] == "usage/no-such-option"


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["--json"], "usage/no-such-option"),
        (["nosuch", "--json"], "usage/usage-error"),
        (["log", "--json"], "usage/no-such-option"),
        (["log", "nosuch", "--json"], "usage/usage-error"),
        (["show", "--json"], "usage/missing-parameter"),
        (["games", "--limit", "0", "--json"], "usage/bad-parameter"),
    ],
)
def test_usage_of_no_command_is_an_object_too(args: list[str], code: str, ddz: Ddz) -> None:
    assert failed(ddz(*args, code=2))["code"] == code


@pytest.mark.parametrize("command", [command for command, parameters in WITH_JSON.items() if "db" in parameters])
@pytest.mark.parametrize(("broken", "code"), [("FOREIGN", 5), ("FOLDER", 6)])
def test_a_bad_log_is_an_object(
    command: str, broken: str, code: int, words: dict[str, str], ddz: Ddz, tmp_path: Path
) -> None:
    more = NO_LOG.get(command, "")
    if more is None:
        pytest.skip("it answers for a bad log")
    at = words["FOREIGN"] if broken == "FOREIGN" else str(tmp_path)
    args = [words.get(word, word) for word in f"{GOOD[command]} {more}".split()]
    if "--db" in args:
        del args[args.index("--db") :]
    failed(ddz(*command.split(), *args, "--db", at, "--json", code=code))


@pytest.mark.parametrize("command", sorted(WITH_ID))
def test_an_unknown_game_is_an_object(command: str, words: dict[str, str], ddz: Ddz) -> None:
    args = ["zzzz" if word in ("OVER", "ON") else words.get(word, word) for word in WITH_ID[command].split()]
    failed(ddz(*command.split(), *args, "--json", code=3))


@pytest.mark.parametrize(
    ("args", "code"),
    [
        ("act ON --seat 1 pass", "turn/not-yours"),
        ("act OVER --seat 1 pass", "game/over"),
        ("fork OVER --at 1", "fork/no-turn-here"),
        ("new --id known", "log/command-reused"),
        ("log salvage LOG LOG", "log/file-exists"),
    ],
)
def test_a_refusal_is_an_object(args: str, code: str, words: dict[str, str], ddz: Ddz) -> None:
    ddz("act", words["ON"], "--seat", 0, "bid", 1, "--id", "known")
    if args.startswith("act ON"):
        args = args.replace("--seat 1", "--seat 2")
    assert failed(ddz(*[words.get(word, word) for word in args.split()], "--json", code=4))["code"] == code


def test_of_several_files_each_has_an_object(words: dict[str, str], ddz: Ddz) -> None:
    found = held(ddz("import", words["NOWHERE"], words["RECORD"], words["FOREIGN"], "--json", code=2))
    assert [each["schema"] for each in found] == ["ddz/error@1", "ddz/import@1", "ddz/error@1"]
    assert found[0]["facts"]["where"] == words["NOWHERE"]


@pytest.mark.usefixtures("words")
def test_an_interruption_is_an_object(ddz: Ddz, tmp_path: Path) -> None:
    args = [str(SCRIPT), "log", "events", "--follow", "--json", "--after", "40"]
    with (tmp_path / "out").open("w+b") as out, (tmp_path / "err").open("w+b") as err:
        following = subprocess.Popen(args, env=ddz.environment(), stdout=out, stderr=err)
        deadline = time.monotonic() + 20
        while not (tmp_path / "out").stat().st_size and time.monotonic() < deadline:
            time.sleep(0.02)
        following.send_signal(signal.SIGINT)  # it has begun to follow
        code = following.wait(20)
    *_, last = held(Done(code, *((tmp_path / name).read_text("utf-8") for name in ("out", "err"))))
    assert (last["schema"], last["code"], last["exit"], code) == ("ddz/error@1", "command/interrupted", 130, 130)
