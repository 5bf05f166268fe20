"""`ddz tree`: the lines of a game and what they came to."""

from .door import hand, put
from .languages import words_for
from .shell import Db, GameId, Json, Lang, log_at


def tree(game: GameId, lang: Lang = None, db: Db = None, as_json: Json = False) -> None:
    """Show all lines of the game that a line belongs to, with their results.

    Example: ddz tree @last
    """
    from ddz.services import lines

    words = words_for(lang)
    with log_at(db) as log:
        game = log.resolve(game)
        found = lines.tree(log, game)
    if as_json:
        from ddz.services import games_json

        hand(f"{games_json.tree(found)}\n")
        return
    from ddz.words.lines import tree_lines

    put(*tree_lines(found, game, words))
