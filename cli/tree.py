"""`ddz tree`: the lines of a game and what they came to."""

from typing import TYPE_CHECKING

from .columns import brief
from .door import give, put
from .languages import words_for
from .shell import Db, GameId, Json, Lang, table_at
from .words import Words

if TYPE_CHECKING:
    from ddz.services.contract import Json as JsonObject
    from ddz.services.lines import Branch


def tree(game: GameId, lang: Lang = None, db: Db = None, as_json: Json = False) -> None:
    """All lines of the game that a line belongs to, with their results.

    Example: ddz tree @last
    """
    from ddz.services import lines

    words = words_for(lang)
    with table_at(db) as table:
        game = table.log.resolve(game)
        root = lines.tree(table.log, game)
    if as_json:
        give({"schema": "ddz/tree@1", "tree": _json(root)})
        return
    put(*_lines(root, game, 0, words))


def _lines(branch: "Branch", named: str, depth: int, words: Words) -> list[str]:
    line = branch.line
    where = ""
    if line.forked_at is not None:
        reason = line.reason or "explore"
        where = words.from_event.format(at=line.forked_at, reason=words.reasons.get(reason, brief(reason)))
    mark = " <" if line.game == named else ""
    length = words.events.format(count=line.last_seq)
    own = f"{'  ' * depth}{brief(line.game)}{where}: {_result(branch, words)}, {length}{mark}"
    return [own, *(text for child in branch.children for text in _lines(child, named, depth + 1, words))]


def _result(branch: "Branch", words: Words) -> str:
    if branch.score is None:
        return words.phases[branch.phase]
    return f"{words.winner[branch.score.winner]} {' '.join(f'{points:+d}' for points in branch.score.payouts)}"


def _json(branch: "Branch") -> "JsonObject":
    from ddz.services.contract import score_json

    return {
        "game": branch.line.game,
        "parent": branch.line.parent,
        "at": branch.line.forked_at,
        "reason": branch.line.reason,
        "last_seq": branch.line.last_seq,
        "phase": branch.phase,
        "result": score_json(branch.score) if branch.score else None,
        "children": [_json(child) for child in branch.children],
    }
