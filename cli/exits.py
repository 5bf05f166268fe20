"""The exit codes, and the guard that turns every error into one of them with a sentence for people."""

import errno
import functools
import os
import sys
from collections.abc import Callable
from typing import NoReturn, ParamSpec

import typer

from ddz.errors import (
    BrokenLog,
    DdzError,
    Hidden,
    NotInstalled,
    OutOfRange,
    Refused,
    StorageRefused,
    UnknownGame,
    Unreadable,
    WorkerDied,
)
from ddz.errors import of_system as system_says
from ddz.words.languages import DEFAULT

from .door import give, say
from .languages import spoken, told

FAULT = 1
USAGE = 2
UNKNOWN = 3
REFUSED = 4
BROKEN = 5
STORAGE = 6
INTERRUPTED = 130

MEANING = {
    0: "done",
    FAULT: "an audit or verification found a fault",
    USAGE: "usage, unreadable input, a file that is not there, or a seq out of range",
    UNKNOWN: "unknown or ambiguous id",
    REFUSED: "refused move, no turn point, or stale log",
    BROKEN: "broken, foreign or newer log file",
    STORAGE: "storage refused: full, read-only, permission, or a fault of the disk",
    INTERRUPTED: "interrupted",
}

_INTERRUPTED = DdzError("command/interrupted", "interrupted")
_P = ParamSpec("_P")


class WrongLine(Unreadable):
    """A line of a moves file that is refused."""


def code_of(error: DdzError) -> int:
    """The exit code of an error."""
    if isinstance(error, WrongLine):
        return REFUSED
    match error:
        case Refused():
            return REFUSED
        case UnknownGame():
            return UNKNOWN
        case Unreadable() | OutOfRange() | Hidden() | NotInstalled():
            return USAGE
        case BrokenLog():
            return BROKEN
        case StorageRefused():
            return STORAGE
        case WorkerDied():
            return INTERRUPTED
        case _:
            return FAULT


def guarded(command: Callable[_P, None]) -> Callable[_P, None]:
    """`command`, with every error of ddz printed on standard error and turned into its exit code."""

    @functools.wraps(command)
    def run(*args: _P.args, **kwargs: _P.kwargs) -> None:
        as_json = bool(kwargs.get("as_json"))
        lang = kwargs.get("lang")
        asked = lang if isinstance(lang, str) else None
        if kwargs.get("ascii_only"):
            asked = DEFAULT  # the only one that can be written in ASCII
        try:
            command(*args, **kwargs)
            sys.stdout.flush()
        except DdzError as error:
            complain(error, as_json, lang=asked)
            raise typer.Exit(code_of(error)) from None
        except (KeyboardInterrupt, typer.Abort):
            say(told(_INTERRUPTED, asked))
            interrupted(as_json)
        except BrokenPipeError:
            # The reader has gone, as in `| head`: that is no error. Nothing more may be flushed at the exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from None
        except UnicodeEncodeError as error:
            # Bytes of the command line that are no text: Python hands them on as surrogates, which nothing can store.
            wrong = Unreadable("text/not-utf8", "{text} is not UTF-8 text", text=ascii(error.object))
            complain(wrong, as_json, lang=asked)
            raise typer.Exit(USAGE) from None
        except OSError as error:
            code = code_of_system(error)
            complain(of_system(error), as_json, code, asked)
            raise typer.Exit(code) from None

    return run


_WRONG_NAMES = {
    *(errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ENOTEMPTY, errno.ENAMETOOLONG, errno.ELOOP),
    *(errno.EINVAL, errno.EILSEQ, errno.ENXIO),
}
"""What a system says of a name that names nothing, or nothing fit. All else it says of what holds the files."""


def code_of_system(error: OSError) -> int:
    """The exit code of an error of the system: usage if another name would do, else storage."""
    return USAGE if error.errno in _WRONG_NAMES else STORAGE


def of_system(error: OSError) -> DdzError:
    """An error of the system as one of ours."""
    where = error.filename2 or error.filename or "output"  # of a file that is put in a place, the place
    return DdzError.at(str(where), system_says(error))


def complain(error: DdzError, as_json: bool = False, code: int | None = None, lang: str | None = None) -> None:
    """Say what was wrong: for people on standard error, for programs also as an object on standard output.

    `code` is the exit code where it is another one than that of the error alone, `lang` the language asked for.
    """
    from .advice import advice

    shown_code = f" [{error.code}]" if isinstance(error, Refused | BrokenLog) else ""
    say(f"ddz: {told(error, lang)}{shown_code}{advice(error, spoken(lang))}")
    _give(error, code_of(error) if code is None else code, as_json)


def interrupted(as_json: bool) -> NoReturn:
    """End a command that was interrupted, which has been said.

    Raises:
        typer.Exit: always.
    """
    _give(_INTERRUPTED, INTERRUPTED, as_json)
    raise typer.Exit(INTERRUPTED) from None


def give_usage(name: str, message: str, command: str) -> None:
    """Give a program what is wrong with the words of a command."""
    _give(DdzError(f"usage/{name}", "{message}", message=message, command=command), USAGE, as_json=True)


def _give(error: DdzError, code: int, as_json: bool) -> None:
    if as_json:
        from ddz.contract.errors import error_json

        give(error_json(error, code))
