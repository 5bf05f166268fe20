"""What is a log, what is none, and that looking at it leaves no trace."""

import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import astuple

from ddz.errors import BrokenLog, DdzError, StorageRefused, UnknownGame, UnsupportedVersion
from ddz.log import driver, schema, sql
from ddz.log.base import APPLICATION_ID
from ddz.log.driver import Connection, sqlite3
from ddz.log.memory import MemoryLog
from ddz.log.sqlite import SqliteLog
from ddz.log.stores import open_log

from .games import AT, family, fill, findings, game, sqlite_log


def bare(path: Path) -> Connection:
    """A connection that is not ours."""
    return sqlite3.connect(str(path), isolation_level=None)


def pragma(log: SqliteLog, name: str) -> object:
    """The value of one of SQLite's settings."""
    return log.connection.execute(f"PRAGMA {name}").fetchone()[0]


class TestNoLogYet:
    def test_reading_never_creates_a_file(self, path: Path):
        for folder in (path.parent, path.parent / "none" / "here"):
            log = open_log(folder / path.name, create=False)
            assert list(log.lines()) == []
            assert list(log.after(0)) == []
            assert log.rows("ann") == ()
            assert log.find("x") == ()
            for ask in (log.history, log.resolve, log.mark_seen):
                with pytest.raises(UnknownGame):
                    ask("ann")
            log.close()
        assert list(path.parent.iterdir()) == []

    def test_nothing_is_appended_to_it(self, path: Path):
        log = open_log(path, create=False)
        with pytest.raises(StorageRefused, match="there is no log at"):
            log.append("ann", 0, game("ann")[0], "one", AT)
        with pytest.raises(StorageRefused, match="there is no log at"):
            log.adopt([])
        assert list(log.after(0)) == []
        assert not path.exists()

    def test_an_empty_file_is_a_log_that_nobody_has_begun(self, path: Path):
        path.touch()
        assert list(open_log(path, create=False).lines()) == []
        assert path.read_bytes() == b""
        with sqlite_log(path) as log:
            fill(log, "ann", turns=1)
            assert findings(log) == []

    def test_creating_makes_the_folder_too(self, tmp_path: Path):
        path = tmp_path / "some" / "folder" / "games.db"
        with sqlite_log(path) as log:
            fill(log, "ann", turns=1)
        with sqlite_log(path, create=False) as log:
            assert len(log.history("ann")) > 0


class TestForeignFiles:
    @pytest.mark.parametrize("content", [b"hello", b"x" * 5000, b"\0" * 4096, b"SQLite format 3\0" + b"\xff" * 5000])
    @pytest.mark.parametrize("create", [True, False])
    def test_a_file_that_is_no_database(self, path: Path, content: bytes, create: bool):
        path.write_bytes(content)
        with pytest.raises(BrokenLog) as caught:
            open_log(path, create)
        assert caught.value.code in ("log/foreign", "log/damaged")
        assert str(path) in str(caught.value)
        assert path.read_bytes() == content
        assert list(path.parent.iterdir()) == [path]

    @pytest.mark.parametrize("create", [True, False])
    @pytest.mark.parametrize("mark", [0, 0x12345678])
    def test_a_database_of_another_program(self, path: Path, create: bool, mark: int):
        other = bare(path)
        other.execute("CREATE TABLE events (id INTEGER)")
        other.execute(f"PRAGMA application_id={mark}")
        other.close()
        before = path.read_bytes()
        with pytest.raises(BrokenLog, match="another program") as caught:
            open_log(path, create)
        assert caught.value.code == "log/foreign"
        assert path.read_bytes() == before

    @pytest.mark.parametrize("create", [True, False])
    def test_a_marked_but_empty_database_of_another_program(self, path: Path, create: bool):
        other = bare(path)
        other.execute("PRAGMA application_id=7")
        other.close()
        with pytest.raises(BrokenLog, match="another program"):
            open_log(path, create)

    @pytest.mark.parametrize("create", [True, False])
    def test_a_log_of_a_newer_ddz(self, path: Path, create: bool):
        with sqlite_log(path) as log:
            fill(log, "ann", turns=1)
            log.connection.execute(f"PRAGMA user_version={schema.VERSION + 1}")
        before = path.read_bytes()
        with pytest.raises(UnsupportedVersion, match="newer ddz"):
            open_log(path, create)
        assert path.read_bytes() == before

    @pytest.mark.parametrize("create", [True, False])
    def test_a_folder(self, tmp_path: Path, create: bool):
        with pytest.raises(StorageRefused, match="is a folder"):
            open_log(tmp_path, create)

    def test_a_path_through_a_file(self, path: Path):
        path.write_text("x")
        with pytest.raises(StorageRefused):
            open_log(path / "below.db", create=True)
        assert list(open_log(path / "below.db", create=False).after(0)) == []

    def test_a_damaged_log(self, path: Path):
        with sqlite_log(path) as log:
            log.connection.execute("PRAGMA synchronous=OFF")
            for number in range(5):
                fill(log, f"g{number}", seed=number)
        content = path.read_bytes()
        pages = [content[at : at + 4096] for at in range(0, len(content), 4096)]
        path.write_bytes(b"".join(page if b"CREATE " in page else b"\xa5" * 4096 for page in pages))
        with sqlite_log(path, create=False) as log:
            for ask in (log.history, log.rows, log.resolve):
                with pytest.raises(BrokenLog) as caught:
                    ask("g1")
                assert caught.value.code == "log/damaged"

    def test_a_log_that_was_cut_in_the_middle_of_the_file(self, path: Path):
        with sqlite_log(path) as log:
            log.connection.execute("PRAGMA synchronous=OFF")
            for number in range(5):
                fill(log, f"g{number}", seed=number)
        content = path.read_bytes()
        path.write_bytes(content[: len(content) // 2])
        with pytest.raises(BrokenLog):
            read_everything(path)


def read_everything(path: Path) -> None:
    """Open a log and verify all of it."""
    with sqlite_log(path, create=False) as log:
        assert findings(log) == []


class TestSettings:
    def test_the_connection_is_as_the_design_wants_it(self, file_log: SqliteLog, path: Path):
        fill(file_log, "ann", turns=1)
        with sqlite_log(path, create=False) as log:
            assert pragma(log, "synchronous") == (2 if driver.wal_is_safe else 3)
            assert pragma(log, "journal_mode") == ("wal" if driver.wal_is_safe else "delete")
            assert pragma(log, "foreign_keys") == 1
            assert pragma(log, "recursive_triggers") == 1
            assert pragma(log, "trusted_schema") == 0
            assert pragma(log, "busy_timeout") == 10_000
            assert log.connection.isolation_level is None

    def test_the_file_is_marked(self, file_log: SqliteLog):
        assert pragma(file_log, "application_id") == APPLICATION_ID == int.from_bytes(b"ddz1", "big")
        assert pragma(file_log, "user_version") == schema.VERSION == len(schema.MIGRATIONS)

    def test_the_tables_are_strict(self, file_log: SqliteLog):
        strict = dict(file_log.connection.execute("SELECT name, strict FROM pragma_table_list WHERE type = 'table'"))
        assert (strict["events"], strict["seen"]) == (1, 1)

    def test_opening_again_changes_nothing(self, path: Path):
        with sqlite_log(path) as log:
            family(log)
        before = path.read_bytes()
        for create in (True, False):
            with sqlite_log(path, create) as log:
                assert findings(log) == []
        assert path.read_bytes() == before
        assert list(path.parent.iterdir()) == [path]

    @pytest.mark.parametrize(
        ("version", "safe"),
        [("3.6.23", True), ("3.7.0", False), ("3.40.1", False), ("3.51.2", False), ("3.51.3", True), ("4.0.0", True)],
    )
    def test_which_sqlite_is_safe(self, version: str, safe: bool):
        assert driver._wal_is_safe(version) is safe

    def test_a_faulty_sqlite_writes_without_wal(self, path: Path, monkeypatch: pytest.MonkeyPatch):
        with sqlite_log(path) as log:
            family(log)
        monkeypatch.setattr(driver, "wal_is_safe", False)
        with sqlite_log(path) as log:
            fill(log, "new", turns=1)
            assert pragma(log, "journal_mode") == "delete"
            assert pragma(log, "synchronous") == 3
            assert findings(log) == []
        assert list(path.parent.iterdir()) == [path]
        monkeypatch.setattr(driver, "wal_is_safe", True)
        with sqlite_log(path) as log:
            assert pragma(log, "journal_mode") == "delete"
            fill(log, "newer", turns=1)
            assert pragma(log, "journal_mode") == "wal"


@pytest.fixture
def old_log(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A log with a game in it, as the first release made it."""
    with monkeypatch.context() as older:
        older.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:2])
        older.setattr(schema, "VERSION", 2)
        with sqlite_log(path) as log:
            fill(memory := MemoryLog(), "ann", turns=4)
            log.connection.executemany(sql.INSERT, map(astuple, memory.after(0)))
    return path


class TestMigrations:
    def test_an_older_log_is_brought_up_to_date(self, path: Path, monkeypatch: pytest.MonkeyPatch):
        with monkeypatch.context() as older:
            older.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:1])
            older.setattr(schema, "VERSION", 1)
            open_log(path, create=True).close()
        with sqlite_log(path, create=False) as log:
            assert pragma(log, "user_version") == schema.VERSION
            fill(log, "ann", turns=1)
            log.mark_seen("ann")
            assert [line.seen for line in log.lines()] == [True]

    def test_a_migration_that_fails_leaves_nothing(self, path: Path, monkeypatch: pytest.MonkeyPatch):
        def fails(db: object) -> None:
            raise ZeroDivisionError(db)

        with monkeypatch.context() as newer:
            newer.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, fails))
            newer.setattr(schema, "VERSION", len(schema.MIGRATIONS))
            with pytest.raises(ZeroDivisionError):
                open_log(path, create=True)
        assert list(open_log(path, create=False).lines()) == []
        with sqlite_log(path) as log:
            fill(log, "ann", turns=1)
            assert log.missing_guards() == []

    def test_a_log_without_the_last_migration_is_read_as_it_is(self, old_log: Path):
        before = old_log.read_bytes()
        for create in (True, False):
            with sqlite_log(old_log, create) as log:
                assert findings(log) == []
                assert len(log.history("ann")) > 0
                assert log.missing_guards() == []
        assert old_log.read_bytes() == before

    def test_who_first_writes_to_it_migrates_it(self, old_log: Path):
        with sqlite_log(old_log, create=False) as log, sqlite_log(old_log, create=False) as other:
            assert pragma(log, "user_version") == 2
            fill(log, "new", seed=3, turns=2)
            assert pragma(log, "user_version") == schema.VERSION
            fill(other, "newer", seed=4, turns=2)  # another process that opened it before
            assert findings(log) == []
            assert log.missing_guards() == []

    def test_a_log_that_somebody_has_changed_is_read_and_not_migrated(self, old_log: Path):
        intruder = bare(old_log)
        intruder.execute("DROP TRIGGER events_follow")
        intruder.close()
        with sqlite_log(old_log) as log:
            with pytest.raises(BrokenLog, match="the trigger events_follow is missing"):
                fill(log, "new", seed=3, turns=2)
            assert pragma(log, "user_version") == 2
            assert log.missing_guards() == ["events_follow"]
            assert len(log.history("ann")) > 0

    def test_the_first_log_ever_written_is_not_created_otherwise_today(self, old_log: Path):
        """Released migrations are frozen: this is what they make."""
        file_log = sqlite_log(old_log, create=False)
        made = [
            (name, " ".join((sql or "").split())[:60])
            for name, sql in file_log.connection.execute(
                "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name"
            )
        ]
        assert [name for name, _ in made] == [
            "events",
            "events_follow",
            "events_remain",
            "events_stay",
            "idx_events_event_id",
            "idx_events_game_seq",
            "idx_events_hash",
            "seen",
        ]
        unique = file_log.connection.execute("SELECT count(*) FROM pragma_index_list('events') WHERE \"unique\" = 1")
        assert unique.fetchone() == (3,)
        file_log.close()

    def test_hashes_stand_in_no_index(self, file_log: SqliteLog):
        """Random as they are, each would cost its event a page of its own."""
        unique = file_log.connection.execute("SELECT name FROM pragma_index_list('events') WHERE \"unique\" = 1")
        assert {name for (name,) in unique} == {"idx_events_event_id", "idx_events_game_seq"}


class TestErrorsInOurWords:
    @pytest.mark.parametrize(
        ("code", "kind"),
        [(5, StorageRefused), (6, StorageRefused), (8, StorageRefused), (10, StorageRefused), (13, StorageRefused),
         (14, StorageRefused), (23, StorageRefused), (266, StorageRefused), (11, BrokenLog), (26, BrokenLog),
         (1, BrokenLog), (19, BrokenLog), (None, BrokenLog)],
    )  # fmt: skip
    def test_each_of_sqlites_codes(self, path: Path, code: int | None, kind: type[DdzError]):
        error = sqlite3.OperationalError("what it says")
        if code is not None:
            error.sqlite_errorcode = code
        with pytest.raises(DdzError) as caught, driver.translated(path):
            raise error
        assert type(caught.value) is kind
        assert caught.value.__cause__ is error
        assert str(path) in str(caught.value)

    def test_our_own_errors_pass(self, path: Path):
        with pytest.raises(UnknownGame), driver.translated(path):
            raise UnknownGame("game/unknown", "there is no game x")


def run(script: str, *arguments: object) -> str:
    """What a fresh Python says."""
    command = [sys.executable, "-W", "error", "-c", script, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


def test_using_a_log_that_is_there_does_not_import_what_only_its_creation_needs(path: Path):
    with sqlite_log(path) as log:
        family(log)
    script = """
import sys
from pathlib import Path
from ddz.log.stores import open_log
log = open_log(Path(sys.argv[1]), True)
rows = len(log.history("deep"))
log.append("ann", log.rows("ann")[-1].seq, log.history("ann")[-1:], "x", "2024-01-01T00:00:00Z")
print([name for name in ("sqlite_utils", "click") if name in sys.modules])
print({"sqlite3", "pysqlite3"} & set(sys.modules) == {"pysqlite3"} or "pysqlite3" not in sys.modules)
"""
    assert run(script, path) == "[]\nTrue"


def test_the_driver_of_python_itself_makes_and_reads_the_same_log(path: Path):
    """Where pysqlite3 has no wheel: sqlite3 and, as in Debian 12, an SQLite with the WAL-reset fault."""
    with sqlite_log(path) as log:
        family(log)
    script = """
import sys
sys.modules["pysqlite3"] = None
from pathlib import Path
from ddz.log import driver
from ddz.log.memory import MemoryLog
from ddz.log.read import head
from ddz.log.stores import open_log
assert driver.sqlite3.__name__ == "sqlite3"
source = open_log(Path(sys.argv[1]), False)
target = open_log(Path(sys.argv[2]), True)
target.adopt(tuple(source.after(0)))
mode = target.connection.execute("PRAGMA journal_mode").fetchone()[0]
assert mode == ("wal" if driver.wal_is_safe else "delete"), mode
assert target.missing_guards() == []
for sql in ("UPDATE events SET at = 'x'", "DELETE FROM events", "REPLACE INTO events SELECT * FROM events"):
    try:
        target.connection.execute(sql)
    except driver.sqlite3.IntegrityError as error:
        assert "append-only" in str(error)
    else:
        raise AssertionError(sql)
print(head(target))
"""
    other = path.with_name("other.db")
    head = run(script, path, other)
    with sqlite_log(other) as log:
        assert findings(log, head) == []
        assert len(list(log.lines())) == 5
        fill(log, "new", turns=1)
        assert findings(log, head) == []
