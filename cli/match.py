"""`ddz match`: the score table of a match."""

from .door import give, put
from .languages import words_for
from .shell import Db, GameId, Json, Lang, log_at


def match(game: GameId, lang: Lang = None, db: Db = None, as_json: Json = False) -> None:
    """Show the score table of the match that a game belongs to.

    A line begun by `back` counts. An exploration counts only if the next game of the match followed it.

    Example: ddz match @last
    """
    from ddz.services.match import match_table

    with log_at(db) as log:
        found = match_table(log, log.resolve(game))
    if as_json:
        from ddz.services import games_json

        give(games_json.match(found))
        return
    from ddz.words.match import match_lines

    put(*match_lines(found, words_for(lang)))
