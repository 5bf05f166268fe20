"""Where a log is kept: its address, and the stores that there are. The one place that opens a log.

An address is SCHEME:PLACE (`sqlite:games.db`, `memory:`); a path alone is a file of SQLite. A new store is a module
with a function `opened` as in `Store`, and a line in `STORES`; `tests/log` then tests it like the others.
"""

import importlib
from contextlib import closing
from pathlib import Path
from typing import Final, Protocol, cast

from ddz.errors import Unreadable
from ddz.log.base import EventLog

STORES: Final[dict[str, str]] = {
    "sqlite": "ddz.log.sqlite",
    "memory": "ddz.log.memory",
}
"""The module behind each scheme. It is imported when a log of its kind is opened."""

FILES: Final = "sqlite"
"""The scheme of a path that has none."""
_SHORTEST: Final = 2
"""Characters of a scheme: `C:` is a drive."""


_MARKS: Final = str.maketrans("", "", "+.-")


class Store(Protocol):
    """What a module in `STORES` offers."""

    def opened(self, place: str, create: bool) -> EventLog | None:
        """The log at `place`. With `create` it is made if there is none; without, None is answered then.

        Raises:
            Unreadable: there can be no such place.
            BrokenLog, UnsupportedVersion: what is there is no log that can be read.
            StorageRefused: it cannot be read, or not be created.
        """
        ...


def open_log(at: Path | str, create: bool) -> EventLog:
    """The log at a path or an address. With `create` it is made if there is none.

    Without `create` nothing is ever created: where there is no log yet, an empty one that takes no events answers.

    Raises:
        Unreadable: nobody knows the scheme of the address, or there can be no such place.
        BrokenLog, UnsupportedVersion, StorageRefused: as `Store.opened` does.
    """
    log = _opened(at, create)
    if log is not None:
        return log
    from ddz.log.memory import NoLog  # hardly anybody comes here

    return NoLog(str(at))


def existing_log(at: Path | str) -> EventLog:
    """The log at a path or an address, which must be there; raises as `open_log`.

    Raises:
        Unreadable: there is none.
    """
    log = find_log(at)
    if log is None:
        raise Unreadable("log/absent", "there is no log at {place}", place=str(at))
    return log


def find_log(at: Path | str) -> EventLog | None:
    """The log at a path or an address, None if there is none; raises as `open_log`."""
    return _opened(at, create=False)


def backup(at: Path | str, target: Path) -> None:
    """Copy the log at a path or an address, as it stands, into the new file `target`, while others may go on writing.

    Raises:
        Unreadable: `at` cannot be the address of a log.
        Refused: `log/file-exists`, there is something at `target` already.
        StorageRefused: there is no log, or `target` cannot be written.
        BrokenLog: it is no log of ours, or so damaged that its storage finds it.
    """
    with closing(open_log(at, create=False)) as log:
        log.copy_into(target)


def file_of(at: Path | str) -> Path | None:
    """The file of the log at a path or an address; None for one that is kept in no file of its own.

    Raises:
        Unreadable: nobody knows the scheme of the address.
    """
    scheme, place = _parsed(at)
    return Path(place) if scheme == FILES else None


def _opened(at: Path | str, create: bool) -> EventLog | None:
    scheme, place = _parsed(at)
    return cast("Store", importlib.import_module(STORES[scheme])).opened(place, create)


def _parsed(at: Path | str) -> tuple[str, str]:
    """The scheme and the place. A `Path` is a file, whatever its name looks like."""
    named, colon, place = str(at).partition(":")
    plain = named.isascii() and named[:1].isalpha() and named.translate(_MARKS).isalnum()
    if isinstance(at, Path) or not (colon and plain and len(named) >= _SHORTEST):
        return FILES, str(at)
    scheme = named.lower()
    if scheme not in STORES:
        known = ", ".join(f"{each}:" for each in STORES)
        raise Unreadable(
            "log/unknown-scheme",
            "'{scheme}:' names no store for a log: the known ones are {known} (a file of this name is {file})",
            scheme=named,
            known=known,
            file=f"{FILES}:{at}",
        )
    return scheme, place
