"""A child process that is talked with in lines, never waited for longer than asked, and never left behind."""

import atexit
import contextlib
import errno
import os
import queue
import signal
import subprocess
import threading
import time
import weakref
from typing import IO, Final

MOST_BYTES: Final = 1 << 18
"""Of output that nobody has read yet; a program that writes more is not listened to."""
LAST_WORDS: Final = 2000
"""Bytes of the error output that are remembered."""
_FAREWELL: Final = 0.2
"""Seconds in which a process that has closed its output may end by itself, so that its exit code is known."""


_ALIVE: "weakref.WeakSet[Process]" = weakref.WeakSet()
_STARTING: Final = threading.Lock()
_closing = threading.Event()


@atexit.register
def end_all() -> None:
    """Kill every process that is still there, and let none begin: for whoever has no time to end his own."""
    with _STARTING:  # one that is just being started is waited for, or it would be missed
        _closing.set()
        for process in list(_ALIVE):
            process.kill()


class Silent(Exception):  # these three are answers of `line`, caught where it is called
    """No line in time."""


class Ended(Exception):
    """There is no line, and none will come."""


class TooMuch(Exception):
    """More output than anybody will read."""


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
                self._child = subprocess.Popen(
                    words,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    start_new_session=True,
                )
            except OSError as error:
                self._failure = error
                return
            _ALIVE.add(self)
        streams = self._child.stdin, self._child.stdout, self._child.stderr
        for work, stream in zip((self._send, self._hear, self._overhear), streams, strict=True):
            self._threads.append(threading.Thread(target=work, args=(stream,), daemon=True))
            self._threads[-1].start()

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
            Silent, Ended, TooMuch: there is none.
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
                    raise TooMuch
                if self._over:
                    raise Ended
                left = deadline - time.monotonic()
                if left <= 0 or not self._changed.wait(left):
                    raise Silent

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
        """End it and its children, and take its exit so that no zombie stays."""
        if self._over:  # it is ending by itself: let it put its things away
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._child.wait(_FAREWELL)
        self.kill()
        self._child.wait()
        self.end_input()
        for thread in self._threads:
            thread.join(_FAREWELL)  # one that reads stays as long as a child that fled holds its end open
        _ALIVE.discard(self)

    def kill(self) -> None:
        """End it and its children, and wait for nothing."""
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._child.pid, signal.SIGKILL)
        self._child.kill()

    def _send(self, stream: IO[bytes]) -> None:
        """In a thread of its own, as a program that does not read would hold up whoever writes."""
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
