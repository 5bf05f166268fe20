"""How far long work is: a bar on a terminal, on standard error, and nothing anywhere else."""

import os
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self, TextIO

from ddz.words.base import Words
from ddz.words.columns import shown

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE: Final = 0.5
"""Seconds before a bar appears: what is done sooner needs none, and no import of what draws it."""
REDRAW: Final = 0.1
"""Seconds between two looks of it."""


def wants_bar(plain: bool = False, stream: TextIO | None = None) -> bool:
    """True if standard error is a terminal that can draw over a line; `plain` if the person asked for plain text."""
    terminal = sys.stderr.isatty() if stream is None else stream.isatty()
    return terminal and not plain and os.environ.get("TERM", "") not in ("", "dumb", "unknown")


class Bar:
    """Games done of all games, games a second, and the time left. Does nothing without a terminal.

    with Bar(words) as bar:
        for ...:
            bar(done, total)
    """

    def __init__(
        self,
        words: Words,
        plain: bool = False,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._words = words
        self._stream = stream
        self._clock = clock
        self._wanted = wants_bar(plain, stream)
        self._begin = clock()
        self._next = self._begin + PATIENCE
        self._first: int | None = None
        self._drawn: Progress | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._drawn is not None:
            self._drawn.stop()

    def __call__(self, done: int, total: int) -> None:
        """`done` of `total` games are done; those of the first call were done before the bar began."""
        now = self._clock()
        if self._first is None:
            self._first = done
        if not self._wanted or now < self._next:
            return
        self._next = now + REDRAW
        rate = max(done - self._first, 0) / (now - self._begin)
        seconds = round((total - done) / rate) if rate else 0
        left = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}" if rate else "?"
        line = self._words.progress.format(done=done, total=total, rate=f"{rate:.0f}", left=left)
        begins = self._drawn is None
        if self._drawn is None:
            self._drawn = _drawing(self._stream)
        self._drawn.update(self._drawn.task_ids[0], completed=done, total=total, description=shown(line))
        if begins:
            self._drawn.start()
        self._drawn.refresh()


def _drawing(stream: TextIO | None) -> "Progress":
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    console = Console(stderr=stream is None, file=stream, highlight=False)
    drawing = Progress(
        BarColumn(),
        TextColumn("{task.description}", markup=False),
        console=console,
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    drawing.add_task("")
    return drawing
