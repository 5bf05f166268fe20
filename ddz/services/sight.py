"""Who may see what of a line. Every front door asks here, and shows what it is given: it redacts nothing itself."""

from typing import Final

import msgspec

from ddz.commands import Turn
from ddz.errors import Hidden, Phrase
from ddz.frozen.events import Event
from ddz.frozen.shapes import Seat
from ddz.log import chain
from ddz.log.base import ENDINGS, EventLog
from ddz.log.lineage import parent_named
from ddz.rules import SEATS
from ddz.state import Over, State, opening_of
from ddz.view import EventView, PublicView, SeatView, Viewer, redact, seat_view, view_for, visible_legal


class Sight(msgspec.Struct, frozen=True):
    """What one viewer may see of a line, as it was decided. Only this module makes one."""

    viewer: Viewer

    def view(self, state: State) -> PublicView:
        """The table in `state`, which must be opened."""
        return view_for(state, self.viewer)

    def legal(self, state: State) -> tuple[Turn, ...]:
        """The legal turns, where this viewer may see them."""
        return visible_legal(state, self.viewer)

    def event(self, event: Event) -> EventView:
        """`event` without what is hidden from this viewer."""
        return redact(event, self.viewer)


_HIDING: Final = "dealt"
"""The type of the events that viewers see differently."""


def hides(event_type: str) -> bool:
    """True for events that not every viewer sees alike; of the others it does not matter who looks."""
    return event_type == _HIDING


TABLE: Final = Sight("table")
"""What everybody at the table sees: no hand. Everyone may have it."""


class SeatSight(Sight, frozen=True):
    """The sight of one seat."""

    viewer: Seat

    def view(self, state: State) -> SeatView:
        """The table in `state`, which must be opened, with the seat's own hand."""
        return seat_view(state, self.viewer)


def of_seat(seat: Seat) -> SeatSight:
    """What the person who acts for `seat` sees: its hand, and the answers to its commands."""
    return SeatSight(seat)


def human_seats(state: State) -> tuple[Seat, ...]:
    """The seats of the humans at the table."""
    opened = opening_of(state)
    return tuple(seat for seat, player in enumerate(opened.players) if player.kind == "human") if opened else ()


def is_open(log: EventLog, game: str, state: State) -> bool:
    """True if nothing is hidden any more: the line is over, or it explores a game that is."""
    if isinstance(state, Over):
        return True
    passed: set[str] = set()
    own = log.own(game)
    while own and (parent := parent_named(own[0])) is not None and parent not in passed:
        passed.add(parent)
        own = log.own(parent)
        if own and own[-1].type in ENDINGS and not chain.hash_problems(own[-1]):
            return True
    return False


def look(log: EventLog, game: str, state: State, asked: Viewer | None, reveal: bool = False) -> Sight:
    """The sight of a viewer that was asked for.

    By default it is everything if nothing is hidden, else the one human's seat, or the table.
    Seeing a bot's hand, or all hands, of an unfinished game needs `reveal`, and marks the game `seen`.

    Raises:
        Hidden: if more was asked for without it.
    """
    return Sight(_viewer(log, game, state, asked, reveal))


def _viewer(log: EventLog, game: str, state: State, asked: Viewer | None, reveal: bool) -> Viewer:
    if is_open(log, game, state):
        return "all" if asked is None else asked
    if reveal:
        log.mark_seen(game)
        return "all" if asked is None else asked
    if asked is None:
        own = human_seats(state)
        return own[0] if len(own) == 1 else "table"
    if asked == "table" or (asked != "all" and _may_look(state, asked)):
        return asked
    raise Hidden("game/hidden", "game {game} is not over, and that would show hidden cards", game=game)


def _may_look(state: State, seat: Seat) -> bool:
    """True for the seat of a person: everyone who asks may see its hand."""
    opened = opening_of(state)
    return opened is not None and opened.players[seat].kind != "bot"


def sit_down(log: EventLog, game: str, state: State, seat: Seat, reveal: bool) -> SeatSight:
    """The sight of a person who plays on at `seat` of a stored game.

    Where a human plays already, no one may take a bot's seat to look into its hand: see `look`.

    Raises:
        Hidden: he would, in a game whose cards are still hidden, and `reveal` was not given.
    """
    if human_seats(state):
        _viewer(log, game, state, seat, reveal)
    return of_seat(seat)


def open_seats(log: EventLog, game: str, state: State) -> tuple[Seat, ...]:
    """The seats at which a person may play on without `reveal` (see `sit_down`)."""
    everybody = not human_seats(state) or is_open(log, game, state)
    return tuple(seat for seat in SEATS if everybody or _may_look(state, seat))


def of_actor(log: EventLog, game: str, state: State, seat: Seat) -> Sight:
    """The sight in which it is answered to whoever has acted for `seat`, which anybody may do.

    It is that of the seat. Of a bot's seat among people it is that of the table: no command shows a hand that `look`
    would not.
    """
    return of_seat(seat) if seat in open_seats(log, game, state) else TABLE


def need_open(log: EventLog, game: str, state: State, reveal: bool, what: Phrase) -> None:
    """Make sure that `what` may be done with a line whose cards may still be hidden.

    Raises:
        Hidden: if they are, and `reveal` was not given.
    """
    if is_open(log, game, state):
        return
    if not reveal:
        raise Hidden("game/hidden", "game {game} is not over, and {what} would show hidden cards", game=game, what=what)
    log.mark_seen(game)
