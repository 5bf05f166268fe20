"""Where the forks of a log leave the lines that they come from, each found once, however deep they are nested."""

from collections.abc import Callable, Sequence
from typing import Final

from ddz.log.base import EventLog, Row

_PARENT: Final = '"parent":"'
_BEHIND: Final = '","parent_head":"'
_MATCH: Final = '"match":"'


def parent_named(first: Row) -> str | None:
    """The line that the first row of a line names as its parent; None for a game that is no fork.

    It is read as the triggers of a log read it (`guards`): a spoilt body may still name it.
    """
    if first.type != "game_forked":
        return None
    begin, end = first.body.find(_PARENT) + len(_PARENT), first.body.find(_BEHIND)
    return first.body[begin:end] if len(_PARENT) <= begin <= end else None


def match_named(first: Row) -> str | None:
    """The match that the first row of a game names, read as the index of matches reads it; None for a fork."""
    if first.type != "game_opened":
        return None
    return first.body.partition(_MATCH)[2].partition('"')[0]


class Lineage:
    """The lines that own the points of a log's forks. Of a line only its beginning is remembered, and that stays.

    A fork may name a line which only inherits the point, and that one another such: the owner of the point is the
    nearest line upwards that begins at or before it. Once it is found for a line, the lines between them are skipped.
    """

    def __init__(self, own: Callable[[str], Sequence[Row]]) -> None:
        """`own` answers the rows that a line itself has, as `EventLog.own` does."""
        self._own = own
        self._begins: dict[str, int] = {}
        """The seq of a line's first row."""
        self._named: dict[str, str | None] = {}
        """The parent that it names."""
        self._owner: dict[str, str | None] = {}
        """The line that owns the event which a line leaves; of lines that others were looked for beyond."""

    def owner(self, parent: str | None, at: int) -> str | None:
        """The line that has event `at` of the line `parent`, if there is such a line; it may lack the very event."""
        path: dict[str, None] = {}
        line = parent
        while line is not None and self._begin(line) > at:
            if line in path:  # a forged ring of forks
                line = None
            elif line in self._owner:
                line = self._owner[line]
            else:
                path[line] = None
                line = self._named[line]
        for each in reversed(path):
            self._owner[each] = self._upwards(each)
        return line if line in self._begins else None

    def _begin(self, line: str) -> int:
        """The seq of a line's first row; -1 if there is no such line."""
        if line not in self._begins:
            own = self._own(line)
            if not own:
                return -1
            self._begins[line], self._named[line] = own[0].seq, parent_named(own[0])
        return self._begins[line]

    def _upwards(self, game: str) -> str | None:
        """The nearest line above `game` that begins before it does. A ring of forks has come round at `game` itself."""
        line, begin = self._named[game], self._begins[game]
        while line in self._begins and line != game and self._begins[line] >= begin:
            line = self._owner[line] if line in self._owner else self._named[line]
        return line if line in self._begins and line != game else None


class ForkPoints:
    """The events that forks of a log leave, each read once. What comes after the position `upto` is not seen."""

    def __init__(self, log: EventLog, upto: int) -> None:
        self._log = log
        self._upto = upto
        self._lineage = Lineage(log.own)
        self._points: dict[tuple[str, int], Row | None] = {}

    def before(self, first: Row) -> Row | None:
        """The event that a line follows whose own first row this is, or the nearest before it; None if there is none.

        That it is the very one which the fork names is for `chain.link_problems` to say.
        """
        at = first.seq - 1
        owner = self._lineage.owner(parent_named(first), at)
        path: list[tuple[str, int]] = []
        found: Row | None = None
        while owner is not None and found is None:
            path.append((owner, at))
            if path[-1] in self._points:
                found = self._points[path[-1]]
                break
            own = self._log.own(owner)
            found = next((row for row in reversed(own) if row.seq <= at and row.position <= self._upto), None)
            owner = self._lineage.owner(parent_named(own[0]), own[0].seq - 1)
        self._points.update(dict.fromkeys(path, found))
        return found
