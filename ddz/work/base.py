"""What an engine is: it does pieces of work somewhere, and passes their answers on.

A piece of work is a function that can be pickled by its name, and a task that can be pickled. Its answer is handed on
as soon as it is there, in no order. The next task is drawn only when a worker is free, so that the code that makes the
tasks may learn from the answers.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, Self, TypeVar

Task = TypeVar("Task")
Answer = TypeVar("Answer")


class Engine(Protocol):
    """Does pieces of work. Leaving its context ends all work at once, done or not."""

    def __enter__(self) -> Self:
        """Get ready."""
        ...

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        """End all work, wherever it is."""
        ...

    def unordered(self, work: Callable[[Task], Answer], tasks: Iterable[Task]) -> Iterator[Answer]:
        """The answers of `work` to each of the tasks, each as soon as it is there.

        Raises:
            WorkerDied: with a worker; its task is lost.
            Exception: what `work` itself has raised.
        """
        ...
