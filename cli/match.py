"""`ddz match`: the score table of a match."""

from typing import TYPE_CHECKING

from ddz.names import shown_name
from ddz.words.base import Words
from ddz.words.columns import brief, padded

from .door import give, put
from .languages import words_for
from .shell import Db, GameId, Json, Lang, table_at

if TYPE_CHECKING:
    from ddz.services.match import MatchTable


def match(game: GameId, lang: Lang = None, db: Db = None, as_json: Json = False) -> None:
    """The score table of the match that a game belongs to. What `back` went on in counts, explorations do not.

    Example: ddz match @last
    """
    from ddz.services.contract import score_json
    from ddz.services.match import match_table

    with table_at(db) as table:
        found = match_table(table.log, table.log.resolve(game))
    if as_json:
        rounds = [
            {"round": row.round, "game": row.game, "result": score_json(row.score) if row.score else None}
            for row in found.rounds
        ]
        give(
            {
                "schema": "ddz/match@1",
                "match": found.match,
                "players": list(found.names),
                "rounds": rounds,
                "totals": list(found.totals),
            }
        )
        return
    put(*match_lines(found, words_for(lang)))


def match_lines(found: "MatchTable", words: Words) -> list[str]:
    """The table, a line a round and one for the totals."""
    rows: list[tuple[str, ...]] = [("", "", *map(shown_name, found.names))]
    for row in found.rounds:
        payouts = [f"{points:+d}" for points in row.score.payouts] if row.score else ["-", "-", "-"]
        rows.append((words.round.format(round=row.round), brief(row.game), *payouts))
    rows.append((words.totals, "", *(f"{points:+d}" for points in found.totals)))
    return padded(rows, right=(2, 3, 4))
