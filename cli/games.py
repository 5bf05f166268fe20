"""`ddz games`: the games of the log, newest first."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from .door import give, put
from .languages import words_for
from .shell import Db, Json, Lang, table_at

if TYPE_CHECKING:
    from ddz.contract.views import Json as JsonObject
    from ddz.log.base import EventLog, Line
    from ddz.services.states import States


def games(
    unfinished: Annotated[bool, typer.Option("--unfinished", help="Only unfinished games.")] = False,
    limit: Annotated[int, typer.Option("--limit", help="The maximum number of games.", min=1)] = 20,
    lang: Lang = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """List the games and forks of the log, the one with the newest event first.

    Example: ddz games --unfinished
    """
    from ddz.services.states import States

    words = words_for(lang)
    found: list[JsonObject] = []
    with table_at(db) as table:
        states = States(table.log)
        for line in _lines(table.log, unfinished):
            if len(found) == limit:
                break
            found.append(_entry(states, line))
    if as_json:
        give({"schema": "ddz/games@1", "games": found})
        return
    if not found:
        put(words.no_unfinished if unfinished else words.no_games.format(begin="`ddz play`"))
        return
    from ddz.words.games import game_lines

    put(*game_lines(found, words))


def _lines(log: "EventLog", unfinished: bool) -> "Iterator[Line]":
    from ddz.services.sight import is_over

    return (line for line in log.lines() if not (unfinished and is_over(line)))


def _entry(states: "States", line: "Line") -> "JsonObject":
    from ddz.contract.views import score_json
    from ddz.errors import BrokenLog
    from ddz.state import Over, opened_in
    from ddz.view import phase_of

    entry: JsonObject = {
        "game": line.game,
        "parent": line.parent,
        "at": line.forked_at,
        "reason": line.reason,
        "last_seq": line.last_seq,
        "last_at": line.last_at,
        "seen": line.seen,
    }
    try:
        if not line.sound:
            raise BrokenLog(
                "log/broken", "the first or the last event of {game} is not what its hash was made of", game=line.game
            )
        state = states.of(line)
    except BrokenLog as broken:
        return {**entry, "phase": "broken", "detail": str(broken), "players": [], "result": None}
    opened = opened_in(state)
    return {
        **entry,
        "phase": phase_of(state),
        "match": opened.match,
        "round": opened.round,
        "rules": opened.rules.name,
        "players": [player.name for player in opened.players],
        "result": score_json(state.scored.score) if isinstance(state, Over) else None,
    }
