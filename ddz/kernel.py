"""The one generator of moves. Integers only; knows ranks, never suits.

A *packed* value holds how many cards of each rank there are: 15 lanes of 4 bits, lane 0 for the 3s up to lane
12 for the 2s, lane 13 for the black joker and 14 for the red one. Recognition, listing, hints, audit and bots
all ask `melds_of`; there is no second place that knows what a meld is.

Kinds, ranks and lengths are as in rules.md A: `rank` is the lane of the lowest core rank, `length` the number of
core ranks. A *policy* packs the knobs of rules.md C that decide which kickers are allowed.
"""

from typing import Final

LANES: Final = 15
TWO: Final = 12
BLACK_JOKER: Final = 13
RED_JOKER: Final = 14

(SOLO, PAIR, TRIO, TRIO_SOLO, TRIO_PAIR, CHAIN, PAIR_CHAIN, AIRPLANE, AIRPLANE_SOLOS, AIRPLANE_PAIRS,
 QUAD_SOLOS, QUAD_PAIRS, BOMB, ROCKET) = range(14)  # fmt: skip

# By kind: cards of each core rank, single cards and pairs as kickers for each core rank, shortest chain of core ranks.
CORE_COPIES: Final = (1, 2, 3, 3, 3, 1, 2, 3, 3, 3, 4, 4, 4, 1)
SOLO_KICKERS: Final = (0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0)
PAIR_KICKERS: Final = (0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2, 0, 0)
SHORTEST: Final = (1, 1, 1, 1, 1, 5, 3, 2, 2, 2, 1, 1, 1, 2)
SEQUENCES: Final = (CHAIN, PAIR_CHAIN, AIRPLANE, AIRPLANE_SOLOS, AIRPLANE_PAIRS)

# A policy: the low 3 bits are the most equal solo kickers (1 to 4), the flags stand above them.
MOST_EQUAL: Final = 7
CORE_KICKERS: Final = 8  # a kicker of a core rank, in airplanes
EQUAL_PAIRS: Final = 16  # two equal pairs as pair kickers
BOTH_JOKERS: Final = 32  # both jokers as solo kickers
ADJACENT_TRIO: Final = 64  # three equal solo kickers next to the airplane's own trios
QUADS: Final = 128  # quad+solos and quad+pairs exist

LARGEST_HAND: Final = 20
GUARD: Final = 0x888888888888888
ONES: Final = 0x111111111111111
LOW_NIBBLES: Final = 0x0F0F0F0F0F0F0F0F


def lane(packed: int, rank: int) -> int:
    """How many cards of lane `rank`."""
    return packed >> 4 * rank & 15


def total(packed: int) -> int:
    """How many cards in all (at most 54, so the byte sums cannot wrap)."""
    return ((packed & LOW_NIBBLES) + (packed >> 4 & LOW_NIBBLES)) % 255


def covers(packed: int, part: int) -> bool:
    """True if `part` can be taken out of `packed`, lane by lane."""
    return ((packed | GUARD) - part) & GUARD == GUARD


def block(copies: int, rank: int, length: int) -> int:
    """`copies` of each of `length` neighbouring ranks from `rank` on."""
    return copies * (ONES & (1 << 4 * length) - 1) << 4 * rank


def size(kind: int, length: int) -> int:
    """Cards in a meld of this kind with `length` core ranks."""
    return (CORE_COPIES[kind] + SOLO_KICKERS[kind] + 2 * PAIR_KICKERS[kind]) * length


def length_of(kind: int, cards: int) -> int:
    """The number of core ranks of a meld of this kind that has so many cards: a kind's size says it."""
    return cards // size(kind, 1)


def _shapes() -> tuple[tuple[int, int, int], ...]:
    shapes = []
    for kind in range(14):
        longest = TWO if kind in SEQUENCES else SHORTEST[kind]
        for length in range(SHORTEST[kind], longest + 1):
            if size(kind, length) <= LARGEST_HAND:
                shapes.append((kind, length, size(kind, length)))
    return tuple(shapes)


# Every (kind, length, size) that fits into the largest hand, in the order in which moves are listed.
SHAPES: Final = _shapes()


def melds_of(hand: int, kind: int, length: int, above: int, policy: int) -> list[tuple[int, int]]:
    """Every meld of one shape in `hand` as (rank, cards), of a rank above `above` (-1 for all).

    In rising order of rank, then of kickers; each once.
    """
    if kind == ROCKET:
        rocket = block(1, BLACK_JOKER, 2)
        return [(BLACK_JOKER, rocket)] if covers(hand, rocket) and above < BLACK_JOKER else []
    if kind in (QUAD_SOLOS, QUAD_PAIRS) and not policy & QUADS:
        return []
    copies = CORE_COPIES[kind]
    if kind == SOLO:
        highest = RED_JOKER
    elif kind in SEQUENCES:
        highest = TWO - length  # no 2 and no joker in a sequence
    else:
        highest = TWO
    found = []
    core = block(copies, above + 1, length)
    guarded = hand | GUARD
    for rank in range(above + 1, highest + 1):
        if (guarded - core) & GUARD == GUARD:
            if SOLO_KICKERS[kind] or PAIR_KICKERS[kind]:
                for kickers in _kickers(hand, kind, rank, length, policy):
                    found.append((rank, core + kickers))
            else:
                found.append((rank, core))
        core <<= 4
    return found


def _kickers(hand: int, kind: int, rank: int, length: int, policy: int) -> list[int]:
    """Every choice of kickers that `hand` holds beside the core at `rank`, in rising order."""
    solos = SOLO_KICKERS[kind]
    copies = CORE_COPIES[kind]
    core_allowed = policy & CORE_KICKERS and kind in SEQUENCES
    slots: list[tuple[int, int]] = []  # (lane, most kickers from it)
    for other in range(LANES):
        held = hand >> 4 * other & 15
        if rank <= other < rank + length:
            held = held - copies if core_allowed else 0
        if solos:
            most = min(held, policy & MOST_EQUAL)
            beside = other == rank - 1 or (other == rank + length and other != TWO)
            if kind == AIRPLANE_SOLOS and beside and not policy & ADJACENT_TRIO:
                most = min(most, 2)
        else:
            most = held // 2 if policy & EQUAL_PAIRS else min(held // 2, 1)
        if most:
            slots.append((other, most))
    need = length * (solos or PAIR_KICKERS[kind])
    found: list[int] = []
    _choose(slots, 0, need, 0, 1 if solos else 2, found)
    if solos and not policy & BOTH_JOKERS:
        rocket = block(1, BLACK_JOKER, 2)
        found = [kickers for kickers in found if kickers & rocket != rocket]
    return found


def _choose(slots: list[tuple[int, int]], at: int, need: int, chosen: int, width: int, found: list[int]) -> None:
    """Append to `found` every way to take `need` kickers of `width` cards from `slots[at:]`."""
    if not need:
        found.append(chosen)
        return
    if at == len(slots):
        return
    other, most = slots[at]
    for count in range(min(most, need), -1, -1):
        _choose(slots, at + 1, need - count, chosen + (width * count << 4 * other), width, found)


def leads(hand: int, policy: int) -> list[tuple[int, int, int, int]]:
    """Every meld in `hand` as (kind, length, rank, cards): by kind, length, rank, kickers; each reading once."""
    held = total(hand)
    found = []
    for kind, length, cards in SHAPES:
        if cards <= held:
            for rank, meld in melds_of(hand, kind, length, -1, policy):
                found.append((kind, length, rank, meld))
    return found


def beaters(kind: int, length: int, rank: int) -> list[tuple[int, int, int]]:
    """What beats a meld: a list of (kind, length, above), any meld of that shape with a rank above `above`."""
    if kind == ROCKET:
        return []
    if kind == BOMB:
        return [(BOMB, 1, rank), (ROCKET, 2, -1)]
    return [(kind, length, rank), (BOMB, 1, -1), (ROCKET, 2, -1)]


def responses(hand: int, kind: int, length: int, rank: int, policy: int) -> list[tuple[int, int, int, int]]:
    """Every meld in `hand` that beats the given one, in the form and the order of `leads`."""
    found = []
    for other, long, above in beaters(kind, length, rank):
        for start, meld in melds_of(hand, other, long, above, policy):
            found.append((other, long, start, meld))
    return found


def readings(cards: int, policy: int) -> list[tuple[int, int, int]]:
    """Every meld that exactly these cards are, as (kind, length, rank); empty if they are none."""
    held = total(cards)
    found = []
    for kind, length, needed in SHAPES:
        if needed == held:  # of a hand as large as the meld, each meld found is the hand
            for rank, _ in melds_of(cards, kind, length, -1, policy):
                found.append((kind, length, rank))
    return found
