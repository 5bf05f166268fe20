"""Nothing that is stored, named or typed reaches a terminal raw: every column, every field, every command.

The short form spoils all fields that may hold any text at once, and the others one by one. The long form
(`pytest -m long tests/cli/test_doors.py`, 80 s of one core) spoils each field alone.
"""

import itertools
import json
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest
from ddz.cli.door import trace
from ddz.cli.shell import complete_game

from ddz import signs
from ddz.log import codec
from ddz.records import FORMATS

from . import hostile
from .hostile import FIELDS, TEXT, UNESCAPED, Lines, Rows, Said, commands, faults, run

# What each command is given. {over}, {fork}, {again}, {open} are games of the log, {new} is a file not there yet.
READING: dict[str, list[str]] = {
    "games": ["", "--json", "--unfinished"],
    "replay": [
        "{over}",
        "{over} --json",
        "{over} --at 1",
        "{over} --step",
        "{open}",
        "{again}",
        "@last",
        "{fork} --json",
    ],
    "audit": ["{over}", "{over} --json", "--all", "--all --json", "{fork}", "{over} --as-rules pagat"],
    "tree": ["{over}", "{fork} --json", "@last"],
    "diff": ["{over} {fork}", "{over} {open} --json", "{again} {open}"],
    "match": ["{again}", "{again} --json", "@last"],
    "stats": ["", "--json", "--bot simple"],
    "show": ["{over}", "{open} --json", "{open} --as 0", "@last", "{over} --as all"],
    "export": [
        *("{over}", "{over} --events", "{fork} --events --reveal", "{open} --reveal", "@last --reveal", "{again}"),
        *(f"{{over}} --format {form}" for form in FORMATS),
    ],
    "log head": ["", "--json"],
    "log verify": ["", "--json", "--head 3:" + "0" * 64],
    "log events": ["", "--json", "--reveal"],
    "doctor": ["", "--json"],
}
WRITING: dict[str, list[str]] = {
    "act": ["{open} --seat 0 play 3 --json", "{open} --seat 0 pass", "@last --seat 0 escape --json"],
    "fork": ["{over} --at 12 --json", "{fork} --at 12 --auto --reveal"],
    "play": ["{open} --rounds 1", "--resume --lang zh", "{open} --seat 0 --rounds 1 --screen-reader"],
    "new": ["", "--json"],
    "log backup": ["{new}"],
    "log merge": ["{db}", "{db} --json"],
    "log salvage": ["{db} {new}", "{db} {new} --json"],
}
ELSEWHERE = {
    *("simulate", "import", "melds", "moves", "counts", "rules", "arena", "train", "botzone", "path", "schema"),
}
"""Commands that show nothing of the log: `test_doors_typed.py` gives them hostile words and files."""
Tables = Sequence[dict[str, list[str]]]


def test_every_command_is_tried() -> None:
    assert commands() == READING.keys() | WRITING.keys() | ELSEWHERE
    assert not READING.keys() & WRITING.keys()
    assert {chr(code) for code in (*range(7, 11), 13, 27, 0x7F, 0x85, 0x9B, 0x202E, 0x2028)} < set(TEXT)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Lines, Rows]:
    db = tmp_path_factory.mktemp("log") / "log.db"
    lines = hostile.build(db)
    return db, lines, hostile.rows_of(db)


@pytest.fixture
def tried(log: tuple[Path, Lines, Rows], tmp_path: Path) -> Callable[..., list[Said]]:
    """Write a log of these rows, run every command on it, and complain of all that would act on a terminal."""
    base, lines, _ = log
    number = itertools.count()

    def try_all(
        rows: Rows,
        *statements: str,
        langs: Sequence[str] = ("en",),
        one: int | None = None,
        every: Tables = (READING, WRITING),
    ) -> list[Said]:
        db = tmp_path / f"{next(number)}.db"
        hostile.write(base, db, rows, *statements)
        said = []
        for lang, given in itertools.product(langs, every):
            for name, forms in given.items():
                for form in forms if one is None else [forms[one % len(forms)]]:
                    facts = {**msgspec.structs.asdict(lines), "db": db, "new": tmp_path / f"new{next(number)}.db"}
                    words = [word.format(**facts) for word in form.split()]
                    env = {"DDZ_DB": str(db), "DDZ_LANG": lang}
                    if name == "log merge":  # into another log
                        env["DDZ_DB"] = str(tmp_path / f"other{next(number)}.db")
                    said.append(run([*name.split(), *words], "3\np\nlog\n?\n", **env))
        wrong = [fault for each in said for fault in faults(each)]
        assert not wrong, "\n".join(wrong)
        return said

    return try_all


FREE = {name: (tag, path) for name, (tag, path, free) in FIELDS.items() if free}
LINKS = {"game_forked.parent", "game_forked.parent_head"}
"""Free texts, but another one breaks the fork."""


def everything(rows: Rows) -> Rows:
    """The rows with a hostile text wherever one may stand and still be decoded, and with the newest game called so."""
    for name, (tag, path) in FREE.items():
        if name not in LINKS:
            rows = hostile.spoil(rows, tag, path, TEXT, every=True)
    rows = hostile.column(hostile.column(rows, "at", TEXT), "event_id", TEXT)
    return hostile.sealed(hostile.column(rows, "game", UNESCAPED))


def test_a_log_that_is_hostile_wherever_it_may_be(log: tuple[Path, Lines, Rows], tried) -> None:
    rows = everything(log[2])
    for row in rows:
        codec.event_of(row)  # it is read: so what is seen is no refusal
    said = tried(rows, f"INSERT INTO seen VALUES ('{UNESCAPED}', 1)", langs=("en", "zh"))

    def of(*command: str) -> list[Said]:
        return [each for each in said if each.command[: len(command)] == list(command)]

    over = log[1].over
    told = json.loads(next(each.out for each in of("replay", over, "--json")))
    opened = told["events"][0]
    assert opened["rules"]["name"] == opened["commitment"] == opened["players"][1]["name"] == TEXT, "the same value"
    assert opened["origin"]["claim"]["winner"] == TEXT
    events = [json.loads(line) for line in next(each.out for each in of("log", "events", "--json")).splitlines()]
    assert {event["time"] for event in events} == {TEXT}
    assert events[-1]["game"] == UNESCAPED
    printed = next(each.out for each in of("log", "events") if "--json" not in each.command)
    assert len(printed.splitlines()) == printed.count("\n") == len(rows), "an event is a line"
    assert tomllib.loads(next(each.out for each in of("export", over)))["seats"] == [TEXT] * 3
    exported = next(each.out for each in of("export", over, "--events")).splitlines()[1:]
    assert [msgspec.json.decode(line, type=hostile.Row) for line in exported] == [
        row for row in rows if row.game == over
    ]


HARD = [*(name for name, (_, _, free) in FIELDS.items() if not free), *sorted(LINKS)]
LANGS = ("en", "zh")


@pytest.mark.parametrize("name", HARD)
def test_a_field_that_may_not_hold_it(name: str, log: tuple[Path, Lines, Rows], tried) -> None:
    """Each command in one of its forms; over all fields it is all of them."""
    tag, path, _ = FIELDS[name]
    at = HARD.index(name)
    rows = hostile.sealed(hostile.spoil(log[2], tag, path, TEXT))
    tried(rows, langs=(LANGS[at % 2],), one=at, every=(READING, WRITING)[: 1 + (at % 4 == 0)])


@pytest.mark.long
@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.parametrize("lang", LANGS)
def test_each_field_alone(name: str, lang: str, log: tuple[Path, Lines, Rows], tried) -> None:
    tag, path, free = FIELDS[name]
    tried(hostile.sealed(hostile.spoil(log[2], tag, path, TEXT, every=free)), langs=(lang,))


@pytest.mark.parametrize(
    ("at", "name", "text"),
    [*((at, name, TEXT) for at, name in enumerate(hostile.COLUMNS)), (7, "game", UNESCAPED)],
    ids=[*hostile.COLUMNS, "game, unescaped"],
)
def test_each_column(at: int, name: str, text: str, log: tuple[Path, Lines, Rows], tried) -> None:
    rows = hostile.column(log[2], name, text)
    if name not in ("prev", "hash"):
        rows = hostile.sealed(rows)
    tried(rows, langs=(LANGS[at % 2],), one=at)


@pytest.mark.parametrize(("at", "name"), list(enumerate(hostile.COLUMNS)), ids=hostile.COLUMNS)
def test_a_column_that_is_no_text(at: int, name: str, log: tuple[Path, Lines, Rows], tried) -> None:
    """Bytes that are not UTF-8, as the driver hands them on."""
    statement = f"UPDATE events SET {name} = CAST(X'1b5b33316dff' AS TEXT) WHERE position = {len(log[2])}"
    tried(log[2], statement, langs=(LANGS[at % 2],), one=at, every=(READING,))


@pytest.mark.parametrize(
    "statement",
    [
        f"CREATE TRIGGER \"{UNESCAPED}\" BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, '{UNESCAPED}'); END",
        f'CREATE TRIGGER "{TEXT[: -len(UNESCAPED) - 1]}" BEFORE INSERT ON events BEGIN SELECT RAISE(IGNORE); END',
        f'CREATE TABLE "{UNESCAPED}" ("{UNESCAPED}" TEXT)',
        f'CREATE INDEX "{UNESCAPED}" ON events (at)',
    ],
    ids=["a trigger that speaks", "a trigger", "a table", "an index"],
)
def test_a_schema_with_names_of_its_own(statement: str, log: tuple[Path, Lines, Rows], tried) -> None:
    tried(log[2], statement, one=0)


def test_a_long_text_runs_over_no_margin(log: tuple[Path, Lines, Rows], tried) -> None:
    """Enough blanks reach the right margin, and what stands behind them would look like a line of ours."""
    rows, long = log[2], (" " * 200 + "FORGED ") * 25
    for name, (tag, path) in FREE.items():
        if name not in LINKS:
            rows = hostile.spoil(rows, tag, path, long, every=True)
    said = tried(hostile.sealed(hostile.column(hostile.column(rows, "at", long), "event_id", long)), one=0)
    people = [each for each in said if not {"--json", "--events", "export"} & set(each.command)]
    assert max(len(line) for each in people for line in (each.out + each.err).splitlines()) <= 4003
    listing = [
        each.out for each in people if each.command[0] in ("games", "tree", "match", "show", "stats", "log", "diff")
    ]
    assert sum(map(bool, listing)) > 5
    assert not [line[-150:] for out in listing for line in out.splitlines() if hostile.FORGED in line]


def test_a_shell_completes_no_hostile_id(log: tuple[Path, Lines, Rows], tmp_path: Path, monkeypatch) -> None:
    db = tmp_path / "names.db"
    hostile.write(log[0], db, hostile.sealed(hostile.column(log[2], "game", UNESCAPED)))
    monkeypatch.setenv("DDZ_DB", str(db))
    completed = complete_game("")
    assert log[1].over in completed
    assert all(map(signs.harmless, completed))


def test_a_fault_of_ours_quotes_what_is_stored_without_its_signs(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        raise AssertionError(TEXT)
    except AssertionError as error:
        trace(type(error), error, error.__traceback__)
    told = capsys.readouterr().err
    assert "Traceback" in told
    assert "ann?[31m" in told
    assert all(map(signs.harmless, told.split("\n")))
