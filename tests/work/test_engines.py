"""What every engine keeps: answers as they come, tasks as they are needed, and nothing left behind."""

import multiprocessing
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ddz.errors import NotInstalled, Unreadable, WorkerDied
from ddz.work.engines import Engine, Here, Processes, engine_named, usable_cores

sys.path.append(str(Path(__file__).parent))  # so do the workers find the work, by the name of its module
import engine_work

ENGINES = {"here": (Here, 1), "processes": (lambda: Processes(2), 2)}


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[tuple[Engine, int]]:
    """An engine at work, and how many tasks it does at once."""
    make, jobs = ENGINES[request.param]
    with make() as engine:
        yield engine, jobs
    assert multiprocessing.active_children() == []


def test_every_task_is_answered_once(engine: tuple[Engine, int]):
    assert sorted(engine[0].unordered(engine_work.doubled, range(50))) == [2 * number for number in range(50)]
    assert list(engine[0].unordered(engine_work.doubled, [])) == []
    assert list(engine[0].unordered(engine_work.doubled, [4])) == [8]


def test_tasks_are_drawn_only_as_workers_are_free(engine: tuple[Engine, int]):
    at_work, jobs = engine
    drawn: list[int] = []
    for done, _ in enumerate(at_work.unordered(engine_work.doubled, (drawn.append(n) or n for n in range(30)))):
        assert len(drawn) <= done + jobs
    assert len(drawn) == 30


def test_what_work_raises_comes_out(engine: tuple[Engine, int]):
    with pytest.raises(ValueError, match="no 3"):
        list(engine[0].unordered(engine_work.refused, [3]))


def test_a_slow_task_holds_up_no_other():
    with Processes(2) as at_work:
        answers = list(at_work.unordered(engine_work.slow_if_odd, [1, 0, 2, 4, 6]))
    assert answers == [0, 2, 4, 6, 1]


def test_a_worker_that_dies_is_told_and_takes_no_other_with_it():
    with pytest.raises(WorkerDied, match="ended suddenly"), Processes(2) as at_work:
        list(at_work.unordered(engine_work.die, [9]))
    assert multiprocessing.active_children() == []


@pytest.mark.skipif(sys.platform == "win32", reason="processes are asked after in the way of POSIX systems")
def test_whoever_leaves_ends_all_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """As Ctrl-C does: it comes while an answer is waited for."""
    papers = [tmp_path / "one", tmp_path / "two"]
    begin = time.monotonic()

    def interrupted(*_: object, **__: object) -> None:
        while not all(paper.exists() and paper.read_text("utf-8") for paper in papers):
            time.sleep(0.01)
        raise KeyboardInterrupt

    monkeypatch.setattr("concurrent.futures.wait", interrupted)
    with pytest.raises(KeyboardInterrupt), Processes(2) as at_work:
        next(at_work.unordered(engine_work.linger, papers))
    assert time.monotonic() - begin < 30
    assert all(engine_work.gone(int(paper.read_text("utf-8"))) for paper in papers)
    assert multiprocessing.active_children() == []


def test_engines_by_name(monkeypatch: pytest.MonkeyPatch):
    assert isinstance(engine_named("process", 1), Here)
    with engine_named("process", 2) as made:
        assert isinstance(made, Processes)
    with pytest.raises(Unreadable, match="no engine called 'spark': the engines are process, ray"):
        engine_named("spark", 1)
    with pytest.raises(Unreadable, match="the engine must be ray"):
        engine_named("process", 1, "127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(
        NotInstalled, match="the engine ray needs Ray, which is not installed; the extra 'ray' of ddz brings it"
    ):
        engine_named("ray", 1)


def test_the_cores_are_those_that_this_process_may_use():
    assert 1 <= usable_cores() <= (os.cpu_count() or 1)
