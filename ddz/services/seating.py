"""How a person comes to a table: a new game, or one that goes on; who may sit where."""

from typing import Final

import msgspec

from ddz import dealing
from ddz.bots.base import Thinking
from ddz.commands import Seeds
from ddz.errors import Refused, UnknownGame
from ddz.frozen.shapes import Rules, Seat
from ddz.log.base import EventLog
from ddz.rules import CLASSIC
from ddz.services import loop
from ddz.services.opening import Opening, chosen
from ddz.services.sight import human_seats, open_seats, sit_down
from ddz.services.sitting import Sitting
from ddz.services.table import Table
from ddz.state import Over, opened_in

FIRST_SEAT: Final = 0
"""The seat of a person who names none, in a game without a human."""


class SeatingPlan(msgspec.Struct, frozen=True):
    """A game that is about to begin."""

    seat: Seat | None
    """Where the person sits; None if bots play every seat."""
    opening: Opening
    seated: loop.Seated
    thinking: Thinking | None = None
    seeds: Seeds | None = None
    """Seeds that have been committed to; None if they are drawn, or follow from the chosen seed, when it begins."""

    @property
    def commitment(self) -> str | None:
        """What binds the dealer to the seeds before the person says words of his own; None before they are drawn."""
        if self.seeds is None:
            return None
        return dealing.commitment(bytes.fromhex(self.seeds.nonce), bytes.fromhex(self.seeds.server_seed)).hex()

    def saying(self, words: str) -> "SeatingPlan":
        """The same game with the person's own words in its deal, and in those of the games that follow."""
        one, two, three = (words if seat == (self.seat or FIRST_SEAT) else "" for seat in range(3))
        opening = msgspec.structs.replace(self.opening, seat_seeds=(one, two, three))
        seeds = self.seeds and msgspec.structs.replace(self.seeds, seat_seeds=(one, two, three))
        return msgspec.structs.replace(self, opening=opening, seeds=seeds)


def plan(
    seat: Seat | None,
    names: tuple[str, ...] = (),
    rules: Rules = CLASSIC,
    seed: int | None = None,
    thinking: Thinking | None = None,
) -> SeatingPlan:
    """A new match of the person at `seat` and bots at the others: one name for all bots, or one for each.

    Raises:
        Unreadable: for a bot that does not exist, the wrong number of names, or if none thinks by a clock.
    """
    humans = () if seat is None else (seat,)
    _, seated = loop.seat_bots(names or (loop.DEFAULT,), humans)
    loop.let_think(seated, thinking)
    players = loop.players_of(seated)  # only now does a bot's version say how it thinks
    return SeatingPlan(seat, Opening(players=players, rules=rules, seed=seed), seated, thinking)


def committed(table: Table, planned: SeatingPlan) -> SeatingPlan:
    """The same game with its seeds drawn, so that `commitment` can be shown before the person says his own words."""
    opening = planned.opening
    seeds = table.draw_seeds() if opening.seed is None else chosen(opening.seed, opening.round)
    return msgspec.structs.replace(planned, seeds=seeds)


def begin(table: Table, planned: SeatingPlan) -> Sitting:
    """Open a game and deal; `Sitting.news` tells how it begins."""
    outcome = table.open(planned.opening, planned.seeds)
    return Sitting(table, outcome.moment, planned.seat, planned.seated, planned.thinking, heard=0)


def resume(
    table: Table,
    game: str,
    seat: Seat | None = None,
    names: tuple[str, ...] = (),
    thinking: Thinking | None = None,
    watching: bool = False,
    reveal: bool = False,
) -> Sitting:
    """Go on in the line `game`: at `seat`, else at its human's seat, else at the first one; or only `watching`.

    Raises:
        UnknownGame, BrokenLog: as `Table.load` does.
        Refused: `game/over`.
        Hidden: `seat` is a bot's, and its cards are hidden (see `sight.sit_down`).
        Unreadable: for a bot that does not exist, or that a log alone may not start; or if none thinks by a clock.
    """
    at = table.load(game)
    if isinstance(at.state, Over):
        raise Refused("game/over", "game {game} is over: fork it to play another line", game=game)
    own = None
    if not watching and seat is not None:
        own = sit_down(table.log, game, at.state, seat, reveal).viewer
    elif not watching:
        own = next(iter(human_seats(at.state)), FIRST_SEAT)
    seated = loop.bots_of(opened_in(at.state).players, () if own is None else (own,), names)
    loop.let_think(seated, thinking)
    return Sitting(table, at, own, seated, thinking)


def seats(table: Table, game: str) -> tuple[Seat, ...]:
    """The seats of `game` at which a person may sit down without seeing what is hidden from him."""
    return open_seats(table.log, game, table.load(game).state)


def newest_unfinished(log: EventLog) -> str:
    """The unfinished game or fork with the newest event.

    Raises:
        UnknownGame: there is none.
    """
    for line in log.unfinished():
        return line.game
    raise UnknownGame("game/none-unfinished", "there is no unfinished game")
