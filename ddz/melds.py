"""Melds as people know them: kinds, readings, what beats what. Asks the kernel for every answer."""

import enum
import functools
from typing import Final

import msgspec

from ddz import kernel
from ddz.cards import LETTERS, RANKS, CardSet, Rank, rank_letters


class Kind(enum.Enum):
    """The kinds of meld (rules.md A), in the order in which moves are listed."""

    SOLO = "solo"
    PAIR = "pair"
    TRIO = "trio"
    TRIO_SOLO = "trio+solo"
    TRIO_PAIR = "trio+pair"
    CHAIN = "chain"
    PAIR_CHAIN = "pair-chain"
    AIRPLANE = "airplane"
    AIRPLANE_SOLOS = "airplane+solos"
    AIRPLANE_PAIRS = "airplane+pairs"
    QUAD_SOLOS = "quad+solos"
    QUAD_PAIRS = "quad+pairs"
    BOMB = "bomb"
    ROCKET = "rocket"

    index: int
    """The kernel's number of the kind, 0 to 13."""

    def __init__(self, text: str) -> None:  # noqa: ARG002  # enum passes the value
        self.index = len(type(self).__members__)

    def __str__(self) -> str:
        return str(self.value)


KINDS: Final = tuple(Kind)


class KickerPolicy(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """The knobs of rules.md C that decide which kickers a meld may carry, and whether quad+ melds exist."""

    core_kickers: bool = False
    """A kicker of a core rank is allowed (in airplanes only)."""
    most_equal: int = 4
    """The most equal solo kickers, 1 to 4."""
    equal_pairs: bool = True
    """Two equal pairs may be pair kickers."""
    both_jokers: bool = True
    """Both jokers may be solo kickers of one meld."""
    adjacent_trio: bool = True
    """Three equal solo kickers may stand next to the airplane's trios (2 is next to nothing)."""
    quads: bool = True
    """quad+solos and quad+pairs are melds."""

    def __post_init__(self) -> None:
        if not 1 <= self.most_equal <= 4:
            raise ValueError(f"most_equal is {self.most_equal}, but a rank has 1 to 4 cards")

    @functools.cached_property
    def code(self) -> int:
        """The policy packed for the kernel."""
        return (
            self.most_equal
            | self.core_kickers * kernel.CORE_KICKERS
            | self.equal_pairs * kernel.EQUAL_PAIRS
            | self.both_jokers * kernel.BOTH_JOKERS
            | self.adjacent_trio * kernel.ADJACENT_TRIO
            | self.quads * kernel.QUADS
        )


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
