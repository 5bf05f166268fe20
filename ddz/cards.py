"""Ranks, cards and sets of cards; reading and printing are exact inverses.

Card i of the deck (0 to 53) is bit i of a `CardSet`: 3c 3d 3h 3s 4c ... 2s B R. The jokers have no suit.
"""

import enum
import functools
from collections.abc import Callable, Iterable, Iterator
from typing import Final, Self

from ddz import kernel
from ddz.errors import Refused, Unreadable

SUITS: Final = "cdhs"
DECK_SIZE: Final = 54


@functools.total_ordering
class Rank(enum.Enum):
    """A rank, low to high: 3 4 5 6 7 8 9 T J Q K A 2, the black joker B and the red joker R."""

    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "T"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"
    ACE = "A"
    TWO = "2"
    BLACK_JOKER = "B"
    RED_JOKER = "R"

    index: int
    """The kernel's lane of the rank, 0 (the 3s) to 14 (the red joker)."""

    def __init__(self, letter: str) -> None:
        self.index = "3456789TJQKA2BR".index(letter)

    def __lt__(self, other: object) -> bool:
        return self.index < other.index if isinstance(other, Rank) else NotImplemented

    def __hash__(self) -> int:
        return self.index

    def __str__(self) -> str:
        return str(self.value)


RANKS: Final = tuple(Rank)
LETTERS: Final = "".join(rank.value for rank in RANKS)
_JOKERS: Final = (kernel.BLACK_JOKER, kernel.RED_JOKER)
_SUITED: Final = (1 << 52) - 1
_ODD_BITS: Final = 0x5555555555555
_LOW_PAIRS: Final = 0x3333333333333


def _name(card: int) -> str:
    return LETTERS[card - 39] if card >= 52 else LETTERS[card // 4] + SUITS[card % 4]


DECK: Final = tuple(_name(card) for card in range(DECK_SIZE))
"""The names of all cards in the order of their bits: 3c 3d 3h 3s 4c ... 2s B R."""


class CardSet:
    """An immutable set of cards; at most 54, each once.

    >>> CardSet.parse("Td 3c B")
    CardSet.parse('3cTdB')
    """

    __slots__ = ("bits",)
    bits: int
    """Bit i is set if card i of the deck is here."""

    def __init__(self, bits: int = 0) -> None:
        if not 0 <= bits < 1 << DECK_SIZE:
            raise ValueError(f"not a set of the deck's 54 cards: {bits:#x}")
        object.__setattr__(self, "bits", bits)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a CardSet does not change")

    def __reduce__(self) -> tuple[type[Self], tuple[int]]:
        return type(self), (self.bits,)  # copying and pickling by the bits: slots cannot be set from outside

    @classmethod
    def parse(cls, text: str) -> Self:
        """The cards named in `text`: a rank and a suit each (`3c`, `Td`), jokers as `B` and `R`.

        Raises:
            Unreadable: at a token that is no card, and at a card that is named twice.
        """
        bits = 0
        for name in split_cards(text):
            card = _CARD_BY_NAME.get(name)
            if card is None:
                raise Unreadable(
                    "cards/unknown",
                    "'{sign}' is no card: write the rank and the suit, such as 3c or Td, or B or R",
                    sign=name,
                )
            if bits >> card & 1:
                raise _named_twice(name)
            bits |= 1 << card
        return cls(bits)

    @property
    def counts(self) -> int:
        """How many of each rank, packed for the kernel."""
        bits = self.bits
        packed = bits & _SUITED  # a lane of 4 bits a rank: count the bits of each lane, of all lanes at once
        packed -= packed >> 1 & _ODD_BITS
        packed = (packed & _LOW_PAIRS) + (packed >> 2 & _LOW_PAIRS)
        return packed | (bits >> 52 & 1) << 52 | bits >> 53 << 56

    @property
    def ranks(self) -> str:
        """The rank letters of the cards, low to high, without suits."""
        return rank_letters(self.counts)

    def __iter__(self) -> Iterator[int]:
        bits = self.bits
        while bits:
            low = bits & -bits
            yield low.bit_length() - 1
            bits ^= low

    def __str__(self) -> str:
        return "".join([DECK[card] for card in self])

    def __repr__(self) -> str:
        return f"CardSet.parse({str(self)!r})"

    def __len__(self) -> int:
        return self.bits.bit_count()

    def __eq__(self, other: object) -> bool:
        return self.bits == other.bits if isinstance(other, CardSet) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.bits)

    def __or__(self, other: "CardSet") -> "CardSet":
        return _unchecked(self.bits | other.bits)

    def __and__(self, other: "CardSet") -> "CardSet":
        return _unchecked(self.bits & other.bits)

    def __sub__(self, other: "CardSet") -> "CardSet":
        return _unchecked(self.bits & ~other.bits)

    def __ge__(self, other: "CardSet") -> bool:
        """True if every card of `other` is here."""
        return not other.bits & ~self.bits

    def take(self, packed: int) -> "CardSet":
        """The cards of lowest suit that make up `packed` counts.

        Raises:
            Refused: `play/not-held`, naming the rank of which there are too few.
        """
        chosen = 0
        while packed:
            lowest = (packed & -packed).bit_length() - 1 & ~3  # four times the rank: where its lane begins
            need = packed >> lowest & 15
            packed ^= need << lowest
            at, mask = (lowest, 15) if lowest < 52 else (39 + lowest // 4, 1)
            own = self.bits >> at & mask
            if own.bit_count() < need:
                raise not_held(LETTERS[lowest // 4], need, own.bit_count())
            chosen |= _LOWEST[own][need] << at
        return _unchecked(chosen)


def _unchecked(bits: int) -> CardSet:
    """The set of these bits, known to be cards of the deck: what is made of sets needs no check."""
    cards: CardSet = object.__new__(CardSet)
    _set_bits(cards, bits)
    return cards


_set_bits: Final[Callable[[CardSet, int], None]] = CardSet.__dict__["bits"].__set__
"""Behind the back of `CardSet.__setattr__`, which lets nobody else."""


def _lowest(own: int, count: int) -> int:
    """The `count` lowest bits of `own`; all of them if there are fewer."""
    return own if own.bit_count() <= count else _lowest(own & ~(1 << own.bit_length() - 1), count)


_LOWEST: Final = [[_lowest(own, count) for count in range(5)] for own in range(16)]
"""By the suits held of a rank and the number wanted: the lowest suits."""


def not_held(letter: str, wanted: int, held: int) -> Refused:
    """The refusal of a play for want of cards of one rank."""
    return Refused(
        "play/not-held",
        "the hand holds {held} of rank {rank}, not {wanted}",
        rank=letter,
        wanted=wanted,
        held=held,
    )


def card_not_held(card: str) -> Refused:
    """The refusal of a play for want of one card."""
    return Refused("play/not-held", "the hand does not hold the card {rank}", rank=card, wanted=1, held=0)


def no_rank(sign: str) -> Unreadable:
    """The error for a sign that names no rank."""
    return Unreadable("cards/no-rank", "'{sign}' is no rank: the ranks are {ranks}", sign=sign, ranks=" ".join(LETTERS))


def _named_twice(card: str) -> Unreadable:
    return Unreadable("cards/twice", "the card {card} is named twice", card=card)


def resolve(text: str, held: CardSet) -> CardSet:
    """The cards that `text` names out of `held`: those with a suit exactly, the others in the lowest suits left.

    Raises:
        Unreadable: if the text names no cards.
        Refused: `play/not-held`, if `held` has not all of them.
    """
    names = split_cards(text)
    suited = CardSet.parse("".join(name for name in names if len(name) == 2))
    if missing := suited - held:
        name = DECK[next(iter(missing))]
        raise card_not_held(name)
    bare = parse_ranks("".join(name for name in names if len(name) == 1))
    return suited | (held - suited).take(bare)


def split_cards(text: str) -> list[str]:
    """The card names in `text`; ranks may be small letters, 10 and 0 are T, blanks and commas are skipped."""
    clean = text.replace("10", "T").replace("0", "T").replace(",", " ")
    names: list[str] = []
    for char in clean:
        if char.isspace():
            continue
        if char in SUITS and names and len(names[-1]) == 1:
            names[-1] += char
        else:
            names.append(char.upper())
    return names


def parse_ranks(text: str) -> int:
    """Packed counts of the ranks in `text`: `33`, `10jqka`, `BR`; suits that stand there are read and dropped.

    Raises:
        Unreadable: at a letter that is no rank, and at more cards of a rank than a deck has, or a card named twice.
    """
    packed = 0
    named: set[str] = set()
    for name in split_cards(text):
        rank = LETTERS.find(name[0])
        if rank < 0:
            raise no_rank(name[0])
        most = 1 if rank in _JOKERS else 4
        if kernel.lane(packed, rank) == most:
            raise Unreadable(
                "cards/too-many", "there are too many of rank {rank}: a deck has {most}", rank=name[0], most=most
            )
        if len(name) == 2:
            if name in named:
                raise _named_twice(name)
            named.add(name)
        packed += 1 << 4 * rank
    return packed


def rank_letters(packed: int) -> str:
    """The letters of packed counts, low to high: `334455`."""
    return "".join(letter * kernel.lane(packed, rank) for rank, letter in enumerate(LETTERS))


def union(sets: Iterable[CardSet]) -> CardSet:
    """All the cards of several sets."""
    bits = 0
    for cards in sets:
        bits |= cards.bits
    return _unchecked(bits)


_CARD_BY_NAME: Final = {name: card for card, name in enumerate(DECK)}
EMPTY: Final = CardSet()
FULL_DECK: Final = CardSet((1 << DECK_SIZE) - 1)
