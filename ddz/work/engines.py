"""Where work is done: here, in processes of this machine, or by Ray. The seam is `base.Engine`."""

import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final, Self

from ddz.errors import Unreadable
from ddz.work.base import Answer, Engine, Task

if TYPE_CHECKING:
    from concurrent.futures import Future

ENGINES: Final = ("process", "ray")


def usable_cores() -> int:
    """The number of processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on every system
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def engine_named(name: str, jobs: int, address: str | None = None) -> Engine:
    """The engine called `name`, for `jobs` pieces of work at once; `address` is that of a running Ray cluster.

    Raises:
        Unreadable: there is no such engine, or the address is not for it.
        NotInstalled: it needs an extra that is not here.
    """
    if name not in ENGINES:
        raise Unreadable(
            "engine/unknown",
            "there is no engine called '{name}': the engines are {engines}",
            name=name,
            engines=", ".join(ENGINES),
        )
    if name == "ray":
        from ddz.work.on_ray import Ray

        return Ray(jobs, address)
    if address is not None:
        raise Unreadable("engine/address", "an address is that of a Ray cluster: the engine must be ray")
    return Processes(jobs) if jobs > 1 else Here()


class Here:
    """Does the work in this process, one piece after another."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        pass

    def unordered(self, work: Callable[[Task], Answer], tasks: Iterable[Task]) -> Iterator[Answer]:
        """As `Engine.unordered`; no worker can die alone."""
        return map(work, tasks)


class Processes:
    """Does the work in processes of this machine, which end with this one, however it ends."""

    def __init__(self, jobs: int) -> None:
        from ddz.work.workers import Workers

        self.jobs = jobs
        self._workers = Workers(jobs)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        self._workers.__exit__(error)

    def unordered(self, work: Callable[[Task], Answer], tasks: Iterable[Task]) -> Iterator[Answer]:
        """As `Engine.unordered`."""
        running: set[Future[Answer]] = set()
        for task in tasks:
            running.add(self._workers.submit(work, task))
            if len(running) == self.jobs:
                yield _answer(running)
        while running:
            yield _answer(running)


def _answer(running: "set[Future[Answer]]") -> Answer:
    """Wait for the first of these that is done, take it out, and answer what it did."""
    from concurrent.futures import FIRST_COMPLETED, wait

    from ddz.work.workers import answer_of

    done = next(iter(wait(running, return_when=FIRST_COMPLETED).done))
    running.remove(done)
    return answer_of(done)
