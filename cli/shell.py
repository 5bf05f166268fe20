"""Where the pure world meets this machine: the clock, the entropy, the log, and the options that commands share."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from ddz.errors import OutOfRange, Unreadable
from ddz.signs import harmless

if TYPE_CHECKING:
    from ddz.bots.base import Thinking
    from ddz.frozen.shapes import Rules
    from ddz.log.base import EventLog
    from ddz.services.table import Table
    from ddz.view import Viewer

Db = Annotated[
    str | None,
    typer.Option(
        "--db",
        help="The log: a file, or an address such as sqlite:PATH; by default DDZ_DB, then the platform's data folder.",
        metavar="PATH",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object for programs.")]
CommandId = Annotated[
    str | None,
    typer.Option("--id", help="Your own id for the command; the same id again stores nothing twice.", metavar="ID"),
]
Reveal = Annotated[bool, typer.Option("--reveal", help="Show hidden cards of an unfinished game, and mark it seen.")]
RulesName = Annotated[
    str, typer.Option("--rules", help="A preset from `ddz rules`, or your own rules in FILE.toml.", metavar="NAME")
]
AsViewer = Annotated[
    str | None, typer.Option("--as", help="Whose view: a seat (0 to 2), table, or all.", metavar="SEAT|table|all")
]
Think = Annotated[
    int | None,
    typer.Option(
        "--think",
        help="How long expert may think about each move; by default the clock does not matter.",
        metavar="MS",
        min=1,
    ),
]
Lang = Annotated[
    str | None,
    typer.Option(
        "--lang", is_eager=True, help="The language, en or zh; by default DDZ_LANG, then the locale.", metavar="LANG"
    ),
]


MOST_COMPLETED: Final = 50
"""Ids that a shell is offered: more are no help to whoever chooses."""


def complete_game(incomplete: str) -> list[str]:
    """Ids that begin so, for the shell's completion: those among the newest first, then the first ones of all."""
    from ddz.errors import DdzError
    from ddz.log.stores import open_log

    try:
        log = open_log(db_address(None), create=False)
    except DdzError:
        return []  # a shell that completes has nobody to tell
    try:
        newest = [line.game for line in islice(log.lines(), MOST_COMPLETED)]
        ids = [game for game in newest if game.startswith(incomplete)]
        ids += [game for game in log.games(incomplete, MOST_COMPLETED) if game not in ids]
        return [game for game in ids if harmless(game)]  # a shell would type the others into its line as they are
    finally:
        log.close()


GameId = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="A game or fork: its id, the start of its id, or @last.", autocompletion=complete_game
    ),
]


def now() -> str:
    """The time, RFC 3339 in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def db_address(db: str | None) -> str:
    """The path or address of the log: the option, else DDZ_DB, else a file in the platform's data folder."""
    if db is not None:
        return db
    if named := os.environ.get("DDZ_DB"):
        return named
    from platformdirs import user_data_path

    return str(user_data_path("ddz", appauthor=False) / "games.db")


@contextmanager
def table_at(db: str | None, create: bool = False, must_exist: bool = False) -> Iterator["Table"]:
    """The table over the log. Without `create` a log that is not there is empty, and stays away.

    Raises:
        Unreadable: it is not there, but must be (`must_exist`).
    """
    from ddz.services.table import Table

    with log_at(db, create, must_exist) as log:
        yield Table(log, now, os.urandom)


@contextmanager
def log_at(db: str | None, create: bool = False, must_exist: bool = False) -> Iterator["EventLog"]:
    """The log; as `table_at`."""
    from ddz.log.stores import existing_log, open_log

    log = existing_log(db_address(db)) if must_exist else open_log(db_address(db), create)
    try:
        yield log
    finally:
        log.close()


def thinking_for(think: int | None) -> "Thinking | None":
    """What `--think` says, by the clock of this machine."""
    from ddz.bots.base import Thinking

    return None if think is None else Thinking(think, time.monotonic)


def rules_named(name: str) -> "Rules":
    """The preset called `name`, or the rules of a house in a file whose name ends in .toml.

    Raises:
        Unreadable: if there is no such preset, or the file cannot be read.
    """
    from ddz.rules import parse_rules, preset

    if not name.endswith(".toml"):
        return preset(name)
    from ddz.files import read_file
    from ddz.limits import RULES, SOME_RULES

    try:
        return parse_rules(read_file(Path(name), RULES, SOME_RULES))
    except Unreadable as error:
        raise Unreadable.at(name, error) from None


def viewer_named(text: str | None) -> "Viewer | None":
    """The viewer that `--as` names.

    Raises:
        Unreadable: if it names none.
    """
    if text is None:
        return None
    if text in ("0", "1", "2"):
        return int(text)
    if text == "all":
        return "all"
    if text == "table":
        return "table"
    raise Unreadable("usage/as", "--as takes a seat (0, 1 or 2), table or all, not '{text}'", text=text)


def need_seat(seat: int | None) -> None:
    """Make sure that `seat` is one.

    Raises:
        OutOfRange: it is not 0, 1 or 2.
    """
    if seat is not None and seat not in (0, 1, 2):
        raise OutOfRange("seat/unknown", "there is no seat {seat}, only 0, 1 and 2", seat=seat)


def is_terminal() -> bool:
    """True if a person reads and types: both ends are a terminal that is not dumb."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
