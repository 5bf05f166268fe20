"""A sitting: what one person at a table may ask and do, for any front door.

Plain data goes in and comes out: turns, events and views as this person may see them, codes and facts. A front door
reads what the person wants, asks here, and shows the answer; it never meets a state, so it cannot show too much.
Nothing here waits, prints or looks at a clock.
"""

import random
from collections.abc import Iterator
from typing import Final

import msgspec

from ddz import bots, guests
from ddz.actions import Action
from ddz.bots.base import Advice, Adviser, Bot, Thinker, Thinking
from ddz.cards import FULL_DECK, CardSet, union
from ddz.commands import Bid, Escape, Play, Turn
from ddz.decide import decide
from ddz.errors import Refused, StaleLog
from ddz.frozen.events import GameScored
from ddz.frozen.shapes import Kind, Players, Seat
from ddz.services import feed, lines, loop
from ddz.services.match import MatchTable, match_so_far, next_opening
from ddz.services.replay import replay
from ddz.services.sight import TABLE, SeatSight, Sight, of_seat
from ddz.services.table import Moment, Outcome, Table
from ddz.state import Over, opened_in, turn_of
from ddz.view import EventView, PublicView

ADVISER: Final = "expert"
"""The bot that gives hints where nobody names one."""


class News(msgspec.Struct, frozen=True):
    """Events of a line in a row, as the person at the table may see them."""

    game: str
    first: int
    """The seq of the first one."""
    events: tuple[EventView, ...]


class Sitting:
    """One person at a seat of a line, or nobody if bots play every seat.

    Others may play in the same line at the same time. What they do is noticed by whatever is asked of the log next.
    """

    def __init__(
        self,
        table: Table,
        at: Moment,
        seat: Seat | None,
        seated: loop.Seated,
        thinking: Thinking | None = None,
        heard: int | None = None,
    ) -> None:
        """A sitting at `seat` of the line `at`; front doors ask `services.seating` for one.

        `heard` is the seq of the last event that the person knows; None for the last one there is.
        """
        self._table = table
        self._at = at
        self._seat = seat
        self._seated = seated
        self._thinking = thinking
        self._heard = at.seq if heard is None else heard
        self._advisers: dict[str, Bot] = {}

    # ---- where the game stands ----

    @property
    def game(self) -> str:
        """The line that is played."""
        return self._at.game

    @property
    def seq(self) -> int:
        """The last event that is known here."""
        return self._at.seq

    @property
    def seat(self) -> Seat | None:
        """Where the person sits; None for one who only watches."""
        return self._seat

    @property
    def players(self) -> Players:
        """Who sits where."""
        return opened_in(self._at.state).players

    @property
    def view(self) -> PublicView:
        """The table, with the own hand where there is one."""
        return self._sight.view(self._at.state)

    @property
    def is_over(self) -> bool:
        """True once the game is scored."""
        return isinstance(self._at.state, Over)

    @property
    def my_turn(self) -> bool:
        """True if the person is to act."""
        return self._seat is not None and turn_of(self._at.state) == self._seat

    def story(self) -> Iterator[feed.FeedEntry]:
        """Everything that has happened in this line, as the person may see it."""
        return feed.of_line(self._table.log, self.game, self._sight)

    def match(self) -> MatchTable:
        """The score table of the match up to this game."""
        return match_so_far(self._table.log, self.game)

    # ---- what may be done ----

    @property
    def legal(self) -> tuple[Turn, ...]:
        """Every turn that the person may take now; none if another seat is to act."""
        return self._sight.legal(self._at.state)

    @property
    def bids(self) -> tuple[int, ...]:
        """The points that may be bid now."""
        return tuple(turn.points for turn in self.legal if isinstance(turn, Bid))

    @property
    def moves_by_kind(self) -> dict[Kind, tuple[Play, ...]]:
        """The plays that the law allows now, each reading once."""
        found: dict[Kind, list[Play]] = {}
        for turn in self.legal:
            if isinstance(turn, Play) and turn.kind is not None:
                found.setdefault(turn.kind, []).append(turn)
        return {kind: tuple(plays) for kind, plays in found.items()}

    @property
    def may_pass(self) -> bool:
        """True if the person may pass now, in the auction or in the play."""
        return any(not isinstance(turn, Bid | Play) for turn in self.legal)

    @property
    def nothing_beats(self) -> bool:
        """True if the person is to act and can only pass: no cards in the hand beat what lies on the table."""
        return self.my_turn and self.view.top is not None and not any(isinstance(turn, Play) for turn in self.legal)

    @property
    def unseen(self) -> CardSet:
        """The cards that are neither in the own hand nor played: in the kitty or in another hand.

        Raises:
            Refused: `seat/none`.
        """
        view = self._own_sight.view(self._at.state)
        return FULL_DECK - view.hand - union(played.meld.cards for played in view.history if played.meld)

    def hints(self, bot: str = ADVISER) -> list[Advice]:
        """What `bot` would do here, the best first, with what it says each turn is worth.

        A bot that cannot say gives its choice alone. Equal questions get equal answers, unless it thinks by a clock.

        Raises:
            Refused: `seat/none`, or `hint/not-your-turn` if another seat is to act.
            Unreadable: there is no such bot.
        """
        view, legal = self._own_sight.view(self._at.state), self.legal
        if not self.my_turn:
            raise Refused("hint/not-your-turn", "it is not the turn of seat {seat}", seat=view.seat)
        adviser, chance = self._adviser(bot), random.Random(self.seq)
        if isinstance(adviser, Adviser):
            return adviser.rank(view, legal, chance)
        return [Advice(adviser.choose(view, legal, chance))]

    def _adviser(self, name: str) -> Bot:
        if name not in self._advisers:
            adviser = self._advisers[name] = bots.make(name)
            if self._thinking is not None and isinstance(adviser, Thinker):
                bots.think([adviser], self._thinking)
        return self._advisers[name]

    @property
    def escape_price(self) -> int:
        """The points that it would cost the person to leave the game now.

        Raises:
            Refused: `seat/none`, or by the law.
        """
        seat = self._own_sight.viewer
        events = decide(self._at.state, Escape(seat))
        return next(-event.score.payouts[seat] for event in events if isinstance(event, GameScored))

    @property
    def last_own_turn(self) -> int | None:
        """The seq of the person's last turn, which `back` takes back; None if there was none."""
        own = [
            step.seq
            for step in replay(self._table.log, self.game).steps
            if self._seat is not None and turn_of(step.before) == self._seat == getattr(step.event, "seat", None)
        ]
        return own[-1] if own else None

    # ---- what is done ----

    def act(self, move: Action | Turn | Escape) -> News:
        """Give a command for the person's seat.

        Raises:
            Unreadable: the cards of an action cannot be read.
            Refused: by the law, or `seat/not-yours`; nothing has changed.
            StaleLog: others have moved since this was last looked at. Nothing was stored, and what is answered here
                from now on is how the game stands; `news` tells what they did.
        """
        if move.seat != self._own_sight.viewer:
            raise Refused("seat/not-yours", "seat {seat} is another's", seat=move.seat)
        try:
            return self._done(self._table.act(self.game, move, expect=self.seq))
        except StaleLog:
            self._at = self._table.load(self.game)
            raise

    def escape(self) -> News:
        """Leave the game, for `escape_price`; raises as `act`."""
        return self.act(Escape(self._own_sight.viewer))

    def bots_move(self) -> Iterator[News]:
        """Let the bots move until the person must, or until the game is over; what each of them does as it is stored.

        Where others move in the same line, what they do is told too.

        Raises:
            NobodyBids: nobody bids, however often the cards are dealt.
        """
        while True:
            if self._heard < self.seq:
                yield self.news()
            try:
                for outcome in loop.steps(self._table, self._at, self._seated):
                    yield self._done(outcome)
            except StaleLog:
                self._at = self._table.load(self.game)
            else:
                return

    def news(self) -> News:
        """What has happened since the person last heard of anything: what others have done, or how the game began."""
        self._at = self._table.load(self.game)
        first = self._heard + 1
        events = [entry.event for entry in self.story() if first <= entry.seq <= self.seq]
        self._heard = self.seq
        return News(self.game, first, tuple(events))

    def back(self) -> News:
        """Take the person's last turn back: go on before it, in a fork. The line that is left stays as it is.

        Raises:
            Refused: `back/no-turn`, there was none yet; `seat/none`.
        """
        seat, last = self._own_sight.viewer, self.last_own_turn
        if last is None:
            raise Refused("back/no-turn", "seat {seat} has not acted yet", seat=seat)
        return self._done(lines.fork(self._table, self.game, last - 1, "back"))

    def next_round(self, seed: int | None = None) -> News:
        """Open the next game of the match and go on in it; the first voice moves on by one seat.

        Raises:
            Refused: `round/not-over`, this game goes on.
        """
        if not self.is_over:
            raise Refused("round/not-over", "game {game} is not over yet", game=self.game)
        opening = next_opening(self._at.state, self.game, seed)
        players = loop.players_now(opening.players, self._seated)
        return self._done(self._table.open(msgspec.structs.replace(opening, players=players)))

    def close(self) -> None:
        """Release what guests at the table hold. They may play on: what they need is started again."""
        guests.close(self._seated.values())

    # ---- within ----

    @property
    def _sight(self) -> Sight:
        return TABLE if self._seat is None else of_seat(self._seat)

    @property
    def _own_sight(self) -> SeatSight:
        if self._seat is None:
            raise Refused("seat/none", "nobody sits here: bots play every seat")
        return of_seat(self._seat)

    def _done(self, outcome: Outcome) -> News:
        """What was stored by an append; and before it, what others have done since the person last heard."""
        first = outcome.seq - len(outcome.events) + 1
        missed = outcome.game == self.game and first > self._heard + 1
        self._at = outcome.moment
        if missed:
            return self.news()
        self._heard = outcome.seq
        return News(outcome.game, first, tuple(map(self._sight.event, outcome.events)))
