"""`ddz tree`: the lines of a game and what they came to."""

from typing import TYPE_CHECKING

import typer

from .shell import Db, GameId, Json, table_at

if TYPE_CHECKING:
    from ddz.services.contract import Json as JsonObject
    from ddz.services.lines import Branch


def tree(game: GameId, db: Db = None, as_json: Json = False) -> None:
    """All lines of the game that a line belongs to, with their results.

    Example: ddz tree @last
    """
    from ddz.services import lines
    from ddz.services.contract import encode

    with table_at(db) as table:
        game = table.log.resolve(game)
        root = lines.tree(table.log, game)
    if as_json:
        typer.echo(encode({"schema": "ddz/tree@1", "tree": _json(root)}))
        return
    typer.echo("\n".join(_lines(root, game, 0)))


def _lines(branch: "Branch", named: str, depth: int) -> list[str]:
    line = branch.line
    where = "" if line.forked_at is None else f" from event {line.forked_at} ({line.reason})"
    mark = " <" if line.game == named else ""
    own = f"{'  ' * depth}{line.game}{where}: {_result(branch)}, {line.last_seq} events{mark}"
    return [own, *(text for child in branch.children for text in _lines(child, named, depth + 1))]


def _result(branch: "Branch") -> str:
    if branch.score is None:
        return branch.phase
    return f"{branch.score.winner} {' '.join(f'{points:+d}' for points in branch.score.payouts)}"


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
