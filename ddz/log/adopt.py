"""Taking over the rows of another log: byte for byte, each checked as it is read, none kept for long."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Protocol

from ddz.errors import BrokenLog, Refused, UnknownGame
from ddz.frozen.events import Event, GameForked
from ddz.log import chain, codec, write
from ddz.log.base import Adopted, Judge, Row
from ddz.log.lineage import Lineage

BATCH: Final = 500
"""Rows that are inserted by one statement."""
MOST_LINES: Final = 2000
"""Lines whose last rows are remembered; the rows of a game mostly stand together."""


class AdoptStore(write.AppendStore, Protocol):
    """What taking over needs of a storage, too."""

    def taken(self, event_ids: Sequence[str]) -> str | None:
        """One of these ids that belongs to an event here; None if none does."""
        ...

    def grown(self, position: int) -> Iterator[Sequence[Row]]:
        """The own rows of each line whose last event stands after a position of the log."""
        ...


def adopt(store: AdoptStore, rows: Iterable[Row], judge: Judge | None = None) -> Adopted:
    """Take over another log's rows, inside a transaction that any error here rolls back; as `EventLog.adopt`.

    Raises:
        BrokenLog: at the first row that does not hold, or whose id is taken by something else.
        UnsupportedVersion: a newer ddz wrote one of them.
    """
    before = store.last_position()
    adoption = Adoption(store)
    for row in rows:
        adoption.take(row)
    adoption.flush()
    if judge is not None:
        for line in store.grown(before):
            judge(line)
    return Adopted(adoption.lines, adoption.events, adoption.known)


class Adoption:
    """Rows on their way into a storage. The next position is that of its newest row and of those on the way."""

    def __init__(self, store: AdoptStore) -> None:
        self.lines = self.events = self.known = 0
        self._store = store
        self._position = store.last_position()
        self._lineage = Lineage(store.own)
        self._batch: dict[str, Row] = {}
        """The rows on the way, by their ids."""
        self._last: dict[str, Row | None] = {}
        """The last row of a line, in the storage or on the way; None for a line of which there is none yet."""

    def take(self, row: Row) -> None:
        """Check a row, and put it on the way unless it is here already. An error leaves the other rows as they are."""
        for problem in chain.hash_problems(row):
            raise problem.error()
        event = codec.event_of(row)
        if row.game not in self._last:
            self._meet(row.game)
        last = self._last[row.game]
        if last is not None and row.seq <= last.seq:
            self._recognise(row)
            return
        moved = chain.moved(row, self._position + 1)
        for problem in chain.link_problems(last or self._origin(row, event), moved):
            raise problem.error()
        if row.event_id in self._batch:
            raise id_taken(row)
        self._position += 1
        self._last[row.game] = moved
        self._batch[row.event_id] = moved
        self.lines += last is None
        self.events += 1
        if len(self._batch) >= BATCH:
            self.flush()

    def flush(self) -> None:
        """Insert what is on the way."""
        if not self._batch:
            return
        taken = self._store.taken(list(self._batch))
        if taken is not None:
            raise id_taken(self._batch[taken])
        self._store.insert(list(self._batch.values()))
        self._batch = {}

    def there(self, event_id: str) -> Row | None:
        """The row with this id, in the storage or on the way."""
        return self._batch.get(event_id) or self._store.by_event_id(event_id)

    def _meet(self, game: str) -> None:
        if len(self._last) >= MOST_LINES:
            self.flush()
            self._last.clear()
        self._last[game] = self._store.last_own(game)

    def _origin(self, row: Row, event: Event) -> Row | None:
        """What the first row of a line follows: nothing, or where it forks from another line."""
        try:
            write.check_game_id(row.game)
            if isinstance(event, GameForked):
                self.flush()
                return write.fork_point(self._store, event, self._lineage)
        except (Refused, UnknownGame) as error:
            raise BrokenLog("integrity/fork", "{why}", why=error, seq=row.seq) from error
        return None

    def _recognise(self, row: Row) -> None:
        """Make sure that the event which is here in the place of `row` is the same."""
        self.flush()
        here = self._store.by_event_id(row.event_id)
        if here is None or here.hash != row.hash:
            raise BrokenLog(
                "log/id-taken",
                "event {seq} of {game} is another one here: the game has gone on otherwise, or is another",
                seq=row.seq,
                game=row.game,
            )
        self.known += 1


def id_taken(row: Row) -> BrokenLog:
    """The error for a row whose id another event has here."""
    return BrokenLog(
        "log/id-taken", "the id {event_id} belongs to another event here", event_id=row.event_id, seq=row.seq
    )
