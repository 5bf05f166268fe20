"""Work that is shared out among processes comes back in order, and leaves no process behind."""

import math
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from ddz.cli.exits import INTERRUPTED, code_of

from ddz.errors import WorkerDied
from ddz.work.workers import Workers, in_order

PROGRAM = Path(__file__).with_name("working.py")


@pytest.mark.parametrize("jobs", [1, 2])
def test_answers_come_in_the_order_of_the_tasks(jobs: int):
    tasks = [*range(5000, 0, -500), *range(20)]  # the first ones take longest
    assert list(in_order(math.factorial, tasks, jobs)) == [math.factorial(task) for task in tasks]
    assert list(in_order(math.factorial, [], jobs)) == []
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_comes_where_its_answer_would_have(jobs: int):
    answers = in_order(math.sqrt, [0, 1, 4, -9, 16, 25], jobs)
    assert [next(answers) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match="math domain"):
        next(answers)
    assert multiprocessing.active_children() == []


def test_a_killed_process_ends_the_work_with_a_word():
    answers = in_order(os._exit, [9], 2)
    with pytest.raises(WorkerDied, match="a worker process ended suddenly"):
        next(answers)
    assert multiprocessing.active_children() == []
    assert code_of(WorkerDied("worker/died", "killed")) == INTERRUPTED


def test_no_task_can_be_given_to_processes_that_have_died():
    with Workers(1) as workers:
        workers.submit(os._exit, 9).exception()
        with pytest.raises(WorkerDied, match="a worker process ended suddenly"):
            workers.submit(abs, 1)
    assert multiprocessing.active_children() == []


def test_tasks_are_asked_for_only_as_they_are_needed():
    asked: list[int] = []
    tasks = (asked.append(task) or task for task in range(1000))
    answers = in_order(math.sqrt, tasks, 2)
    assert next(answers) == 0
    assert len(asked) < 20
    answers.close()
    assert multiprocessing.active_children() == []


def begun(seconds: float) -> subprocess.Popen[str]:
    """The program, in a session of its own as a terminal would have it, once both of its processes work."""
    command = [sys.executable, "-W", "error", str(PROGRAM), str(seconds)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout is not None
    assert [process.stdout.readline() for _ in range(2)] == ["begun\n"] * 2
    return process


@pytest.mark.skipif(sys.platform == "win32", reason="sessions are a way of POSIX systems")
def test_ctrl_c_ends_all_processes_without_a_word_from_them():
    process = begun(0.5)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=20)  # the pipes are closed when the last process has ended
    assert (process.returncode, out, err) == (130, "", "")


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is a way of POSIX systems")
def test_a_killed_parent_leaves_no_orphans():
    process = begun(60)
    begin = time.monotonic()
    process.kill()
    process.communicate(timeout=20)  # the pipes are closed when the last process has ended
    assert time.monotonic() - begin < 10, "long before their work is done"
