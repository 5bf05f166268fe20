"""What somebody may have put into a log's schema: a trigger, a view, an index that lies, columns of other kinds."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ddz.errors import BrokenLog
from ddz.log import chain, read, schema, schema_check
from ddz.log.driver import Connection, sqlite3
from ddz.log.sqlite import SqliteLog
from ddz.log.stores import open_log
from ddz.services.audit_log import audit_log, verify_log

from .games import family, fill, sqlite_log

SWALLOW = "CREATE TRIGGER swallow BEFORE INSERT ON events BEGIN SELECT RAISE(IGNORE); END"
TRIGGERS = {
    "one that swallows": SWALLOW,
    "one that doubles": "CREATE TRIGGER after_it AFTER INSERT ON events BEGIN INSERT INTO seen VALUES ('x', 1); END",
    "one on the notes": "CREATE TRIGGER notes BEFORE INSERT ON seen BEGIN SELECT RAISE(IGNORE); END",
    "none that refuses changes": "DROP TRIGGER events_stay",
    "another under its name": "DROP TRIGGER events_stay; "
    "CREATE TRIGGER events_stay BEFORE UPDATE ON events WHEN 0 BEGIN SELECT RAISE(ABORT, 'x'); END",
    "one behind a comment": "DROP TRIGGER events_remain; CREATE TRIGGER events_remain BEFORE DELETE ON events BEGIN "
    "SELECT 1; --SELECT RAISE(ABORT, 'the log is append-only: no event is removed');\nEND",
}
"""What may be changed in the triggers: nothing that is read, all that is written."""
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT"
TABLES = {
    "an index more": "CREATE INDEX more ON events (position, hash)",
    "an index less": "DROP INDEX idx_events_game_seq",
    "an index of part of it": "DROP INDEX idx_events_game_seq; "
    "CREATE UNIQUE INDEX idx_events_game_seq ON events (game, seq) WHERE game <> 'bob'",
    "an index in another order": "DROP INDEX idx_events_game_seq; "
    "CREATE UNIQUE INDEX idx_events_game_seq ON events (game, seq DESC)",
    "a table more": "CREATE TABLE more (x)",
    "statistics for the planner": "ANALYZE",
    "a view more": "CREATE VIEW more AS SELECT 1",
    "no notes": "DROP TABLE seen",
    "a column more": "ALTER TABLE events ADD COLUMN more TEXT",
    "an endless view": "DROP TABLE events; CREATE VIEW events AS "
    f"{ENDLESS} i AS position, 'a' AS game, i AS seq, 'x/0' AS event_id, 'bid_passed' AS type, 1 AS version, "
    "'' AS at, '{}' AS body, '' AS prev, '' AS hash FROM n",
    "no STRICT": "CREATE TABLE other (position INTEGER PRIMARY KEY, game TEXT NOT NULL, seq INTEGER NOT NULL, event_id "
    "TEXT NOT NULL, type TEXT NOT NULL, version INTEGER NOT NULL, at TEXT NOT NULL, body TEXT NOT NULL, prev TEXT "
    "NOT NULL, hash TEXT NOT NULL); INSERT INTO other SELECT * FROM events; DROP TABLE events; "
    "ALTER TABLE other RENAME TO events; CREATE UNIQUE INDEX idx_events_game_seq ON events (game, seq); "
    "CREATE UNIQUE INDEX idx_events_event_id ON events (event_id)",
    "a generated column": "ALTER TABLE events ADD COLUMN more INTEGER AS (length(body))",
    "a virtual table": "DROP TABLE seen; CREATE VIRTUAL TABLE seen USING fts5(game, at)",
}
"""What may be changed in what is read."""


@pytest.fixture
def bare(file_log: SqliteLog) -> Iterator[Connection]:
    family(file_log)
    connection = sqlite3.connect(str(file_log.path), isolation_level=None)
    connection.execute("PRAGMA synchronous=OFF")
    yield connection
    connection.close()


def everything(log: SqliteLog) -> list[object]:
    """What a log answers to whoever reads."""
    lines = list(log.lines())
    return [list(log.after(0)), lines, [log.history(line.game) for line in lines], log.resolve("@last"), log.seen()]


def writers(log: SqliteLog, tmp_path: Path) -> list[object]:
    """What stores."""
    with sqlite_log(tmp_path / "other.db") as other:
        fill(other, "other", seed=9, turns=2)
        rows = list(other.after(0))
    return [
        lambda: fill(log, "new", seed=9, turns=2),
        lambda: log.adopt(rows),
        lambda: log.mark_seen("ann"),
    ]


class TestTriggers:
    @pytest.mark.parametrize("what", TRIGGERS)
    def test_the_log_is_read_and_nobody_writes(
        self, file_log: SqliteLog, bare: Connection, what: str, tmp_path: Path
    ) -> None:
        before = everything(file_log)
        bare.executescript(TRIGGERS[what])
        for log in (file_log, sqlite_log(file_log.path, create=False)):
            assert everything(log) == before
            for write in writers(log, tmp_path):
                with pytest.raises(BrokenLog) as caught:
                    write()
                assert caught.value.code == "log/schema"
            assert everything(log) == before
            for findings in (verify_log(log).findings, audit_log(log).findings):
                assert {each.code for each in findings} == {"integrity/guard"}

    def test_one_that_comes_while_the_log_is_open_is_seen(self, file_log: SqliteLog, bare: Connection):
        fill(file_log, "new", seed=8, turns=1)
        bare.execute(SWALLOW)
        with pytest.raises(BrokenLog, match="the trigger swallow is none of ddz's"):
            fill(file_log, "newer", seed=9, turns=1)
        bare.execute("DROP TRIGGER swallow")
        fill(file_log, "newer", seed=9, turns=1)

    def test_an_insert_that_stores_nothing_is_noticed_by_itself(
        self, file_log: SqliteLog, bare: Connection, monkeypatch: pytest.MonkeyPatch
    ):
        """Should ever a trigger be missed when the schema is compared."""
        monkeypatch.setattr(schema, "check_whole", lambda *_: None)
        bare.execute(SWALLOW)
        before = list(file_log.after(0))
        with pytest.raises(BrokenLog, match="has taken 0 of 1 events"):
            fill(file_log, "new", seed=8, turns=1)
        assert list(file_log.after(0)) == before


class TestTables:
    @pytest.mark.parametrize("what", TABLES)
    def test_nobody_reads_or_writes(self, file_log: SqliteLog, bare: Connection, what: str):
        triggers = [text for (text,) in bare.execute("SELECT sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()]
        bare.executescript(TABLES[what])
        if "DROP TABLE events" in TABLES[what] and "VIEW" not in TABLES[what]:
            for text in triggers:
                bare.execute(text)
        for create in (False, True):
            with pytest.raises(BrokenLog, match="is not as ddz made it: the") as caught:
                open_log(file_log.path, create)
            assert caught.value.code == "log/schema"
        with pytest.raises(BrokenLog):  # this one was open before
            fill(file_log, "new", seed=9, turns=2)

    def test_text_in_another_encoding(self, tmp_path: Path):
        connection = sqlite3.connect(str(tmp_path / "log.db"), isolation_level=None)
        connection.execute("PRAGMA encoding='UTF-16le'")
        for _, text in schema_check.expected(schema.VERSION).values():
            if text is not None:
                connection.execute(text)
        connection.executescript("PRAGMA application_id=0x64647A31; PRAGMA user_version=3")
        connection.close()
        with pytest.raises(BrokenLog, match="the encoding UTF-16le is not as ddz makes it"):
            open_log(tmp_path / "log.db", create=False)

    @pytest.mark.parametrize("version", [-1, 0, -(2**31)])
    def test_a_version_that_never_was(self, file_log: SqliteLog, bare: Connection, version: int):
        bare.execute(f"PRAGMA user_version={version}")
        with pytest.raises(BrokenLog, match="says that its tables are"):
            open_log(file_log.path, create=False)

    def test_an_older_version_than_its_tables_have(self, file_log: SqliteLog, bare: Connection):
        bare.execute("PRAGMA user_version=2")
        with pytest.raises(BrokenLog, match="the index idx_events_by_parent is none of ddz's"):
            open_log(file_log.path, create=False)


class TestWhatWeMake:
    def test_what_the_migrations_make_is_what_is_expected(self, path: Path, monkeypatch: pytest.MonkeyPatch):
        for version in range(1, len(schema.MIGRATIONS) + 1):
            with monkeypatch.context() as older:
                older.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:version])
                older.setattr(schema, "VERSION", version)
                older.setattr(schema, "READABLE", version)
                made = path.with_name(f"{version}.db")
                with sqlite_log(made) as log:
                    assert schema_check.differences(log.connection) == []
                    assert (
                        len(schema_check.expected(version))
                        == log.connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
                    )

    def test_another_way_of_writing_it_is_the_same(self, tmp_path: Path):
        """As other releases of sqlite-utils quote and break it."""
        connection = sqlite3.connect(str(tmp_path / "log.db"), isolation_level=None)
        for _, text in schema_check.expected(schema.VERSION).values():
            if text is not None:
                other = (
                    text if "TRIGGER" in text or "instr" in text else text.replace('"', "").replace("\n", " ").lower()
                )
                connection.execute(other.replace("create table events", "create table [events]"))
        connection.executescript(f"PRAGMA application_id=0x64647A31; PRAGMA user_version={schema.VERSION}")
        assert schema_check.differences(connection) == []
        connection.close()
        with sqlite_log(tmp_path / "log.db", create=False) as log:
            family(log)
            assert verify_log(log).findings == ()


def writable(path: Path) -> Connection:
    connection = sqlite3.connect(str(path), isolation_level=None)
    connection.executescript("PRAGMA synchronous=OFF; PRAGMA writable_schema=ON")
    return connection


def behind_the_back(path: Path, detached: str, statements: list[str]) -> None:
    """Change rows while the named indexes are out of the schema, and put their texts back: they keep what they said."""
    with closing(writable(path)) as connection:
        kept = connection.execute(
            "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema "
            f"WHERE name IN ({detached}) OR type = 'trigger'"
        ).fetchall()
        connection.execute(f"DELETE FROM sqlite_schema WHERE name IN ({detached}) OR type = 'trigger'")
        number = connection.execute("PRAGMA schema_version").fetchone()[0]
        connection.execute(f"PRAGMA schema_version={number + 1}")
    with closing(writable(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.executemany("INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)", kept)
        connection.execute(f"PRAGMA schema_version={number + 2}")


class TestIndexesThatLie:
    def test_a_game_that_only_the_index_has(self, file_log: SqliteLog):
        family(file_log)
        head = read.head(file_log)
        path = file_log.path
        file_log.close()
        behind_the_back(
            path,
            "'idx_events_game_seq', 'idx_events_event_id'",
            ["DELETE FROM events WHERE game = 'bob'"],
        )
        with sqlite_log(path, create=False) as log:
            for ask in (verify_log, audit_log):
                with pytest.raises(BrokenLog, match="is damaged"):
                    ask(log, head)

    def test_rows_rewritten_under_an_index_that_remembers_the_old_ones(self, file_log: SqliteLog):
        fill(file_log, "ann", seed=1, turns=4)
        head = read.head(file_log)
        path = file_log.path
        file_log.close()
        with closing(sqlite3.connect(str(path), isolation_level=None)) as connection:
            connection.execute("CREATE INDEX helper ON events (position, hash)")
        statements = ["UPDATE events SET at = '2031-01-01T00:00:00Z', hash = 'x' || substr(hash, 2)"]
        behind_the_back(path, "'helper'", statements)
        with pytest.raises(BrokenLog, match="the index helper is none of ddz's"):
            open_log(path, create=False)
        with closing(writable(path)) as connection:  # he takes it away again
            connection.execute("DROP INDEX helper")
        with sqlite_log(path, create=False) as log:
            assert "integrity/head" in {each.code for each in verify_log(log, head).findings}

    def test_a_game_that_the_index_leaves_out(self, file_log: SqliteLog):
        """The table has it, and so the head is the same; whoever asks by the game finds nothing."""
        family(file_log)
        head = read.head(file_log)
        total = file_log.last_position()
        path = file_log.path
        file_log.close()
        with closing(writable(path)) as connection:  # an index of nothing under the text of the honest one
            connection.execute("CREATE INDEX part ON events (game, seq) WHERE game = 'bob'")
            text, page = connection.execute(
                "SELECT sql, rootpage FROM sqlite_schema WHERE name = 'idx_events_game_seq'"
            ).fetchone()
            small = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'part'").fetchone()[0]
            assert page != small
            connection.execute("DELETE FROM sqlite_schema WHERE name = 'idx_events_game_seq'")
            connection.execute(
                "UPDATE sqlite_schema SET name = 'idx_events_game_seq', sql = ? WHERE name = 'part'", (text,)
            )
            number = connection.execute("PRAGMA schema_version").fetchone()[0]
            connection.execute(f"PRAGMA schema_version={number + 1}")
        with sqlite_log(path, create=False) as log:
            assert {line.game for line in log.lines() if line.sound} == {"bob"}, "the index hides the others"
            assert {line.game for line in log.lines()} == {"ann", "bob", "deep", "left", "lower"}, "and the table tells"
            assert read.head(log) == head, "the table has them"
            for ask in (verify_log, audit_log):
                codes = [each.code for each in ask(log, head).findings]
                assert {"integrity/file", "integrity/index"} <= set(codes)
            own = len(log.rows("bob"))
            detail = next(each.detail for each in verify_log(log).findings if each.code == "integrity/index")
            assert detail.startswith(f"the index leads to {own} of {total} events")


KINDS = ["NULL", "1.5", "x'ff'", "'text'", "99999999999999999", "x'61'"]
COLUMNS = ["game", "seq", "event_id", "type", "version", "at", "body", "prev", "hash"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("column", COLUMNS)
def test_a_value_of_another_kind(file_log: SqliteLog, column: str, kind: str):
    """As it gets in while the table has another schema: it is never taken for an event, and nobody falls over it."""
    family(file_log)
    path = file_log.path
    file_log.close()
    loose = (
        "CREATE TABLE events (position INTEGER PRIMARY KEY, game, seq, event_id, type, version, at, body, prev, hash)"
    )
    with closing(writable(path)) as connection:
        text = connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'events'").fetchone()[0]
        guards = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = 'events'", (loose,))
    with closing(writable(path)) as connection:
        connection.execute(f"UPDATE events SET {column} = {kind} WHERE position = 5")
        connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = 'events'", (text,))
    with closing(sqlite3.connect(str(path), isolation_level=None)) as connection:
        for _, trigger in guards:
            connection.execute(trigger)
    with sqlite_log(path, create=False) as log:
        if (column, kind) == ("game", "x'61'"):  # it sorts behind all text
            with pytest.raises(BrokenLog, match="ids of its games do not rise"):
                verify_log(log)
        else:
            assert any(each.code.startswith("integrity/") for each in verify_log(log).findings)
            assert not audit_log(log).ok
        with pytest.raises(BrokenLog):
            list(log.after(0))
        assert len(list(log.lines())) >= 5
        for line in ("ann", "left"):
            rows = log.rows(line)
            if column not in ("game", "seq") or kind == "x'61'":
                assert chain.verify_rows(rows)
        with pytest.raises(BrokenLog):
            log.history("ann")
