"""The two ends of a session: what is printed, and where its lines come from."""

import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import typer

from ddz.errors import Unreadable
from ddz.limits import LINE
from ddz.words.base import Words
from ddz.words.columns import shown, wrapped

from .door import put

_PLAIN = str.maketrans({"×": "x", "·": "-", "▶": ">", "…": "..."})


def plain(lines: Sequence[str], ascii_only: bool) -> Sequence[str]:
    """The lines, in ASCII alone if that is asked for: our few signs have others for them, a name's letters are `?`."""
    return [line.translate(_PLAIN).encode("ascii", "replace").decode() for line in lines] if ascii_only else lines


def needs_ascii() -> bool:
    """True if the output cannot carry our few signs."""
    try:
        "×·▶…".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return True
    return False


class Screen:
    """Prints lines as a player wants them."""

    def __init__(
        self, words: Words, ascii_only: bool = False, spoken: bool = False, delay: float = 0.0, silent: bool = False
    ) -> None:
        self.words = words
        self.ascii_only = ascii_only or needs_ascii()
        self.spoken = spoken
        """For a screen reader: sentences, no columns."""
        self.delay = delay
        """Seconds to wait after each turn."""
        self._silent = silent

    def line(self, *lines: str) -> None:
        """Print a line or several, at once; nothing for one who is silent."""
        if not self._silent:
            put(*plain(lines, self.ascii_only))

    def paragraph(self, text: str) -> None:
        """Print a longer text, broken between words to fit the terminal."""
        self.line(*wrapped(text, shutil.get_terminal_size().columns))


class Lines:
    """Lines that a player types, or that a file of moves holds."""

    def __init__(self, moves: Path | None = None) -> None:
        self.strict = moves is not None
        """A line that is refused ends the session."""
        self.name = "standard input" if moves is None else str(moves)
        self.number = 0
        """The number of the last line, from 1."""
        self._file: Iterator[str] | None = None
        if moves is not None:
            from ddz.files import read_file
            from ddz.limits import MOVES, SOME_MOVES

            try:
                self._file = iter(read_file(moves, MOVES, SOME_MOVES).decode("utf-8").splitlines())
            except Unreadable as error:
                raise Unreadable.at(str(moves), error) from None
            except UnicodeDecodeError as error:
                raise Unreadable(
                    "input/not-utf-8",
                    "{file} is not UTF-8 text: byte {byte} cannot be read",
                    file=str(moves),
                    byte=error.start,
                ) from None

    def read(self, prompt: str) -> str | None:
        """The next line; None at the end."""
        self.number += 1
        if self._file is not None:
            return next(self._file, None)
        if sys.stdin.isatty():
            _edit_lines()
            try:
                return input(shown(prompt))[:LINE]
            except EOFError:
                put("")
                return None
        return typed_line() or None


def typed_line(most: int = LINE) -> str:
    """The next line of standard input, with its end; empty behind the last one.

    Raises:
        Unreadable: it has more than `most` signs, so that it may have no end at all.
    """
    line = sys.stdin.readline(most + 1)
    if len(line) > most:
        raise Unreadable("input/long-line", "standard input: a line has more than {most} signs", most=most)
    return line


def key() -> str:
    """The key that is pressed next, or all that is typed in one go.

    Raises:
        EOFError: Ctrl-D.
    """
    return typer.getchar()


def _edit_lines() -> None:
    """Give `input` its line editing where there is some."""
    try:
        import readline  # noqa: F401
    except ImportError:  # Windows edits lines by itself
        return
