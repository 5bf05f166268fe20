"""Logs as a stranger would write them, with signs that act on a terminal, and how one sees whether such signs come out.

Whatever may be so by the types of the events is hashed anew, so that it is not refused for its hash.
"""

import json
import shutil
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

import msgspec
from ddz.cli.app import COMMANDS, LOG_COMMANDS, app
from typer.testing import CliRunner

from ddz.frozen import events
from ddz.frozen.shapes import Player, Players
from ddz.log import chain
from ddz.log.base import Row
from ddz.log.driver import sqlite3
from ddz.services.table import Opening

from .stage import forked, import_record, opened, say, stage, turn

FORGED = "FORGED"
"""What would begin a line of its own if an end of a line came through."""
UNESCAPED = f"\x7f\x9b31m\x85{FORGED}\u202e\u2066\u2028{FORGED}\u2029\ufeff\u200b\ue000\U000e0041"
"""Signs that JSON may hold as they are."""
TEXT = f"ann\x1b[31m\x1b]0;owned\a\t\b\r{FORGED}\n{FORGED}\0{UNESCAPED}"
ACTING = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
COLUMNS = tuple(field.name for field in msgspec.structs.fields(Row) if field.type is str)
BOTS: Players = (Player("you", "human"), Player("simple 1", "bot", "simple", "1"), Player("b", "bot", "normal", "2"))

Rows = list[Row]
FieldPath = tuple[str | int, ...]


class Lines(msgspec.Struct):
    """The lines of the log that is spoilt."""

    over: str
    fork: str
    """Of `over`; not finished."""
    again: str
    """The second game of a match."""
    open: str
    """Not finished; the newest."""


def build(db: Path) -> Lines:
    """A log with every type of event, and with every field that may be empty filled once."""
    with stage(db) as table:
        over = import_record(table, "bombs-rocket")
        import_record(table, "redeals")
        fork = forked(table, over, turn(table, over, "0 play 8c"), "0 play 3")
        first = opened(table, seed=7, players=BOTS)
        say(table, first, "0 escape")
        again = table.open(Opening(players=BOTS, seed=7, match=first, round=2, previous=first, first_voice=1)).game
        say(table, again, "1 escape")
        last = opened(table, seed=7, players=BOTS, first=0)
        say(table, last, "0 bid 3")
    return Lines(over, fork, again, last)


def rows_of(db: Path) -> Rows:
    """The rows of a log."""
    with stage(db) as table:
        return list(table.log.after(0))


def fields_of(event: type[Any]) -> Iterator[tuple[FieldPath, bool]]:
    """Where texts stand in the stored form of an event, and whether any text may stand there."""
    yield ("type",), False
    for field in msgspec.inspect.type_info(event).fields:  # type: ignore[attr-defined]
        for path, free in texts(field.type):
            yield (field.encode_name, *path), free


def texts(kind: msgspec.inspect.Type) -> Iterator[tuple[FieldPath, bool]]:
    """Where texts stand in a value of this type, and whether any text may stand there."""
    inspect = msgspec.inspect
    match kind:
        case inspect.StrType():
            yield (), True
        case inspect.LiteralType(values=values) if any(isinstance(value, str) for value in values):
            yield (), False
        case inspect.EnumType() | inspect.CustomType():
            yield (), False
        case inspect.UnionType(types=types):
            for each in types:
                yield from texts(each)
        case inspect.TupleType(item_types=types):
            for at, each in enumerate(types):
                yield from (((at, *path), free) for path, free in texts(each))
        case inspect.VarTupleType(item_type=each):
            yield from (((0, *path), free) for path, free in texts(each))
        case inspect.StructType(fields=fields, array_like=array):
            for at, field in enumerate(fields):
                name = at if array else field.encode_name
                yield from (((name, *path), free) for path, free in texts(field.type))
        case inspect.IntType() | inspect.BoolType() | inspect.NoneType() | inspect.LiteralType():
            return
        case _:
            raise AssertionError(f"does a text stand in a {kind}?")


FIELDS = {
    f"{events.tag_of(event)}.{'.'.join(map(str, path))}": (events.tag_of(event), path, free)
    for event in get_args(events.Event)
    for path, free in fields_of(event)
}


def spoil(rows: Rows, tag: str, path: FieldPath, text: str, every: bool = False) -> Rows:
    """The rows with `text` in a field of the first event (or of every event) of its type that has such a field."""
    found, done = [], False
    for row in rows:
        body = json.loads(row.body) if row.type == tag and (every or not done) else None
        spoilt = body is not None and put(body, path, text)
        found.append(msgspec.structs.replace(row, body=canonical(body)) if spoilt else row)
        done = done or spoilt
    assert done, f"no {tag} in the log has a place for {path}"
    return found


def put(body: Any, path: FieldPath, text: str) -> bool:
    """Put a text into its place in a stored value; False if there is no such place in it."""
    for step in path[:-1]:
        body = body[step] if isinstance(body, dict) and step in body else _item(body, step)
        if body is None:
            return False
    if not isinstance(body, dict) and _item(body, path[-1]) is None:
        return False
    body[path[-1]] = text
    return True


def _item(body: Any, step: str | int) -> Any:
    return body[step] if isinstance(body, list) and isinstance(step, int) and step < len(body) else None


def canonical(body: Any) -> str:
    """A body as it is stored."""
    return msgspec.json.encode(body, order="sorted").decode()


def column(rows: Rows, name: str, text: str) -> Rows:
    """The rows with `text` in a column: in all of them where rows may have the same or any, else in one."""
    found = list(rows)
    for at, row in enumerate(rows):
        everywhere = name in ("at", "event_id") or (name == "game" and row.game == rows[-1].game)
        if everywhere or (name != "game" and at == len(rows) // 3):
            found[at] = msgspec.structs.replace(row, **{name: f"{text}/{at}" if name == "event_id" else text})
    return found


def sealed(rows: Rows) -> Rows:
    """The rows hashed anew, each with the new hash of its predecessor."""
    new: dict[str, str] = {}
    found = []
    for row in rows:
        body = row.body
        if row.type == "game_forked":
            for old, instead in new.items():
                body = body.replace(f'"parent_head":"{old}"', f'"parent_head":"{instead}"')
        again = chain.sealed(msgspec.structs.replace(row, body=body, prev=new.get(row.prev, row.prev)))
        new[row.hash] = again.hash
        found.append(again)
    return found


def write(db: Path, target: Path, rows: Rows, *statements: str) -> None:
    """A copy of a log that holds these rows, under the same schema; then run `statements` in it."""
    shutil.copy(db, target)
    connection = sqlite3.connect(target, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute("BEGIN")
        guards = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("DELETE FROM events")
        places = ", ".join("?" * len(Row.__struct_fields__))
        connection.executemany(f"INSERT INTO events VALUES ({places})", map(msgspec.structs.astuple, rows))
        before = [each for each in statements if not each.startswith("CREATE")]
        for statement in before:
            connection.execute(statement)
        for _, sql in guards:
            connection.execute(sql)
        for statement in statements[len(before) :]:
            connection.execute(statement)
        connection.execute("COMMIT")
    finally:
        connection.close()


def commands() -> set[str]:
    """The name of every command."""
    return {name for name in COMMANDS if name != "log"} | {f"log {name}" for name in LOG_COMMANDS}


class Said(msgspec.Struct):
    """What a command has said, byte for byte."""

    command: list[str]
    code: int
    out: str
    err: str


def run(command: Sequence[str], input: str = "", **env: str) -> Said:
    """Run a command here; any exception is an error of the test."""
    found = CliRunner(env=env).invoke(app, command, input=input)
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise AssertionError(f"{command} raised {found.exception!r}") from found.exception
    return Said(list(command), found.exit_code, found.stdout_bytes.decode(), found.stderr_bytes.decode())


def faults(said: Said) -> Iterator[str]:
    """What would act on a terminal in what was said, and what is no JSON though it should be."""
    for where, text in (("stdout", said.out), ("stderr", said.err)):
        bad = {
            char
            for char in text
            if char != "\n" and unicodedata.category(char) in ACTING and char not in "\u200c\u200d"
        }
        if bad:
            yield f"{said.command}: {sorted(bad)!r} in {where}: {text[:300]!r}"
        if any(line.startswith(FORGED) for line in text.split("\n")):
            yield f"{said.command}: a line is forged in {where}: {text[:300]!r}"
        if "Traceback" in text:
            yield f"{said.command}: {text}"
    if said.code not in range(7):
        yield f"{said.command}: exit code {said.code}"
    if "--json" in said.command or "--events" in said.command:
        for line in said.out.splitlines():
            try:
                json.loads(line)
            except ValueError as error:
                yield f"{said.command}: no JSON ({error}): {line[:300]!r}"
