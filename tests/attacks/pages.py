"""The pages of a SQLite file: which are whose, and what they are. Reads files that are in order, without SQLite."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

INDEX, TABLE = (2, 10), (5, 13)
"""The types of b-tree pages: interior, leaf."""
HEADER = 100
"""Bytes of the file's own header, in front of the first page."""


@dataclass(frozen=True)
class Pages:
    """Where everything is in the bytes of a file; pages are counted from 1."""

    data: bytes

    @cached_property
    def size(self) -> int:
        """Bytes of a page."""
        size = int.from_bytes(self.data[16:18], "big")
        return 65536 if size == 1 else size

    @cached_property
    def count(self) -> int:
        """How many pages there are."""
        return len(self.data) // self.size

    def bytes_of(self, page: int) -> range:
        """The places of a page's bytes in the file."""
        return range((page - 1) * self.size, page * self.size)

    def type_of(self, page: int) -> int:
        """The first byte of a b-tree page; anything in a page that is none."""
        return self.data[(page - 1) * self.size + (HEADER if page == 1 else 0)]

    def of_types(self, types: tuple[int, ...]) -> list[int]:
        """The pages of some types behind the first."""
        return [page for page in range(2, self.count + 1) if self.type_of(page) in types and page in self.tree_pages]

    @cached_property
    def tree_pages(self) -> set[int]:
        """All pages of the b-trees that the schema names."""
        return {page for root in (1, *self.roots()) for page in self.tree(root)}

    def roots(self) -> list[int]:
        """The first page of every table and index, as the schema says."""
        return [root for page in self.tree(1) for root in self._roots_on(page)]

    def tree(self, root: int) -> list[int]:
        """The b-tree pages under `root`, itself first. Without those that a long row overflows into."""
        found = [root]
        for page in found:
            if self.type_of(page) in (2, 5):
                found += self._children(page)
        return found

    def rest(self) -> list[int]:
        """The pages that are in no tree: long rows overflow into them, or they are free."""
        return sorted(set(range(1, self.count + 1)) - self.tree_pages)

    def _start(self, page: int) -> int:
        return self.bytes_of(page).start + (HEADER if page == 1 else 0)

    def rowid(self, cell: int) -> range:
        """Where the rowid of a cell of a table's leaf stands."""
        start = self._varint(cell)[1]
        return range(start, self._varint(start)[1])

    def cells(self, page: int) -> Iterator[int]:
        """The place of each cell of a page."""
        start = self._start(page)
        array = start + (12 if self.type_of(page) in (2, 5) else 8)
        for number in range(int.from_bytes(self.data[start + 3 : start + 5], "big")):
            at = array + 2 * number
            yield self.bytes_of(page).start + int.from_bytes(self.data[at : at + 2], "big")

    def _children(self, page: int) -> Iterator[int]:
        for cell in self.cells(page):
            yield int.from_bytes(self.data[cell : cell + 4], "big")
        right = self._start(page) + 8
        yield int.from_bytes(self.data[right : right + 4], "big")

    def _roots_on(self, page: int) -> Iterator[int]:
        """The fourth column of each row of the schema on this page."""
        if self.type_of(page) != 13:
            return
        for cell in self.cells(page):
            _, at = self._varint(cell)
            _, at = self._varint(at)
            header = at
            length, at = self._varint(at)
            kinds = []
            while at < header + length:
                kind, at = self._varint(at)
                kinds.append(kind)
            at += sum(map(_width, kinds[:3]))
            if root := int.from_bytes(self.data[at : at + _width(kinds[3])], "big"):
                yield root

    def _varint(self, at: int) -> tuple[int, int]:
        value = 0
        while self.data[at] >= 0x80:
            value = value << 7 | self.data[at] & 0x7F
            at += 1
        return value << 7 | self.data[at], at + 1


def _width(kind: int) -> int:
    """How many bytes a value of this serial type takes."""
    return (kind - 12) // 2 if kind >= 12 else (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)[kind]
