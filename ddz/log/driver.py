"""The one place that chooses the SQLite driver, and the connections and errors that go with it.

Nobody else may import `sqlite3` or `pysqlite3`: with both in one process, two writers got the lock of one file
at once (POSIX locks belong to the process, and closing a file in one library drops those of the other).
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ddz.errors import BrokenLog, DdzError, Phrase, StorageRefused
from ddz.log import files
from ddz.log.base import LONGEST_BODY

if TYPE_CHECKING:
    import sqlite3
else:
    try:
        from pysqlite3 import dbapi2 as sqlite3
    except ImportError:
        import sqlite3

__all__ = [
    "Connection",
    "connect",
    "copy",
    "explain",
    "fetched",
    "is_denied",
    "merge_beside",
    "prepare_writing",
    "relax_sync",
    "scribble",
    "sqlite3",
    "sqlite_version",
    "stored",
    "text",
    "translated",
    "wal_is_safe",
    "watch",
]

Connection = sqlite3.Connection


class _Watched(sqlite3.Connection):
    check: Callable[[], None] | None = None


BUSY_SECONDS: Final = 10.0
"""How long a writer waits for another one before it gives up."""

_RETRY_SECONDS: Final = 0.005

sqlite_version: Final[str] = sqlite3.sqlite_version


def _wal_is_safe(version: str) -> bool:
    number = tuple(int(part) for part in version.split(".")[:3])
    return not (3, 7, 0) <= number <= (3, 51, 2)


wal_is_safe: Final[bool] = _wal_is_safe(sqlite_version)
"""False for SQLite 3.7.0 to 3.51.2, which have the WAL-reset fault: two writers can corrupt a log in WAL mode."""

_BUSY, _LOCKED, _READONLY, _CORRUPT, _FULL, _CANTOPEN, _NOTADB = 5, 6, 8, 11, 13, 14, 26
_ERROR, _CONSTRAINT, _SCHEMA, _MISMATCH = 1, 19, 17, 20


def fetched(connection: Connection, sql: str, values: tuple[str | int | bytes, ...] = ()) -> list[Any]:
    """Every row that a statement answers, also if somebody has stored bytes that are no text.

    Raises:
        sqlite3.DatabaseError: as the driver does.
    """
    try:
        return _all(connection, sql, values)
    except sqlite3.OperationalError as error:
        if hasattr(error, "sqlite_errorcode"):
            raise  # SQLite's own; the driver's says that a text is not UTF-8
    # A second query, because this way of reading texts takes 1.5 times as long and is rarely needed.
    return _fetched_as(text, connection, sql, values)


def stored(connection: Connection, sql: str, values: tuple[str | int | bytes, ...]) -> list[Any]:
    """Every row that a statement answers, with its texts as bytes.

    Raises:
        sqlite3.DatabaseError: as the driver does.
    """
    return _fetched_as(bytes, connection, sql, values)


def _fetched_as(
    texts: Callable[[bytes], str | bytes], connection: Connection, sql: str, values: tuple[str | int | bytes, ...]
) -> list[Any]:
    usual, connection.text_factory = connection.text_factory, texts
    try:
        return _all(connection, sql, values)
    finally:
        connection.text_factory = usual


def _all(connection: Connection, sql: str, values: tuple[str | int | bytes, ...]) -> list[Any]:
    try:
        return connection.execute(sql, values).fetchall()
    finally:
        if isinstance(connection, _Watched) and connection.check:
            connection.check()


def watch(connection: Connection, check: Callable[[], None]) -> None:
    """Ask after every answer whether it can be true: `check` raises if not. For a connection that takes no locks."""
    assert isinstance(connection, _Watched), "made by `connect`"
    connection.check = check


def text(raw: bytes) -> str:
    """A text column. What is not UTF-8, or longer than any, was never written by us: text that we never write either.

    (NUL stands in no field of ours, so such a field can never agree with its row's hash.)
    """
    if len(raw) > LONGEST_BODY:
        return f"\0longer than any text of ours: {len(raw)} bytes"
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return f"\0not UTF-8: {raw.hex()}"


def connect(path: Path, mode: str, busy_seconds: float = BUSY_SECONDS) -> Connection:
    """A connection to the file at `path`, with everything that holds for this connection only.

    `mode` is SQLite's: `rw` never creates a file and reads one that is write-protected, `rwc` creates it, `immutable`
    looks at this file alone and takes no lock.
    """
    query = "mode=ro&immutable=1" if mode == "immutable" else f"mode={mode}"
    uri = f"{path.absolute().as_uri()}?{query}"
    connection = sqlite3.connect(uri, uri=True, timeout=busy_seconds, isolation_level=None, factory=_Watched)
    try:
        # FULL loses nothing at a power cut in WAL mode; without WAL, EXTRA also syncs the folder of the journal.
        connection.execute(f"PRAGMA synchronous={'FULL' if wal_is_safe else 'EXTRA'}")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA recursive_triggers=ON")
        # A file may come from anybody: its schema calls no function of ours, and no cell reaches beyond its page.
        connection.execute("PRAGMA trusted_schema=OFF")
        connection.execute("PRAGMA cell_size_check=ON")
        # The first look into the file: now it shows what it is and whether it can be read.
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except UnicodeDecodeError as error:  # SQLite's message quotes a schema that is no text: the driver cannot decode it
        connection.close()
        damaged = sqlite3.DatabaseError("its schema is no text")
        damaged.sqlite_errorcode = _CORRUPT
        raise damaged from error
    except BaseException:
        connection.close()
        raise
    return connection


def relax_sync(connection: Connection) -> None:
    """Never wait for the disk, as suits a log that can be made again.

    A process that is killed loses nothing by it; a power cut may spoil the file.
    """
    connection.execute("PRAGMA synchronous=OFF")


def scribble(connection: Connection) -> None:
    """Write a new file that nobody needs unless it is finished: without a journal, and without waiting for the disk."""
    connection.execute("PRAGMA journal_mode=OFF")
    relax_sync(connection)


def merge_beside(path: Path) -> None:
    """Take what stands in the WAL or the journal beside a file of our own into the file itself, or back out of it."""
    connection = connect(path, "rw")
    try:
        relax_sync(connection)
        connection.execute("PRAGMA journal_mode=DELETE")
    finally:
        connection.close()


def copy(source: Connection, target: Connection) -> None:
    """Copy a whole database, in the moment that `source` sees.

    Raises:
        sqlite3.DatabaseError: with SQLite's code, which the driver leaves out here.
    """
    try:
        source.backup(target)
    except sqlite3.DatabaseError as error:
        if not hasattr(error, "sqlite_errorcode"):
            broken = {"database disk image is malformed": _CORRUPT, "file is not a database": _NOTADB}
            error.sqlite_errorcode = broken.get(str(error), _FULL)
        raise


def prepare_writing(connection: Connection) -> None:
    """Choose the journal. It is a property of the file and a write to it, so readers do not ask for it."""
    wanted = "wal" if wal_is_safe else "delete"
    patience = connection.execute("PRAGMA busy_timeout").fetchone()[0] / 1000
    deadline = time.monotonic() + patience
    while True:
        try:
            if connection.execute("PRAGMA journal_mode").fetchone()[0] != wanted:
                connection.execute(f"PRAGMA journal_mode={wanted}")
            return
        except sqlite3.OperationalError as error:
            # Two that change a new file to WAL at once: one of them is told "locked" without having waited.
            if _primary(error) not in (_BUSY, _LOCKED) or time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_SECONDS)


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Translate SQLite's errors into ours.

    Raises:
        StorageRefused: full, read-only, no permission, locked, or a fault of the disk.
        BrokenLog: the file is no SQLite database, or a damaged or foreign one.
    """
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise explain(error, path) from error


def _primary(error: "sqlite3.DatabaseError") -> int:
    """SQLite's primary result code; the driver's own complaints have none and count as errors of the statement."""
    return int(getattr(error, "sqlite_errorcode", _ERROR)) & 0xFF


def is_denied(error: "sqlite3.DatabaseError") -> bool:
    """True if SQLite says that it may not write, or not open, what it needs."""
    return _primary(error) in (_READONLY, _CANTOPEN)


def explain(error: "sqlite3.DatabaseError", path: Path) -> DdzError:
    """Our error for one of SQLite's."""
    primary = _primary(error)
    if primary in (_BUSY, _LOCKED):
        return StorageRefused(
            "log/locked",
            "{path} is locked: another program is writing to it. Nothing was stored; try again",
            path=str(path),
        )
    if primary == _NOTADB:
        return BrokenLog(
            "log/foreign",
            "{path} is no log of ddz: {why}",
            path=str(path),
            why=Phrase("foreign/no-database", "it is not a SQLite database at all"),
        )
    if primary == _CORRUPT:
        return BrokenLog("log/damaged", "{path} is damaged: SQLite says '{error}'", path=str(path), error=str(error))
    if primary in (_ERROR, _CONSTRAINT, _SCHEMA, _MISMATCH):
        return BrokenLog(
            "log/damaged",
            "{path} is not as ddz left it: SQLite says '{complaint}'",
            path=str(path),
            complaint=str(error),
        )
    if is_denied(error) and (in_the_way := _in_the_way(path)):
        return in_the_way
    return StorageRefused(
        "log/sqlite",
        "{path} cannot be read or written: SQLite says '{error}'. Nothing was stored",
        path=str(path),
        error=str(error),
    )


def _in_the_way(path: Path) -> StorageRefused | None:
    """Why a user who may write the log cannot; None if there is no reason."""
    if not os.access(path, os.W_OK):
        return None
    for end in files.SIDECARS:
        beside = path.with_name(path.name + end)
        if beside.exists() and not os.access(beside, os.R_OK | os.W_OK):
            found = beside.stat()
            if end == "-shm" or not found.st_size:
                way = Phrase("beside/empty", "or remove it while nobody uses the log")
            else:
                way = Phrase("beside/events", "and do not remove it: the newest events may be in it")
            return StorageRefused(
                "log/not-your-file",
                "{path} cannot be written: {beside} belongs to another user ({user}), who has left it there. "
                "Make it yours (chown), {way}. Nothing was stored",
                path=str(path),
                beside=str(beside),
                user=found.st_uid,
                way=way,
            )
    return None
