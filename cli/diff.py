"""`ddz diff`: where two lines part, and what it changed."""

from typing import TYPE_CHECKING, Annotated

import typer

from .door import give, put
from .languages import words_for
from .shell import Db, GameId, Json, Lang, Reveal, complete_game, table_at

if TYPE_CHECKING:
    from ddz.contract.views import Json as JsonObject
    from ddz.frozen.events import Event
    from ddz.services.lines import Difference
    from ddz.services.sight import Sight
    from ddz.state import State


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

    with table_at(db) as table:
        left, right = table.log.resolve(game), table.log.resolve(other)
        found = lines.diff(table.log, left, right)
        sights = [
            look(table.log, each, state, None, reveal)
            for each, state in ((left, found.left_state), (right, found.right_state))
        ]
    if as_json:
        give(_json(found, left, right, sights))
        return
    from ddz.words.lines import difference_lines

    put(*difference_lines(found, (left, right), sights, words_for(lang)))


def _json(found: "Difference", left: str, right: str, sights: "list[Sight]") -> "JsonObject":
    from ddz.contract.views import event_json, score_json
    from ddz.state import Over

    def side(game: str, events: "tuple[Event, ...]", state: "State", sight: "Sight") -> "dict[str, object]":
        following = event_json(found.common + 1, sight.event(events[0])) if events else None
        if following:
            del following["seq"]  # a fork's own first event shifts it
        result = score_json(state.scored.score) if isinstance(state, Over) else None
        return {"game": game, "next": following, "result": result}

    change = found.payout_change
    return {
        "schema": "ddz/diff@1",
        "common": found.common,
        "left": side(left, found.left, found.left_state, sights[0]),
        "right": side(right, found.right, found.right_state, sights[1]),
        "payout_change": None if change is None else list(change),
    }
