"""The game loop: bots take their turns until a person must, or until the game is over."""

import random
from collections.abc import Iterator, Mapping

from ddz import bots, guests
from ddz.bots.base import Bot, Thinking
from ddz.commands import Deal, OpenGame, Turn
from ddz.decide import legal
from ddz.errors import BrokenLog, DdzError, StaleLog, Unreadable
from ddz.frozen.events import Event
from ddz.frozen.shapes import Player, Players, Seat
from ddz.names import WIDEST, shown_name
from ddz.rules import SEATS
from ddz.services.table import Moment, Outcome, Table, decide_all
from ddz.state import START, Auction, Over, Playing, Void, in_batch, opened_in, turn_of
from ddz.view import seat_view

MOST_REDEALS = 100
DEFAULT = "normal"
"""The bot that sits where nobody names one."""

Seated = Mapping[Seat, Bot]


class NobodyBids(DdzError):
    """Nobody bids, however often the cards are dealt."""


def seat_bots(names: tuple[str, ...], humans: tuple[Seat, ...] = ()) -> tuple[Players, dict[Seat, Bot]]:
    """Players and bots for a new game: one name for all bots, or one for each of them in seat order.

    Raises:
        Unreadable: for a bot that does not exist, or the wrong number of names.
    """
    chosen = _named(names, humans)
    return players_of(chosen), chosen


def _named(names: tuple[str, ...], humans: tuple[Seat, ...]) -> dict[Seat, Bot]:
    free = [seat for seat in SEATS if seat not in humans]
    if len(names) not in (1, len(free)):
        raise Unreadable(
            "bot/number",
            "name one bot for all, or {seats} in seat order, not {names}",
            seats=len(free),
            names=len(names),
        )
    return {seat: guests.make(names[at if len(names) > 1 else 0]) for at, seat in enumerate(free)}


def players_of(seated: Seated) -> Players:
    """The players of a new game in which these bots sit, and a person where none does."""
    one, two, three = (_player(seat, seated) for seat in SEATS)
    return one, two, three


def _player(seat: Seat, chosen: Seated) -> Player:
    if seat not in chosen:
        return Player("you", "human")
    bot = chosen[seat]
    title = shown_name(guests.title_of(bot), WIDEST - 2)  # it may be the name of a file, and that may be anything
    return Player(f"{title} {seat}", "bot", bot.name, bot.version)


def players_now(players: Players, seated: Seated) -> Players:
    """The players of a match's next game: a seat that another player took over bears the new player's name."""

    def now(seat: Seat) -> Player:
        bot, player = seated.get(seat), players[seat]
        same = player.kind != "bot" if bot is None else (bot.name, bot.version) == (player.bot, player.version)
        return player if same else _player(seat, seated)

    one, two, three = map(now, SEATS)
    return one, two, three


def bots_of(players: Players, humans: tuple[Seat, ...], names: tuple[str, ...] = ()) -> dict[Seat, Bot]:
    """The bots that continue a stored game: those that are named, as in `seat_bots`; if none is, those that played.

    Where nobody is named and no bot played, DEFAULT sits.

    Raises:
        Unreadable: for a bot that does not exist, or that a log alone may not start; or the wrong number of names.
    """
    if names:
        return _named(names, humans)
    free = [seat for seat in SEATS if seat not in humans]
    return {seat: guests.make_again(players[seat].bot or DEFAULT) for seat in free}


def let_think(seated: Seated, thinking: Thinking | None) -> None:
    """Let the bots that search do so by a clock; nothing happens without `thinking`.

    Raises:
        Unreadable: none of them searches.
    """
    if thinking is not None:
        bots.think(seated.values(), thinking)


def bot_choice(at: Moment, seat: Seat, bot: Bot) -> Turn:
    """What `bot` does at `seat`. Its chance follows from the game's nonce and the seq, so it can be told again."""
    opened = opened_in(at.state)
    rng = random.Random(f"{opened.nonce}/{at.seq}/{seat}")
    return bot.choose(seat_view(at.state, seat), legal(at.state), rng)


def due(at: Moment, seated: Seated) -> Deal | Turn | None:
    """What comes next without a person: a new deal, or the turn of a bot. None where a person must, or all is over.

    Raises:
        NobodyBids: after 100 redeals in one game.
        BrokenLog: the line ends in the middle of a command, as no line of ours does.
    """
    state = at.state
    if isinstance(state, Over):
        return None
    if isinstance(state, Void) and not in_batch(state):
        return Deal()
    seat = turn_of(state)
    if seat is None or not isinstance(state, Auction | Playing):
        raise BrokenLog(
            "log/broken",
            "game {game} ends in the middle of a command, at event {seq}: nobody can go on with it",
            game=at.game,
            seq=at.seq,
        )
    if seat not in seated:
        return None
    if state.dealt.number >= MOST_REDEALS:
        raise NobodyBids(
            "game/gave-up", "nobody has bid in {deals} deals of game {game}", deals=MOST_REDEALS, game=at.game
        )
    return bot_choice(at, seat, seated[seat])


def steps(table: Table, at: Moment, seated: Seated) -> Iterator[Outcome]:
    """Go on from `at` until a seat without a bot is to act, or the game is over: each append, once it is stored.

    Raises:
        NobodyBids: after 100 redeals in one game.
        StaleLog: somebody else has moved in this line.
    """
    while (command := due(at, seated)) is not None:
        fault = None if isinstance(command, Deal) else guests.fault_of(seated[command.seat])
        outcome = table.go_on(at, command, f"fault-{fault.kind}" if fault else None)
        at = outcome.moment
        yield outcome


def run(table: Table, at: Moment, seated: Seated) -> Moment:
    """Go on from `at` as `steps` does; where the line stands then."""
    for outcome in steps(table, at, seated):
        at = outcome.moment
    return at


def finish(table: Table, line: str, seated: Seated) -> Moment:
    """Go on in `line` as `run` does, from where it stands. Other processes may play it out at the same time.

    Raises:
        NobodyBids: after 100 redeals in one game.
    """
    while True:
        try:
            return run(table, table.load(line), seated)
        except StaleLog:
            pass  # a twin of the same command was quicker: each such time the line is one command nearer to its end


def whole_game(opening: OpenGame, seated: Seated) -> tuple[Event, ...]:
    """A game that bots play from its opening to its end, decided in memory alone; nothing is appended.

    Raises:
        NobodyBids: after 100 redeals.
    """
    decided, state = decide_all(START, (opening, Deal()))
    events = list(decided)
    while (command := due(Moment(opening.game, len(events), state), seated)) is not None:
        decided, state = decide_all(state, (command,))
        events += decided
    return tuple(events)
