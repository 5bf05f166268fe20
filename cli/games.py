"""`ddz games`: the games of the log, newest first."""

from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

from .door import give, put
from .languages import words_for
from .shell import Db, Json, Lang, log_at

if TYPE_CHECKING:
    from ddz.contract.games import GameJson


def games(
    unfinished: Annotated[bool, typer.Option("--unfinished", help="Only unfinished games.")] = False,
    limit: Annotated[int, typer.Option("--limit", help="The maximum number of games.", min=1)] = 20,
    lang: Lang = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """List the games and forks of the log, the one with the newest event first.

    Example: ddz games --unfinished
    """
    from ddz.services import games_json
    from ddz.services.states import States

    words = words_for(lang)
    found: list[GameJson] = []
    with log_at(db) as log:
        states = States(log)
        for line in islice(log.unfinished() if unfinished else log.lines(), limit):
            found.append(games_json.entry(states, line))
    if as_json:
        from ddz.contract.games import GamesJson

        give(GamesJson(tuple(found)))
        return
    if not found:
        put(words.no_unfinished if unfinished else words.no_games.format(begin="`ddz play`"))
        return
    from ddz.words.games import game_lines

    put(*game_lines(found, words))
