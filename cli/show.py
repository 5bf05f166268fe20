"""`ddz show`: a game as it stands, for a viewer."""

from typing import TYPE_CHECKING, Annotated

import typer

from ddz.words.columns import brief

from .door import give, put
from .shell import AsViewer, Db, GameId, Json, Lang, Reveal, table_at, viewer_named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ddz.services.sight import Sight
    from ddz.services.table import Moment


def show(
    game: GameId,
    viewer: AsViewer = None,
    at: Annotated[int | None, typer.Option("--at", help="After this event; by default after the last.")] = None,
    reveal: Reveal = False,
    lang: Lang = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show a game as it stands, as a seat, the table or all may see it.

    Example: ddz show @last --as 0
    """
    from ddz.services.sight import look

    asked = viewer_named(viewer)
    with table_at(db) as table:
        game = table.log.resolve(game)
        now = table.load(game)
        sight = look(table.log, game, now.state, asked, reveal)
        position = now if at is None else _at(table.load(game, at), at, now.seq)
    if as_json:
        from ddz.services import games_json

        give(games_json.shown(position, sight))
    else:
        put(*_lines(position, sight, lang))


def _at(position: "Moment", at: int, last: int) -> "Moment":
    from ddz.errors import NoSuchEvent

    if not 1 <= at <= last:
        raise NoSuchEvent(position.game, last, at)
    return position


def _lines(position: "Moment", sight: "Sight", lang: str | None) -> "Sequence[str]":
    from ddz.words.table import table_lines

    from .languages import words_for
    from .terminal import needs_ascii, plain

    lines = table_lines(sight.view(position.state), words_for(lang))
    return plain([f"{brief(position.game)} {position.seq}", *lines], needs_ascii())
