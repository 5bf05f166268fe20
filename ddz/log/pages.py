"""The rows of a log straight from the pages of its file, even if everything around them is damaged.

Neither the schema nor an index is used, nor which page belongs to which: each page that looks like a leaf of a table
is parsed by itself (SQLite's file format, "B-tree Pages" and "Record Format"). The result may be anything, and must
be verified row by row.
"""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from ddz.log.base import Row
from ddz.log.driver import text

_LEAF: Final = 0x0D
_INDEX: Final = {0x0A: (8, 0), 0x02: (12, 4)}
"""The types of the pages of an index; where their list of cells begins, and what a cell has before its entry."""
_KEYS: Final = ((bytes, int), (bytes, int, int))
"""An entry of the index of event ids, and of that of games and seqs; the last column is the position."""
_LEAST: Final = 100
"""The least bytes of an event: its hash and that of its predecessor alone are 128."""
_SHORTEST: Final = 4
"""The least bytes of an entry of an index."""
_HEADER: Final = 100
"""Bytes of the file's own header, on its first page."""
_USUAL: Final = 4096
"""The size of a page where the header does not say it."""
_SIZES: Final = tuple(1 << bits for bits in range(9, 17))
_INTEGERS: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""The bytes of an integer by its type."""
_PASSES: Final = 3
"""How often all of a file may be read: to find its pages, rows and notes."""
_LONGEST: Final = 16 << 20
"""Bytes of a record; no event has more."""

Value = int | bytes | None
Note = tuple[str, int]
"""A line of which hidden cards were shown, and after which event."""


class _NoRecord(Exception):
    """Bytes that are no record; caught where the next one is looked for."""


class Pages:
    """A file of SQLite's as pages. To be closed."""

    def __init__(self, path: Path) -> None:
        """Raises OSError as `open` does."""
        self._file: IO[bytes] = path.open("rb")
        head = self._file.read(_HEADER).ljust(_HEADER, b"\0")
        size = struct.unpack_from(">H", head, 16)[0]
        size = 65536 if size == 1 else size
        self._size = size if size in _SIZES else _USUAL
        reserved = head[20]
        self._usable = self._size - (reserved if reserved <= self._size - 480 else 0)
        self._number = -(-path.stat().st_size // self._size)
        # A page of ours belongs to one record. A forger's may belong to many, which must not take forever.
        self._overflow = self._number * _PASSES

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def rows(self) -> Iterator[Row]:
        """Every row of events that a page holds, page by page as their positions lie; some may come more than once."""
        for _, number in sorted(self._leaves()):
            for position, values in self._records(number):
                row = _row(position, values)
                if row is not None:
                    yield row

    def reached(self) -> int:
        """The last position that an index names, as far as the file has room for it; 0 if none does."""
        found = 0
        for number in range(1, self._number + 1):
            for values in self._keys(number):
                if (*map(type, values),) in _KEYS and isinstance(last := values[-1], int):
                    found = max(found, last if last <= self._number * self._size // _LEAST else 0)
        return found

    def missing(self) -> int:
        """How many pages the file has lost at its end, by its own header."""
        pages = int(struct.unpack_from(">I", self._page(1), 28)[0])
        return max(0, pages - self._number) if self._page(1).startswith(b"SQLite format 3\0") else 0

    def seen(self) -> Iterator[Note]:
        """Every note of a line that was seen."""
        for number in range(1, self._number + 1):
            for _, values in self._records(number):
                if len(values) == 2 and isinstance(values[0], bytes) and isinstance(values[1], int):
                    yield text(values[0]), values[1]

    def _leaves(self) -> Iterator[tuple[int, int]]:
        """(Middle position, number) of each page with rows: a spoilt position alone takes no page out of its order."""
        for number in range(1, self._number + 1):
            positions = sorted(at for at, values in self._records(number) if _row(at, values))
            if positions:
                yield positions[len(positions) // 2], number

    def _page(self, number: int) -> bytes:
        self._file.seek((number - 1) * self._size)
        return self._file.read(self._size).ljust(self._size, b"\0")  # the last one may be cut

    def _records(self, number: int) -> Iterator[tuple[int, list[Value]]]:
        """The (position, columns) of each record on a page; of a page that is no leaf of a table, none."""
        page = self._page(number)
        start = _HEADER if number == 1 else 0
        if page[start] != _LEAF:
            return
        count = struct.unpack_from(">H", page, start + 3)[0]
        room = self._size  # cells do not overlap
        for cell in range(min(count, (self._size - start - 8) // 2)):
            at = struct.unpack_from(">H", page, start + 8 + 2 * cell)[0]
            try:
                length, at = _varint(page, at)
                position, at = _varint(page, at)
                room -= min(length, self._size)
                if room < 0:
                    return
                yield _signed(position), _columns(self._payload(page, at, length))
            except (_NoRecord, IndexError):
                continue  # this cell is spoilt; its position will be found missing

    def _keys(self, number: int) -> Iterator[list[Value]]:
        """The columns of each entry on a page of an index."""
        page = self._page(number)
        if page[0] not in _INDEX:
            return
        count = struct.unpack_from(">H", page, 3)[0]
        for cell in range(min(count, self._size // _SHORTEST)):
            place = struct.unpack_from(">H", page, _INDEX[page[0]][0] + 2 * cell)[0] if cell < count else 0
            try:
                length, at = _varint(page, place + _INDEX[page[0]][1])
                if length <= self._usable // 5:  # ours are shorter than what may have pages of its own
                    yield _columns(page[at : at + length])
            except (_NoRecord, IndexError):
                continue

    def _payload(self, page: bytes, at: int, length: int) -> bytes:
        """The bytes of a record, with those on pages of their own.

        Raises:
            _NoRecord: they are not all there.
        """
        if length > _LONGEST:
            raise _NoRecord("a record without end")
        usable = self._usable
        local, least = length, (usable - 12) * 32 // 255 - 23
        if length > usable - 35:
            local = least + (length - least) % (usable - 4)
            local = local if local <= usable - 35 else least
        parts = [page[at : at + local]]
        left = length - local
        following = struct.unpack_from(">I", page.ljust(at + local + 4, b"\0"), at + local)[0] if left else 0
        while left > 0:
            self._overflow -= 1
            if not 1 <= following <= self._number or self._overflow < 0:
                raise _NoRecord("a record that is cut")
            more = self._page(following)
            following = struct.unpack_from(">I", more)[0]
            parts.append(more[4 : 4 + min(left, usable - 4)])
            left -= usable - 4
        whole = b"".join(parts)
        if len(whole) != length:
            raise _NoRecord("a record that is cut")
        return whole


def _varint(raw: bytes, at: int) -> tuple[int, int]:
    value = 0
    for more in range(8):
        byte = raw[at + more]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + more + 1
    return value << 8 | raw[at + 8], at + 9


def _signed(value: int) -> int:
    return value - (1 << 64) if value >= 1 << 63 else value


def _columns(record: bytes) -> list[Value]:
    """The columns of a record; floats are left out, since no table of ours has any.

    Raises:
        _NoRecord, IndexError: it is none.
    """
    size, at = _varint(record, 0)
    if size > len(record):
        raise _NoRecord("a record whose head is longer than itself")
    values: list[Value] = []
    body = size
    while at < size:
        kind, at = _varint(record, at)
        if kind in (0, 8, 9):
            values.append(None if kind == 0 else kind - 8)
            continue
        length = _INTEGERS[kind] if kind in _INTEGERS else (kind - 12) // 2 if kind >= 12 else -1
        if length < 0 or body + length > len(record):
            raise _NoRecord("a column of no kind, or beyond its record")
        raw = record[body : body + length]
        values.append(int.from_bytes(raw, "big", signed=True) if kind in _INTEGERS else raw)
        body += length
    return values


_KINDS: Final = (type(None), bytes, int, bytes, bytes, int, bytes, bytes, bytes, bytes)


def _row(position: int, values: list[Value]) -> Row | None:
    """The row of a record, whose position is its key and no column; None if it is another table's."""
    if (*map(type, values),) != _KINDS:
        return None
    return Row(position, *[text(value) if isinstance(value, bytes) else value for value in values[1:]])  # type: ignore[arg-type]
