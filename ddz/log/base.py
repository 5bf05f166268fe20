"""What an event log is: the row, and the contract that every log keeps. Knows events, not meanings."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol, Self

import msgspec

from ddz.frozen.events import Event

APPLICATION_ID = 0x64647A31
"""`ddz1`: marks a SQLite file as a log of ours."""

ENDINGS = ("game_scored", "seed_revealed")
"""The types of a scored game's last event."""

GENESIS = "0" * 64
"""The `prev` of a game's first event."""

LONGEST_BODY = 16 << 20
"""Signs of a body. Ours have some thousand; no file that ddz ever read a game from was longer than this."""


class Row(msgspec.Struct, frozen=True):
    """One event as it is stored. Everything but `position` is under its hash."""

    position: int
    """1, 2, ... over the whole log, gapless."""
    game: str
    seq: int
    """1, 2, ... within a game; a fork's own events go on from the inherited ones."""
    event_id: str
    """COMMAND/0, COMMAND/1, ... : the events of one command."""
    type: str
    version: int
    at: str
    """RFC 3339, UTC."""
    body: str
    """Canonical JSON."""
    prev: str
    hash: str


class Line(msgspec.Struct, frozen=True):
    """A game or a fork as the log lists it."""

    game: str
    parent: str | None
    forked_at: int | None
    """The seq of the last inherited event."""
    reason: str | None
    """`explore` or `back`; None for a game that is no fork."""
    opened_at: str
    """When the line's first own event was appended."""
    last_seq: int
    last_position: int
    last_type: str
    last_at: str
    seen: bool
    """Hidden cards were shown before the end (`--reveal`)."""
    sound: bool
    """The first and the last own event, from which all of this is, are found by the id, and are what was hashed."""

    @property
    def is_over(self) -> bool:
        """True if its game has been scored; without reading more of it than its last event's type."""
        return self.last_type in ENDINGS


class Span(msgspec.Struct, frozen=True):
    """A stretch of a log's lines in the order of their ids: a piece of work for a reader of the whole log."""

    where: tuple[bytes, ...]
    """By which the log that made it finds the stretch again, also in another process; nobody else reads it."""
    lines: int
    """How many lines there are in it."""


class Adopted(msgspec.Struct, frozen=True):
    """What a log has taken over from another one."""

    lines: int
    """Games and forks that were not here."""
    events: int
    """Theirs, and those by which lines that were here have grown."""
    known: int
    """Events that were here already."""


Judge = Callable[[Sequence[Row]], None]
"""Is shown the rows that a line itself has, and raises if they may not stay: the log knows no law itself."""


class Taking(Protocol):
    """Rows on their way into a log."""

    lines: int
    """Games and forks that were not here."""
    events: int
    """Events that were not here."""
    known: int
    """Events that were here already."""

    def there(self, event_id: str) -> Row | None:
        """The row with this id, in the log or on the way; None if there is none."""
        ...

    def take(self, row: Row) -> None:
        """Check a row, and put it on the way unless it is here already. An error leaves the other rows as they are.

        Raises:
            BrokenLog, UnsupportedVersion, Refused, UnknownGame: why this row cannot be taken.
        """
        ...


class EventLog(Protocol):
    """An append-only, optimistic, idempotent, hash-chained log with forks by lineage."""

    @property
    def address(self) -> str | None:
        """How another process opens this log to read it; None where it cannot be opened a second time."""
        ...

    def same_as(self, other: "EventLog") -> bool:
        """True if both keep their events in the same place."""
        ...

    def append(
        self,
        game: str,
        expected_seq: int,
        events: Sequence[Event],
        command_id: str,
        at: str,
        unless: str | None = None,
    ) -> tuple[Row, ...]:
        """Append one command's events to `game`, all or nothing.

        `expected_seq` is the seq of the game's last event, 0 for a new game; a fork's first batch begins with a
        GameForked and `expected_seq` is its `at`. A command id that is known is looked up first and answers its
        first rows if game, types, versions and bodies agree. With `unless` nothing is appended if a command is known
        whose id is `unless`, a dot and something more; the oldest one's rows are answered.

        Raises:
            StaleLog: the game's last event is another one.
            Refused: `log/command-reused` if the id is known for something else.
            StorageRefused: the storage would not take it.
        """
        ...

    def rows(self, game: str, upto: int | None = None) -> tuple[Row, ...]:
        """The rows of a line in order, inherited ones first, raw and unchecked; empty if there is no such game."""
        ...

    def own(self, game: str) -> tuple[Row, ...]:
        """The rows that a line itself has, in order, raw and unchecked; empty if there is no such line."""
        ...

    def history(self, game: str, upto: int | None = None) -> tuple[Event, ...]:
        """The events of a line, each checked against its hash and chain.

        Raises:
            UnknownGame: there is no such game.
            BrokenLog: bytes against hash, chain, or an event that cannot be decoded.
            UnsupportedVersion: an event is newer than this ddz.
        """
        ...

    def find(self, command_id: str) -> tuple[Row, ...]:
        """The rows that a command has appended; empty if the id is unknown."""
        ...

    def after(self, position: int, types: Collection[str] | None = None) -> Iterator[Row]:
        """Every row after `position`, in order, each held against its hash; with `types` only events of these types.

        Raises:
            BrokenLog: at the first row that is not what was hashed.
        """
        ...

    def last_position(self) -> int:
        """The position of the newest row, 0 in an empty log."""
        ...

    def hashes(self, upto: int) -> Iterator[Sequence[tuple[int, str]]]:
        """The (position, hash) of every row with a position up to `upto`, raw, in order, some at a time."""
        ...

    def spans(self, size: int) -> list[Span]:
        """All the lines of the log, `size` of them a span."""
        ...

    def lines_in(self, span: Span, upto: int) -> Iterator[Sequence[Row]]:
        """The own rows of each line of a span in order, except those at a position after `upto`.

        A log only grows, so all spans with the same `upto` show one moment of it.
        """
        ...

    def lines(self) -> Iterator[Line]:
        """Every game and fork of this moment, the one with the newest event first, found as they are asked for."""
        ...

    def unfinished(self) -> Iterator[Line]:
        """The lines that are not over, the one with the newest event first."""
        ...

    def families(self, games: Iterable[str]) -> Sequence[Line]:
        """The lines of the games that these lines descend from: each game, and all that was forked from it.

        In no order; of what is not there nothing is answered. Where somebody has written a ring of forks, a line that
        leads into it is alone.
        """
        ...

    def games_in(self, match: str) -> Sequence[str]:
        """The games, but for `match` itself, that name it as their match, unchecked, as they were begun."""
        ...

    def games(self, prefix: str, limit: int) -> Sequence[str]:
        """At most `limit` lines whose ids begin so, in the order of the ids."""
        ...

    def resolve(self, prefix: str) -> str:
        """The id that `prefix` begins, or of the line with the newest event for `@last`.

        Raises:
            UnknownGame: there is none, or there are several (they are named).
        """
        ...

    def adopt(self, rows: Iterable[Row], seen: Mapping[str, int] | None = None, judge: Judge | None = None) -> Adopted:
        """Take over rows of another log byte for byte (positions are given anew), all or nothing.

        Rows that are here already, and equal, are skipped; they are drawn one by one, so there may be any number.
        `seen` are the other log's notes, as `seen` answers them. `judge` is shown, once all rows are here, each line
        that is new or has grown, as it stands then; what it raises takes everything back.

        Raises:
            BrokenLog: hash or chain do not hold, or an id is taken by something else.
        """
        ...

    def taking(self) -> AbstractContextManager[Taking]:
        """Take rows one by one; one may continue after one that cannot be taken. In the end all are there, or none.

        Raises:
            StorageRefused: the storage would not take them.
        """
        ...

    def relax_sync(self) -> None:
        """Write from now on without waiting for the disk, as suits a log that can be made again.

        A process that is killed loses nothing by it; a power cut may spoil the log. Where nothing is waited for, this
        changes nothing.
        """
        ...

    def copy_into(self, target: Path) -> None:
        """Copy this log, as it stands, into the new file `target` of SQLite.

        Raises:
            Refused: `log/file-exists`, there is something at `target` already.
            StorageRefused: there is no log here, or `target` cannot be written.
            BrokenLog: this log is damaged.
        """
        ...

    def mark_seen(self, game: str) -> None:
        """Note that hidden cards of an unfinished game were shown."""
        ...

    def seen(self) -> dict[str, int]:
        """The lines of which hidden cards were shown, and after which event first."""
        ...

    def missing_guards(self) -> Sequence[str]:
        """The triggers that were taken away, changed or added: what keeps the storage append-only, by name."""
        ...

    def unnoted(self) -> Sequence[str]:
        """Lines that `unfinished` leaves out, and lines that it looks at for nothing, at most some of them."""
        ...

    def storage_faults(self) -> Sequence[str]:
        """What the storage finds wrong in itself, a sentence each. It looks at all of it."""
        ...

    def close(self) -> None:
        """Give the storage back."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...
