"""The file guards itself against connections that are not ours."""

from collections.abc import Iterator

import msgspec
import pytest

from ddz.frozen.events import GameForked
from ddz.log import chain, codec
from ddz.log.base import GENESIS, Row
from ddz.log.driver import Connection, sqlite3
from ddz.log.sqlite import SqliteLog

from .games import AT, family, findings


@pytest.fixture
def bare(file_log: SqliteLog) -> Iterator[Connection]:
    """A connection without a single pragma of ours."""
    family(file_log)
    connection = sqlite3.connect(str(file_log.path), isolation_level=None)
    assert connection.execute("PRAGMA recursive_triggers").fetchone() == (0,)
    yield connection
    connection.close()


@pytest.fixture(autouse=True)
def unharmed(file_log: SqliteLog, bare: Connection) -> Iterator[None]:
    """Whatever was tried: afterwards the log is what it was."""
    before = list(file_log.after(0))
    yield
    assert list(file_log.after(0)) == before
    assert findings(file_log) == []
    assert bare.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def refused(connection: Connection, sql: str, *values: object, says: str) -> None:
    """Run what must not pass."""
    with pytest.raises(sqlite3.IntegrityError, match=says):
        connection.execute(sql, values)


def insert(verb: str, row: Row) -> tuple[object, ...]:
    """The statement and values that insert a row."""
    values = msgspec.structs.astuple(row)
    return (f"{verb} INTO events VALUES ({', '.join('?' * len(values))})", *values)


def following(log: SqliteLog, line: str, /, **changes: object) -> Row:
    """A row that could follow in `game`, with something changed, and sealed."""
    last = log.rows(line)[-1]
    newest = list(log.after(0))[-1]
    _, version, body = codec.encode(GameForked("x", 1, "y", "back"))
    row = Row(newest.position + 1, line, last.seq + 1, "evil/0", "bid_passed", version, AT, body, last.hash, "")
    return chain.sealed(msgspec.structs.replace(row, **changes))


@pytest.mark.parametrize(
    "column", ["position", "game", "seq", "event_id", "type", "version", "at", "body", "prev", "hash"]
)
def test_no_column_is_updated(bare: Connection, column: str):
    value = {"position": "position + 100", "seq": "seq + 100", "version": "2"}.get(column, f"{column} || 'x'")
    for verb in ("UPDATE", "UPDATE OR REPLACE", "UPDATE OR IGNORE"):
        refused(bare, f"{verb} events SET {column} = {value} WHERE position = 3", says="no event is changed")


def test_not_even_to_what_it_is(bare: Connection):
    refused(bare, "UPDATE events SET body = body", says="append-only")


def test_nothing_is_deleted(bare: Connection):
    refused(bare, "DELETE FROM events WHERE position = 3", says="no event is removed")
    refused(bare, "DELETE FROM events", says="no event is removed")


@pytest.mark.parametrize("verb", ["INSERT", "REPLACE", "INSERT OR REPLACE", "INSERT OR IGNORE"])
def test_no_row_takes_the_place_of_another(bare: Connection, file_log: SqliteLog, verb: str):
    rows = file_log.rows("ann")
    fresh = following(file_log, "ann")
    for change in (
        {"position": 3},
        {"seq": rows[2].seq},
        {"event_id": rows[2].event_id},
    ):
        refused(bare, *insert(verb, msgspec.structs.replace(fresh, **change)), says="there already")
    refused(bare, *insert(verb, rows[2]), says="there already")


def test_an_upsert_changes_nothing(bare: Connection, file_log: SqliteLog):
    sql, *values = insert("INSERT", file_log.rows("ann")[2])
    refused(bare, f"{sql} ON CONFLICT DO UPDATE SET body = 'x'", *values, says="append-only")


@pytest.mark.parametrize(
    "changes",
    [{"position": 10_000}, {"position": 0}, {"position": -1}],
)
def test_positions_have_no_gap(bare: Connection, file_log: SqliteLog, changes: dict[str, int]):
    refused(bare, *insert("INSERT", following(file_log, "ann", **changes)), says="not the next one")


def test_a_position_must_be_given(bare: Connection, file_log: SqliteLog):
    sql, _, *values = insert("INSERT", following(file_log, "ann"))
    refused(bare, str(sql).replace("VALUES (?", "VALUES (NULL"), *values, says="not the next one")


def test_an_event_needs_its_predecessor(bare: Connection, file_log: SqliteLog):
    seq = file_log.rows("ann")[-1].seq
    other = file_log.rows("bob")[-1].hash
    for changes in (
        {"seq": seq + 2},
        {"prev": GENESIS},
        {"prev": other},
        {"seq": 0},
        {"type": "game_opened"},
        {"type": "game_forked"},
        {"game": "new"},
        {"game": "new", "seq": 1, "prev": GENESIS},
        {"game": "new", "seq": 1, "prev": other, "type": "game_opened"},
        {"game": "new", "seq": 2, "prev": GENESIS, "type": "game_opened"},
        {"game": "new", "type": "game_forked"},
        {"game": "new", "type": "game_forked", "body": "nonsense"},
        {"game": "new", "type": "game_forked", "body": "[]"},
    ):
        refused(bare, *insert("INSERT", following(file_log, "ann", **changes)), says="no such event")


def test_a_fork_needs_the_event_that_it_leaves(bare: Connection, file_log: SqliteLog):
    ann, bob, left = (file_log.rows(name) for name in ("ann", "bob", "left"))
    at = 4
    own = next(row for row in left if row.game == "left")
    for parent, point, seq in (
        ("bob", ann[at - 1], at),
        ("nobody", ann[at - 1], at),
        ("ann", ann[at - 1], at + 1),
        ("ann", own, own.seq),
        ("ann", bob[at - 1], at),
    ):
        body = codec.encode(GameForked(parent, seq, point.hash, "back"))[2]
        row = following(file_log, "ann", game="new", seq=seq + 1, prev=point.hash, type="game_forked", body=body)
        refused(bare, *insert("INSERT", row), says="no such event")


def test_what_is_right_passes_and_is_taken_back(bare: Connection, file_log: SqliteLog):
    """Else every refusal above might have another cause."""
    ann = file_log.rows("ann")
    inherited = codec.encode(GameForked("deep", ann[2].seq, ann[2].hash, "back"))[2]
    for row in (
        following(file_log, "ann"),
        following(file_log, "ann", game="new", seq=1, prev=GENESIS, type="game_opened"),
        following(file_log, "ann", game="new", seq=4, prev=ann[2].hash, type="game_forked", body=inherited),
    ):
        bare.execute("BEGIN")
        sql, *values = insert("INSERT", row)
        assert bare.execute(str(sql), values).rowcount == 1
        bare.execute("ROLLBACK")


def test_columns_hold_their_types(bare: Connection, file_log: SqliteLog):
    sql, *values = insert("INSERT", following(file_log, "ann"))
    for column in range(1, 10):
        spoilt = [*values]
        spoilt[column] = b"blob"
        refused(bare, str(sql), *spoilt, says="cannot store BLOB|no such event")
        spoilt[column] = None
        refused(bare, str(sql), *spoilt, says="NOT NULL|no such event")


def test_a_guard_that_is_gone_is_named(file_log: SqliteLog, bare: Connection):
    assert file_log.missing_guards() == []
    bare.execute("BEGIN")
    bare.execute("DROP TRIGGER events_stay")
    assert SqliteLog(bare, file_log.path).missing_guards() == ["events_stay"]
    bare.execute("CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT 1; END")
    assert SqliteLog(bare, file_log.path).missing_guards() == ["events_stay"]
    bare.execute("ROLLBACK")
