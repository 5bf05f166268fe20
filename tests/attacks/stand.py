"""Commands of ddz as processes that can be killed, traced, and hit by injected errors."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import pytest

from .calls import Call, read_calls

SCRIPT = Path(sysconfig.get_path("scripts")) / "ddz"
SERVER = Path(__file__).with_name("server.py")
PATIENCE = 60
"""Seconds after which a command hangs."""
TOUCHING = "%file,%desc"
"""The calls of which some touch files."""


def need_strace() -> None:
    """Skip without strace, unless it must be there (`DDZ_ATTACKS=required`, as CI says)."""
    if sys.platform == "linux" and shutil.which("strace"):
        return
    if os.environ.get("DDZ_ATTACKS") == "required":
        pytest.fail("strace is not here, and DDZ_ATTACKS says that it must be")
    pytest.skip("strace is not here", allow_module_level=True)


@dataclass
class Ended:
    """A command that has come to its end, one way or another."""

    args: tuple[str, ...]
    code: int
    """The exit code, or minus the signal."""
    out: str
    err: str
    calls: list[Call] = field(default_factory=list)
    """What strace saw, if it was asked."""

    @property
    def lines(self) -> list[str]:
        """The whole lines that it has printed: what it has acknowledged."""
        return self.out.split("\n")[:-1]

    def __str__(self) -> str:
        tail = "".join(f"\n  {call.name}({call.rest}"[:300] for call in self.calls[-3:])
        return f"ddz {' '.join(self.args)}: {self.code}\n{self.out}{self.err}{tail}"


class Server:
    """The process that has imported ddz: see `server.py`."""

    def __init__(self) -> None:
        command = [sys.executable, str(SERVER)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=_env(), bufsize=1
        )
        if self._answer() != "ready":
            self._process.communicate(timeout=PATIENCE)
            raise RuntimeError("the process that imports ddz has not come up; what it said stands on standard error")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate(timeout=PATIENCE)

    def ask(self, order: dict[str, Any]) -> int:
        """Give an order."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        return int(self._answer())

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().rstrip("\n")


def _env() -> dict[str, str]:
    leaking = ("DDZ_PURE", "COLUMNS", "LINES", "PYTHONIOENCODING")
    return {name: value for name, value in os.environ.items() if name not in leaking}


class Stand:
    """Runs commands: as children of a process that has imported ddz, or as the installed script. For one thread."""

    def __init__(self, server: Server, folder: Path, wal: bool = True) -> None:
        self._server = server
        self.folder = folder
        """Where the commands run, and nothing of what they say is kept."""
        self.wal = wal
        """False: as where SQLite has the WAL-reset fault, so that logs are kept with a DELETE journal."""
        self._said = folder.with_name(f"{folder.name}.said")
        self._said.mkdir(parents=True, exist_ok=True)
        self.env = {**_env(), "DDZ_DB": str(folder / "games.db"), "DDZ_LANG": "en", "TERM": "dumb", "LANG": "C.UTF-8"}

    def run(self, *args: object) -> Ended:
        """Run a command to its end."""
        pid = self._begin(args, hold=False)
        return self._ended(args, pid)

    def killed(self, *args: object, after: float) -> Ended:
        """Run a command and kill it after some seconds, if it has not come to its end by then."""
        pid = self._begin(args, hold=False)
        killer = threading.Timer(after, _kill, (pid,))
        killer.start()
        try:
            return self._ended(args, pid)  # the server waits for it: until then its id is nobody else's
        finally:
            killer.cancel()
            killer.join()

    def traced(self, *args: object, options: tuple[str, ...] = (), follow: bool = True) -> Ended:
        """Run a command under strace; its calls come with the answer, with `follow` those of its processes, too."""
        pid = self._begin(args, hold=True)
        seen = self._said / "trace"
        command = ["strace", *["-f"] * follow, "-y", "-p", str(pid), "-o", str(seen), "-e", f"trace={TOUCHING}"]
        command += options
        tracer = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert tracer.stderr is not None
        said = tracer.stderr.readline()
        if "attached" not in said:
            _kill(pid)
            self._ended(args, pid)
            raise RuntimeError(f"strace cannot trace: {said}{tracer.communicate()[1]}")
        os.kill(pid, signal.SIGCONT)
        ended = self._ended(args, pid)
        tracer.communicate(timeout=PATIENCE)
        with seen.open(encoding="utf-8", errors="replace") as lines:
            ended.calls = list(read_calls(lines))
        return ended

    def script(self, *args: object, options: tuple[str, ...] = ()) -> Ended:
        """Run the installed script under strace, from its very start."""
        seen = self._said / "trace"
        command = ["strace", "-f", "-y", "-o", str(seen), "-e", f"trace={TOUCHING}", *options, str(SCRIPT)]
        words = tuple(map(str, args))
        done = subprocess.run(
            [*command, *words], capture_output=True, text=True, env=self.env, timeout=PATIENCE, check=False
        )
        with seen.open(encoding="utf-8", errors="replace") as lines:
            return Ended(words, done.returncode, done.stdout, done.stderr, list(read_calls(lines)))

    def _begin(self, args: tuple[object, ...], hold: bool) -> int:
        for name in ("out", "err"):
            (self._said / name).unlink(missing_ok=True)  # what a dead one's processes still say is not for the next
            (self._said / name).touch()
        order = {
            "run": [str(arg) for arg in args],
            "env": self.env,
            "cwd": str(self.folder.parent),
            "out": str(self._said / "out"),
            "err": str(self._said / "err"),
            "hold": hold,
            "wal": self.wal,
        }
        return self._server.ask(order)

    def _ended(self, args: tuple[object, ...], pid: int) -> Ended:
        with _patience(pid):
            code = self._server.ask({"wait": pid})
        out, err = ((self._said / name).read_text("utf-8", "replace") for name in ("out", "err"))
        return Ended(tuple(map(str, args)), code, out, err)


def inject(call: Call | tuple[str, int], what: str, onwards: bool = False) -> tuple[str, ...]:
    """The options that let a call fail (`error=EIO`) or kill the process before it is made (`signal=SIGKILL`)."""
    name, number = call if isinstance(call, tuple) else (call.name, call.number)
    return ("-e", f"inject={name}:{what}:when={number}{'+' * onwards}")


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


@contextlib.contextmanager
def _patience(pid: int) -> Iterator[None]:
    """Kill a command that hangs, and say so."""
    hung = threading.Event()

    def lost() -> None:
        hung.set()
        _kill(pid)

    timer = threading.Timer(PATIENCE, lost)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
    assert not hung.is_set(), f"it hung for {PATIENCE} s"
