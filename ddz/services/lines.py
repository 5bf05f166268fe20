"""The lines of a game: forks, the tree they make, and where two of them part."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from ddz.commands import Fork, ForkReason
from ddz.errors import BrokenLog, OutOfRange, Refused
from ddz.events import Event, GameForked
from ddz.log.base import EventLog, Line
from ddz.scoring import Score
from ddz.services.repeat import once
from ddz.services.table import Outcome, Table, turn_points
from ddz.state import Over, State, fold
from ddz.view import Phase, public_view


def fork(table: Table, game: str, at: int, reason: ForkReason = "explore", command_id: str | None = None) -> Outcome:
    """Begin a line of its own after event `at` of the line `game`. A known `command_id` answers the line it began.

    Raises:
        OutOfRange: the line has no event `at`.
        Refused: `fork/no-turn-here`, naming the nearest place before it where a seat is to act; `log/command-reused`
            if the id belongs to another command.
    """
    return once(
        table.log,
        command_id,
        lambda: _fork(table, game, at, reason, command_id),
        lambda rows: table.repeated(rows, lambda _: (Fork(game, at, rows[0].prev, reason),)),
    )


def _fork(table: Table, game: str, at: int, reason: ForkReason, command_id: str | None) -> Outcome:
    events = table.log.history(game)
    if not 1 <= at <= len(events):
        raise OutOfRange(f"game {game} has the events 1 to {len(events)}, not {at}")
    points = turn_points(events[:at])
    if at not in points:
        near = f"; the nearest turn before it is after event {points[-1]}" if points else ""
        raise Refused(
            "fork/no-turn-here",
            f"no seat is to act after event {at}{near}",
            at=at,
            nearest=points[-1] if points else 0,
        )
    return table.fork(game, at, table.log.rows(game, at)[-1].hash, reason, command_id)


class Branch(msgspec.Struct, frozen=True):
    """One line in the tree of a game."""

    line: Line
    phase: Phase | Literal["broken"]
    score: Score | None
    children: tuple["Branch", ...]


def tree(log: EventLog, game: str) -> Branch:
    """The tree of all lines of the game that `game` belongs to, in the order in which they were begun."""
    lines = list(log.lines())
    root = next(line.root for line in lines if line.game == game)
    family = sorted(
        (line for line in lines if line.root == root), key=lambda line: (line.opened_at, line.last_position)
    )

    def branch(line: Line) -> Branch:
        children = tuple(branch(child) for child in family if child.parent == line.game)
        try:
            state = fold(log.history(line.game))
        except BrokenLog:
            return Branch(line, "broken", None, children)  # the audit says why; the others stand
        score = state.scored.score if isinstance(state, Over) else None
        return Branch(line, public_view(state).phase, score, children)

    return branch(next(line for line in family if line.game == root))


class Difference(msgspec.Struct, frozen=True):
    """Where two lines part, and what it came to."""

    common: int
    """The seq of the last event that both share; 0 if they share none."""
    left: tuple[Event, ...]
    """The events of the first line from there on; without GameForked."""
    right: tuple[Event, ...]
    at_parting: State
    left_state: State
    right_state: State

    @property
    def payout_change(self) -> tuple[int, int, int] | None:
        """By how many points each seat does better in the second line; None unless both are over."""
        if not (isinstance(self.left_state, Over) and isinstance(self.right_state, Over)):
            return None
        left, right = self.left_state.scored.score.payouts, self.right_state.scored.score.payouts
        return right[0] - left[0], right[1] - left[1], right[2] - left[2]


def diff(log: EventLog, left: str, right: str) -> Difference:
    """Hold two lines against each other, event by event; that one is a fork is itself no difference."""
    first, second = (_numbered(log.history(game)) for game in (left, right))
    shared = 0
    for (_, one), (_, other) in zip(first, second, strict=False):
        if one != other:
            break
        shared += 1
    return Difference(
        common=first[shared - 1][0] if shared else 0,
        left=tuple(event for _, event in first[shared:]),
        right=tuple(event for _, event in second[shared:]),
        at_parting=fold(event for _, event in first[:shared]),
        left_state=fold(event for _, event in first),
        right_state=fold(event for _, event in second),
    )


def _numbered(events: Sequence[Event]) -> list[tuple[int, Event]]:
    return [(seq, event) for seq, event in enumerate(events, 1) if not isinstance(event, GameForked)]
