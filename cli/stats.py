"""`ddz stats`: what the games of the log come to, in figures or as tables."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ddz.words.columns import padded

from .door import give, put
from .languages import words_for
from .shell import Db, Json, Lang, complete_game, table_at

if TYPE_CHECKING:
    from ddz.log.base import EventLog
    from ddz.stats.counting import CountedLine
    from ddz.stats.statistics import Filter


def stats(
    rules: Annotated[
        str | None, typer.Option("--rules", help="Only games by the rules of this name.", metavar="NAME")
    ] = None,
    bot: Annotated[
        str | None, typer.Option("--bot", help="Only games in which this bot plays.", metavar="NAME")
    ] = None,
    match: Annotated[
        str | None,
        typer.Option(
            "--match", help="Only the match that this game belongs to.", metavar="GAME", autocompletion=complete_game
        ),
    ] = None,
    parquet: Annotated[
        Path | None,
        typer.Option(
            "--parquet",
            help="Write the games as tables into this folder instead; needs 'ddz[analytics]'.",
            metavar="DIR",
        ),
    ] = None,
    lang: Lang = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show who wins, for how much and how, over all finished games of the log: by side, seat and player.

    Each game counts once, by the line that its match counts (see `ddz match`). Unfinished games are counted apart.
    What the events say is believed; `ddz audit --all` checks it.

    Example: ddz stats --bot simple --json
    """
    from ddz.stats.counting import counted_lines
    from ddz.stats.statistics import Filter, tally
    from ddz.stats.summary import summarize
    from ddz.words.figures import figures

    from .progress import Bar
    from .terminal import needs_ascii, plain

    words = words_for(lang)
    with table_at(db) as table, Bar(words) as bar:
        wanted = Filter(rules, bot, None if match is None else _match_of(table.log, match))
        lines = counted_lines(table.log, bar)
        if parquet is not None:
            _export(lines, parquet, wanted, as_json)
            return
        found = summarize(tally(lines, wanted), wanted)
    if as_json:
        give(found)
        return
    put(*plain(figures(found, words), needs_ascii()))


def _match_of(log: "EventLog", game: str) -> str:
    """The id of the match that a game belongs to."""
    from ddz.log import chain
    from ddz.stats.counting import opening_of_row

    return opening_of_row(chain.sound(log.rows(log.resolve(game), 1)[0])).match


def _export(lines: "Iterable[CountedLine]", folder: Path, wanted: "Filter", as_json: bool) -> None:
    from ddz.stats.parquet import export

    numbers = export(lines, folder, wanted)
    files = {name: str(folder / f"{name}.parquet") for name in numbers}
    if as_json:
        from ddz.contract.statistics import ParquetJson, TableJson

        give(ParquetJson(tuple([TableJson(name, files[name], numbers[name]) for name in numbers])))
        return
    put(*padded([(files[name], f"{numbers[name]:,}") for name in numbers], right=(1,)))
