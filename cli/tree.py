"""`ddz tree`: the lines of a game and what they came to."""

from typing import TYPE_CHECKING

from .door import hand, put
from .languages import words_for
from .shell import Db, GameId, Json, Lang, table_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ddz.services.lines import Branch


def tree(game: GameId, lang: Lang = None, db: Db = None, as_json: Json = False) -> None:
    """Show all lines of the game that a line belongs to, with their results.

    Example: ddz tree @last
    """
    from ddz.services import lines

    words = words_for(lang)
    with table_at(db) as table:
        game = table.log.resolve(game)
        found = lines.tree(table.log, game)
    if as_json:
        hand(f'{{"schema":"ddz/tree@1","tree":{_nested(found)},"lines":[{",".join(map(_json, found))}]}}\n')
        return
    from ddz.words.lines import tree_lines

    put(*tree_lines(found, game, words))


def _nested(found: "Sequence[Branch]") -> str:
    """The lines within each other, in JSON. Put together by hand: an encoder goes no deeper than the stack."""
    text: list[str] = []
    depth = -1
    for branch in found:
        if depth >= 0:
            text.append("]}" * (depth - branch.depth + 1))
        if depth >= branch.depth:
            text.append(",")
        text += _json(branch).removesuffix("}"), ',"children":['
        depth = branch.depth
    return "".join([*text, "]}" * (depth + 1)])


def _json(branch: "Branch") -> str:
    from ddz.contract.views import encode, score_json

    return encode(
        {
            "game": branch.line.game,
            "parent": branch.line.parent,
            "at": branch.line.forked_at,
            "reason": branch.line.reason,
            "last_seq": branch.line.last_seq,
            "phase": branch.phase,
            "result": score_json(branch.score) if branch.score else None,
        }
    )
