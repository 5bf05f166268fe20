"""The version of each event that is written today, and what makes today's events of older ones.

How a version is added is told in `ddz/frozen/__init__.py`.
"""

import copy
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

JsonObject = dict[str, Any]
Upcast = Callable[[JsonObject], JsonObject]
"""From the stored object of one version to that of the next; pure, and never edited once it is released.

It raises a ValueError, KeyError or TypeError for an object that its version never wrote.
"""


def adding(fields: Mapping[str, object]) -> Upcast:
    """The upcast for new fields, by path: `{"rules.wild": False, "players.country": None}`.

    A path leads through objects, through every item of a list, and ends where it meets a null.
    """

    def upcast(stored: JsonObject) -> JsonObject:
        new = copy.deepcopy(stored)
        for path, value in fields.items():
            *outer, name = path.split(".")
            for holder in _holders(new, outer):
                if name in holder:
                    raise ValueError(f"{path} stands in a body of a version that had no such field")
                holder[name] = copy.deepcopy(value)
        return new

    return upcast


def without(stored: JsonObject, fields: Mapping[str, object]) -> JsonObject | None:
    """The object before `adding` put these fields in; None if one of them has another value."""
    old = copy.deepcopy(stored)
    for path, value in fields.items():
        *outer, name = path.split(".")
        for holder in _holders(old, outer):
            if holder.pop(name) != value:
                return None
    return old


def _holders(value: Any, path: list[str]) -> Iterator[JsonObject]:  # noqa: ANN401  # JSON
    """The objects to which a path leads."""
    if isinstance(value, list):
        for item in value:
            yield from _holders(item, path)
    elif path and value is not None:
        yield from _holders(value[path[0]], path[1:])
    elif value is not None:
        yield value


VERSIONS: Final[Mapping[str, int]] = {
    "game_opened": 1,
    "dealt": 1,
    "bid_made": 1,
    "bid_passed": 1,
    "deal_voided": 1,
    "landlord_chosen": 1,
    "cards_played": 1,
    "play_passed": 1,
    "seat_escaped": 1,
    "game_scored": 1,
    "seed_revealed": 1,
    "game_forked": 1,
}
"""The version of each type that is written today."""

ADDED: Final[Mapping[tuple[str, int], Mapping[str, object]]] = {}
"""(type, version) -> the fields that version + 1 has and it had not, by path, with the value that older games had."""

UPCASTS: Final[Mapping[tuple[str, int], Upcast]] = {step: adding(fields) for step, fields in ADDED.items()}
"""(type, version) -> what makes version + 1 of it."""
