"""The one door: whatever a command prints leaves here, and no sign that would act on a terminal gets through.

A line is a line: what is printed is given line by line, so that an end of a line inside one (a stored name may hold
one) forges none. What programs read is JSON or TOML, in which `ddz.signs` has escaped such signs already, so that they
read the value that is stored; should one be left, it is replaced here as well.
"""

import io
import sys
from types import TracebackType
from typing import TYPE_CHECKING, Final, TextIO

from ddz.signs import shown

if TYPE_CHECKING:
    from ddz.contract.base import Answer

_LONGEST: Final = 4000
"""Signs of a line for people; an error may quote what a stranger wrote, and that may be millions."""
_ELLIPSIS: Final = "..."


def never_choke() -> None:
    """Let no sign end a command: what an output cannot print is a `?`, and what is no text in an input is one too."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def put(*lines: str) -> None:
    """Print lines for people, at once: to standard output."""
    _write(sys.stdout, _lines(lines))


def say(*lines: str) -> None:
    """Talk: to standard error, so that results stay alone on standard output."""
    _write(sys.stderr, _lines(lines))


def begin(text: str) -> None:
    """Print the beginning of a line that somebody else ends."""
    _write(sys.stdout, shown(text))


def give(answer: "Answer") -> None:
    """Print an object of the contract, for programs: a line of JSON."""
    from ddz.contract.base import encode

    hand(encode(answer) + "\n")


def hand(text: str) -> None:
    """Print a text for programs as it is, in UTF-8; only a terminal is given what its encoding can carry."""
    clean = "\n".join(map(shown, text.split("\n")))
    if sys.stdout.isatty() or not isinstance(sys.stdout, io.TextIOWrapper):
        _write(sys.stdout, clean)
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(clean.encode())
    sys.stdout.buffer.flush()


def trace(kind: type[BaseException], error: BaseException, at: TracebackType | None) -> None:
    """Print a fault in ddz itself, as `sys.excepthook` does."""
    import traceback

    say(*"".join(traceback.format_exception(kind, error, at)).splitlines())


def _lines(lines: tuple[str, ...]) -> str:
    return "".join(f"{shown(line if len(line) <= _LONGEST else line[:_LONGEST] + _ELLIPSIS)}\n" for line in lines)


def _write(stream: TextIO, text: str) -> None:
    stream.write(text)
    stream.flush()
