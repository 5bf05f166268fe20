"""What the translators of other engines' records share: a foreign game becomes a record of ours, and is judged so."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from ddz.frozen.events import Event
from ddz.frozen.shapes import Claim
from ddz.record import Record


class Foreign(msgspec.Struct, frozen=True):
    """A foreign game, translated but not judged yet."""

    record: Record
    """Action i of a deal is move i of the source, so that a fault names the source's own number."""
    claim: Claim | None = None
    """What the source says of the end."""
    source: str | None = None
    """What the source calls itself."""


class Format(Protocol):
    """A module that reads and writes the records of another engine."""

    def looks_like(self, raw: bytes) -> bool:
        """True if a file's bytes are likely to be of this format; never raises."""
        ...

    def read(self, raw: bytes) -> Foreign:
        """The game in a file's bytes.

        Raises:
            Unreadable: naming the place of the fault.
        """
        ...

    def write(self, events: Sequence[Event]) -> str:
        """A game in this format, ending in a line break.

        Raises:
            Unreadable: the format cannot hold this game; says why.
        """
        ...
