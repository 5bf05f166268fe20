"""The peer of the log: `eventsourcing`, which stores events in SQLite too. Importing this needs it installed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID, uuid4

from eventsourcing.domain import DomainEvent
from eventsourcing.persistence import DatetimeAsISO, EventStore, JSONTranscoder, Mapper, UUIDAsHex
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@dataclass(frozen=True)
class Happened(DomainEvent):
    """An event with one of our bodies; it is neither hashed nor chained."""

    body: str


class Peer:
    """Its mapper and its recorder over a new file."""

    def __init__(self, path: Path) -> None:
        transcoder = JSONTranscoder()
        transcoder.register(UUIDAsHex())
        transcoder.register(DatetimeAsISO())
        self.datastore = SQLiteDatastore(str(path))
        recorder = SQLiteApplicationRecorder(self.datastore)
        recorder.create_table()
        self.store = EventStore[UUID](Mapper(transcoder=transcoder), recorder)

    def append_each(self, bodies: Sequence[str]) -> float:
        """Store a game one event a transaction."""
        game = uuid4()
        for version, body in enumerate(bodies, 1):
            self.store.put([Happened(game, version, AT, body)])
        return len(bodies)

    def close(self) -> None:
        """Close the file."""
        self.datastore.close()
