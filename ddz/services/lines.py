"""The lines of a game: forks, the tree they make, and where two of them part."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from ddz.commands import Fork
from ddz.errors import BrokenLog, NoSuchEvent, Refused
from ddz.frozen.events import Event, GameForked
from ddz.frozen.shapes import ForkReason, Score
from ddz.log.base import EventLog, Line
from ddz.services.repeat import once
from ddz.services.states import States
from ddz.services.table import Outcome, Table, turn_points
from ddz.state import Over, State, fold
from ddz.view import Phase, phase_of


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
        raise NoSuchEvent(game, len(events), at)
    points = turn_points(events[:at])
    if at not in points:
        if not points:
            raise Refused("fork/no-turn-here", "no seat is to act after event {at}", at=at, nearest=0)
        raise Refused(
            "fork/no-turn-here",
            "no seat is to act after event {at}; the nearest turn before it is after event {nearest}",
            at=at,
            nearest=points[-1],
        )
    return table.fork(game, at, table.log.rows(game, at)[-1].hash, reason, command_id)


class Branch(msgspec.Struct, frozen=True):
    """One line in the tree of a game."""

    line: Line
    depth: int
    """How many lines stand between it and the game, that one included; 0 for the game itself."""
    phase: Phase | Literal["broken"]
    score: Score | None


def tree(log: EventLog, game: str) -> tuple[Branch, ...]:
    """All lines of the game that `game` belongs to: each followed by what was forked from it, as they were begun.

    Flat, since every `back` is a level: a tree of objects could be too deep to walk by recursion.

    Raises:
        BrokenLog: the log finds `game`, and does not list it.
    """
    family = sorted(log.families([game]), key=lambda line: (line.opened_at, line.last_position))
    here = {line.game for line in family}
    if game not in here:
        raise BrokenLog(
            "log/broken", "{line} is there, but not among its lines: an index of the log leads past it", line=game
        )
    children: dict[str, list[Line]] = {}
    for line in reversed(family):  # the last one first: the one that is taken from the end is the earliest
        if line.parent in here and line.game != line.parent:
            children.setdefault(line.parent, []).append(line)
    states, found = States(log), list[Branch]()
    going = [(line, 0) for line in family if line.parent not in here or line.game == line.parent]
    while going:
        line, depth = going.pop()
        found.append(_branch(states, line, depth))
        going += [(child, depth + 1) for child in children.get(line.game, ())]
    return tuple(found)


def _branch(states: States, line: Line, depth: int) -> Branch:
    try:
        state = states.of(line)
    except BrokenLog:
        return Branch(line, depth, "broken", None)  # the audit says why; the others stand
    return Branch(line, depth, phase_of(state), state.scored.score if isinstance(state, Over) else None)


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
    """Compare two lines, event by event; that one is a fork is itself no difference."""
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
