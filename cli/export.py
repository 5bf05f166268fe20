"""`ddz export`: hand games on, as records or byte for byte with their chain."""

from pathlib import Path
from typing import Annotated

import typer

from .door import hand, say
from .shell import Db, Reveal, complete_game, table_at


def export(
    ids: Annotated[list[str], typer.Argument(help="Games or forks.", metavar="ID...", autocompletion=complete_game)],
    events: Annotated[
        bool, typer.Option("--events", help="Byte for byte with its chain, to import back with the same hashes.")
    ] = False,
    form: Annotated[str | None, typer.Option("--format", help="In another engine's format.", metavar="NAME")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write a file a game into this folder.", metavar="DIR")
    ] = None,
    reveal: Reveal = False,
    db: Db = None,
) -> None:
    """Print games as records, or write them into a folder.

    Example: ddz export @last --out records
    """
    from ddz.errors import Unreadable
    from ddz.services.archive import export_events, export_foreign, export_record
    from ddz.services.sight import need_open

    if events and form is not None:
        raise Unreadable("--events is a format of its own: leave --format away")
    if len(ids) > 1 and out is None:
        raise Unreadable("several games need --out DIR: a file holds one game")
    with table_at(db) as table:
        for game in [table.log.resolve(each) for each in ids]:
            need_open(table.log, game, table.load(game).state, reveal, "the export")
            if form is not None:
                text = export_foreign(table, game, form)
            else:
                text = export_events(table, game) if events else export_record(table, game)
            if out is None:
                hand(text)
            else:
                _write(out, f"{game}.{'json' if form else 'jsonl' if events else 'toml'}", text)


def _write(folder: Path, name: str, text: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / name
    target.write_bytes(text.encode())
    say(str(target))
