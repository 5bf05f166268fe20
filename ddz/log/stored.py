"""A line's rows as they are stored, in bytes: most lines are in order, and that can be seen without decoding text.

`chain` and `codec` decide: what is not clearly in order here is given to them, row by row.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final, overload

from ddz.errors import BrokenLog
from ddz.frozen.events import Event
from ddz.log import codec
from ddz.log.base import GENESIS, Row
from ddz.log.chain import BEGINNINGS, EVENT_BEGINNING, SIZES
from ddz.log.driver import text

Stored = tuple[int, bytes, int, bytes, bytes, int, bytes, bytes, bytes, bytes]
"""The fields of a `Row`."""

_GENESIS: Final = GENESIS.encode()
_BEGINNINGS: Final = tuple(type.encode() for type in BEGINNINGS)


class StoredLine(Sequence[Row]):
    """The rows that a line itself has. They are made when one is needed."""

    __slots__ = ("_rows", "stored")

    def __init__(self, stored: Sequence[Stored]) -> None:
        self.stored = stored
        self._rows: tuple[Row, ...] | None = None

    def rows(self) -> tuple[Row, ...]:
        """All of them."""
        if self._rows is None:
            self._rows = tuple(map(row_of, self.stored))
        return self._rows

    @overload
    def __getitem__(self, index: int) -> Row: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Row]: ...

    def __getitem__(self, index: int | slice) -> Row | Sequence[Row]:
        if self._rows is None and isinstance(index, int):
            return row_of(self.stored[index])
        return self.rows()[index]

    def __len__(self) -> int:
        return len(self.stored)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows())

    def plain_events(self) -> list[Event] | None:
        """The events, if neither `chain.verify_rows` nor `codec.event_of` has anything to say; None if one might.

        For a fork one always might: its first event needs the one before it.
        """
        size, name, seq, last, place = SIZES, self.stored[0][1], 0, _GENESIS, -(2**63)
        events: list[Event] = []
        try:
            for position, game, number, event_id, type, version, at, body, prev, hash in self.stored:
                seq += 1
                if number != seq or prev != last or position <= place or game != name:
                    return None
                if (type in _BEGINNINGS) != (seq == 1):
                    return None
                digits, form = b"%d" % seq, b"%d" % version
                parts = (  # as in `chain.hash_of`
                    EVENT_BEGINNING, size[len(game)], game, size[len(digits)], digits, size[len(event_id)], event_id,
                    size[len(type)], type, size[len(form)], form, size[len(at)], at,
                    len(body).to_bytes(4, "big"), body, size[len(prev)], prev,
                )  # fmt: skip
                if sha256(b"".join(parts)).hexdigest().encode() != hash:
                    return None
                events.append(_event(type, version, body))
                last, place = hash, position
        except (IndexError, TypeError, UnicodeError, BrokenLog):
            return None
        return events if self.stored[0][4] == _BEGINNINGS[0] else None


def plain_events(rows: Sequence[Row]) -> list[Event] | None:
    """The events of a line that is clearly in order; None if its rows must be looked at."""
    return rows.plain_events() if isinstance(rows, StoredLine) else None


_KINDS: Final = (int, str, int, str, str, int, str, str, str, str)
"""Of a row's fields, as we write them."""


def row_of(stored: Sequence[Any]) -> Row:
    """The row, also if a field holds bytes that are no text, or another kind of value."""
    if (*map(type, stored),) == _KINDS:
        return Row(*stored)
    return Row(*map(_as_kind, _KINDS, stored))


def _as_kind(kind: type, value: object) -> Any:  # noqa: ANN401  # of the kind, whatever stands there
    """A field of the kind that it must have; another kind becomes a value that no event of ours has."""
    if kind is str and isinstance(value, bytes):
        return text(value)
    if isinstance(value, kind):
        return value
    return -1 if kind is int else f"\0not text: {value!r}"


def marks(rows: Sequence[Row], game: str) -> Iterator[tuple[int, str, str]]:
    """The (seq, event id, time) of a line's own rows; no row is made for it."""
    if isinstance(rows, StoredLine):
        return ((each[2], text(each[3]), text(each[6])) for each in rows.stored)
    return ((row.seq, row.event_id, row.at) for row in rows if row.game == game)


@lru_cache(8192)  # most events are one of a few thousand
def _event(type: bytes, version: int, body: bytes) -> Event:
    return codec.decode(type.decode(), version, body.decode())
