"""Work done by Ray (the extra `ray`): on this machine, or on a cluster that runs already.

On a cluster ddz must be installed on every node, and the files that the work names must be there for all of them.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, redirect_stdout
from typing import Any, Final, Self

from ddz.errors import NotInstalled, Phrase, Unreadable, WorkerDied
from ddz.work.base import Answer, Task

PATIENCE: Final = 10.0
"""Seconds to wait for a cluster to answer at all."""


class Ray:
    """Does the work as tasks of Ray. `address` is that of a running cluster; None starts one here for the time."""

    def __init__(self, jobs: int, address: str | None = None) -> None:
        self.jobs = jobs
        self.address = address
        self._ray = _imported()
        self._context = ExitStack()

    def __enter__(self) -> Self:
        import logging

        options: dict[str, Any] = {"address": self.address}
        if self.address is None:
            options = {"address": "local", "num_cpus": self.jobs, "include_dashboard": False}
        else:
            _check_reachable(self.address)
        with self._context:  # whatever fails, standard output is given back
            self._context.enter_context(redirect_stdout(sys.stderr))  # Ray prints what happens to its workers
            try:
                self._ray.init(log_to_driver=False, logging_level=logging.ERROR, **options)
            except (ConnectionError, ValueError, RuntimeError, TimeoutError) as error:
                raise Unreadable(
                    "engine/ray", "Ray cannot be started or reached: {reason}", reason=str(error)
                ) from None
            self._context.callback(self._ray.shutdown)
            self._context = self._context.pop_all()
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        # A cluster ends the tasks of a job that is over; to cancel them by force before that can crash Ray (2.60).
        self._context.close()

    def unordered(self, work: Callable[[Task], Answer], tasks: Iterable[Task]) -> Iterator[Answer]:
        """As `Engine.unordered`. Ray itself restarts no task: the caller finds out what became of it."""
        remote = self._ray.remote(num_cpus=1, max_retries=0)(_do)
        running: list[Any] = []
        for task in tasks:
            running.append(remote.remote(work, task))
            if len(running) == self.jobs:
                yield self._answer(running)
        while running:
            yield self._answer(running)

    def _answer(self, running: list[Any]) -> Any:  # noqa: ANN401  # of whatever type the work answers
        """Wait for the first of these tasks that is done, take it out, and answer what it did."""
        (done, *_), _ = self._ray.wait(running, num_returns=1)
        running.remove(done)
        errors = self._ray.exceptions
        try:
            return self._ray.get(done)
        except errors.RayTaskError as error:
            if not isinstance(error.cause, errors.RayError):
                raise error.cause from None
            reason = str(error.cause).splitlines()[0]
            raise WorkerDied(
                "worker/ray-failed", "a worker of Ray could not do its work: {reason}", reason=reason
            ) from None
        except errors.RayError as error:
            raise WorkerDied("worker/ray-died", "a worker of Ray died: {error}", error=type(error).__name__) from None


def _check_reachable(address: str) -> None:
    """Make sure that a cluster answers: Ray itself would try for many minutes.

    Raises:
        Unreadable: no cluster answers at HOST:PORT.
    """
    import socket

    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not (host and port.isdigit()):
        return  # `auto`, or another kind of address that Ray understands
    try:
        socket.create_connection((host, int(port)), PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise Unreadable(
            "engine/no-cluster", "no Ray cluster answers at {address}: {reason}", address=address, reason=str(error)
        ) from None


def _do(work: Callable[[Task], Answer], task: Task) -> Answer:
    """What a worker of Ray calls."""
    return work(task)


def _imported() -> Any:  # noqa: ANN401  # the module; its types are not at hand where it is missing
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # it would report how it is used
    try:
        import ray
    except ImportError:
        raise NotInstalled(Phrase("extra/ray", "the engine ray needs Ray"), "ray") from None
    return ray
