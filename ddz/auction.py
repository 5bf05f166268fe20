"""The auction: whose voice it is, which bids are allowed, and the verdict (rules.md A; the knob `auction` of C)."""

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec

from ddz.frozen.shapes import AuctionKind, Seat

HIGHEST_BID = 3


class Call(msgspec.Struct, frozen=True, array_like=True):
    """One voice in an auction."""

    seat: Seat
    points: Annotated[int, msgspec.Meta(ge=0, le=3)]
    """1 to 3, or 0 for a pass."""


class Won(msgspec.Struct, frozen=True):
    """The auction is over and has a landlord."""

    landlord: Seat
    base: int


def highest(calls: Sequence[Call]) -> Call | None:
    """The highest bid so far, None if nobody has bid."""
    return max((call for call in calls if call.points), key=lambda call: call.points, default=None)


def allowed_bids(calls: Sequence[Call]) -> tuple[int, ...]:
    """The bids (points) that the next voice may make; a pass is always allowed."""
    best = highest(calls)
    return tuple(range((best.points if best else 0) + 1, HIGHEST_BID + 1))


def verdict(kind: AuctionKind, calls: Sequence[Call]) -> Won | Literal["all-passed"] | None:
    """How the auction ended, None while it is open."""
    best = highest(calls)
    if best is None:
        return "all-passed" if len(calls) == 3 else None
    if best.points == HIGHEST_BID or (kind == "once" and len(calls) == 3):
        return Won(best.seat, best.points)
    if kind == "until-two-passes" and [call.points for call in calls[-2:]] == [0, 0]:
        return Won(best.seat, best.points)
    return None
