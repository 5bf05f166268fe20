"""From a seat's view to positions of the kernel: what the seat knows, and worlds that agree with it.

A *world* gives the hidden cards to the seats that may hold them. Everything public goes into it: how many cards each
seat has, what has been played, and which cards of the kitty the landlord still holds.
"""

import random
from functools import lru_cache

from ddz import kernel
from ddz.cards import EMPTY, FULL_DECK
from ddz.frozen.shapes import Kind, Seat
from ddz.melds import Meld
from ddz.plans import Worth
from ddz.positions import Position
from ddz.rules import SEATS
from ddz.view import SeatView


@lru_cache(maxsize=8)
def worth_under(policy: int) -> Worth:
    """The table of plans for a policy; one for all, since it only remembers."""
    return Worth(policy)


def goes_out(moves: list[kernel.PackedMeld | None], hand: int) -> int | None:
    """Which of the moves plays the whole hand; None if none does."""
    return next((at for at, move in enumerate(moves) if move is not None and move[3] == hand), None)


def _counts(meld: Meld) -> int:
    """The cards of a meld for the kernel.

    What only other engines call a meld is a solo of its cards (see `guests/botzone_view`): here the one card that it
    counts as.
    """
    return meld.cards.counts if meld.kind is not Kind.SOLO else kernel.block(1, meld.rank.index, 1)


class World:
    """A view of the play, with the landlord known, as positions. Roles: 0 the landlord, 1 after him, 2 before him."""

    def __init__(self, view: SeatView) -> None:
        assert view.landlord is not None
        self.policy = view.rules.kickers.code
        self.worth = worth_under(self.policy)
        self._landlord = view.landlord
        self.role = self._role(view.seat)
        self._counts = [view.counts[(role + view.landlord) % 3] for role in SEATS]
        played = [EMPTY, EMPTY, EMPTY]
        last: list[kernel.PackedMeld | None] = [None, None, None]
        self._bombs = 0
        for turn in view.history:
            role = self._role(turn.seat)
            last[role] = None
            if turn.meld is not None:
                kind, length, rank = turn.meld.shape
                played[role] |= turn.meld.cards
                last[role] = kind, length, rank, _counts(turn.meld)
                self._bombs += kind >= kernel.BOMB
        self._last = last[0], last[1], last[2]
        self._played = played[0].counts, played[1].counts, played[2].counts
        self._kitty = (view.kitty or EMPTY).counts
        self._hand = view.hand.counts
        self._top: kernel.PackedMeld | None = None
        self._owner = 0
        if view.top is not None:
            self._owner = self._role(view.top.seat)
            self._top = self._last[self._owner]
        kept = (view.kitty or EMPTY) - played[0] if self.role else EMPTY
        self._kept = [kept.counts if role == 0 else 0 for role in SEATS]
        hidden = FULL_DECK.counts - self._hand - sum(self._played) - kept.counts
        self._hidden = [rank for rank in range(kernel.LANES) for _ in range(kernel.lane(hidden, rank))]

    def _role(self, seat: Seat) -> int:
        return (seat - self._landlord) % 3

    def position(self, rng: random.Random | None = None) -> Position:
        """A position with the hidden cards given out: by chance, or, without `rng`, in the order of their ranks.

        What the own seat may know of a position (`quick`, `features.encode`) is the same for all of them.
        """
        hidden = self._hidden
        if rng is not None:
            hidden = hidden.copy()
            rng.shuffle(hidden)
        hands = [0, 0, 0]
        at = 0
        for role in SEATS:
            if role == self.role:
                hands[role] = self._hand
                continue
            upto = at + self._counts[role] - kernel.total(self._kept[role])
            hands[role] = self._kept[role] + kernel.pack(hidden[at:upto])
            at = upto
        position = Position(self.policy, self.worth)
        position.set(
            (hands[0], hands[1], hands[2]),
            self._kitty,
            self.role,
            self._top,
            self._owner,
            self._last,
            self._played,
            self._bombs,
        )
        return position
