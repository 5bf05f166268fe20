"""A game retold from its events: what happened, as a viewer may see it, and the state after each."""

from collections.abc import Sequence

import msgspec

from ddz.errors import BrokenLog, NoSuchEvent, Phrase, UnsupportedVersion
from ddz.frozen.events import Event
from ddz.frozen.shapes import Score
from ddz.log import chain, codec
from ddz.log.base import EventLog, Row
from ddz.log.read import unknown
from ddz.services.sight import Sight
from ddz.state import START, Over, State, evolve
from ddz.view import EventView


class Step(msgspec.Struct, frozen=True):
    """One event of a replay."""

    seq: int
    game: str
    """The line whose own event it is; another one than the replayed line for what a fork inherits."""
    at: str
    event: Event
    before: State
    after: State

    def shown_to(self, sight: Sight) -> EventView:
        """The event as a viewer may see it."""
        return sight.event(self.event)


class Replay(msgspec.Struct, frozen=True):
    """A line retold, as far as it can be read."""

    game: str
    head: str
    """The hash of the last event."""
    steps: tuple[Step, ...]
    state: State
    broken: Phrase | None
    """Why it stops before the end of the log; None if it does not."""

    @property
    def score(self) -> Score | None:
        """How it ended; None while it goes on."""
        return self.state.scored.score if isinstance(self.state, Over) else None

    def between(self, first: int | None, last: int | None) -> tuple[Step, ...]:
        """The steps from event `first` to event `last`, both with the ends meant where None.

        Raises:
            OutOfRange: for a seq that the line does not have.
        """
        for seq in (first, last):
            if seq is not None and not 1 <= seq <= len(self.steps):
                raise NoSuchEvent(self.game, len(self.steps), seq)
        return self.steps[(first or 1) - 1 : last or len(self.steps)]


def replay(log: EventLog, game: str) -> Replay:
    """Retell the line `game` as far as it makes sense; the audit says what is wrong after that.

    Raises:
        UnknownGame: there is no such game.
        UnsupportedVersion: it was written by a newer ddz.
    """
    rows = log.rows(game)
    if not rows:
        raise unknown(game)
    steps, broken = _steps(rows)
    return Replay(game, rows[-1].hash, steps, steps[-1].after if steps else START, broken)


def _steps(rows: Sequence[Row]) -> tuple[tuple[Step, ...], Phrase | None]:
    steps: list[Step] = []
    state: State = START
    for row in rows:
        try:
            event = codec.event_of(chain.sound(row))  # nothing is told that is not what was hashed
            after = evolve(state, event)
        except BrokenLog as broken:
            if isinstance(broken, UnsupportedVersion):
                raise  # really a newer ddz's, and no forgery: its hash holds
            return tuple(steps), Phrase("replay/untold", "event {seq} cannot be told: {why}", seq=row.seq, why=broken)
        steps.append(Step(row.seq, row.game, row.at, event, state, after))
        state = after
    return tuple(steps), None
