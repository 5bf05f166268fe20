"""What a seat can tell from its view: which cards are still out against it, and how well a meld would hold its trick.

A deduction from public facts, never a peek: equal views get equal answers.
"""

from typing import Final

from ddz import kernel, plans
from ddz.cards import FULL_DECK, CardSet
from ddz.frozen.shapes import Seat
from ddz.rules import SEATS, next_seat
from ddz.view import SeatView

BARE: Final = {
    kernel.TRIO_SOLO: kernel.TRIO,
    kernel.TRIO_PAIR: kernel.TRIO,
    kernel.AIRPLANE_SOLOS: kernel.AIRPLANE,
    kernel.AIRPLANE_PAIRS: kernel.AIRPLANE,
    kernel.QUAD_SOLOS: kernel.BOMB,
    kernel.QUAD_PAIRS: kernel.BOMB,
}
"""The kind of a meld's core where it has kickers."""


class Outlook:
    """One view, thought through."""

    def __init__(self, view: SeatView) -> None:
        self.view = view
        self.seat: Seat = view.seat
        self.policy = view.rules.kickers.code
        self.hand = view.hand.counts
        """The own hand, packed."""
        played = 0
        for turn in view.history:
            if turn.meld is not None:
                played |= turn.meld.cards.bits
        self.unseen = FULL_DECK.counts - self.hand - CardSet(played).counts
        """The cards that are neither in the own hand nor played, packed."""
        self.partner: Seat | None = None
        if view.landlord not in (None, view.seat):
            self.partner = next(seat for seat in SEATS if seat not in (view.seat, view.landlord))
        opponents = [view.counts[seat] for seat in SEATS if seat not in (view.seat, self.partner)]
        self.least, self.most = min(opponents), max(opponents)
        """The cards of the opponent with the fewest, and with the most."""
        self.landlord_next = view.landlord == next_seat(view.seat)
        self._controls: dict[tuple[int, int, int], float] = {}
        self.planner = plans.Planner(self.policy, self.price)

    def sure(self, kind: int, length: int, rank: int) -> bool:
        """True if no opponent can possibly beat the meld, bombs included."""
        for other, long, above in kernel.beaters(kind, length, rank):
            bare = BARE.get(other, other)
            if kernel.size(other, long) <= self.most and kernel.melds_of(self.unseen, bare, long, above, self.policy):
                return False
        return True

    def control(self, kind: int, length: int, rank: int) -> float:
        """An estimate of the chance (0 to 1) that the meld holds its trick, without bombs."""
        key = (kind, length, rank)
        if key not in self._controls:
            self._controls[key] = self._control(kind, length, rank)
        return self._controls[key]

    def _control(self, kind: int, length: int, rank: int) -> float:
        if kernel.size(kind, length) > self.most:
            return 1.0
        bare = BARE.get(kind, kind)
        if kind == kernel.SOLO:
            higher = kernel.total(self.unseen >> 4 * (rank + 1))
        else:
            higher = len(kernel.melds_of(self.unseen, bare, length, rank, self.policy))
        return float(plans.FADES[bare] ** higher)

    def price(self, kind: int, length: int, rank: int) -> int:
        """What a meld in the hand costs, in hundredths of a turn: a whole turn unless it brings the lead back."""
        if kind == kernel.BOMB:
            return plans.BOMB_PRICE
        if kind == kernel.ROCKET:
            return plans.ROCKET_PRICE
        return round(plans.TURN * (1 - self.control(kind, length, rank)))
