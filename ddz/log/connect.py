"""Opening a log's file so that a reader leaves no file that would stop the log's owner.

A user who may read a log in WAL mode but not write it may still be able to write into its folder. SQLite would then
make the WAL and its index there, owned by the reader, and the log's owner could not write any more. So such a reader
reads only the log's file if all of the log is in it, and else a copy of his own.
"""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from ddz.errors import StorageRefused, of_system
from ddz.log import driver

_WITH_CONTENT: Final = ("", "-wal", "-journal")
"""The ends of the names of the files in which a part of a log may stand."""
_QUIET_SECONDS: Final = 0.05
"""Two writes within a tick of the system's clock get the same time; every tick is shorter than this."""
_WAL_FORMAT: Final = b"\2\2"
_FORMAT_AT: Final = 18

_Look = tuple[tuple[int, int, int] | None, ...]
"""Which file it is, its size and the time of its last change, of each file in which a part of the log may stand."""


def connect_file(path: Path, create: bool, busy_seconds: float) -> driver.Connection:
    """A connection that can read, and write if this user may.

    Raises:
        sqlite3.DatabaseError: as the driver does.
        StorageRefused: it can only be read from a copy, and there is no place for one, or no moment without writes.
    """
    try:
        return _connected(path, create, busy_seconds)
    except OSError as error:
        raise StorageRefused(
            "file/unreadable",
            "{path} cannot be read: {file}: {why}",
            path=str(path),
            file=str(error.filename or path),
            why=of_system(error),
        ) from error


def _connected(path: Path, create: bool, busy_seconds: float) -> driver.Connection:
    if create or _is_harmless(path):
        try:
            return driver.connect(path, "rwc" if create else "rw", busy_seconds)
        except driver.sqlite3.OperationalError as error:
            if create or not driver.is_denied(error) or not path.is_file():
                raise
    return _apart(path, busy_seconds)


def _is_harmless(path: Path) -> bool:
    """True if what SQLite makes beside the log belongs to one who may write the log, or if it can make nothing."""
    return _may(path, os.W_OK) or not _has_wal(path) or not _may(path.parent, os.W_OK | os.X_OK)


def _may(path: Path, what: int) -> bool:
    return os.access(path, what, effective_ids=os.access in os.supports_effective_ids)


def _has_wal(path: Path) -> bool:
    if path.with_name(path.name + "-wal").exists():
        return True
    with path.open("rb") as file:
        file.seek(_FORMAT_AT)
        return file.read(len(_WAL_FORMAT)) == _WAL_FORMAT


def _apart(path: Path, busy_seconds: float) -> driver.Connection:
    deadline = time.monotonic() + busy_seconds
    while True:
        look = _look(path)
        if not _is_young(look):
            connection = _of_a_copy(path, look, busy_seconds) if any(look[1:]) else _alone(path, look, busy_seconds)
            if connection is not None:
                return connection
        if time.monotonic() > deadline:
            raise StorageRefused(
                "log/written-all-the-time",
                "{path} is being written to all the time, and you may only read it: try again",
                path=str(path),
            )
        time.sleep(_QUIET_SECONDS)


def _look(path: Path) -> _Look:
    """None for a file that is not there, or that is empty."""
    found: list[tuple[int, int, int] | None] = []
    for end in _WITH_CONTENT:
        try:
            stat = path.with_name(path.name + end).stat()
        except FileNotFoundError:
            found.append(None)
        else:
            found.append((stat.st_ino, stat.st_size, stat.st_mtime_ns) if stat.st_size else None)
    return tuple(found)


def _is_young(look: _Look) -> bool:
    now = time.time()
    return any(each is not None and abs(now - each[2] / 1e9) < _QUIET_SECONDS for each in look)


def _alone(path: Path, look: _Look, busy_seconds: float) -> driver.Connection:
    """Read the file itself, without locks. An answer counts only if the file has not changed by then."""
    connection = driver.connect(path, "immutable", busy_seconds)
    driver.watch(connection, _unchanged(path, look))
    return connection


def _unchanged(path: Path, look: _Look) -> Callable[[], None]:
    def check() -> None:
        if _look(path)[0] != look[0]:
            raise StorageRefused(
                "log/written-while-read",
                "{path} was written to while it was read, and you may only read it: try again",
                path=str(path),
            )

    return check


def _of_a_copy(path: Path, look: _Look, busy_seconds: float) -> driver.Connection | None:
    """Read a copy of all files that were there in one moment; None if there was no such moment."""
    if sys.platform == "win32":
        raise StorageRefused(
            "log/needs-a-writer",
            "{path} is being written to, or its writer has died: only who may write it can read it",
            path=str(path),
        )
    import shutil  # rarely needed
    import tempfile

    with tempfile.TemporaryDirectory(prefix="ddz-") as name:
        whole = Path(name) / "log.db"
        for end, there in zip(_WITH_CONTENT, look, strict=True):
            if there:
                shutil.copyfile(path.with_name(path.name + end), whole.with_name(whole.name + end))
        if _look(path) != look:
            return None
        driver.merge_beside(whole)
        return driver.connect(whole, "immutable", busy_seconds)  # stays readable without a name
