"""Readers that may not write a log leave nothing behind that its owner would stumble over, and read all of it."""

import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

from ddz.errors import DdzError
from ddz.log import driver, read
from ddz.log.sqlite import SqliteLog

from .games import fill, sqlite_log

OWNER, READER = 61001, 61002
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX has these users")
ROOT = pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="only root becomes another user")
IN_WAL = pytest.mark.skipif(not driver.wal_is_safe, reason="this SQLite gets no WAL")


def append(path: Path) -> SqliteLog:
    """A log with one more game."""
    log = sqlite_log(path)
    fill(log, f"game-{log.last_position()}", seed=log.last_position() + 1, turns=1)
    return log


class Other:
    """A process of another user with the log: it says the head, or why there is none, a line a time.

    It can `write` a game; write and be `killed`, which leaves the WAL as it is; or `hold` the log open and say the head
    twice, the second time once it may `go_on`.
    """

    def __init__(self, user: int, what: Literal["write", "killed", "hold"], path: Path) -> None:
        theirs, out = os.pipe()
        wait, ours = os.pipe()
        # A fork has loaded what this user may not read of the installation.
        self.child = os.fork()
        if self.child == 0:
            try:
                os.close(ours)
                self._run(user, what, path, wait, out)
            finally:
                os._exit(0)
        os.close(out)
        os.close(wait)
        self.lines = os.fdopen(theirs)
        self.to = os.fdopen(ours, "w")

    @staticmethod
    def _run(user: int, what: str, path: Path, wait: int, out: int) -> None:
        def tell(text: str) -> None:
            os.write(out, f"{text}\n".encode())

        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
        os.umask(0o022)
        try:
            log = sqlite_log(path, create=False, busy_seconds=0.5) if what == "hold" else append(path)
            tell(read.head(log))
            if what == "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            if what == "hold":
                os.read(wait, 1)
                tell(read.head(log))
            log.close()
        except DdzError as error:
            tell(f"{type(error).__name__}: {error}")

    def line(self) -> str:
        line = self.lines.readline()
        assert line, "it has something to say"
        return line.rstrip("\n")

    def go_on(self) -> None:
        self.to.close()

    def __enter__(self) -> "Other":
        return self

    def __exit__(self, *_: object) -> None:
        self.to.close()
        os.waitpid(self.child, 0)
        self.lines.close()


def said(user: int, what: Literal["write", "killed", "hold"], path: Path) -> str:
    """The one line that a whole run prints."""
    with Other(user, what, path) as other:
        return other.line()


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder of the owner's in which others may look around."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.chown(folder, OWNER, OWNER)
        yield folder


@pytest.fixture(scope="module", autouse=True)
def _loaded(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What is loaded late is loaded by now."""
    append(tmp_path_factory.mktemp("early") / "log.db").close()


def around(path: Path) -> dict[str, tuple[int, int, int]]:
    """What lies in the folder: whose, with which permissions, how long."""
    stats = {each.name: each.stat() for each in path.parent.iterdir()}
    return {name: (stat.st_uid, stat.st_mode, stat.st_size) for name, stat in stats.items()}


@ROOT
@pytest.mark.parametrize("folder_mode", [0o755, 0o777, 0o1777])
@pytest.mark.parametrize("before", ["write", "killed"])
def test_a_reader_leaves_nothing_and_reads_all(
    shared: Path, folder_mode: int, before: Literal["write", "killed"]
) -> None:
    path = shared / "log.db"
    said(OWNER, "write", path)
    shared.chmod(folder_mode)
    path.chmod(0o644)
    head = said(OWNER, before, path)  # killed, it leaves the newest events in the WAL
    lying = around(path)
    assert said(READER, "hold", path) == head
    assert around(path) == lying
    after = said(OWNER, "write", path)
    assert int(after.split(":")[0]) > int(head.split(":")[0])


@ROOT
@pytest.mark.parametrize("folder_mode", [0o755, 0o777])
def test_a_reader_beside_a_writer_at_work(shared: Path, folder_mode: int) -> None:
    path = shared / "log.db"
    said(OWNER, "write", path)
    shared.chmod(folder_mode)
    path.chmod(0o644)
    with Other(OWNER, "hold", path) as owner:
        assert said(READER, "hold", path) == owner.line()
    said(OWNER, "write", path)


@ROOT
@IN_WAL
def test_who_reads_without_locks_says_so_when_the_log_changes_meanwhile(shared: Path) -> None:
    path = shared / "log.db"
    said(OWNER, "write", path)
    shared.chmod(0o777)
    path.chmod(0o644)
    with Other(READER, "hold", path) as reader:
        reader.line()
        head = said(OWNER, "write", path)
        reader.go_on()
        assert reader.line() == (
            f"StorageRefused: {path} was written to while it was read, and you may only read it: try again"
        )
    assert said(READER, "hold", path) == head


@ROOT
@IN_WAL
@pytest.mark.parametrize(("end", "content", "advice"), [("-shm", b"", "or remove it"), ("-wal", b"", "or remove it"),
                                                        ("-wal", b"x" * 40, "do not remove it")])  # fmt: skip
def test_what_another_one_has_left_is_named(shared: Path, end: str, content: bytes, advice: str) -> None:
    path = shared / "log.db"
    said(OWNER, "write", path)
    beside = path.with_name(path.name + end)
    beside.write_bytes(content)
    os.chown(beside, READER, READER)
    beside.chmod(0o644)
    line = said(OWNER, "write", path)
    assert line.startswith(f"StorageRefused: {path} cannot be written: {beside} belongs to another user ({READER})")
    assert advice in line
    assert ("do not" in line) == bool(content)
    beside.unlink()
    assert int(said(OWNER, "write", path).split(":")[0]) > 0


@POSIX
@pytest.mark.skipif(sys.platform != "win32" and os.geteuid() == 0, reason="root may write everything")
def test_reading_what_one_may_not_write_makes_no_file(path: Path) -> None:
    with sqlite_log(path) as log:
        fill(log, "ann", turns=1)
        head = list(log.after(0))
    path.chmod(0o444)
    with sqlite_log(path, create=False) as log:
        assert list(log.after(0)) == head
        assert [each.name for each in path.parent.iterdir()] == [path.name]
