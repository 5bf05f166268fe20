"""Several processes with one log, and processes that die in the middle of their work."""

import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ddz.errors import StorageRefused
from ddz.log import codec, driver
from ddz.log.stores import open_log

from .games import AT, Batch, family, fill, findings, game, sqlite_log, store

WORKER = Path(__file__).with_name("worker.py")


def order(name: str, seq: int, batch: Batch, command: str) -> str:
    """A line for the worker."""
    events = [codec.encode(event) for event in batch]
    return json.dumps({"game": name, "seq": seq, "events": events, "command": command, "at": AT}) + "\n"


def orders(name: str, batches: list[Batch]) -> list[str]:
    """A whole game for the worker."""
    seq, lines = 0, []
    for number, batch in enumerate(batches):
        lines.append(order(name, seq, batch, f"{name}-{number}"))
        seq += len(batch)
    return lines


class Worker:
    """A process with the log."""

    def __init__(self, mode: str, path: Path) -> None:
        command = [sys.executable, "-W", "error", str(WORKER), mode, str(path)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
        )

    def tell(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def answer(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip("\n")

    def rest(self) -> tuple[list[str], str]:
        """What it says until its end and nobody has read; what it has complained of.

        Not by `communicate` alone: that asks the pipe, and knows nothing of lines that `readline` has taken from it.
        """
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with contextlib.suppress(BrokenPipeError):  # who is dead hears no end
            self.process.stdin.close()
        lines = self.process.stdout.read().splitlines()
        self.process.stdin = None
        _, errors = self.process.communicate(timeout=30)
        return lines, errors

    def kill(self) -> list[str]:
        """kill -9; what it had acknowledged and nobody has read."""
        self.process.kill()
        return self.rest()[0]

    def finish(self) -> list[str]:
        """Let it come to its end; what it still says."""
        rest, errors = self.rest()
        assert (self.process.returncode, errors) == (0, "")
        return rest


@contextmanager
def workers(mode: str, path: Path, count: int) -> Iterator[list[Worker]]:
    """So many workers, ready; none is left behind."""
    made = [Worker(mode, path) for _ in range(count)]
    try:
        for worker in made:
            if mode in ("append", "create", "full"):
                assert worker.answer() == "ready"
        yield made
    finally:
        for worker in made:
            if worker.process.poll() is None:
                worker.kill()


def test_of_two_stale_appends_one_wins(path: Path):
    batches = game("ann")
    with workers("append", path, 2) as pair:
        seq, won = 0, [0, 0]
        for number, batch in enumerate(batches):
            for index, worker in enumerate(pair):
                worker.tell(order("ann", seq, batch, f"w{index}-{number}"))
            answers = [worker.answer() for worker in pair]
            winners = [answer for answer in answers if answer == f"ok {seq + 1} {seq + len(batch)}"]
            losers = [answer for answer in answers if answer.startswith("StaleLog ")]
            assert (len(winners), len(losers)) == (1, 1), answers
            won[answers.index(winners[0])] += 1
            seq += len(batch)
        assert [worker.finish() for worker in pair] == [[], []]
    with sqlite_log(path, create=False) as log:
        assert log.history("ann") == tuple(event for batch in batches for event in batch)
        assert findings(log) == []
        for number in range(len(batches)):
            assert len(log.find(f"w0-{number}")) * len(log.find(f"w1-{number}")) == 0


def test_the_same_command_from_two_processes_is_done_once(path: Path):
    lines = orders("ann", game("ann"))
    with workers("append", path, 2) as pair:
        for line in lines:
            for worker in pair:
                worker.tell(line)
            first, second = (worker.answer() for worker in pair)
            assert first == second
            assert first.startswith("ok ")
    with sqlite_log(path, create=False) as log:
        assert len(log.rows("ann")) == sum(len(batch) for batch in game("ann"))
        assert findings(log) == []


def test_writers_of_different_games_lose_nothing(path: Path):
    names = ["ann", "bob", "cat", "dan"]
    with workers("append", path, len(names)) as team:
        for name, worker in zip(names, team, strict=True):
            for line in orders(name, game(name, turns=8)):
                worker.tell(line)
        said = [worker.finish() for worker in team]
    assert all(answer.startswith("ok ") for answers in said for answer in answers)
    with sqlite_log(path, create=False) as log:
        for name in names:
            assert log.history(name) == tuple(event for batch in game(name, turns=8) for event in batch)
        assert findings(log) == []


def test_a_log_that_several_processes_create_at_once_is_one_log(tmp_path: Path):
    path = tmp_path / "folder" / "new.db"
    names = ["ann", "bob", "cat", "dan"]
    with workers("create", path, len(names)) as team:
        for worker in team:
            worker.tell("go\n")
        for name, worker in zip(names, team, strict=True):
            for line in orders(name, game(name, turns=1)):
                worker.tell(line)
        said = [worker.finish() for worker in team]
    assert all(answer.startswith("ok ") for answers in said for answer in answers), said
    with sqlite_log(path, create=False) as log:
        assert {line.game for line in log.lines()} == set(names)
        assert findings(log) == []
        assert log.missing_guards() == []


def test_many_that_begin_a_log_in_the_same_moment(tmp_path: Path):
    """As above, but closer together than processes start: threads, each with a connection of its own."""
    batches = {f"g{number}": game(f"g{number}", turns=0) for number in range(6)}
    faults: list[Exception] = []

    def begin(path: Path, name: str, start: threading.Barrier) -> None:
        start.wait()
        try:
            with sqlite_log(path) as log:
                log.connection.execute("PRAGMA synchronous=OFF")
                store(log, name, 0, batches[name][:2])
        except Exception as error:
            faults.append(error)

    for attempt in range(8):
        path, start = tmp_path / f"{attempt}.db", threading.Barrier(len(batches))
        threads = [threading.Thread(target=begin, args=(path, name, start)) for name in batches]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert faults == []
        with sqlite_log(path, create=False) as log:
            assert {line.game for line in log.lines()} == set(batches)
            assert findings(log) == []


def test_a_killed_worker_is_heard_to_its_end(path: Path):
    """Lines that lay in the buffer behind the one that was read count as acknowledged, or a kill looks like a loss."""
    batches = game("ann")
    lines = orders("ann", batches)
    with workers("append", path, 1) as (worker,), sqlite_log(path, create=False) as log:
        for line in lines:
            worker.tell(line)
        while log.last_position() < sum(map(len, batches)):
            time.sleep(0.005)
        time.sleep(0.05)  # by now all answers are in the pipe, and the first one takes the others with it
        assert len([worker.answer(), *worker.kill()]) == len(lines)


@pytest.mark.parametrize("attempt", range(6))
def test_kill_9_loses_nothing_that_was_acknowledged(path: Path, attempt: int):
    rng = random.Random(attempt)
    batches = game("ann", seed=attempt)
    lines = orders("ann", batches)
    with workers("append", path, 1) as (worker,):
        for line in lines:
            worker.tell(line)
        acknowledged = [worker.answer() for _ in range(rng.randrange(len(lines) // 2))]
        time.sleep(rng.random() / 200)
        acknowledged += worker.kill()
    assert all(answer.startswith("ok ") for answer in acknowledged)
    with sqlite_log(path) as log:
        rows = log.rows("ann")
        assert len(rows) >= sum(len(batch) for batch in batches[: len(acknowledged)])
        stored = {row.event_id.split("/")[0] for row in rows}
        assert len(stored) <= len(acknowledged) + 1
        assert findings(log) == []
        # Everybody tries again with the same ids, from the beginning: nothing is there twice.
        seq = 0
        for number, batch in enumerate(batches):
            log.append("ann", seq, batch, f"ann-{number}", "2030-01-01T00:00:00Z")
            seq += len(batch)
        assert log.rows("ann")[: len(rows)] == rows
        assert log.history("ann") == tuple(event for batch in batches for event in batch)
        assert findings(log) == []


def test_kill_9_at_the_creation_leaves_no_half_log(tmp_path: Path):
    for attempt in range(4):
        path = tmp_path / f"{attempt}.db"
        with workers("create", path, 1) as (worker,):
            worker.tell("go\n")
            time.sleep(0.03 + attempt * 0.07)
            worker.kill()
        log = open_log(path, create=False)
        assert list(log.after(0)) == []
        log.close()
        with sqlite_log(path) as log:
            fill(log, "ann", turns=1)
            assert findings(log) == []
            assert log.missing_guards() == []


@pytest.mark.skipif(sys.platform == "win32", reason="there are no limits of this kind")
def test_a_full_disk_stores_nothing_and_breaks_nothing(path: Path):
    names = [f"g{number}" for number in range(40)]
    lines = [line for name in names for line in orders(name, game(name, turns=20))]
    with workers("full", path, 1) as (worker,):
        stored = 0
        for line in lines:
            worker.tell(line)
            answer = worker.answer()
            if not answer.startswith("ok "):
                break
            stored += len(json.loads(line)["events"])
        assert answer.startswith("StorageRefused "), answer
        assert "Nothing was stored" in answer
        assert worker.answer() == f"rows {stored}"
        assert worker.answer().startswith("ok ")
        assert worker.finish() == []
    with sqlite_log(path) as log:
        assert findings(log) == []
        assert len(list(log.after(0))) > stored
        fill(log, "ann")
        assert findings(log) == []


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may look into, unlike those of pytest."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)


@pytest.mark.skipif(sys.platform == "win32", reason="permissions work otherwise")
@pytest.mark.parametrize("mode", [0o555, 0o755])
def test_a_log_that_may_only_be_read_is_read(open_folder: Path, mode: int):
    path = open_folder / "log.db"
    with sqlite_log(path) as log:
        family(log)
        count = len(list(log.after(0)))
    path.chmod(0o444)
    open_folder.chmod(mode)
    before = path.read_bytes()
    with workers("read", path, 1) as (worker,):
        rows, refusal = worker.finish()
    assert rows == f"rows {count}"
    assert refusal.startswith("StorageRefused ")
    assert path.read_bytes() == before
    assert [file.name for file in open_folder.iterdir()] == ["log.db"]


@pytest.mark.skipif(sys.platform == "win32", reason="permissions work otherwise")
def test_a_log_that_may_not_be_read_is_refused(open_folder: Path):
    path = open_folder / "log.db"
    with sqlite_log(path) as log:
        fill(log, "ann", turns=1)
    path.chmod(0)
    if os.geteuid() != 0:
        with pytest.raises(StorageRefused):
            open_log(path, create=False)
        return
    with workers("read", path, 1) as (worker,):
        (answer,) = worker.finish()
    assert answer.startswith("StorageRefused ")


def test_a_writer_that_waits_too_long_says_so(path: Path):
    with sqlite_log(path) as log:
        fill(log, "ann", turns=1)
        impatient = sqlite_log(path, create=True, busy_seconds=0.05)
        log.connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageRefused, match="is locked: another program is writing"):
            fill(impatient, "bob", turns=1)
        assert len(list(impatient.after(0))) == len(log.rows("ann"))
        log.connection.execute("ROLLBACK")
        fill(impatient, "bob", turns=1)
        impatient.close()
        assert findings(log) == []


def test_a_reader_does_not_hold_up_a_writer(path: Path):
    with sqlite_log(path) as log, sqlite_log(path, create=False) as reader:
        fill(log, "ann", turns=5)
        iterator = reader.after(0)
        next(iterator)
        log.connection.execute("PRAGMA busy_timeout=50")
        fill(log, "bob", turns=5)
        assert len(list(iterator)) >= len(log.rows("ann")) - 1
        assert driver.wal_is_safe or log.connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
