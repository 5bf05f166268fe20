"""A list of games as columns of text."""

from collections.abc import Sequence

from ddz.contract.games import GameJson
from ddz.names import shown_name

from .base import Words
from .columns import brief, padded


def game_lines(entries: Sequence[GameJson], words: Words) -> list[str]:
    """The games of `ddz/games@1`, a line each."""
    return padded([(*words.games_header, ""), *(_row(entry, words) for entry in entries)], right=(2,))


def _row(entry: GameJson, words: Words) -> tuple[str, str, str, str, str, str, str]:
    result = entry.result
    notes = [words.fork_of.format(parent=brief(entry.parent), at=entry.at)] if entry.parent else []
    notes += [words.seen] if entry.seen else []
    return (
        brief(entry.game),
        entry.last_at[:16].replace("T", " "),
        str(entry.last_seq),
        ", ".join(map(shown_name, entry.players)),
        words.phases[entry.phase],
        " ".join(f"{points:+d}" for points in result.payouts) if result else "",
        "; ".join(notes),
    )
