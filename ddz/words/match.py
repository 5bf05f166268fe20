"""The score table of a match as columns of text."""

from ddz.names import shown_name
from ddz.services.match import MatchTable

from .base import Words
from .columns import brief, padded


def match_lines(found: MatchTable, words: Words) -> list[str]:
    """The table, a line a round and one for the totals."""
    rows: list[tuple[str, ...]] = [("", "", *map(shown_name, found.names))]
    for row in found.rounds:
        payouts = [f"{points:+d}" for points in row.score.payouts] if row.score else ["-", "-", "-"]
        rows.append((words.round.format(round=row.round), brief(row.game), *payouts))
    rows.append((words.totals, "", *(f"{points:+d}" for points in found.totals)))
    return padded(rows, right=(2, 3, 4))
