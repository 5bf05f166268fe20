"""Melds as people know them: kinds, readings, what beats what. Asks the kernel for every answer."""

import functools
from typing import Final

import msgspec

from ddz import kernel
from ddz.cards import LETTERS, RANKS, CardSet, Rank, rank_letters
from ddz.frozen.events import CardsPlayed
from ddz.frozen.shapes import KickerPolicy, Kind

KINDS: Final = tuple(Kind)


class Meld(msgspec.Struct, frozen=True):
    """Cards and how they are read."""

    kind: Kind
    rank: Rank
    """The lowest core rank; of the rocket, the black joker."""
    length: int
    """The number of core ranks: 1 but for sequences, and 2 for the rocket."""
    cards: CardSet

    @property
    def shape(self) -> tuple[int, int, int]:
        """(kind, length, rank) as the kernel's numbers."""
        return self.kind.index, self.length, self.rank.index

    @property
    def core_counts(self) -> int:
        """The core's packed counts."""
        # A forged meld may say that it goes on above the highest rank.
        length = min(self.length, len(RANKS) - self.rank.index)
        return kernel.block(kernel.CORE_COPIES[self.kind.index], self.rank.index, length)

    @property
    def core(self) -> str:
        """The core's rank letters, low to high."""
        return rank_letters(self.core_counts)

    @property
    def kickers(self) -> str:
        """The kickers' rank letters, low to high; empty if there are none."""
        cards, core = self.cards.counts, self.core_counts
        # Lane by lane: the cards of a forged meld need not hold its core.
        return "".join(
            letter * (kernel.lane(cards, rank) - kernel.lane(core, rank)) for rank, letter in enumerate(LETTERS)
        )

    @property
    def name(self) -> str:
        """How a reading is named to tell it from others: its kind and rank, such as `airplane 3`."""
        return f"{self.kind} {self.rank}"


def meld_of(shape: tuple[int, int, int], cards: CardSet) -> Meld:
    """The meld of a kernel's (kind, length, rank) and its cards."""
    kind, length, rank = shape
    return Meld(KINDS[kind], RANKS[rank], length, cards)


def played_meld(event: CardsPlayed) -> Meld:
    """The meld that was played."""
    return Meld(event.kind, event.rank, event.length, event.cards)


def readings(cards: CardSet, policy: KickerPolicy) -> tuple[Meld, ...]:
    """Every meld that exactly these cards are, by kind, length and rank; empty if they are no meld."""
    return _readings(cards.bits, policy.code)


@functools.lru_cache(4096)  # most plays are one of a few hundred sets of cards
def _readings(bits: int, policy: int) -> tuple[Meld, ...]:
    cards = CardSet(bits)
    return tuple([meld_of(shape, cards) for shape in kernel.readings(cards.counts, policy)])


def beats(meld: Meld, top: Meld) -> bool:
    """True if `meld` may be played on `top` (rules.md A, "Beating")."""
    kind, length, rank = meld.shape
    for other, long, above in kernel.beaters(*top.shape):
        if kind == other and length == long:
            return rank > above
    return False
