"""Commands run in one forked interpreter, one after another, under the eye of the process that asks for them.

What hangs is killed and what falls over is caught; either way the next command finds an interpreter that runs. An
interpreter of its own for each command would take 200 times as long.
"""

import multiprocessing
import os
import resource
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from cli.stage import Ddz
from ddz.cli.exits import MEANING

PATIENCE = 20.0
"""Seconds of the clock after which a command hangs."""
BRIEF = 2.0
"""Seconds that a command may take."""
TRIES = 3
"""A busy machine is slow at times: so often a command that was slow is asked again, and its shortest time counts."""
MOST_MEMORY = 4 << 30
_ENV = {"DDZ_LANG": "en", "TERM": "xterm", "LANG": "C.UTF-8", "NO_COLOR": "1"}


@dataclass(frozen=True)
class Answer:
    """What came of a command."""

    code: int
    out: str
    err: str
    seconds: float
    fault: str = ""
    """A traceback, `hang`, or how its interpreter died; empty if it came to an end of its own."""

    @property
    def documented(self) -> bool:
        """It ended as the README says that commands end: with one of its codes, and a sentence where it is no 0."""
        silent = self.code not in (0, 1) and not self.err.strip()
        return not self.fault and self.code in MEANING and not silent and "Traceback" not in self.out + self.err

    def complaint(self) -> str:
        """What is wrong with how it ended; empty if nothing is."""
        if self.fault:
            return self.fault
        if not self.documented:
            return f"exit {self.code}, {self.err[-300:]!r}"
        return f"took {self.seconds:.1f} s" if self.seconds > BRIEF else ""


class Watched:
    """Runs commands over one file. A context: its interpreter ends with it."""

    def __init__(self, db: Path, patience: float = PATIENCE) -> None:
        self.db = db
        self._patience = patience
        self._context = multiprocessing.get_context("fork")
        self._process: Any = None
        self._pipe: Any = None

    def __enter__(self) -> "Watched":
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def __call__(self, *args: object, before: Callable[[], object] = lambda: None) -> Answer:
        """Run `ddz ARGS`, having called `before`; again if it was slow."""
        best = self._once(args, before)
        for _ in range(TRIES - 1):
            if best.fault or best.seconds <= BRIEF:
                break
            best = min(best, self._once(args, before), key=lambda answer: answer.seconds)
        return best

    def _once(self, args: tuple[object, ...], before: Callable[[], object]) -> Answer:
        before()
        if self._process is None:
            self._pipe, theirs = self._context.Pipe()
            self._process = self._context.Process(target=_serve, args=(theirs, self.db))
            self._process.start()
            theirs.close()
        self._pipe.send([str(arg) for arg in args])
        begun = time.monotonic()
        if not self._pipe.poll(self._patience):
            self._end()
            return Answer(-1, "", "", time.monotonic() - begun, "hang")
        try:
            return Answer(*self._pipe.recv())
        except EOFError:
            self._process.join()
            died = f"the interpreter died: {self._process.exitcode}"
            self._end()
            return Answer(-1, "", "", time.monotonic() - begun, died)

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._pipe.close()
            self._process = self._pipe = None


def _serve(pipe: Connection, db: Path) -> None:
    """In the forked interpreter: run what comes, until nobody asks any more."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    os.chdir(db.parent)
    ddz = Ddz({**_ENV, "DDZ_DB": str(db)})
    while True:
        try:
            args = pipe.recv()
        except EOFError:
            return
        begun = _now()
        try:
            done = ddz(*args, code=None)
            answer = (done.code, done.out, done.err, _now() - begun, "")
        except BaseException:  # whatever it is, it would be a traceback on somebody's terminal
            answer = (-1, "", "", _now() - begun, traceback.format_exc()[-1500:])
        pipe.send(answer)


def _now() -> float:
    """The time, without what passed while others had the processor: a busy machine is not the command's fault."""
    try:
        waited = int(Path("/proc/self/schedstat").read_text(encoding="ascii").split()[1])
    except OSError:
        waited = 0  # not on Linux
    return time.monotonic() - waited / 1e9
