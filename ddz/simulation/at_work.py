"""Who may work in the folder of a simulation: one ddz at a time, and its workers, which may outlive it by a moment."""

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from ddz.errors import StorageRefused, unwritable
from ddz.log import files

LOCK: Final = "simulation.lock"
WORKERS: Final = "simulation.workers"
"""What workers hold while they write to a shard."""
PATIENCE: Final = 20.0
"""Seconds that the workers of a killed ddz get to notice it. They may be in the middle of a long thought."""
_RETRY_SECONDS: Final = 0.02
_GONE: Final = (errno.ENOENT, errno.ENOTEMPTY, errno.EEXIST)


@contextmanager
def at_work(folder: Path, ours: bool = False) -> Iterator[None]:
    """Make the folder if need be, and keep others from working on it. A killed process releases it.

    Where nothing of a simulation is left at the end, the lock goes too, and so does the folder if it is empty and
    `ours`, or was made here.

    Raises:
        StorageRefused: somebody is at work there, or it cannot be written.
    """
    with _translated(folder):
        ours = ours or not folder.exists()
        lock = _taken(folder)
    try:
        _see_workers_off(folder)
        yield
    except BaseException:
        # The first error is the one to report. The next command removes what stays.
        with suppress(StorageRefused):
            _leave(folder, lock, ours)
        raise
    _leave(folder, lock, ours)


@contextmanager
def helping(folder: Path) -> Iterator[None]:
    """Tell the next process in the folder that a worker still writes there.

    Raises:
        StorageRefused: somebody else works there now, or the folder is gone.
    """
    if sys.platform == "win32":
        yield  # no lock there can be shared
        return
    import fcntl

    with _translated(folder):
        workers = _opened(folder / WORKERS)
    try:
        with _translated(folder):
            fcntl.flock(workers, fcntl.LOCK_SH | fcntl.LOCK_NB)
        yield
    finally:
        with _translated(folder):
            os.close(workers)


@contextmanager
def _translated(folder: Path) -> Iterator[None]:
    try:
        yield
    except BlockingIOError as error:
        raise StorageRefused(
            "folder/at-work", "another ddz is at work in {folder}: wait for it", folder=str(folder)
        ) from error
    except OSError as error:
        raise unwritable(folder, error) from error


def _opened(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)


def _taken(folder: Path) -> int:
    """The lock of the folder. If its owner removed the file in the same moment, it locks nobody out: then once more."""
    while True:
        files.folder(folder)
        try:
            lock = _opened(folder / LOCK)
        except FileNotFoundError:
            if not folder.is_symlink():  # one that leads nowhere would do so for ever
                continue
            raise
        try:
            _lock(lock)
            if _is_at(folder / LOCK, lock):
                return lock
        except BaseException:
            os.close(lock)
            raise
        os.close(lock)


def _is_at(path: Path, lock: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(lock))
    except FileNotFoundError:
        return False


def _lock(file: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError(*error.args) from error
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _see_workers_off(folder: Path) -> None:
    """Wait until the workers of a ddz that is gone no longer write to a shard."""
    until = time.monotonic() + PATIENCE
    with _translated(folder):
        workers = _opened(folder / WORKERS)
        try:
            while True:
                try:
                    return _lock(workers)
                except BlockingIOError:
                    if time.monotonic() > until:
                        raise
                time.sleep(_RETRY_SECONDS)
        finally:
            os.close(workers)


def _leave(folder: Path, lock: int, ours: bool) -> None:
    with _translated(folder):
        try:
            left = {each.name for each in folder.iterdir()} if folder.exists() else set()
            done = not any(name.startswith(("games-", "simulation.json")) for name in left)
            if done:
                (folder / WORKERS).unlink(missing_ok=True)
            if done and sys.platform != "win32":  # under the lock, or it might be another one's already
                (folder / LOCK).unlink(missing_ok=True)
        finally:
            os.close(lock)
        if done and sys.platform == "win32":  # there nobody can unlink what is open
            (folder / LOCK).unlink(missing_ok=True)
        if done and ours and left <= {LOCK, WORKERS}:
            try:
                folder.rmdir()
            except OSError as error:
                if error.errno not in _GONE:  # another ddz has come, or has been faster
                    raise
