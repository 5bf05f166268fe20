"""A child process that is talked with in lines. ddz never waits longer than asked, and always ends it."""

import atexit
import contextlib
import errno
import os
import queue
import select
import signal
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path
from typing import IO, Final

from ddz.guests import warden

MOST_BYTES: Final = 1 << 18
"""Bytes of output that was not read yet; a program that writes more is no longer read."""
LAST_WORDS: Final = 2000
"""Bytes of the error output that are remembered."""
_FAREWELL: Final = 0.2
"""Seconds in which a process that has closed its output may end by itself, so that its exit code is known."""

_PATIENCE: Final = 5.0
"""Seconds that a warden gets to end."""
_WARDEN: Final = (
    [sys.executable, "-I", "-S", str(Path(warden.__file__))] if sys.platform == "linux" and sys.executable else []
)
"""What runs a program so that nothing of it outlives ddz; elsewhere its group is ended, as far as ddz can."""

_ALIVE: "weakref.WeakSet[Process]" = weakref.WeakSet()
_STARTING: Final = threading.Lock()
_closing = threading.Event()


@atexit.register
def end_all() -> None:
    """Kill every process that is still there, and let none begin: for a caller without time to end its own."""
    with _STARTING:  # wait for one that is just being started, or it would be missed
        _closing.set()
        for process in list(_ALIVE):
            process.kill()


def _popen(words: list[str], *passed: int) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        start_new_session=True,
        pass_fds=passed,
    )


def _line_from(number: int) -> bytes:
    """A line from a pipe, as far as it comes in time."""
    said = b""
    deadline = time.monotonic() + _PATIENCE
    while not said.endswith(b"\n") and (left := deadline - time.monotonic()) > 0:
        if select.select([number], [], [], left)[0]:
            chunk = os.read(number, 100)
            if not chunk:
                break
            said += chunk
    return said.strip()


class NoLineInTime(Exception):  # these three are answers of `line`, caught where it is called
    """No line in time."""


class OutputEnded(Exception):
    """There is no line, and none will come."""


class TooMuchOutput(Exception):
    """More output than ddz reads."""


class Process:
    """One run of a program, in a session of its own so that it and its children can be ended together."""

    def __init__(self, words: list[str]) -> None:
        """Start it.

        Raises:
            OSError: it cannot be run.
        """
        self.input_ended = False
        self._changed = threading.Condition()
        self._unread = bytearray()
        self._over = False
        self._words = bytearray()
        self._to_send: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._failure: OSError | None = None
        self._leash: int | None = None
        # Ctrl-C comes to the main thread alone, and must not come between a process and our knowing it.
        starting = threading.Thread(target=self._start, args=(words,))
        starting.start()
        starting.join()
        if self._failure is not None:
            raise self._failure

    def _start(self, words: list[str]) -> None:
        with _STARTING:
            try:
                if _closing.is_set():
                    raise ProcessLookupError(errno.ESRCH, "everything is coming to an end")
                self._run(words)
            except OSError as error:
                self._failure = error
                return
            _ALIVE.add(self)
        streams = self._child.stdin, self._child.stdout, self._child.stderr
        for work, stream in zip((self._send, self._hear, self._overhear), streams, strict=True):
            self._threads.append(threading.Thread(target=work, args=(stream,), daemon=True))
            self._threads[-1].start()

    def _run(self, words: list[str]) -> None:
        """Start the program: under a warden where the system allows it, else alone."""
        if not _WARDEN:
            self._child = _popen(words)
            self._program = self._child.pid
            return
        held, self._leash = os.pipe()
        reading, report = os.pipe()
        try:
            try:
                self._child = _popen([*_WARDEN, str(held), str(report), *words], held, report)
            finally:
                os.close(held)
                os.close(report)
            said = _line_from(reading)
        except OSError:
            self._let_go()
            raise
        finally:
            os.close(reading)
        self._program = int(said) if said.isdigit() else self._child.pid
        if not said.isdigit():
            self._let_go()
            self._take_leave()
            for stream in (self._child.stdin, self._child.stdout, self._child.stderr):
                if stream is not None:
                    stream.close()
            why = int(said[1:]) if said[1:].isdigit() else errno.EIO
            raise OSError(why, os.strerror(why), words[0])

    def _let_go(self) -> None:
        """Release the warden, which then kills all that the program started, and ends."""
        leash, self._leash = self._leash, None
        if leash is not None:
            os.close(leash)
            self._child.send_signal(signal.SIGCONT)  # in case the program has stopped it

    def _take_leave(self) -> None:
        """Wait for the process that was started, and reap it."""
        try:
            self._child.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._kill_groups()
            self._child.wait()

    def write(self, line: bytes) -> None:
        """Send a line; one that is no longer read is lost."""
        self._to_send.put(line + b"\n")

    def end_input(self) -> None:
        """Say that nothing more will be sent."""
        if not self.input_ended:
            self.input_ended = True
            self._to_send.put(None)

    def line(self, deadline: float) -> bytes:
        """The next line that is not blank, without its blanks; `deadline` is a time of `time.monotonic`.

        Raises:
            NoLineInTime, OutputEnded, TooMuchOutput: there is none.
        """
        with self._changed:
            while True:
                while (end := self._unread.find(b"\n")) >= 0 or (self._over and self._unread):
                    end = end if end >= 0 else len(self._unread)
                    line = bytes(self._unread[:end]).strip()
                    del self._unread[: end + 1]
                    if line:
                        return line
                if len(self._unread) > MOST_BYTES:
                    raise TooMuchOutput
                if self._over:
                    raise OutputEnded
                left = deadline - time.monotonic()
                if left <= 0 or not self._changed.wait(left):
                    raise NoLineInTime

    def last_words(self) -> str:
        """How it ended and what it said last on its error output, for people."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(_FAREWELL)
        code = self._child.returncode
        how = "still running" if code is None else f"exit code {code}" if code >= 0 else f"signal {-code}"
        self._threads[-1].join(_FAREWELL)
        with self._changed:
            lines = self._words.decode("utf-8", "replace").strip().splitlines()
        said = "".join(char for char in lines[-1] if char.isprintable())[:200] if lines else ""
        return f"{how}: {said}" if said else how

    def end(self) -> None:
        """End it and its children, and reap it so that no zombie stays."""
        if self._over:  # it is ending by itself: let it clean up
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._child.wait(_FAREWELL)
        self.kill()
        self._take_leave()
        self.end_input()
        for thread in self._threads:
            thread.join(_FAREWELL)  # one that reads stays as long as a child that fled holds its end open
        _ALIVE.discard(self)

    def kill(self) -> None:
        """End it and its children, and wait for nothing."""
        if _WARDEN:
            self._let_go()
        else:
            self._kill_groups()

    def _kill_groups(self) -> None:
        """End what is left of its group, and the warden if there is one."""
        if hasattr(os, "killpg"):
            for group in {self._program, self._child.pid}:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(group, signal.SIGKILL)
        self._child.kill()

    def _send(self, stream: IO[bytes]) -> None:
        """In a thread of its own, since a program that does not read would block the writer."""
        with stream, contextlib.suppress(OSError):
            while (line := self._to_send.get()) is not None:
                rest = memoryview(line)
                while rest:
                    rest = rest[stream.write(rest) :]

    def _hear(self, stream: IO[bytes]) -> None:
        with stream:
            while chunk := os.read(stream.fileno(), 1 << 16):
                with self._changed:
                    self._unread += chunk
                    self._changed.notify()
                    if len(self._unread) > MOST_BYTES:
                        return
        with self._changed:
            self._over = True
            self._changed.notify()

    def _overhear(self, stream: IO[bytes]) -> None:
        with stream:
            while chunk := os.read(stream.fileno(), 1 << 16):
                with self._changed:
                    self._words = (self._words + chunk)[-LAST_WORDS:]
