"""Copies of a log: whole or not there, as private as the log, whatever comes between."""

import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from ddz.errors import BrokenLog, DdzError, Refused, StorageRefused
from ddz.log import files, read
from ddz.log.backup import copy
from ddz.log.sqlite import SqliteLog
from ddz.log.stores import backup

from .games import family, fill, findings, sqlite_log

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="asks for what POSIX has")


def names(folder: Path) -> list[str]:
    """What is in a folder, hidden or not."""
    return sorted(path.name for path in folder.iterdir())


def mode(path: Path) -> int:
    """Who may do what with a file."""
    return stat.S_IMODE(path.stat().st_mode)


@contextmanager
def masked(mask: int) -> Iterator[None]:
    """With another umask."""
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """An empty folder for the copy."""
    folder = tmp_path / "place"
    folder.mkdir()
    return folder


class TestTheCopy:
    def test_it_is_the_log_in_one_file(self, file_log: SqliteLog, place: Path):
        family(file_log)
        target = place / "copy.db"
        backup(file_log.path, target)
        assert names(place) == ["copy.db"]
        with sqlite_log(target, create=False) as copied:
            assert list(copied.after(0)) == list(file_log.after(0))
            assert list(copied.lines()) == list(file_log.lines())
            assert copied.missing_guards() == []
        fill(file_log, "later", turns=1)
        with sqlite_log(target) as copied:
            assert "later" not in {line.game for line in copied.lines()}
            fill(copied, "other", turns=1)
            assert findings(copied) == []

    def test_it_holds_what_stands_only_in_the_wal(self, path: Path, place: Path):
        with sqlite_log(path) as log:
            fill(log, "ann", turns=2)
            backup(path, place / "copy.db")  # while the writer has the log open
            with sqlite_log(place / "copy.db", create=False) as copied:
                assert read.head(copied) == read.head(log)

    def test_somebody_writes_meanwhile(self, path: Path, place: Path):
        with sqlite_log(path) as log:
            log.relax_sync()
            fill(log, "ann", turns=2)
            stop = threading.Event()
            faults: list[DdzError] = []

            def write() -> None:
                with sqlite_log(path) as other:
                    other.relax_sync()
                    number = 0
                    while not stop.is_set():
                        try:
                            fill(other, f"n{number}", seed=number, turns=1)
                        except DdzError as error:
                            faults.append(error)
                        number += 1

            writer = threading.Thread(target=write)
            writer.start()
            try:
                for number in range(5):
                    backup(path, place / f"{number}.db")
            finally:
                stop.set()
                writer.join()
            assert faults == []
        for number in range(5):
            with sqlite_log(place / f"{number}.db", create=False) as copied:
                assert findings(copied) == []

    @POSIX
    @pytest.mark.parametrize(
        ("of_the_log", "mask", "wanted"),
        [(0o600, 0o000, 0o600), (0o644, 0o022, 0o644), (0o644, 0o077, 0o600), (0o666, 0o022, 0o644),
         (0o640, 0o000, 0o640), (0o400, 0o022, 0o400)],
    )  # fmt: skip
    def test_it_is_as_private_as_the_log(
        self, file_log: SqliteLog, place: Path, of_the_log: int, mask: int, wanted: int
    ):
        file_log.path.chmod(of_the_log)
        with masked(mask):
            backup(file_log.path, place / "copy.db")
        assert mode(place / "copy.db") == wanted

    @POSIX
    def test_it_is_private_while_it_is_made(self, file_log: SqliteLog, place: Path, monkeypatch: pytest.MonkeyPatch):
        file_log.path.chmod(0o666)
        seen: list[int] = []
        real = read.head

        def looking(log: SqliteLog) -> str:
            for each in place.rglob("*"):
                seen.append(mode(each) & 0o077)
            return real(log)

        monkeypatch.setattr(read, "head", looking)
        with masked(0):
            copy(file_log, place / "copy.db")
        assert len(seen) >= 6, "a folder, a lock and a file, before and after"
        assert set(seen) == {0}


class TestWhatIsRefused:
    def test_no_file_is_overwritten(self, file_log: SqliteLog, place: Path):
        target = place / "precious"
        target.write_text("precious")
        with pytest.raises(Refused) as caught:
            backup(file_log.path, target)
        assert caught.value.code == "log/file-exists"
        assert target.read_text() == "precious"
        with pytest.raises(Refused):
            backup(file_log.path, file_log.path)
        assert findings(file_log) == []

    @POSIX
    def test_nor_a_link_that_leads_nowhere(self, file_log: SqliteLog, place: Path):
        (place / "copy.db").symlink_to(place / "elsewhere.db")
        with pytest.raises(Refused):
            backup(file_log.path, place / "copy.db")
        assert names(place) == ["copy.db"]

    @pytest.mark.parametrize("end", files.SIDECARS)
    def test_what_another_log_has_left_is_not_taken_for_a_part_of_the_copy(
        self, file_log: SqliteLog, place: Path, end: str
    ):
        (place / f"copy.db{end}").write_bytes(b"old")
        with pytest.raises(Refused, match="take it away") as caught:
            backup(file_log.path, place / "copy.db")
        assert caught.value.code == "log/file-exists"
        assert names(place) == [f"copy.db{end}"]

    def test_somebody_else_takes_the_name_meanwhile(
        self, file_log: SqliteLog, place: Path, monkeypatch: pytest.MonkeyPatch
    ):
        target, real = place / "copy.db", files.move

        def late(source: Path, wanted: Path) -> None:
            wanted.write_text("precious")
            real(source, wanted)

        monkeypatch.setattr(files, "move", late)
        with pytest.raises(Refused) as caught:
            copy(file_log, target)
        assert caught.value.code == "log/file-exists"
        assert names(place) == ["copy.db"]
        assert target.read_text() == "precious"

    def test_there_must_be_a_log_and_a_place(self, file_log: SqliteLog, tmp_path: Path):
        with pytest.raises(StorageRefused, match="there is no log at"):
            backup(tmp_path / "none.db", tmp_path / "copy.db")
        for wrong in (tmp_path / "none" / "copy.db", file_log.path / "copy.db", tmp_path / ("x" * 300)):
            with pytest.raises(StorageRefused, match="cannot be written"):
                backup(file_log.path, wrong)
        assert names(tmp_path) == [file_log.path.name]

    def test_a_damaged_log_is_not_copied(self, path: Path, place: Path):
        with sqlite_log(path) as log:
            fill(log, "ann")
            root, size = (
                log.connection.execute(asked).fetchone()[0]
                for asked in (
                    "SELECT rootpage FROM sqlite_schema WHERE name = 'idx_events_game_seq'",
                    "PRAGMA page_size",
                )
            )
        raw = bytearray(path.read_bytes())
        at = raw.index(b"ann", (root - 1) * size, root * size)
        raw[at] ^= 1  # one game of the index has another name: reading goes on, but finds it no more
        path.write_bytes(raw)
        with pytest.raises(BrokenLog, match="is damaged"):
            backup(path, place / "copy.db")
        assert names(place) == []


_LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)),) * 2)
from ddz.cli.app import app
app()
"""


@POSIX
class TestDisasters:
    @pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.long)])
    def test_killed_anywhere_it_can_be_repeated(self, file_log: SqliteLog, place: Path, step: int):
        """By SIGKILL: the copy is whole or not there, and the next one clears up.

        The long form dies at each line of our own code (139 deaths), the short one at every fourth.
        """
        fill(file_log, "ann", turns=2)
        file_log.close()
        worker = Path(__file__).with_name("dying.py")
        command = [sys.executable, "-W", "error", str(worker), str(file_log.path), str(place / "copy.db"), str(step)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        deaths = [line.split() for line in done.stdout.splitlines()]
        assert {there for there, _ in deaths} == {"there", "absent"}
        assert {beside for _, beside in deaths} == {"0", "1"}
        assert names(place) == []

    def test_no_room(self, file_log: SqliteLog, place: Path):
        """At each size that a file may have at most: exit 6, a sentence, and nothing is left."""
        fill(file_log, "ann", turns=2)
        file_log.close()
        size = file_log.path.stat().st_size
        for most in (1, 4096, size - 1):
            command = [sys.executable, "-c", _LIMITED, str(most), "log", "backup", str(place / "copy.db")]
            env = {**os.environ, "DDZ_DB": str(file_log.path)}
            done = subprocess.run(command, check=False, capture_output=True, text=True, env=env)
            assert (done.returncode, done.stdout) == (6, ""), done.stderr
            assert done.stderr.startswith("ddz: ")
            assert done.stderr.count("\n") == 1
            assert names(place) == []

    def test_of_several_at_once_one_wins(self, file_log: SqliteLog, place: Path):
        family(file_log)
        file_log.close()
        command = [sys.executable, "-c", "from ddz.cli.app import app; app()", "log", "backup", place / "copy.db"]
        env = {**os.environ, "DDZ_DB": str(file_log.path)}
        running = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=env) for _ in range(4)]
        ends = [(process.communicate()[1], process.returncode) for process in running]
        assert sorted(code for _, code in ends) == [0, 4, 4, 4]
        assert all("[log/file-exists]" in said for said, code in ends if code == 4)
        assert names(place) == ["copy.db"]
        with closing(sqlite_log(place / "copy.db", create=False)) as copied:
            assert findings(copied) == []

    def test_one_at_work_is_left_alone(self, file_log: SqliteLog, place: Path):
        """By one that comes later and is faster."""
        target = place / "copy.db"

        def slow() -> None:
            with files.placed(target) as half:
                files.create(half)
                backup(file_log.path, target)
                assert half.exists()

        with pytest.raises(Refused) as caught:
            slow()
        assert caught.value.code == "log/file-exists"
        assert names(place) == ["copy.db"]
        with closing(sqlite_log(target, create=False)) as copied:
            assert findings(copied) == []
