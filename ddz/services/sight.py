"""Who may see what of a line: the viewer that is meant, and whether he may see it yet."""

from typing import Final

from ddz.errors import Hidden
from ddz.log import chain
from ddz.log.base import EventLog, Line
from ddz.log.lineage import parent_named
from ddz.rules import Seat
from ddz.state import Over, State, opening_of
from ddz.view import Viewer


def human_seats(state: State) -> tuple[Seat, ...]:
    """The seats of the humans at the table."""
    opened = opening_of(state)
    return tuple(seat for seat, player in enumerate(opened.players) if player.kind == "human") if opened else ()


_LAST_TYPES: Final = ("game_scored", "seed_revealed")
"""The types of a scored game's last event."""


def is_over(line: Line) -> bool:
    """True if the line's game has been scored; without reading more of it than its last event's type."""
    return line.last_type in _LAST_TYPES


def is_open(log: EventLog, game: str, state: State) -> bool:
    """True if nothing is hidden any more: the line is over, or it explores a game that is."""
    if isinstance(state, Over):
        return True
    passed: set[str] = set()
    own = log.own(game)
    while own and (parent := parent_named(own[0])) is not None and parent not in passed:
        passed.add(parent)
        own = log.own(parent)
        if own and own[-1].type in _LAST_TYPES and not chain.hash_problems(own[-1]):
            return True
    return False


def viewer_for(log: EventLog, game: str, state: State, asked: Viewer | None, reveal: bool) -> Viewer:
    """The viewer that is meant. By default all once nothing is hidden, else the one human's seat, or the table.

    Seeing a bot's hand, or all hands, of an unfinished game needs `reveal`, and marks the game `seen`.

    Raises:
        Hidden: if more was asked for without it.
    """
    if is_open(log, game, state):
        return "all" if asked is None else asked
    if reveal:
        log.mark_seen(game)
        return "all" if asked is None else asked
    if asked is None:
        own = human_seats(state)
        return own[0] if len(own) == 1 else "table"
    opened = opening_of(state)
    if asked == "table" or (asked != "all" and opened is not None and opened.players[asked].kind != "bot"):
        return asked
    raise Hidden(f"game {game} is not over, and that would show hidden cards: add --reveal to see them all the same")


def need_open(log: EventLog, game: str, state: State, reveal: bool, what: str) -> None:
    """Make sure that `what` may be done with a line whose cards may still be hidden.

    Raises:
        Hidden: if they are, and `reveal` was not given.
    """
    if is_open(log, game, state):
        return
    if not reveal:
        raise Hidden(f"game {game} is not over, and {what} would show hidden cards: add --reveal to do it all the same")
    log.mark_seen(game)
