"""What a level bids: the call with the highest expected points by its own play.

A small network for each level was trained on hands and calls, and on the points that the game then brought
(`training/auctions.py`): as the landlord at each bid, and as a defender when others bid. So a level bids by what it
makes of such cards.
"""

from collections.abc import Sequence

from ddz import kernel
from ddz.auction import Call, verdict
from ddz.bots.base import Advice
from ddz.bots.network import Floats, Layers, points_of_calls, shipped
from ddz.bots.world import worth_under
from ddz.commands import Bid, Turn
from ddz.features import CARD_INPUTS, first_input
from ddz.frozen.shapes import AuctionKind, Seat
from ddz.plans import Worth
from ddz.view import SeatView


def best_call(level: str, view: SeatView, legal: Sequence[Turn], networks: dict[str, Layers] | None = None) -> Turn:
    """The legal call with the most points expected by `level`; of equal ones the first."""
    return rank_calls(level, view, legal, networks)[0].turn


def rank_calls(
    level: str, view: SeatView, legal: Sequence[Turn], networks: dict[str, Layers] | None = None
) -> list[Advice]:
    """The legal calls by the points that `level` expects of them, the best first."""
    inputs = call_inputs(view.hand.counts, view.calls, worth_under(view.rules.kickers.code))
    layers = (networks or shipped())[f"calls-{level}"]
    points = expected_points(layers, inputs, view.rules.auction, view.calls, view.seat)
    worths = [float(points[turn.points if isinstance(turn, Bid) else 0]) for turn in legal]
    order = sorted(range(len(legal)), key=lambda at: -worths[at])
    return [Advice(legal[at], worths[at], "points") for at in order]


def expected_points(
    layers: Layers, inputs: Sequence[int], auction: AuctionKind, calls: Sequence[Call], seat: Seat
) -> Floats:
    """What a network expects of a pass and of bids of 1, 2 and 3 points by `seat` after these calls."""
    points = points_of_calls(layers, inputs)
    if verdict(auction, [*calls, Call(seat, 0)]) == "all-passed":
        points[0] = 0  # nobody gains anything: no network is needed
    return points


def call_inputs(hand: int, calls: Sequence[Call], worth: Worth) -> list[int]:
    """The inputs that are 1, for a packed hand of 17 and the calls before."""
    found: list[int] = []
    for rank in range(kernel.LANES):
        first = first_input(rank)
        found += range(first, first + kernel.lane(hand, rank))
    first = CARD_INPUTS
    found.append(first + min(len(calls), 2))
    found.append(first + 3 + max((call.points for call in calls), default=0))
    before = [call.points + 1 for call in calls[-2:]]
    before = [0] * (2 - len(before)) + before
    found.append(first + 7 + before[1])
    found.append(first + 12 + before[0])
    found.append(first + 17 + min(worth.melds(hand), 11))
    found.append(first + 29 + max(0, min((worth.cost(hand) + 150) // 50, 15)))
    return found
