"""Reading a log in a SQLite file: all that an `EventLog` answers. `sqlite` adds what writes."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, Self

from ddz.errors import BrokenLog, Phrase
from ddz.files import there
from ddz.frozen.events import Event
from ddz.log import chain, driver, read, schema, schema_check, sql
from ddz.log.base import EventLog, Line, Row, Span
from ddz.log.plain_hashes import BEFORE_HASH, HASH_SIZE, PlainHashes, between
from ddz.log.stored import Stored, StoredLine, row_of

_CHUNK: Final = 1000
"""Rows a read: no read transaction stays open while somebody works through a long log."""
_HASHES: Final = 5000
"""As many (position, hash) a read."""


def _limit(upto: int | None) -> int:
    """A seq that SQLite can take, for one that may be none, or beyond all there are."""
    return sql.BEYOND if upto is None else max(-1, min(upto, sql.BEYOND))


class SqliteReader:
    """What a log in a file answers. For one thread; other processes may read and write meanwhile."""

    def __init__(self, connection: driver.Connection, path: Path) -> None:
        self.connection = connection
        self.path = path

    @property
    def address(self) -> str:
        """How another process opens it."""
        return f"sqlite:{self.path}"

    def same_as(self, other: EventLog) -> bool:
        """True if both are one file, whatever its names."""
        return isinstance(other, SqliteReader) and there(self.path) and self.path.samefile(other.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def rows(self, game: str, upto: int | None = None) -> tuple[Row, ...]:
        """The raw rows of a line, inherited ones first."""
        limit = _limit(upto)
        own = self._query(sql.OWN, game, limit)
        if own and own[0].type != "game_forked":
            return own
        return self._query(sql.LINE, game, limit)  # what it inherits, too

    def own(self, game: str) -> tuple[Row, ...]:
        """The raw rows that a line itself has."""
        return self._query(sql.OWN, game, sql.BEYOND)

    def history(self, game: str, upto: int | None = None) -> tuple[Event, ...]:
        """The checked events of a line; raises as `EventLog.history`."""
        own = self._stored(sql.OWN, game, _limit(upto))
        events = StoredLine(own).plain_events() if own else None
        return tuple(events) if events is not None else read.history(self, game, upto)

    def find(self, command_id: str) -> tuple[Row, ...]:
        """The rows that a command has appended."""
        return self._query(sql.COMMAND, f"{command_id}/", f"{command_id}0")

    def after(self, position: int, types: Collection[str] | None = None) -> Iterator[Row]:
        """Every row after `position`; with `types` only events of these types."""
        position = max(-1, min(position, sql.BEYOND))
        wanted = () if types is None else tuple(types)
        only = "" if types is None else f" AND type IN ({', '.join('?' * len(wanted))})"
        query = f"{sql.SCAN} WHERE position > ?{only} ORDER BY position LIMIT {_CHUNK}"
        while rows := self._query(query, position, *wanted):
            for row in rows:
                if row.position <= position:
                    raise self._out_of_order(_falls(position, row.position))
                position = row.position
                yield chain.sound(row)

    def last_position(self) -> int:
        """The position of the newest row, 0 in an empty log."""
        return int(self._fetched(sql.LAST_POSITION)[0][0])

    def hashes(self, upto: int) -> Iterator[Sequence[tuple[int, str]]]:
        """The (position, hash) of every row, some at a time."""
        position = -sql.BEYOND - 1 if self._fetched(sql.BEFORE_ALL)[0][0] else 0
        while found := self._plain_hashes(position, upto) or self._fetched(sql.HASHES, position, upto, _HASHES):
            yield found
            if found[-1][0] <= position:
                raise self._out_of_order(_falls(position, found[-1][0]))
            position = found[-1][0]

    def _plain_hashes(self, position: int, upto: int) -> PlainHashes | None:
        """The (position, hash) of the next rows as one text; None where they are not plainly in order."""
        first, digits = position + 1, len(str(position + 1))
        last = min(position + _HASHES, upto, 10**digits - 1)
        number, text = last - position, ""
        if first < 1 or number < 1:
            return None
        found = self._fetched(sql.PLAIN_HASHES, BEFORE_HASH, between(digits), position, last)[0]
        if found[:4] == (number, first, last, HASH_SIZE):  # none is shorter, and by the width of all none is longer
            text = between(digits) + found[4]
        width = 4 + digits + 4 + HASH_SIZE
        turning = "0123456789" * (number // 10 + 2)  # the last digits tell that the rows came in order
        if (
            len(text) != width * number
            or text[3 + digits :: width] != turning[first % 10 :][:number]
            or not text.isascii()
        ):
            return None
        return PlainHashes(first, number, text)

    def spans(self, size: int) -> list[Span]:
        """All the lines, `size` of them a span."""
        spans: list[Span] = []
        with driver.translated(self.path):
            ids = self.connection.execute(sql.IDS)
            while part := ids.fetchmany(size):
                spans.append(Span((part[0][0], part[-1][0]), len(part)))
                if [each for (each,) in part] != sorted({each for (each,) in part}) or (
                    len(spans) > 1 and spans[-1].where[0] <= spans[-2].where[1]
                ):
                    raise self._out_of_order(Phrase("order/ids", "the ids of its games do not rise"))
        return spans

    def lines_in(self, span: Span, upto: int) -> Iterator[Sequence[Row]]:
        """The own rows of each line of a span, up to a position of the log, by one statement."""
        for _, own in groupby(self._stored(sql.SPAN, *span.where, upto), itemgetter(1)):
            yield StoredLine(list(own))

    def lines(self) -> Iterator[Line]:
        """Every line, the one with the newest event first: a walk backwards, past the events of known lines."""
        upto = position = self.last_position()
        passed: set[str] = set()
        take = 1
        while rows := self._query(sql.BEFORE, position, take):
            take = min(2 * take, _CHUNK)
            for row in rows:
                position = row.position - 1
                if row.game in passed:
                    continue
                passed.add(row.game)
                first, last = self._one(sql.FIRST, row.game), self._one(sql.LAST_UPTO, row.game, upto)
                if first is None or last is None:  # an index leads past it
                    yield read.line_of(row, row, self._is_seen(row.game), found=False)
                    continue
                yield read.line_of(first, last, self._is_seen(row.game))
                if self._is_alone(first, last):
                    position, take = min(position, first.position - 1), 1
                    break

    def _is_alone(self, first: Row, last: Row) -> bool:
        """True if no other line has an event between the first and the last one of a line."""
        own = self._fetched(sql.OWN_BETWEEN, first.game, first.position, last.position)[0][0]
        return bool(own == last.position - first.position + 1)

    def unfinished(self) -> Iterator[Line]:
        """The lines that are not over, the one with the newest event first."""
        if not self._finds():
            return (line for line in self.lines() if not line.is_over)
        noted = map(self._line, [str(game) for (game,) in self._fetched(sql.UNFINISHED)])
        return (line for line in noted if line is not None and not line.is_over)

    def families(self, games: Iterable[str]) -> list[Line]:
        """The lines of the games that these lines descend from; as `EventLog.families`."""
        if self._finds():
            return read.families(games, self._line, self._forks)
        forks: dict[str, list[str]] = {}
        for parent, game in self._fetched(sql.ALL_FORKS):
            forks.setdefault(str(parent), []).append(str(game))
        return read.families(games, self._line, lambda game: forks.get(game, ()))

    def _forks(self, parent: str) -> list[str]:
        """The lines that name a line as their parent, by the index."""
        return [str(game) for (game,) in self._fetched(sql.FORKS, parent)]

    def games_in(self, match: str) -> list[str]:
        """The games, but for `match` itself, that name `match` as their match."""
        return [str(game) for (game,) in self._fetched(sql.GAMES_IN, match)]

    def resolve(self, prefix: str) -> str:
        """The id that `prefix` begins; raises as `EventLog.resolve`."""
        return read.resolve(self, prefix)

    def seen(self) -> dict[str, int]:
        """The lines of which hidden cards were shown, and after which event first."""
        notes = self._fetched("SELECT game, at FROM seen")
        return {game: at for game, at in notes if isinstance(game, str) and isinstance(at, int)}

    def missing_guards(self) -> list[str]:
        """The triggers that somebody has dropped, changed or added, by name; empty if the file guards itself."""
        with driver.translated(self.path):
            return [each.name for each in schema_check.differences(self.connection) if each.type == "trigger"]

    def unnoted(self) -> list[str]:
        """Lines that `unfinished` leaves out, and notes of what is over or not there; at most 40."""
        return [str(game) for (game,) in self._fetched(sql.UNNOTED)] if self._finds() else []

    def storage_faults(self) -> list[str]:
        """What SQLite itself finds wrong in the file, at most 20 sentences: above all indexes that lie."""
        return [str(said) for (said,) in self._fetched("PRAGMA integrity_check(20)") if said != "ok"]

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def begun(self, beginning: str) -> tuple[Row, ...]:
        """The rows of the oldest command whose id begins so."""
        first = self._one(sql.OLDEST, f"{beginning}.", f"{beginning}/")
        return () if first is None else self.find(first.event_id.rpartition("/")[0])

    def last_own(self, game: str) -> Row | None:
        """The last row that the line itself has."""
        return self._one(sql.LAST, game)

    def by_event_id(self, event_id: str) -> Row | None:
        """The row with this id."""
        return self._one(sql.EVENT, event_id)

    def taken(self, event_ids: Sequence[str]) -> str | None:
        """One of these ids that belongs to an event here."""
        marks = ", ".join("?" * len(event_ids))
        found = self._fetched(f"SELECT event_id FROM events WHERE event_id IN ({marks}) LIMIT 1", *event_ids)
        return str(found[0][0]) if found else None

    def grown(self, position: int) -> Iterator[Sequence[Row]]:
        """The own rows of each line whose last event stands after a position."""
        while found := self._fetched(sql.GROWN, position, _CHUNK):
            for _, game in found:
                yield StoredLine(self._stored(sql.OWN, game, sql.BEYOND))
            position = found[-1][0]

    def newest(self) -> Row | None:
        """The newest row."""
        return self._one(sql.NEWEST)

    def games(self, prefix: str, limit: int) -> list[str]:
        """At most `limit` games whose ids begin so."""
        found: list[str] = []
        while len(found) < limit:
            game = self._fetched(sql.NEXT_GAME, found[-1] if found else "", prefix, prefix)[0][0]
            if game is None:
                break
            found.append(game)
        return found

    def _out_of_order(self, why: Phrase) -> BrokenLog:
        return BrokenLog("log/damaged", "{path} is damaged: {why}", path=str(self.path), why=why)

    def _finds(self) -> bool:
        """True if the log has the indexes and notes that say where to look; its next writer makes them."""
        with driver.translated(self.path):
            return schema.version_of(self.connection) >= schema.FOUND

    def _line(self, game: str) -> Line | None:
        """A line from its first and its last event; None if there is no such line."""
        first, last = self._one(sql.FIRST, game), self._one(sql.LAST, game)
        return None if first is None or last is None else read.line_of(first, last, self._is_seen(game))

    def _is_seen(self, game: str) -> bool:
        return any(isinstance(at, int) for (at,) in self._fetched(sql.SEEN, game))

    def _query(self, statement: str, *values: str | int) -> tuple[Row, ...]:
        return tuple(map(row_of, self._fetched(statement, *values)))

    def _stored(self, statement: str, *values: str | int | bytes) -> list[Stored]:
        try:
            return driver.stored(self.connection, statement, values)
        except driver.sqlite3.DatabaseError as error:
            raise driver.explain(error, self.path) from error

    def _fetched(self, statement: str, *values: str | int | bytes) -> list[Any]:
        try:
            return driver.fetched(self.connection, statement, values)
        except driver.sqlite3.DatabaseError as error:
            raise driver.explain(error, self.path) from error

    def _one(self, statement: str, *values: str | int) -> Row | None:
        return next(iter(self._query(statement, *values)), None)


def _falls(before: int, position: int) -> Phrase:
    return Phrase("order/positions", "position {position} follows {before}", position=position, before=before)
