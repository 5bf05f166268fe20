"""When two imports of records are the same: told by their content, and by the ids under which they are stored."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

import msgspec

from ddz.frozen.events import Event, GameOpened, SeedRevealed
from ddz.log import chain, codec
from ddz.log.write import check_command_id

_TAG: Final = "ddz-import-v1"
_DIGITS: Final = 40
"""Digits of the digest in an id: 160 bits, and short enough for an id with all its parts."""


def content_of(events: Sequence[Event]) -> tuple[Event, ...]:
    """The events of an imported game without what differs between two imports of one record.

    That is the game's id, the name of the file, and seeds that the record did not bring but the import drew.
    Comments, blanks, the order of cards and a reading that needs no naming have left no trace in the events.
    """
    opened = events[0] if events else None
    if not isinstance(opened, GameOpened) or opened.origin is None:
        return tuple(events)
    replace = msgspec.structs.replace
    plain = replace(opened, game="", match="", origin=replace(opened.origin, source=""))
    if opened.origin.seeds_given:
        return (plain, *events[1:])
    plain = replace(plain, nonce="", commitment="", server_seed="")
    return (plain, *(SeedRevealed("") if isinstance(event, SeedRevealed) else event for event in events[1:]))


def name_of(content: Sequence[Event], source: str | None) -> str:
    """What the ids of all imports of one record begin with, in this log and in any other.

    `source` is what the record calls itself; two games may be played alike.
    After it and a dot each import puts an id of its own, so that logs which hold the same record can be merged.
    """
    bodies = (codec.first_form(event) for event in content)
    return f"record.{sha256(chain.lp(_TAG, source or '', *bodies)).hexdigest()[:_DIGITS]}"


def command_ids(command_id: str | None, files: int) -> list[str | None]:
    """The command ids of several files that are imported by one command: ID, ID.2, ID.3, ...

    Raises:
        Refused: `log/bad-command-id` if one of them is none.
    """
    if command_id is None:
        return [None] * files
    named = [command_id, *(f"{command_id}.{place}" for place in range(2, files + 1))]
    for each in named:
        check_command_id(each)
    return list(named)
