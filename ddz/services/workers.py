"""Work in other processes of this machine, with the answers in the order of the tasks."""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Final, TypeVar

Task = TypeVar("Task")
Answer = TypeVar("Answer")

AHEAD: Final = 3
"""How many tasks a process has been given while one waits for its first answer: as many answers are kept."""


def in_order(work: Callable[[Task], Answer], tasks: Iterable[Task], jobs: int) -> Iterator[Answer]:
    """What `work` answers to each task, in the order of the tasks, by `jobs` processes; by this one if `jobs` is 1.

    `work` and tasks are pickled, so `work` is a function of a module. Its errors come out here. Whoever does not
    read on closes the iterator; the processes end then, and also when this one is killed.
    """
    if jobs <= 1:
        yield from map(work, tasks)
        return
    # Not forked: a child must not inherit an open SQLite file (the locks of a file belong to the process).
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin)
    waiting: deque[Future[Answer]] = deque()
    try:
        for task in tasks:
            with _uninterrupted():
                waiting.append(pool.submit(work, task))
            if len(waiting) >= AHEAD * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """While processes may be started: they inherit that Ctrl-C, which every process of a terminal gets, passes by."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    """In a new process: leave Ctrl-C to the parent, and end when the parent is gone, however it ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
