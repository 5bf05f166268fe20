"""Files that hold secrets (seeds, hidden cards): for their owner alone, and put in place whole or not at all."""

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import IO, Final

from ddz.errors import Refused, StorageRefused, of_system, unwritable

SIDECARS: Final = ("-wal", "-shm", "-journal")
"""What SQLite may have beside a database, by the ends of their names; it gives them the database's mode."""

_PRIVATE_FILE: Final = 0o600
_PRIVATE_FOLDER: Final = 0o700
_PREFIX: Final = ".ddz-"
_LOCK: Final = "lock"
_FILE: Final = "new"
_TRIES: Final = 100
_NO_SUCH_RENAME: Final = (errno.ENOSYS, errno.EINVAL, errno.EPERM, errno.ENOTSUP)


def create(path: Path) -> bool:
    """Make an empty file that its owner alone may read and write; False if there is something at `path` already.

    Raises:
        OSError: it cannot be made.
    """
    flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_CLOEXEC", 0)
    try:
        # Exclusive does not follow a link: where one leads nowhere yet, the file is made where it leads to.
        os.close(os.open(os.path.realpath(path), flags, _PRIVATE_FILE))
    except FileExistsError:
        return False
    return True


def fresh(path: Path) -> IO[bytes]:
    """A new file, open for writing, that its owner alone may read; in the place of one that is at `path` already.

    Raises:
        OSError: it cannot be made.
    """
    path.unlink(missing_ok=True)
    return open(path, "xb", opener=lambda name, flags: os.open(name, flags, _PRIVATE_FILE))  # no opener


def folder(path: Path) -> None:
    """Make the folder `path`, and those above it, unless they are there; for their owner alone.

    They are synced to the disk: SQLite syncs a new log's name in its folder, but not the folder's name in its parent.

    Raises:
        OSError: it cannot be made.
    """
    if path.is_dir():
        return
    while not path.is_dir():
        folder(path.parent)
        try:
            path.mkdir(_PRIVATE_FOLDER)
        except FileExistsError:  # another process was faster, and may have removed it again
            if not _may_become_folder(path):
                raise
    try:
        with _opened(path.parent) as above:
            _sync(above)
    except PermissionError:
        return  # a user who may write in a folder but not read it cannot sync it


def _may_become_folder(path: Path) -> bool:
    """False if something else stands there, also a link that leads nowhere."""
    try:
        return stat.S_ISDIR(path.lstat().st_mode) or path.is_dir()
    except FileNotFoundError:
        return True


@contextmanager
def placed(target: Path) -> Iterator[Path]:
    """Where to make a file (a SQLite database, say) that becomes the new file `target` at the end of the block.

    However the block ends, `target` is whole or not there. What a killed process leaves beside it is removed by the
    next one that makes the same target. Of several at once, one wins.

    Raises:
        Refused: `log/file-exists`, there is something at `target`, or a part of an older database of that name.
        StorageRefused: it cannot be written, and nothing of it is left; or it is whole, but what was beside it stays.
    """
    done = False
    try:
        with _opened(target.parent) as above:
            _clear(target)
            _refuse_taken(target)
            with _staging(target) as place:
                yield place / _FILE
                _check_whole(place)
                _sync_to_disk(place / _FILE)
                move(place / _FILE, target)
                try:
                    _sync(above)
                except OSError:
                    target.unlink()
                    raise
                done = True
    except OSError as error:
        if done:
            raise StorageRefused(
                "file/not-tidied",
                "{path} is whole, but the folder that it was made in cannot be removed: {why}",
                path=str(target),
                why=of_system(error),
            ) from error
        raise unwritable(target, error) from error


@contextmanager
def _opened(above: Path) -> Iterator[int | None]:
    """The folder, open to be synced to the disk; None where a system does not do that."""
    if sys.platform == "win32":
        yield None
        return
    descriptor = os.open(above, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _sync(above: int | None) -> None:
    if above is None:
        return
    try:
        os.fsync(above)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # the answer of a file system that cannot do that
            raise


def _refuse_taken(target: Path) -> None:
    if _is_there(target):
        raise _taken(target)
    for end in SIDECARS:  # SQLite would take it for a part of the new file
        beside = target.with_name(target.name + end)
        if _is_there(beside):
            raise Refused(
                "log/file-exists",
                "{beside} is there, left by another log of that name: take it away first",
                beside=str(beside),
            )


def _taken(target: Path) -> Refused:
    return Refused("log/file-exists", "{target} is there already, and no file is overwritten", target=str(target))


def _is_there(path: Path) -> bool:
    """True also for a link that leads nowhere."""
    try:
        path.lstat()
    except FileNotFoundError:
        return False
    return True


def _prefix(target: Path) -> str:
    """How the names of folders begin in which `target` is made; a target's own name may be as long as a name can be."""
    return f"{_PREFIX}{sha256(os.fsencode(target.name)).hexdigest()[:16]}-"


@contextmanager
def _staging(target: Path) -> Iterator[Path]:
    """A folder beside `target` that this process has a lock in, as long as it lives."""
    for _ in range(_TRIES):
        place = target.with_name(_prefix(target) + os.urandom(8).hex())
        place.mkdir(_PRIVATE_FOLDER)
        try:
            lock = _locked(place)
        except OSError:
            (place / _LOCK).unlink(missing_ok=True)
            place.rmdir()
            raise
        if lock is not None:
            break  # else another process found it before there was a lock, and took it for a dead one's
    else:
        raise StorageRefused(
            "file/never-clear", "{path} cannot be written: others are clearing up there all the time", path=str(target)
        )
    try:
        yield place
    finally:
        _remove(place, lock)


def _locked(place: Path) -> int | None:
    """The lock of a folder; None if another process has it, or has removed the folder."""
    path = place / _LOCK
    flags = os.O_CREAT | os.O_RDWR | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        lock = os.open(path, flags, _PRIVATE_FILE)
    except FileNotFoundError:
        return None
    try:
        if _is_locked(lock) and os.path.samestat(os.fstat(lock), path.lstat()):
            return lock
    except FileNotFoundError:
        pass  # it went before we had the lock
    except BaseException:
        os.close(lock)
        raise
    os.close(lock)
    return None


def _is_locked(lock: int) -> bool:
    """Take the lock if no process has it. The system releases the lock of a dead process."""
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
    else:
        import fcntl

        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def _clear(target: Path) -> None:
    """Remove what killed processes have left of the same target."""
    with os.scandir(target.parent) as entries:
        left = [Path(entry.path) for entry in entries if entry.name.startswith(_prefix(target))]
    for place in left:
        try:
            ours = stat.S_ISDIR((found := place.lstat()).st_mode) and found.st_uid == getattr(os, "geteuid", int)()
        except FileNotFoundError:
            continue  # another one was faster
        if ours and (lock := _locked(place)) is not None:
            _remove(place, lock)


def _remove(place: Path, lock: int) -> None:
    """Remove a folder that we have the lock of; the lock last."""
    try:
        for path in place.iterdir():
            if path.name != _LOCK:
                path.unlink()
    finally:
        os.close(lock)  # where a file that is open cannot be removed
    with suppress(FileNotFoundError):  # from now on another one may be faster
        (place / _LOCK).unlink()
        place.rmdir()


def _check_whole(place: Path) -> None:
    """Make sure that all of a database is in the one file."""
    for end in SIDECARS:
        beside = place / (_FILE + end)
        if beside.exists():
            raise OSError(errno.EIO, f"SQLite could not end its work, there is a {end[1:]} file yet")


def _sync_to_disk(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def move(source: Path, target: Path) -> None:
    """Give a file another name in its file system, unless there is something of that name.

    Raises:
        Refused: `log/file-exists`, there is.
        OSError: it cannot be done.
    """
    try:
        if sys.platform == "win32":
            source.rename(target)  # which overwrites nothing there
        elif not (sys.platform == "linux" and _renamed(source, target)):
            os.link(source, target, follow_symlinks=False)
            source.unlink()
    except FileExistsError as error:
        raise _taken(target) from error


def _renamed(source: Path, target: Path) -> bool:
    """As Linux does it in one step; False where the file system cannot."""
    import ctypes

    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if rename is None:
        return False
    here, no_replace = -100, 1
    if rename(here, os.fsencode(source), here, os.fsencode(target), no_replace) == 0:
        return True
    code = ctypes.get_errno()
    if code in _NO_SUCH_RENAME:
        return False
    raise OSError(code, os.strerror(code), str(source), None, str(target))
