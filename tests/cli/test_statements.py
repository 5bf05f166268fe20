"""What one asks at a table does not grow with the log: no statement of these commands looks at every event.

Plans of SQLite are held here, and no times: `tests/benchmarks/tables.py` measures those.
"""

import re
from contextlib import closing
from pathlib import Path

import pytest

from ddz.log import driver

from .stage import Ddz

_STATEMENT = re.compile(r"^\s*(SELECT|WITH)\b")
_WHOLE = re.compile(r"SCAN (events|own|first)\b")

AT_A_TABLE = (
    ("games",), ("games", "--unfinished"), ("tree", "{fork}"), ("tree", "{game}"), ("match", "{game}"),
    ("match", "{later}"), ("show", "{game}"), ("replay", "{game}"), ("audit", "{fork}"), ("export", "{game}"),
    ("export", "{fork}", "--events"), ("diff", "{game}", "{fork}"), ("fork", "{game}", "--at", "3"), ("doctor",),
    ("path",), ("new", "--players", "ann,bob,cat"), ("act", "{open}", "--seat", "0", "pass"),
    ("play", "--auto", "--rounds", "1"), ("import", "{record}"), ("import", "--once", "{record}"),
    ("play", "--resume", "--auto", "--rounds", "1"),
)  # fmt: skip


@pytest.fixture
def table(tmp_path: Path) -> tuple[Ddz, dict[str, str]]:
    """A log with a match, a fork, a game that goes on and a record, and their names."""
    ddz = Ddz({"DDZ_DB": str(tmp_path / "games.db")})
    ddz("play", "--auto", "--seed", "7", "--rounds", "2")
    later, first = (each["game"] for each in ddz("games", "--json").json["games"])
    line = ddz("fork", first, "--at", "3", "--json").json["game"]
    going = ddz("new", "--players", "ann,bob,cat", "--first", "0", "--json").json["game"]
    record = tmp_path / "record.toml"
    record.write_text(ddz("export", later).out, encoding="utf-8")
    return ddz, {"game": first, "later": later, "fork": line, "open": going, "record": str(record)}


@pytest.mark.parametrize("command", AT_A_TABLE, ids=" ".join)
def test_no_statement_of_a_command_reads_the_whole_log(
    command: tuple[str, ...], table: tuple[Ddz, dict[str, str]], monkeypatch: pytest.MonkeyPatch
):
    """Each statement that SQLite was given is asked how it would be worked off."""
    ddz, names = table
    said: list[str] = []
    connect = driver.connect

    def traced(path: Path, *how: object) -> driver.Connection:
        connection = connect(path, *how)  # type: ignore[arg-type]
        connection.set_trace_callback(said.append)
        return connection

    monkeypatch.setattr(driver, "connect", traced)
    ddz(*(word.format(**names) for word in command))
    monkeypatch.undo()
    asked = [statement for statement in said if _STATEMENT.match(statement) and "events" in statement]
    assert bool(asked) == (command != ("path",))
    assert plans_that_scan(Path(ddz.env["DDZ_DB"] or ""), asked) == []


def plans_that_scan(path: Path, statements: list[str]) -> list[tuple[str, str]]:
    """The statements that look at every event, with how they do."""
    with closing(driver.connect(path, "rw")) as connection:
        plans = [
            (statement, str(step[-1]))
            for statement in dict.fromkeys(statements)
            for step in connection.execute(f"EXPLAIN QUERY PLAN {statement}")
        ]
    return [each for each in plans if _WHOLE.search(each[1])]


def test_a_statement_that_reads_the_whole_log_is_seen(table: tuple[Ddz, dict[str, str]]):
    for statement in ("SELECT game FROM events WHERE type = 'dealt'", "SELECT * FROM events AS own WHERE body = ''"):
        assert plans_that_scan(Path(table[0].env["DDZ_DB"] or ""), [statement]) != []
