"""`ddz import`: store games from files."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from .door import give, put
from .exits import USAGE, code_of, complain
from .languages import words_for
from .shell import Db, Lang, table_at

_OF_THE_LOG = ("log/damaged", "log/foreign", "log/schema")
"""What is wrong with the log itself and not with a file: no file is a database."""


def import_(
    files: Annotated[list[str], typer.Argument(help="Records or event files; - is standard input.", metavar="FILE...")],
    form: Annotated[
        str | None,
        typer.Option("--format", help="The format of another engine; by default it is recognised.", metavar="NAME"),
    ] = None,
    command_id: Annotated[
        str | None,
        typer.Option(
            "--id",
            help="Your own id for the import; the same id again stores nothing twice. Of several files the first "
            "has ID, the second ID.2, the third ID.3, ...",
            metavar="ID",
        ),
    ] = None,
    once: Annotated[
        bool, typer.Option("--once", help="Store no record that was imported before; print the game that is there.")
    ] = False,
    lang: Lang = None,
    db: Db = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object for each game, for programs.")] = False,
) -> None:
    """Store the games of records or event files. Each file is stored whole or, if it has a fault, not at all.

    Repeat an import that may have been killed with --once, or from a program with the same --id: a game that is stored
    already is printed and not stored again. --once recognises a record by its content, whatever the file is called, if
    it was stored without --id. Event files have ids of their own and need neither.

    Example: ddz import game.toml another.toml
    """
    from ddz.errors import BrokenLog, DdzError, StorageRefused, Unreadable
    from ddz.services.archive import import_bytes
    from ddz.services.imports import command_ids

    if once and command_id is not None:
        raise Unreadable(
            "usage/once-and-id", "--once recognises a record by its content, --id by your own id: use one of the two"
        )
    words = words_for(lang)
    faulty = 0
    ids = command_ids(command_id, len(files))
    with table_at(db, create=True) as table:
        for name, own_id in zip(files, ids, strict=True):
            try:
                source = name if name == "-" else Path(name).name
                found = import_bytes(table, _read(name), source, form, own_id, once)
            except StorageRefused:
                raise  # the log takes nothing more, whatever the next file says
            except DdzError as error:
                if isinstance(error, BrokenLog) and error.code in _OF_THE_LOG:
                    raise
                of_file = isinstance(error, Unreadable | BrokenLog)
                code = USAGE if of_file else code_of(error)
                complain(type(error).at(name, error) if of_file else error, as_json, code, lang)
                faulty = max(faulty, code)
                continue
            if as_json:
                from ddz.services import games_json

                give(games_json.imported(name, found))
                continue
            phase = words.phases[found.phase]
            points = "" if found.payouts is None else " " + " ".join(f"{each:+d}" for each in found.payouts)
            put(words.imported.format(game=found.game, file=name, phase=phase) + points)
    if faulty:
        raise typer.Exit(faulty)


def _read(name: str) -> bytes:
    """A file's bytes, or those of standard input.

    Raises:
        Unreadable: it cannot be read.
    """
    from ddz.errors import Unreadable, of_system
    from ddz.files import read_file
    from ddz.limits import A_GAME, FILE, check_size

    if name != "-":
        return read_file(Path(name), FILE, A_GAME)
    try:
        raw = sys.stdin.buffer.read(FILE + 1)
    except OSError as error:
        raise Unreadable("file/unreadable", "cannot be read: {why}", why=of_system(error)) from None
    check_size(len(raw), FILE, A_GAME)
    return raw
