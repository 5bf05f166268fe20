"""How many lines of one family stand, with each event checked and folded once, however many lines inherit it."""

from collections.abc import Iterator

import msgspec

from ddz.errors import BrokenLog
from ddz.log import chain, codec
from ddz.log.base import EventLog, Line, Row
from ddz.log.lineage import parent_named
from ddz.state import START, State, evolve, fold


class _Told(msgspec.Struct):
    """A line's own events, as far as they hold."""

    rows: tuple[Row, ...]
    states: list[State]
    """Behind each of them, up to the first one that does not hold."""
    before: str | None
    """The line that has the event before the first one of its own; None for a game, and where there is none."""
    fault: BrokenLog | None

    @property
    def first(self) -> int:
        return self.rows[0].seq


class States:
    """The states of lines of a log, as they are asked for. What is appended later is not seen."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._told: dict[str, _Told] = {}

    def of(self, line: Line) -> State:
        """The state of a line.

        Raises:
            BrokenLog, UnsupportedVersion: as `EventLog.history` does.
        """
        if line.parent is None and line.game not in self._told:
            return fold(self._log.history(line.game))  # as most lines are: nothing is inherited
        self._meet(line.game)
        told = self._told[line.game]
        if told.fault is not None:
            raise told.fault
        return told.states[-1]

    def _meet(self, game: str) -> None:
        """Tell the lines of which `game` inherits, the oldest first, and itself."""
        new: dict[str, tuple[Row, ...]] = {}
        line: str | None = game
        while line is not None and line not in self._told and line not in new:
            own = self._log.own(line)
            if not own:
                break
            new[line] = own
            line = parent_named(own[0])
        for name, own in reversed(new.items()):
            self._told[name] = self._tell(own)

    def _tell(self, rows: tuple[Row, ...]) -> _Told:
        before, point, state, fault = self._point(rows)
        told = _Told(rows, [], before, fault)
        if fault is None:
            problems = chain.verify_rows(rows, point)
            try:
                for row in rows:
                    if problems and row.seq == problems[0].seq:
                        raise problems[0].error()
                    state = evolve(state, codec.event_of(row))
                    told.states.append(state)
            except BrokenLog as error:
                told.fault = error
        return told

    def _point(self, rows: tuple[Row, ...]) -> tuple[str | None, Row | None, State, BrokenLog | None]:
        """Where a line leaves another: whose event that is, the event, the state behind it, and what is wrong there."""
        at = rows[0].seq - 1
        for name in self._upwards(parent_named(rows[0])):
            told = self._told[name]
            if told.first > at:
                continue
            index = min(at - told.first, len(told.rows) - 1)
            if index < len(told.states):
                return name, told.rows[index], told.states[index], None
            return name, told.rows[index], START, told.fault
        return None, None, START, None

    def _upwards(self, line: str | None) -> Iterator[str]:
        while line is not None and line in self._told:
            yield line
            line = self._told[line].before
