"""The table: where commands meet the log. The only place that appends.

Everything impure comes in from outside: the log, a clock that says the time as RFC 3339 in UTC, and entropy.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256

import msgspec

from ddz.actions import Action, command_of
from ddz.commands import Command, Deal, Escape, Fork, OpenGame, Seeds, Turn
from ddz.decide import decide
from ddz.errors import BrokenLog, StaleLog
from ddz.frozen.events import Event, GameOpened
from ddz.frozen.shapes import ForkReason, Origin, Players, Rules, Seat
from ddz.log import codec
from ddz.log.base import EventLog, Row
from ddz.log.ids import new_id
from ddz.services.bounds import check_opening
from ddz.services.opening import Opening, chosen, open_command
from ddz.services.repeat import decided_again, once, reused
from ddz.state import START, State, Void, evolve, fold, turn_of


class Moment(msgspec.Struct, frozen=True):
    """A line of the log as it stands: its state after event `seq`."""

    game: str
    seq: int
    state: State


class Outcome(msgspec.Struct, frozen=True):
    """What a command did: the events that it appended, and where the line stands after them."""

    game: str
    seq: int
    events: tuple[Event, ...]
    state: State

    @property
    def moment(self) -> Moment:
        """The line as it stands then."""
        return Moment(self.game, self.seq, self.state)


class Table(msgspec.Struct, frozen=True):
    """A log and what is needed to write on it."""

    log: EventLog
    clock: Callable[[], str]
    """The time of an event in UTC, as RFC 3339: `2026-01-31T12:00:00.000Z`."""
    entropy: Callable[[int], bytes]
    """As many unpredictable bytes as asked for: `secrets.token_bytes`."""

    def new_id(self) -> str:
        """A fresh id, for a game or a command."""
        return new_id(self.entropy)

    def draw_seeds(self, seat_seeds: tuple[str, str, str] = ("", "", "")) -> Seeds:
        """Seeds that nobody chose."""
        return Seeds(self.entropy(32).hex(), self.entropy(32).hex(), seat_seeds)

    def load(self, game: str, upto: int | None = None) -> Moment:
        """The line `game`, up to event `upto` if one is given.

        Raises:
            UnknownGame, BrokenLog: as `EventLog.history` does.
        """
        history = self.log.history(game, upto)
        return Moment(game, len(history), fold(history))

    def open(self, opening: Opening, seeds: Seeds | None = None, command_id: str | None = None) -> Outcome:
        """Open a game and deal, from `seeds` already committed to, from the chosen seed, or from seeds drawn now.

        A known `command_id` answers the game that it has opened, whatever would be drawn now.

        Raises:
            Refused: `log/command-reused` if the id belongs to another command.
        """
        if opening.seed is not None:
            seeds = chosen(opening.seed, opening.round, opening.seat_seeds)

        def first() -> Outcome:
            game = self.new_id()
            drawn = seeds or self.draw_seeds(opening.seat_seeds)
            commands = (open_command(game, opening, drawn), Deal())
            return self._append(Moment(game, 0, START), commands, command_id)

        def again(rows: tuple[Row, ...]) -> Outcome:
            stored = codec.event_of(rows[0])
            if not isinstance(stored, GameOpened):
                raise reused(rows)
            then = seeds or Seeds(stored.nonce, stored.server_seed, opening.seat_seeds)
            return self.repeated(rows, lambda _: (open_command(stored.game, opening, then), Deal()))

        return once(self.log, command_id, first, again)

    def open_import(
        self, origin: Origin, players: Players, rules: Rules, first_voice: Seat, seeds: Seeds
    ) -> tuple[str, OpenGame]:
        """The id and the command with which an imported game opens; nothing is appended yet."""
        game = self.new_id()
        return game, OpenGame(
            game=game,
            match=game,
            round=1,
            previous=None,
            players=players,
            rules=rules,
            seeds=seeds,
            first_voice=first_voice,
            voice_from="record",
            origin=origin,
        )

    def store(
        self, game: str, events: Sequence[Event], command_id: str | None = None, unless: str | None = None
    ) -> tuple[Row, ...]:
        """Append a whole game that has been decided event by event, all or nothing.

        The rows are of another game where a command was here before whose id is `unless`, a dot and something else.
        """
        _check_shapes(events)
        return self.log.append(game, 0, events, command_id or self.new_id(), self.clock(), unless)

    def repeated(self, rows: tuple[Row, ...], commands: Callable[[State], tuple[Command, ...]]) -> Outcome:
        """What the command with these rows did.

        Raises:
            Refused: `log/command-reused`, it was another than `commands` tells in the state before it.
        """
        events, state = decided_again(self.log, rows, lambda before: decide_all(before, commands(before)))
        return Outcome(rows[0].game, rows[-1].seq, events, state)

    def act(
        self, game: str, move: Action | Turn | Escape, expect: int | None = None, command_id: str | None = None
    ) -> Outcome:
        """Give a seat's command, or an action in words. A known `command_id` answers what it did the first time.

        A game that waits for a new deal is dealt first. After a third pass the new deal is part of the same append.
        Without `expect` it is given where the game stands, also if somebody else moves in the same moment.

        Raises:
            Unreadable: the cards of an action cannot be read.
            Refused: by the law, nothing appended but a deal that was due; `log/command-reused` if the id belongs to
                another command.
            StaleLog: the line is not at event `expect`.
        """
        own = self.new_id() if command_id is None else command_id

        def first() -> Outcome:
            while True:  # in each round somebody else has moved
                at = self._dealt(game, expect, own, leaves=_leaves(move))
                try:
                    return self._append(at, (_command(move, at.state),), own)
                except StaleLog:
                    if expect is not None or self.log.find(own):
                        raise

        def again(rows: tuple[Row, ...]) -> Outcome:
            if rows[0].game != game:
                raise reused(rows)
            return self.repeated(rows, lambda before: (_command(move, before),))

        return once(self.log, command_id, first, again)

    def _dealt(self, game: str, expect: int | None, command_id: str, leaves: bool) -> Moment:
        """The line `game` where the command is to be given: dealt again if it waits for that, unless a seat leaves.

        Raises:
            StaleLog: the line is not at event `expect`, nor after the deal that this very command needed there.
        """
        at = self.load(game)
        deal_id = f"deal-{sha256(command_id.encode()).hexdigest()[:32]}"  # that of the command might leave no room
        if expect is not None and at.seq != expect:
            # It may have been interrupted after the deal that it needed: given again, it continues there.
            dealt = self.log.find(deal_id)
            if [(row.game, row.seq) for row in dealt] != [(game, at.seq)] or expect != at.seq - 1:
                raise StaleLog(game, expect, at.seq)
        if leaves or not isinstance(at.state, Void):
            return at
        try:
            return self._append(at, (Deal(),), deal_id).moment
        except StaleLog:
            if expect is not None:
                raise
            return self.load(game)  # somebody else was quicker with the deal

    def redeal(self, at: Moment) -> Outcome:
        """Deal again in a game that is void.

        Raises:
            Refused: `phase/wrong` if it is not.
        """
        return self.go_on(at, Deal())

    def go_on(self, at: Moment, command: Deal | Turn, note: str | None = None) -> Outcome:
        """Give a command on a line that stands at `at`, without reading it again.

        A `note` stands in the command's id, `ID.NOTE`, and so in the log under its hash: `fault-timeout` says that the
        program at the seat gave no answer in time and the house has moved for it.

        Raises:
            Refused: by the law.
            StaleLog: the line stands somewhere else now.
        """
        command_id = self.new_id()
        return self._append(at, (command,), f"{command_id}.{note}" if note else command_id)

    def fork(
        self, game: str, at: int, head: str, reason: ForkReason = "explore", command_id: str | None = None
    ) -> Outcome:
        """Begin a line of its own after event `at` of `game`, whose hash there is `head`.

        Raises:
            Refused: `fork/no-turn-here`.
        """
        line = Moment(self.new_id(), at, self.load(game, at).state)
        return self._append(line, (Fork(game, at, head, reason),), command_id)

    def _append(self, at: Moment, commands: tuple[Command, ...], command_id: str | None = None) -> Outcome:
        events, state = decide_all(at.state, commands)
        _check_shapes(events)
        rows = self.log.append(at.game, at.seq, events, command_id or self.new_id(), self.clock())
        if rows[0].seq != at.seq + 1:  # the command was stored meanwhile, and the same would be legal here once more
            raise StaleLog(at.game, at.seq, rows[-1].seq)
        return Outcome(at.game, at.seq + len(events), events, state)


def _check_shapes(events: Sequence[Event]) -> None:
    """Let nothing begin here that another log would not take over; raises as `check_opening`."""
    if isinstance(events[0], GameOpened):
        check_opening(events[0])


def _leaves(move: Action | Turn | Escape) -> bool:
    return move.what == "escape" if isinstance(move, Action) else isinstance(move, Escape)


def _command(move: Action | Turn | Escape, state: State) -> Turn | Escape:
    return command_of(move, state) if isinstance(move, Action) else move


def decide_all(state: State, commands: Sequence[Command]) -> tuple[tuple[Event, ...], State]:
    """The events of several commands in a row, and the state after them; a void auction is dealt again at once.

    Raises:
        Refused: by the law.
        BrokenLog: `legality/undecidable`, a forger has left a seed or a number in the game that are of no use.
    """
    events: list[Event] = []
    queue = list(commands)
    while queue:
        try:
            decided = decide(state, queue.pop(0))
        except (ValueError, OverflowError) as error:
            raise BrokenLog(
                "legality/undecidable", "nothing can be decided in this game: {error}", error=str(error)
            ) from error
        for event in decided:
            events.append(event)
            state = evolve(state, event)
        if isinstance(state, Void) and not queue:
            queue.append(Deal())
    return tuple(events), state


def turn_points(events: Sequence[Event]) -> tuple[int, ...]:
    """The seqs after which a seat is to act: where one may fork."""
    points = []
    state: State = START
    for seq, event in enumerate(events, 1):
        state = evolve(state, event)
        if turn_of(state) is not None:
            points.append(seq)
    return tuple(points)
