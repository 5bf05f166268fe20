"""A copy of a log, in one file of SQLite, that was read again before it got its name."""

import os
from contextlib import closing
from pathlib import Path
from typing import Final

from ddz.errors import BrokenLog, StorageRefused
from ddz.log import driver, files, read, schema
from ddz.log.sqlite_reading import SqliteReader

_ALL: Final = 0o777


def copy(log: SqliteReader, target: Path) -> None:
    """Copy a log in a file that is open, as it stands, page by page into the new file `target`.

    Others may go on writing meanwhile.

    Raises:
        Refused: `log/file-exists`, there is something at `target` already.
        StorageRefused: `target` cannot be written.
        BrokenLog: it is so damaged that its storage finds it.
    """
    with files.placed(target) as place:
        files.create(place)
        try:
            head = _copied(log, place, target)
            _check(log, place, target, head)
        except BrokenLog as error:
            if log.storage_faults():
                raise
            # SQLite reports a failing disk as a damaged file; the log itself can be read.
            raise StorageRefused(
                "storage/disk",
                "{target} cannot be written: {why}, but {path} is in order",
                target=str(target),
                why=error,
                path=str(log.path),
            ) from error
        place.chmod(_mode(log.path, place))


def _copied(log: SqliteReader, place: Path, target: Path) -> str:
    """Fill the file at `place`; the head of the log at the moment that is copied."""
    with driver.translated(target), closing(driver.connect(place, "rw")) as connection:
        driver.scribble(connection)
        log.connection.execute("BEGIN")  # one moment of the log, for its head and for the copy
        try:
            head = read.head(log)
            driver.copy(log.connection, connection)
        except driver.sqlite3.DatabaseError as error:
            said = driver.explain(error, target)
            # What is damaged is the log: the other file is new.
            raise (driver.explain(error, log.path) if isinstance(said, BrokenLog) else said) from error
        finally:
            if log.connection.in_transaction:  # an error may have ended it
                log.connection.execute("ROLLBACK")
    return head


def _check(log: SqliteReader, place: Path, target: Path, head: str) -> None:
    """Read the copy again.

    Raises:
        BrokenLog: it is damaged, as the log itself must be then; or it is not the same.
    """
    with driver.translated(target), closing(driver.connect(place, "immutable")) as connection:
        again = SqliteReader(connection, target)
        if faults := again.storage_faults():
            said = faults[0].replace("\n", " ")
            raise BrokenLog(
                "log/damaged",
                "{path} is damaged, so that it was not copied: SQLite says '{said}'",
                path=str(log.path),
                said=said,
            )
        schema.check_readable(connection, target)
        same = schema.is_begun(connection, target) and read.head(again) == head
    if not same:
        raise differs(target)


def differs(target: Path) -> StorageRefused:
    """The error where a copy that was read again is not what was copied."""
    return StorageRefused(
        "storage/differs", "{path} cannot be written: what was read again is not what was written", path=str(target)
    )


def _mode(path: Path, place: Path) -> int:
    """The permissions of the file at `path`, but no wider than those of a file that was made just now."""
    source, copied = path.stat(), place.stat()
    mask = os.umask(_ALL)
    os.umask(mask)
    if source.st_gid != copied.st_gid:
        mask |= 0o070
    return source.st_mode & _ALL & ~mask
