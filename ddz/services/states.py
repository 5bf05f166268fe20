"""How many lines of one family stand, with each event checked and folded once, however many lines inherit it."""

from collections.abc import Iterator

import msgspec

from ddz.errors import BrokenLog
from ddz.log import chain, codec
from ddz.log.base import EventLog, Line, Row
from ddz.log.lineage import parent_named
from ddz.state import START, State, evolve, fold


class _Folded(msgspec.Struct):
    """A line's own events, as far as they hold."""

    rows: tuple[Row, ...]
    states: list[State]
    """After each of them, up to the first one that does not hold."""
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
        self._folded: dict[str, _Folded] = {}

    def of(self, line: Line) -> State:
        """The state of a line.

        Raises:
            BrokenLog, UnsupportedVersion: as `EventLog.history` does.
        """
        if line.parent is None and line.game not in self._folded:
            return fold(self._log.history(line.game))  # as most lines are: nothing is inherited
        self._meet(line.game)
        folded = self._folded[line.game]
        if folded.fault is not None:
            raise folded.fault
        return folded.states[-1]

    def _meet(self, game: str) -> None:
        """Tell the lines of which `game` inherits, the oldest first, and itself."""
        new: dict[str, tuple[Row, ...]] = {}
        line: str | None = game
        while line is not None and line not in self._folded and line not in new:
            own = self._log.own(line)
            if not own:
                break
            new[line] = own
            line = parent_named(own[0])
        for name, own in reversed(new.items()):
            self._folded[name] = self._fold_line(own)

    def _fold_line(self, rows: tuple[Row, ...]) -> _Folded:
        before, point, state, fault = self._point(rows)
        folded = _Folded(rows, [], before, fault)
        if fault is None:
            problems = chain.verify_rows(rows, point)
            try:
                for row in rows:
                    if problems and row.seq == problems[0].seq:
                        raise problems[0].error()
                    state = evolve(state, codec.event_of(row))
                    folded.states.append(state)
            except BrokenLog as error:
                folded.fault = error
        return folded

    def _point(self, rows: tuple[Row, ...]) -> tuple[str | None, Row | None, State, BrokenLog | None]:
        """Where a line leaves another: whose event that is, the event, the state after it, and what is wrong there."""
        at = rows[0].seq - 1
        for name in self._upwards(parent_named(rows[0])):
            folded = self._folded[name]
            if folded.first > at:
                continue
            index = min(at - folded.first, len(folded.rows) - 1)
            if index < len(folded.states):
                return name, folded.rows[index], folded.states[index], None
            return name, folded.rows[index], START, folded.fault
        return None, None, START, None

    def _upwards(self, line: str | None) -> Iterator[str]:
        while line is not None and line in self._folded:
            yield line
            line = self._folded[line].before
