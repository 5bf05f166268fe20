"""`ddz export`: hand games on, as records or byte for byte with their chain."""

import os
import re
from pathlib import Path
from typing import Annotated, Final

import typer
from msgspec import UNSET

from .door import give, hand, say
from .shell import Db, Reveal, complete_game, table_at


def export(
    ids: Annotated[list[str], typer.Argument(help="Games or forks.", metavar="ID...", autocompletion=complete_game)],
    events: Annotated[
        bool,
        typer.Option(
            "--events",
            help="Print the events byte for byte with their chain, to import them again with the same hashes.",
        ),
    ] = False,
    form: Annotated[
        str | None, typer.Option("--format", help="Print the format of another engine.", metavar="NAME")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write one file for each game into this folder.", metavar="DIR")
    ] = None,
    reveal: Reveal = False,
    db: Db = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object for each game, for programs.")] = False,
) -> None:
    """Print games as records, or write them into a folder.

    Example: ddz export @last --out records
    """
    from ddz.errors import Phrase, Unreadable
    from ddz.record import FORMAT
    from ddz.services.archive import EVENTS_FORMAT, export_events, export_foreign, export_record
    from ddz.services.sight import need_open

    if events and form is not None:
        raise Unreadable("usage/events-and-format", "--events is a format of its own: omit --format")
    if len(ids) > 1 and out is None:
        raise Unreadable("usage/several-games", "several games need --out DIR: a file holds one game")
    with table_at(db) as table:
        for game in [table.log.resolve(each) for each in ids]:
            need_open(table.log, game, table.load(game).state, reveal, Phrase("what/export", "the export"))
            if form is not None:
                text = export_foreign(table, game, form)
            else:
                text = export_events(table, game) if events else export_record(table, game)
            file = None
            if out is not None:
                file = _write(out, f"{file_name(game)}.{'json' if form else 'jsonl' if events else 'toml'}", text)
            elif not as_json:
                hand(text)
            if as_json:
                _give(game, form or (EVENTS_FORMAT if events else FORMAT), file, text)


def _give(game: str, form: str, file: Path | None, text: str) -> None:
    from ddz.contract.games import ExportJson

    name = None if file is None else str(file)
    give(ExportJson(game, form, name, len(text.encode()), text if file is None else UNSET))


_PLAIN: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")
_DEVICES: Final = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10))}
"""Files of these names are devices on Windows, whatever ending they have."""


def file_name(game: str) -> str:
    """The name of a game's file, without its ending.

    Ids that ddz has drawn are names of files as they are. Another may be a path or hold anything: it is named by what
    of it can be read and by its digest, so that no two games share a name, not even where case makes no difference.
    """
    if _PLAIN.fullmatch(game) and game not in _DEVICES:
        return game
    import hashlib

    readable = re.sub(r"[^a-z0-9]+", "-", game[:200].lower()).strip("-")[:20]
    digest = hashlib.sha256(game.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return f"{readable or 'game'}~{digest}"


def _write(folder: Path, name: str, text: str) -> Path:
    """Write a file of the folder whole or not at all, in the place of whatever has that name there, and answer it.

    It is written beside and then put there, so that a link which lies there is never followed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    target, beside = folder / name, folder / f".{os.urandom(8).hex()}.part"
    try:
        with beside.open("xb") as file:
            file.write(text.encode())
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    say(str(target))
    return target
