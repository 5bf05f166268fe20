"""The hashes of rows that are plainly in order, as one text: what the digest of a log's head runs over.

`chain` is the judge: whatever is not plainly in order is shown to it row by row.
"""

from collections.abc import Sequence
from typing import Final, overload

HASH_SIZE: Final = 64
"""Characters of a hash as we write it."""


class PlainHashes(Sequence[tuple[int, str]]):
    """The (position, hash) of rows without a gap between them, of hashes as we write them, all in one text.

    The text is what the digest of a log's head runs over, so that nobody makes an object of each row.
    """

    def __init__(self, first: int, number: int, text: str) -> None:
        """`text` is `BETWEEN`, a position, `BEFORE_HASH` and its hash, for each of `number` rows from `first` on."""
        self.first = first
        self.number = number
        self.text = text

    @overload
    def __getitem__(self, index: int) -> tuple[int, str]: ...

    @overload
    def __getitem__(self, index: slice) -> list[tuple[int, str]]: ...

    def __getitem__(self, index: int | slice) -> tuple[int, str] | list[tuple[int, str]]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(self.number))]
        each = range(self.number)[index]
        end = (each + 1) * (len(self.text) // self.number)
        return self.first + each, self.text[end - HASH_SIZE : end]

    def __len__(self) -> int:
        return self.number


BEFORE_HASH: Final = "\0\0\0@"
"""The size of a hash as `chain.lp` writes it: `@` is 64."""


def between(digits: int) -> str:
    """What `chain.lp` writes before a position of so many digits."""
    return f"\0\0\0{chr(digits)}"
