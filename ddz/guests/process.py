"""A child process that is talked with in lines, never waited for longer than asked, and never left behind."""

import contextlib
import os
import signal
import subprocess
import threading
import time
from typing import Final

MOST_BYTES: Final = 1 << 18
"""Of output that nobody has read yet; a program that writes more is not listened to."""
LAST_WORDS: Final = 2000
"""Bytes of the error output that are remembered."""
_FAREWELL: Final = 0.2
"""Seconds in which a process that has closed its output may end by itself, so that its exit code is known."""


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
        self._child = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        self.input_ended = False
        self._changed = threading.Condition()
        self._unread = bytearray()
        self._over = False
        self._words = bytearray()
        self._readers = [
            threading.Thread(target=read, args=(stream.fileno(),), daemon=True)
            for read, stream in ((self._hear, self._child.stdout), (self._overhear, self._child.stderr))
            if stream is not None
        ]
        for reader in self._readers:
            reader.start()

    def write(self, line: bytes) -> None:
        """Send a line; one that is no longer read is lost."""
        assert self._child.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            self._child.stdin.write(line + b"\n")

    def end_input(self) -> None:
        """Say that nothing more will be sent."""
        assert self._child.stdin is not None
        self.input_ended = True
        with contextlib.suppress(OSError):
            self._child.stdin.close()

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
        self._readers[-1].join(_FAREWELL)
        with self._changed:
            lines = self._words.decode("utf-8", "replace").strip().splitlines()
        said = "".join(char for char in lines[-1] if char.isprintable())[:200] if lines else ""
        return f"{how}: {said}" if said else how

    def end(self) -> None:
        """End it and its children, and take its exit so that no zombie stays."""
        if self._over:  # it is ending by itself: let it put its things away
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._child.wait(_FAREWELL)
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._child.pid, signal.SIGKILL)
        self._child.kill()
        self._child.wait()
        for stream, reader in ((self._child.stdout, self._readers[0]), (self._child.stderr, self._readers[1])):
            reader.join(_FAREWELL)
            if stream is not None and not reader.is_alive():  # a child that fled may still hold it open
                stream.close()
        self.end_input()

    def _hear(self, descriptor: int) -> None:
        while chunk := os.read(descriptor, 1 << 16):
            with self._changed:
                self._unread += chunk
                self._changed.notify()
                if len(self._unread) > MOST_BYTES:
                    return
        with self._changed:
            self._over = True
            self._changed.notify()

    def _overhear(self, descriptor: int) -> None:
        while chunk := os.read(descriptor, 1 << 16):
            with self._changed:
                self._words = (self._words + chunk)[-LAST_WORDS:]
