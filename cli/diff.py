"""`ddz diff`: where two lines part, and what it changed."""

from typing import Annotated

import typer

from .door import give, put
from .languages import words_for
from .shell import Db, GameId, Json, Lang, Reveal, complete_game, log_at


def diff(
    game: GameId,
    other: Annotated[
        str, typer.Argument(metavar="GAME", help="The line to compare it with.", autocompletion=complete_game)
    ],
    reveal: Reveal = False,
    lang: Lang = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show where two lines part, what each does there, and what that changed in the score.

    Example: ddz diff @last kq3f
    """
    from ddz.services import lines
    from ddz.services.sight import look

    with log_at(db) as log:
        left, right = log.resolve(game), log.resolve(other)
        found = lines.diff(log, left, right)
        sights = [
            look(log, each, state, None, reveal)
            for each, state in ((left, found.left_state), (right, found.right_state))
        ]
    if as_json:
        from ddz.services import games_json

        give(games_json.difference(found, (left, right), sights))
        return
    from ddz.words.lines import difference_lines

    put(*difference_lines(found, (left, right), sights, words_for(lang)))
