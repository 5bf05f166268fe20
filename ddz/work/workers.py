"""Work in other processes of this machine, and its answers in the order of the tasks."""

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from typing import Final, Self, TypeVar

from ddz.errors import WorkerDied

Task = TypeVar("Task")
Answer = TypeVar("Answer")

AHEAD: Final = 3
"""How many tasks a process has been given while one waits for its first answer: as many answers are kept."""
ABANDONED: Final = 3
"""The exit code of a process that ended because its parent was gone, or wanted it gone."""


class Workers:
    """Fresh processes, each with one end of a pipe; the other end is only here.

    When the context is left by an error, or this process is killed, the pipe closes, and the processes end at once.
    """

    def __init__(self, jobs: int) -> None:
        # Not forked: a child must not inherit an open SQLite file (the locks of a file belong to the process).
        context = multiprocessing.get_context("spawn")
        self._held, self._leash = context.Pipe(duplex=False)
        self._pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin, initargs=(self._held,))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        if error is not None:
            self._leash.close()
        self._pool.shutdown(cancel_futures=True)
        self._leash.close()
        self._held.close()

    def submit(self, work: Callable[[Task], Answer], task: Task) -> Future[Answer]:
        """Hand a task to the next process that is free. Both are pickled, so `work` is a function of a module.

        Raises:
            WorkerDied: one of the processes was killed, and all have ended.
        """
        try:
            with _uninterrupted():
                return self._pool.submit(work, task)
        except BrokenProcessPool:
            raise _died() from None


def in_order(work: Callable[[Task], Answer], tasks: Iterable[Task], jobs: int) -> Iterator[Answer]:
    """What `work` answers to each task, in the order of the tasks, by `jobs` processes; by this one if `jobs` is 1.

    Errors of `work` are raised here. A caller that stops reading closes the iterator; then the processes end, and also
    when this one is killed.

    Raises:
        WorkerDied: one of the processes was killed.
    """
    if jobs <= 1:
        yield from map(work, tasks)
        return
    waiting: deque[Future[Answer]] = deque()
    with Workers(jobs) as workers:
        for task in tasks:
            waiting.append(workers.submit(work, task))
            if len(waiting) >= AHEAD * jobs:
                yield answer_of(waiting.popleft())
        while waiting:
            yield answer_of(waiting.popleft())


def answer_of(done: Future[Answer]) -> Answer:
    """What a process answers, once it does.

    Raises:
        WorkerDied: it was killed, or another one was, which ends all of them.
        Exception: what the work itself has raised.
    """
    try:
        return done.result()
    except BrokenProcessPool:
        raise _died() from None


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """While processes may be started: they inherit that Ctrl-C, which every process of a terminal gets, is ignored."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(held: Connection) -> None:
    """In a new process: leave Ctrl-C to the parent, and end when the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: _end())  # from the pool, when another of its processes has ended

    def follow() -> None:
        wait([held])
        _end()

    threading.Thread(target=follow, daemon=True).start()


def _end() -> None:
    """End at once, together with the programs that play as bots."""
    programs = sys.modules.get("ddz.guests.process")
    if programs is not None and hasattr(programs, "end_all"):
        programs.end_all()
    os._exit(ABANDONED)


def _died() -> WorkerDied:
    return WorkerDied("worker/died", "a worker process ended suddenly: it was killed, or memory ran out")
