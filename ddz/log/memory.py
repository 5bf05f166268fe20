"""A log in memory, for simulations and tests: the same contract, and nothing survives it."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn, Self

from ddz.errors import StorageRefused, Unreadable
from ddz.frozen.events import Event, GameForked
from ddz.log import codec, read, write
from ddz.log.adopt import Adoption, adopt
from ddz.log.base import Adopted, EventLog, Judge, Line, Row, Span
from ddz.log.lineage import match_named


def opened(place: str, create: bool) -> "MemoryLog":
    """A new log; as `stores.Store.opened`.

    Raises:
        Unreadable: it was given a name, and a log in memory has none.
    """
    del create
    if place:
        raise Unreadable(
            "log/memory-name", "a log in memory has no name: it is 'memory:' alone, not 'memory:{place}'", place=place
        )
    return MemoryLog()


class MemoryLog:
    """An `EventLog` that is a list."""

    address: str | None = None
    """Nobody else can reach it."""

    def __init__(self) -> None:
        self._rows: list[Row] = []
        self._own: dict[str, list[Row]] = {}
        self._commands: dict[str, list[Row]] = {}
        self._seen: dict[str, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def same_as(self, other: EventLog) -> bool:
        """True for this very log."""
        return self is other

    def append(
        self,
        game: str,
        expected_seq: int,
        events: Sequence[Event],
        command_id: str,
        at: str,
        unless: str | None = None,
    ) -> tuple[Row, ...]:
        """Append one command's events; raises as `EventLog.append`."""
        with self._transaction():
            return write.append(self, game, expected_seq, events, command_id, at, unless)

    def adopt(self, rows: Iterable[Row], seen: Mapping[str, int] | None = None, judge: Judge | None = None) -> Adopted:
        """Take over another log's rows; raises as `EventLog.adopt`."""
        with self._transaction():
            adopted = adopt(self, rows, judge)
            for game, at in (seen or {}).items():
                if game in self._own:
                    self._seen.setdefault(game, max(1, min(at, self._own[game][-1].seq)))
            return adopted

    @contextmanager
    def taking(self) -> Iterator[Adoption]:
        """Rows one by one; as `EventLog.taking`."""
        with self._transaction():
            adoption = Adoption(self)
            yield adoption
            adoption.flush()

    def copy_into(self, target: Path) -> None:
        """Copy it into a file; raises as `EventLog.copy_into`."""
        from ddz.log.into_file import copy_events  # it imports SQLite

        copy_events(self, target)

    def relax_sync(self) -> None:
        """It never waits."""

    def rows(self, game: str, upto: int | None = None) -> tuple[Row, ...]:
        """The raw rows of a line, inherited ones first."""
        segments: list[list[Row]] = []
        line: str | None = game
        while line is not None and line in self._own:
            own = [row for row in self._own[line] if upto is None or row.seq <= upto]
            segments.append(own)
            event = codec.event_of(self._own[line][0])
            line = None
            if isinstance(event, GameForked):
                line = event.parent
                upto = event.at if upto is None else min(upto, event.at)
        return tuple(row for segment in reversed(segments) for row in segment)

    def own(self, game: str) -> tuple[Row, ...]:
        """The raw rows that a line itself has."""
        return tuple(self._own.get(game, ()))

    def history(self, game: str, upto: int | None = None) -> tuple[Event, ...]:
        """The checked events of a line; raises as `EventLog.history`."""
        return read.history(self, game, upto)

    def find(self, command_id: str) -> tuple[Row, ...]:
        """The rows that a command has appended."""
        return tuple(self._commands.get(command_id, ()))

    def after(self, position: int, types: Collection[str] | None = None) -> Iterator[Row]:
        """Every row after `position`; with `types` only events of these types."""
        index = max(position, 0)
        while index < len(self._rows):
            row = self._rows[index]
            if types is None or row.type in types:
                yield row
            index += 1

    def last_position(self) -> int:
        """The position of the newest row, 0 in an empty log."""
        return len(self._rows)

    def hashes(self, upto: int) -> Iterator[Sequence[tuple[int, str]]]:
        """The (position, hash) of every row, all at once."""
        yield [(row.position, row.hash) for row in self._rows if row.position <= upto]

    def spans(self, size: int) -> list[Span]:
        """All the lines, `size` of them a span."""
        ids = sorted(self._own)
        parts = [ids[at : at + size] for at in range(0, len(ids), size)]
        return [Span((part[0].encode(), part[-1].encode()), len(part)) for part in parts]

    def lines_in(self, span: Span, upto: int) -> Iterator[Sequence[Row]]:
        """The own rows of each line of a span, up to a position of the log."""
        first, last = (each.decode() for each in span.where)
        for game in sorted(game for game in self._own if first <= game <= last):
            if self._own[game][0].position <= upto:
                yield tuple(row for row in self._own[game] if row.position <= upto)

    def lines(self) -> Iterator[Line]:
        """Every line, the one with the newest event first."""
        lines = [read.line_of(own[0], own[-1], game in self._seen) for game, own in self._own.items()]
        yield from sorted(lines, key=lambda line: -line.last_position)

    def unfinished(self) -> Iterator[Line]:
        """The lines that are not over, the one with the newest event first."""
        return (line for line in self.lines() if not line.is_over)

    def families(self, games: Iterable[str]) -> list[Line]:
        """The lines of the games that these lines descend from; as `EventLog.families`."""
        forks: dict[str, list[str]] = {}
        lines = {line.game: line for line in self.lines()}
        for line in lines.values():
            if line.parent is not None:
                forks.setdefault(line.parent, []).append(line.game)
        return read.families(games, lines.get, lambda game: forks.get(game, ()))

    def games_in(self, match: str) -> list[str]:
        """The games, but for `match` itself, that name `match` as their match."""
        first = (own[0] for own in self._own.values())
        return [row.game for row in first if row.game != match and match_named(row) == match]

    def resolve(self, prefix: str) -> str:
        """The id that `prefix` begins; raises as `EventLog.resolve`."""
        return read.resolve(self, prefix)

    def mark_seen(self, game: str) -> None:
        """Note that hidden cards were shown.

        Raises:
            UnknownGame: there is no such game.
        """
        if game not in self._own:
            raise read.unknown(game)
        self._seen.setdefault(game, self._own[game][-1].seq)

    def seen(self) -> dict[str, int]:
        """The lines of which hidden cards were shown, and after which event first."""
        return dict(self._seen)

    def missing_guards(self) -> list[str]:
        """None: nobody else can reach this log."""
        return []

    def unnoted(self) -> list[str]:
        """None: nothing is noted."""
        return []

    def storage_faults(self) -> list[str]:
        """None: it is a list."""
        return []

    def close(self) -> None:
        """Nothing to give back."""

    # What `write` and `read` ask of a storage.

    def append_point(self, game: str, command_id: str) -> write.AppendPoint:
        """What an append asks first."""
        return write.AppendPoint(self.last_position(), command_id in self._commands, self.last_own(game))

    def begun(self, beginning: str) -> tuple[Row, ...]:
        """The rows of the oldest command whose id begins so."""
        return next((tuple(rows) for name, rows in self._commands.items() if name.startswith(f"{beginning}.")), ())

    def last_own(self, game: str) -> Row | None:
        """The last row that the line itself has."""
        own = self._own.get(game)
        return own[-1] if own else None

    def by_event_id(self, event_id: str) -> Row | None:
        """The row with this id."""
        found = self._commands.get(event_id.rpartition("/")[0], ())
        return next((row for row in found if row.event_id == event_id), None)

    def taken(self, event_ids: Sequence[str]) -> str | None:
        """One of these ids that belongs to an event here."""
        return next((each for each in event_ids if self.by_event_id(each)), None)

    def grown(self, position: int) -> Iterator[Sequence[Row]]:
        """The own rows of each line whose last event stands after a position."""
        for row in self._rows[position:]:
            if self._own[row.game][-1] is row:
                yield self.own(row.game)

    def newest(self) -> Row | None:
        """The newest row."""
        return self._rows[-1] if self._rows else None

    def games(self, prefix: str, limit: int) -> list[str]:
        """At most `limit` games whose ids begin so."""
        return sorted(game for game in self._own if game.startswith(prefix))[:limit]

    def insert(self, rows: Sequence[Row]) -> None:
        """Store rows."""
        for row in rows:
            self._rows.append(row)
            self._own.setdefault(row.game, []).append(row)
            self._commands.setdefault(row.event_id.rpartition("/")[0], []).append(row)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Everything or nothing."""
        before = len(self._rows)
        try:
            yield
        except BaseException:
            for row in reversed(self._rows[before:]):
                self._take_back(row)
            raise

    def _take_back(self, row: Row) -> None:
        self._rows.pop()
        command = row.event_id.rpartition("/")[0]
        for index, key in ((self._own, row.game), (self._commands, command)):
            index[key].pop()
            if not index[key]:
                del index[key]


class NoLog(MemoryLog):
    """The log at a place where there is none: empty, and it takes nothing."""

    def __init__(self, place: str) -> None:
        super().__init__()
        self._place = place

    def copy_into(self, target: Path) -> None:
        """Refused.

        Raises:
            StorageRefused: there is nothing to copy.
        """
        del target
        raise StorageRefused("log/absent", "there is no log at {place}", place=self._place)

    def _transaction(self) -> NoReturn:
        raise StorageRefused("log/absent", "there is no log at {place}", place=self._place)
