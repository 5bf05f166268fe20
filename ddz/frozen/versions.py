"""The version of each event that is written today, and what makes today's events of older ones.

How a version is added is told in `ddz/frozen/__init__.py`.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

Json = dict[str, Any]
Upcast = Callable[[Json], Json]
"""From the stored object of one version to that of the next; pure, and never edited once it is released."""

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

UPCASTS: Final[Mapping[tuple[str, int], Upcast]] = {}
"""(type, version) -> what makes version + 1 of it."""
