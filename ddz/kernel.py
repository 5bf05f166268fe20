"""The one generator of moves. Integers only; knows ranks, never suits.

A *packed* value holds how many cards of each rank there are: 15 lanes of 4 bits, lane 0 for the 3s up to lane
12 for the 2s, lane 13 for the black joker and 14 for the red one. Recognition, listing, hints, audit and bots
all ask this file; there is no second place that knows what a meld is.

Kinds, ranks and lengths are as in rules.md A: `rank` is the lane of the lowest core rank, `length` the number of
core ranks. A *policy* packs the knobs of rules.md C that decide which kickers are allowed.

The file is Python, and also Cython in its pure Python mode: where a compiler was there at the installation, the names
of `COMPILED` are replaced at the end by those of `ddz._kernel`, which is this file compiled. What is annotated
with a type of `cython` is a C number there. So products are masked to 64 bits, no number here is ever negative but
`above`, and a literal of more than 31 bits is declared at the top (in place it would be a Python object).
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING or __name__ != "cython":  # always; the other branch tells Cython's compiler what `cython` is
    from ddz import uncompiled as cython
else:
    import cython

# C numbers when compiled, which only this file sees: the others take these names from the source that they import.
cython.declare(LANES=cython.int, TWO=cython.int, BLACK_JOKER=cython.int, RED_JOKER=cython.int)
cython.declare(MOST_EQUAL=cython.int, CORE_KICKERS=cython.int, EQUAL_PAIRS=cython.int)
cython.declare(BOTH_JOKERS=cython.int, ADJACENT_TRIO=cython.int, QUADS=cython.int)
cython.declare(SOLO=cython.int, PAIR=cython.int, TRIO=cython.int, TRIO_SOLO=cython.int, TRIO_PAIR=cython.int)
cython.declare(CHAIN=cython.int, PAIR_CHAIN=cython.int, AIRPLANE=cython.int, AIRPLANE_SOLOS=cython.int)
cython.declare(AIRPLANE_PAIRS=cython.int, QUAD_SOLOS=cython.int, QUAD_PAIRS=cython.int, BOMB=cython.int)
cython.declare(ROCKET=cython.int)

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

Meld = tuple[int, int, int, int]
"""A meld as the kernel lists it: kind, length, rank, packed cards."""

_ONE = cython.declare(cython.ulonglong, 1)
_GUARD = cython.declare(cython.ulonglong, GUARD)
_ONES = cython.declare(cython.ulonglong, ONES)
_LOW_NIBBLES = cython.declare(cython.ulonglong, LOW_NIBBLES)
_JOKERS = cython.declare(cython.ulonglong, 0x110000000000000)
_TWOS = cython.declare(cython.ulonglong, 0x00F000000000000)  # the lane of the 2s
_MASK = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
_SPREAD = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: Knuth's hash
_STIR = cython.declare(cython.ulonglong, 0x2545F4914F6CDD1D)  # the multiplier of xorshift64* (Vigna 2016)

# A *word* is a meld in 64 bits: its cards as they are packed, and above the jokers, whose lanes need one bit each,
# the kind in bits 60 to 63 and the rank in bits 53 to 55 and 57. The length follows from the number of cards.
_CARDS = cython.declare(cython.ulonglong, 0x011FFFFFFFFFFFFF)
_RANKS = cython.declare(cython.ulonglong, 0x02E0000000000000)

_COPIES = cython.declare(cython.int[14])
_SOLOS = cython.declare(cython.int[14])
_PAIRS = cython.declare(cython.int[14])
_SHORTEST = cython.declare(cython.int[14])
_LONGEST = cython.declare(cython.int[14])
_SIZE = cython.declare(cython.int[14])  # cards of a core rank with its kickers
_SEQUENCE = cython.declare(cython.int[14])
_KIND_BITS = cython.declare(cython.ulonglong[14])
_RANK_BITS = cython.declare(cython.ulonglong[15])
_LANE_OF = cython.declare(cython.int[61])  # by a lane's lowest bit modulo 61: 16 to the power of 0 to 14 all differ

MOST_MELDS: Final = 95352
"""The most readings that any hand has: the whole deck under `literal` (rules.md C)."""
_WORDS = cython.declare(cython.ulonglong[95352])
"""Where a list of melds is made before it becomes objects."""


def _fill_tables() -> None:
    bits: cython.ulonglong
    for kind in range(14):
        _COPIES[kind] = CORE_COPIES[kind]
        _SOLOS[kind] = SOLO_KICKERS[kind]
        _PAIRS[kind] = PAIR_KICKERS[kind]
        _SHORTEST[kind] = SHORTEST[kind]
        _SIZE[kind] = size(kind, 1)
        _SEQUENCE[kind] = kind in SEQUENCES
        _LONGEST[kind] = max(length for other, length, _ in SHAPES if other == kind)
        bits = kind
        _KIND_BITS[kind] = bits << 60
    for rank in range(LANES):
        bits = rank
        _RANK_BITS[rank] = (bits & 7) << 53 | bits >> 3 << 57
        _LANE_OF[(_ONE << 4 * rank) % 61] = rank


# --- packed counts


def lane(packed: cython.ulonglong, rank: cython.int) -> int:
    """How many cards of lane `rank`."""
    return packed >> 4 * rank & 15


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _total(packed: cython.ulonglong) -> cython.int:
    packed = (packed & _LOW_NIBBLES) + (packed >> 4 & _LOW_NIBBLES)
    return packed % 255  # the byte sums: at most 54, so they cannot wrap


def total(packed: cython.ulonglong) -> int:
    """How many cards in all (at most 54)."""
    return _total(packed)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _covers(packed: cython.ulonglong, part: cython.ulonglong) -> cython.int:
    return ((packed | _GUARD) - part) & _GUARD == _GUARD


def covers(packed: cython.ulonglong, part: cython.ulonglong) -> bool:
    """True if `part` can be taken out of `packed`, lane by lane."""
    return bool(_covers(packed, part))


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
_fill_tables()


def check(packed: cython.ulonglong) -> None:
    """Nothing, if these counts are part of a deck.

    Raises:
        ValueError: more than four of a rank, or than one of a joker.
    """
    jokers: cython.ulonglong = packed >> 4 * BLACK_JOKER
    # 5 or more, and 3, set a lane's highest bit, if it was not set before.
    if (packed | packed + 3 * _ONES) & _GUARD or jokers & 0xEE or jokers >> 8:
        raise ValueError(f"no part of a deck: {packed:#x}")


# --- the generator


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _at_least(hand: cython.ulonglong, copies: cython.int) -> cython.ulonglong:
    """The lowest bit of each lane that holds `copies` (1 to 4) or more."""
    # A lane holds 0 to 4, so adding 8 - copies sets its highest bit exactly where there are enough.
    return (hand + (8 - copies) * _ONES) >> 3 & _ONES


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _starts(hand: cython.ulonglong, kind: cython.int, length: cython.int, above: cython.int) -> cython.ulonglong:
    """The lowest bit of each lane above lane `above` at which a core of this shape starts in `hand`."""
    run: cython.ulonglong
    ranks: cython.ulonglong
    step: cython.int
    if kind == ROCKET:
        ranks = _JOKERS
        run = (hand & hand >> 4) & (ranks & ~(ranks << 4))
    else:
        ranks = _at_least(hand, _COPIES[kind])
        if _SEQUENCE[kind]:
            ranks &= _ONES >> 4 * (LANES - TWO)
        run = ranks
        for step in range(1, length):
            run &= ranks >> 4 * step
    return run >> 4 * (above + 1) << 4 * (above + 1)


@cython.cfunc
@cython.exceptval(check=False)
def _kickers_held(
    hand: cython.ulonglong, kind: cython.int, rank: cython.int, length: cython.int, policy: cython.int
) -> cython.ulonglong:
    """The most kickers (solos or pairs, as the kind has them) that each rank may give to a core at `rank`, packed."""
    core: cython.ulonglong = _ONES >> 4 * (LANES - length) << 4 * rank
    spare: cython.ulonglong
    most: cython.ulonglong
    beside: cython.ulonglong = 0
    spare = hand - _COPIES[kind] * core if policy & CORE_KICKERS and _SEQUENCE[kind] else hand & ~(15 * core)
    if not _SOLOS[kind]:
        most = _at_least(spare, 2)
        return most + _at_least(spare, 4) if policy & EQUAL_PAIRS else most
    most = _at_least(spare, 1)
    if policy & MOST_EQUAL > 1:
        most += _at_least(spare, 2)
    if policy & MOST_EQUAL > 2:
        if kind == AIRPLANE_SOLOS and not policy & ADJACENT_TRIO:
            beside = (core << 4 & ~_TWOS) | core >> 4
        most += _at_least(spare, 3) & ~beside
    if policy & MOST_EQUAL > 3:
        most += _at_least(spare, 4) & ~beside
    return most


@cython.cfunc
@cython.exceptval(check=False)
def _choose(
    ranks: cython.ulonglong,
    most: cython.ulonglong,
    need: cython.int,
    width: cython.int,
    word: cython.ulonglong,
    words: cython.p_ulonglong,
    n: cython.int,
) -> cython.int:
    """Put `word` with each choice of `need` kickers of `width` cards at words[n:]; the number of words then."""
    one: cython.ulonglong
    held: cython.ulonglong
    count: cython.int
    while ranks:
        one = ranks & (~ranks + 1)
        ranks ^= one
        if need == 1:
            words[n] = word + width * one
            n += 1
            continue
        held = most & 15 * one
        count = 1
        while count < need and (count + 1) * one <= held:
            count += 1
        while count:
            if count == need:
                words[n] = word + count * width * one
                n += 1
            else:
                n = _choose(ranks, most, need - count, width, word + count * width * one, words, n)
            count -= 1
    return n


@cython.cfunc
@cython.exceptval(check=False)
def _without_rocket(words: cython.p_ulonglong, first: cython.int, n: cython.int) -> cython.int:
    """Drop the words from words[first:n] whose cards have both jokers; the number of words then."""
    at: cython.int
    for at in range(first, n):
        if words[at] & _JOKERS != _JOKERS:
            words[first] = words[at]
            first += 1
    return first


@cython.cfunc
@cython.exceptval(check=False)
def _list(
    hand: cython.ulonglong,
    kind: cython.int,
    length: cython.int,
    above: cython.int,
    policy: cython.int,
    words: cython.p_ulonglong,
    n: cython.int,
) -> cython.int:
    """Put every meld of one shape of a rank above `above` at words[n:], by rank, then kickers; the number then."""
    return _list_at(_starts(hand, kind, length, above), hand, kind, length, policy, words, n)


@cython.cfunc
@cython.exceptval(check=False)
def _list_at(
    starts: cython.ulonglong,
    hand: cython.ulonglong,
    kind: cython.int,
    length: cython.int,
    policy: cython.int,
    words: cython.p_ulonglong,
    n: cython.int,
) -> cython.int:
    """The same for the cores that begin at `starts`."""
    core: cython.ulonglong
    most: cython.ulonglong
    word: cython.ulonglong
    rank: cython.int = 0
    solos: cython.int = _SOLOS[kind] * length
    pairs: cython.int = _PAIRS[kind] * length
    first: cython.int = n
    if not starts or (kind in (QUAD_SOLOS, QUAD_PAIRS) and not policy & QUADS):
        return n
    core = _COPIES[kind] * (_ONES >> 4 * (LANES - length))
    while starts:
        if starts & 1:
            word = core << 4 * rank | _KIND_BITS[kind] | _RANK_BITS[rank]
            if solos or pairs:
                most = _kickers_held(hand, kind, rank, length, policy)
                n = _choose(_at_least(most, 1), most, solos or pairs, 1 if solos else 2, word, words, n)
            else:
                words[n] = word
                n += 1
        starts >>= 4
        rank += 1
    return n if not solos or policy & BOTH_JOKERS else _without_rocket(words, first, n)


@cython.cfunc
@cython.exceptval(check=False)
def _leads(hand: cython.ulonglong, policy: cython.int, words: cython.p_ulonglong) -> cython.int:
    """Put every meld in `hand` at words[0:], as `leads` lists them; their number."""
    held: cython.int = _total(hand)
    starts: cython.ulonglong
    kind: cython.int
    length: cython.int
    n: cython.int = 0
    most: cython.int = 1  # of one rank
    if hand >> 1 & _ONES or hand >> 2 & _ONES:
        most = 4 if hand >> 2 & _ONES else 3 if hand & hand >> 1 & _ONES else 2
    for kind in range(14):
        if _COPIES[kind] > most:
            continue
        length = _SHORTEST[kind]
        while length <= _LONGEST[kind] and length * _SIZE[kind] <= held:
            starts = _starts(hand, kind, length, -1)
            if not starts:
                break  # nor is there a longer one
            n = _list_at(starts, hand, kind, length, policy, words, n)
            length += 1
    return n


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _above(kind: cython.int, rank: cython.int, other: cython.int) -> cython.int:
    """The rank that a meld of kind `other` must exceed to beat one of `kind` at `rank`; LANES if none can.

    Of the same kind, the length must be the same too.
    """
    if kind == ROCKET:
        return LANES
    if other == kind:
        return rank
    return -1 if other in (BOMB, ROCKET) else LANES


@cython.cfunc
@cython.exceptval(check=False)
def _responses(
    hand: cython.ulonglong,
    kind: cython.int,
    length: cython.int,
    rank: cython.int,
    policy: cython.int,
    words: cython.p_ulonglong,
) -> cython.int:
    """Put every meld in `hand` that beats the given one at words[0:]; their number."""
    n: cython.int = 0
    if kind == ROCKET:
        return 0
    if kind != BOMB:
        n = _list(hand, kind, length, rank, policy, words, n)
    if hand >> 2 & _ONES:  # four of a rank
        n = _list(hand, BOMB, 1, _above(kind, rank, BOMB), policy, words, n)
    if hand & _JOKERS == _JOKERS:
        n = _list(hand, ROCKET, 2, _above(kind, rank, ROCKET), policy, words, n)
    return n


# --- words as objects

_SLOTS = cython.declare(cython.int, 1 << 16)
_KEYS = cython.declare(cython.ulonglong[1 << 16])
_SHARED: list[Meld] = cython.declare(list, [(0, 0, 0, 0)] * (1 << 16))
_shared = cython.declare(cython.int, 0)
_BY_WORD: dict[int, Meld] = {}


@cython.cfunc
def _unpack(word: cython.ulonglong) -> Meld:
    """The meld of a word."""
    kind: cython.int = word >> 60
    rank: cython.int = (word >> 53 & 7) | (word >> 54 & 8)
    cards: cython.ulonglong = word & _CARDS
    return kind, _total(cards) // _SIZE[kind], rank, cards


@cython.cfunc
def _meld(word: cython.ulonglong) -> Meld:
    """The meld of a word, made once and shared: making one takes longer than finding it."""
    global _shared  # noqa: PLW0603
    slot: cython.int
    if not cython.compiled:
        known = _BY_WORD.get(word)
        if known is None:
            known = _BY_WORD[word] = _unpack(word)
        return known
    slot = (word * _SPREAD & _MASK) >> 48
    while _KEYS[slot] != word:
        if not _KEYS[slot]:
            if _shared > 3 * _SLOTS // 4:
                return _unpack(word)  # nobody plays so many rules in one process; then it is only slower
            _shared += 1
            _KEYS[slot] = word
            _SHARED[slot] = _unpack(word)
            break
        slot = (slot + 1) & (_SLOTS - 1)
    return _SHARED[slot]


def melds_of(
    hand: cython.ulonglong, kind: cython.int, length: cython.int, above: cython.int, policy: cython.int
) -> list[tuple[int, int]]:
    """Every meld of one shape in `hand` as (rank, cards), of a rank above `above` (-1 for all).

    In rising order of rank, then of kickers; each once.

    Raises:
        ValueError: there is no such shape, or `hand` is no part of a deck.
    """
    n: cython.int
    check(hand)
    if not (0 <= kind < 14 and _SHORTEST[kind] <= length <= _LONGEST[kind] and -1 <= above < LANES):
        raise ValueError(f"there is no shape of kind {kind} and length {length} above {above}")
    n = _list(hand, kind, length, above, policy, _WORDS, 0)
    return [((_WORDS[at] >> 53 & 7) | (_WORDS[at] >> 54 & 8), _WORDS[at] & _CARDS) for at in range(n)]


def leads(hand: cython.ulonglong, policy: cython.int) -> list[Meld]:
    """Every meld in `hand`: by kind, length, rank, kickers; each reading once.

    Raises:
        ValueError: `hand` is no part of a deck.
    """
    n: cython.int
    check(hand)
    n = _leads(hand, policy, _WORDS)
    return [_meld(_WORDS[at]) for at in range(n)]


def beaters(kind: cython.int, length: cython.int, rank: cython.int) -> list[tuple[int, int, int]]:
    """What beats a meld: a list of (kind, length, above), any meld of that shape with a rank above `above`."""
    shapes = [(kind, length), (BOMB, 1), (ROCKET, 2)] if kind != BOMB else [(BOMB, 1), (ROCKET, 2)]
    return [(other, long, _above(kind, rank, other)) for other, long in shapes if _above(kind, rank, other) < LANES]


def responses(
    hand: cython.ulonglong, kind: cython.int, length: cython.int, rank: cython.int, policy: cython.int
) -> list[Meld]:
    """Every meld in `hand` that beats the given one, in the form and the order of `leads`.

    Raises:
        ValueError: there is no such meld, or `hand` is no part of a deck.
    """
    n: cython.int
    check(hand)
    if not (0 <= kind < 14 and _SHORTEST[kind] <= length <= _LONGEST[kind] and 0 <= rank < LANES):
        raise ValueError(f"there is no meld of kind {kind} and length {length} at rank {rank}")
    n = _responses(hand, kind, length, rank, policy, _WORDS)
    return [_meld(_WORDS[at]) for at in range(n)]


def readings(cards: cython.ulonglong, policy: cython.int) -> list[tuple[int, int, int]]:
    """Every meld that exactly these cards are, as (kind, length, rank); empty if they are none.

    Raises:
        ValueError: `cards` are no part of a deck.
    """
    held: cython.int = _total(cards)
    kind: cython.int
    length: cython.int
    at: cython.int
    n: cython.int
    found: list[tuple[int, int, int]] = []
    check(cards)
    for kind in range(14):
        length = held // _SIZE[kind]
        if length * _SIZE[kind] == held and _SHORTEST[kind] <= length <= _LONGEST[kind]:
            # Of a hand as large as the meld, each meld found is the hand.
            n = _list(cards, kind, length, -1, policy, _WORDS, 0)
            for at in range(n):
                found.append((kind, length, (_WORDS[at] >> 53 & 7) | (_WORDS[at] >> 54 & 8)))
    return found


# --- whole games


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _stir(state: cython.ulonglong) -> cython.ulonglong:
    """The next state of the generator xorshift64* (Marsaglia 2003, Vigna 2016)."""
    state ^= state >> 12
    state ^= state << 25 & _MASK
    return state ^ state >> 27


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _draw(state: cython.ulonglong, n: cython.ulonglong) -> cython.int:
    """A number from 0 to n - 1 out of a state; uneven by less than n in 2^32."""
    return ((state * _STIR & _MASK) >> 32) * n >> 32


@cython.cfunc
@cython.exceptval(check=False)
def _deal(state: cython.ulonglong, hands: cython.p_ulonglong) -> cython.ulonglong:
    """Deal 20, 17 and 17 cards to hands[0:3]; the generator's next state."""
    deck = cython.declare(cython.ulonglong[54])
    one: cython.ulonglong = 1
    at: cython.int
    other: cython.int
    for at in range(52):
        deck[at] = one << 4 * (at >> 2)
    deck[52] = one << 4 * BLACK_JOKER
    deck[53] = one << 4 * RED_JOKER
    hands[1] = hands[2] = 0
    for at in range(34):
        state = _stir(state)
        other = at + _draw(state, 54 - at)
        one = deck[other]
        deck[other] = deck[at]
        hands[1 + at % 2] += one
    hands[0] = 4 * (_ONES >> 4 * (LANES - BLACK_JOKER)) + _JOKERS - hands[1] - hands[2]
    return state


# A move of a random game is drawn without a list where counting is enough: the melds that `_leads` and `_responses`
# would list, in their order. What carries two kickers or more is listed.


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _count(lanes: cython.ulonglong) -> cython.int:
    """How many lanes have their lowest bit set."""
    return (lanes - 1) % 15 + 1 if lanes else 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _nth(lanes: cython.ulonglong, n: cython.int) -> cython.ulonglong:
    """The lowest bit of the n-th lane, from 0 on, that has it set."""
    while n:
        lanes &= lanes - 1
        n -= 1
    return lanes & (~lanes + 1)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _built(kind: cython.int, length: cython.int, low: cython.ulonglong, kickers: cython.ulonglong) -> cython.ulonglong:
    """The word of a meld whose lowest core rank is the lane of the bit `low`."""
    core: cython.ulonglong = _COPIES[kind] * low * (_ONES >> 4 * (LANES - length))
    return (core + kickers) | _KIND_BITS[kind] | _RANK_BITS[_LANE_OF[low % 61]]


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _runs(ranks: cython.ulonglong, length: cython.int) -> cython.ulonglong:
    """Where runs of `length` (2, 3 or 5) of `ranks`, up to the ace, begin."""
    run: cython.ulonglong
    ranks &= _ONES >> 4 * (LANES - TWO)
    run = ranks & ranks >> 4
    if length > 2:
        run &= ranks >> 8
    return run & run >> 8 if length > 3 else run


@cython.cfunc
@cython.exceptval(check=False)
def _count_runs(ranks: cython.ulonglong, length: cython.int) -> cython.int:
    """How many runs of `length` (2, 3 or 5) and more there are."""
    run: cython.ulonglong = _runs(ranks, length)
    n: cython.int = 0
    while run:
        n += _count(run)
        run &= ranks >> 4 * length & _ONES >> 4 * (LANES - TWO + length)
        length += 1
    return n


@cython.cfunc
@cython.exceptval(check=False)
def _nth_run(kind: cython.int, ranks: cython.ulonglong, length: cython.int, n: cython.int) -> cython.ulonglong:
    """The n-th of them, by length and rank, as the word of a meld."""
    run: cython.ulonglong = _runs(ranks, length)
    while n >= _count(run):
        n -= _count(run)
        run &= ranks >> 4 * length & _ONES >> 4 * (LANES - TWO + length)
        length += 1
    return _built(kind, length, _nth(run, n), 0)


@cython.cfunc
@cython.exceptval(check=False)
def _list_wide(
    hand: cython.ulonglong, policy: cython.int, trios: cython.ulonglong, fours: cython.ulonglong
) -> cython.int:
    """Put the leads that carry two kickers or more at _WORDS[0:]; their number."""
    length: cython.int
    n: cython.int = 0
    if _runs(trios, 2):
        for length in range(2, _LONGEST[AIRPLANE_SOLOS] + 1):
            n = _list(hand, AIRPLANE_SOLOS, length, -1, policy, _WORDS, n)
        for length in range(2, _LONGEST[AIRPLANE_PAIRS] + 1):
            n = _list(hand, AIRPLANE_PAIRS, length, -1, policy, _WORDS, n)
    if fours:
        n = _list(hand, QUAD_SOLOS, 1, -1, policy, _WORDS, n)
        n = _list(hand, QUAD_PAIRS, 1, -1, policy, _WORDS, n)
    return n


@cython.cfunc
@cython.exceptval(check=False)
def _draw_lead(hand: cython.ulonglong, policy: cython.int, state: cython.ulonglong) -> cython.ulonglong:
    """One of the melds that `_leads` lists."""
    ones: cython.ulonglong = _at_least(hand, 1)
    twos: cython.ulonglong = _at_least(hand, 2)
    trios: cython.ulonglong = _at_least(hand, 3) if twos else twos
    fours: cython.ulonglong = _at_least(hand, 4) if trios else trios
    solo: cython.int = _count(ones)
    pair: cython.int = _count(twos)
    trio: cython.int = _count(trios)
    four: cython.int = _count(fours)
    chains: cython.int = _count_runs(ones, 5)
    double: cython.int = _count_runs(twos, 3)
    planes: cython.int = _count_runs(trios, 2) if trio else 0
    wide: cython.int = _list_wide(hand, policy, trios, fours) if trio else 0
    # a trio goes alone, with each other solo, or with each other pair
    n: cython.int = solo + pair + trio * (solo + pair - 1) + chains + double + planes + wide + four
    low: cython.ulonglong
    n = _draw(state, n + 1 if hand & _JOKERS == _JOKERS else n)
    if n < solo:
        return _built(SOLO, 1, _nth(ones, n), 0)
    n -= solo
    if n < pair:
        return _built(PAIR, 1, _nth(twos, n), 0)
    n -= pair
    if n < trio:
        return _built(TRIO, 1, _nth(trios, n), 0)
    n -= trio
    if n < trio * (solo - 1):
        low = _nth(trios, n // (solo - 1))
        return _built(TRIO_SOLO, 1, low, _nth(ones ^ low, n % (solo - 1)))
    n -= trio * (solo - 1)
    if n < trio * (pair - 1):
        low = _nth(trios, n // (pair - 1))
        return _built(TRIO_PAIR, 1, low, 2 * _nth(twos ^ low, n % (pair - 1)))
    n -= trio * (pair - 1)
    if n < chains:
        return _nth_run(CHAIN, ones, 5, n)
    n -= chains
    if n < double:
        return _nth_run(PAIR_CHAIN, twos, 3, n)
    n -= double
    if n < planes:
        return _nth_run(AIRPLANE, trios, 2, n)
    n -= planes
    if n < wide:
        return _WORDS[n]
    n -= wide
    return _built(BOMB, 1, _nth(fours, n), 0) if n < four else _JOKERS | _KIND_BITS[ROCKET] | _RANK_BITS[BLACK_JOKER]


@cython.cfunc
@cython.exceptval(check=False)
def _draw_response(
    hand: cython.ulonglong, top: cython.ulonglong, policy: cython.int, state: cython.ulonglong
) -> cython.ulonglong:
    """One of the melds that `_responses` lists, or 0 for a pass."""
    kind: cython.int = top >> 60
    rank: cython.int = (top >> 53 & 7) | (top >> 54 & 8)
    length: cython.int = 1
    starts: cython.ulonglong = 0
    kickers: cython.ulonglong = 0
    fours: cython.ulonglong = _at_least(hand, 4)
    each: cython.int = 1  # melds with the same core
    melds: cython.int
    four: cython.int = _count(fours) if kind != BOMB else 0
    n: cython.int
    if kind == ROCKET:
        return 0
    if kind <= TRIO_PAIR or kind == BOMB:
        starts = _at_least(hand, _COPIES[kind]) >> 4 * rank >> 4 << 4 * rank << 4
        if kind in (TRIO_SOLO, TRIO_PAIR):
            kickers = _at_least(hand, 1 if kind == TRIO_SOLO else 2)
            each = _count(kickers) - 1
        melds = _count(starts) * each
    else:
        length = _total(top & _CARDS) // _SIZE[kind]
        if kind <= AIRPLANE:
            starts = _starts(hand, kind, length, rank)
            melds = _count(starts)
        else:
            melds = _list(hand, kind, length, rank, policy, _WORDS, 0)
    n = _draw(state, melds + four + (2 if hand & _JOKERS == _JOKERS else 1))
    if n < melds:
        if not starts:
            return _WORDS[n]
        starts = _nth(starts, n // each)
        if kickers:
            kickers = _nth(kickers ^ starts, n % each) * (1 if kind == TRIO_SOLO else 2)
        return _built(kind, length, starts, kickers)
    n -= melds
    if n < four:
        return _built(BOMB, 1, _nth(fours, n), 0)
    return _JOKERS | _KIND_BITS[ROCKET] | _RANK_BITS[BLACK_JOKER] if n == four and hand & _JOKERS == _JOKERS else 0


def random_games(games: cython.int, seed: cython.ulonglong, policy: cython.int) -> tuple[int, int]:
    """Deal and play `games` games in which every choice is even among the legal ones: (won by the landlord, turns).

    Seat 0 is the landlord, with 20 cards. Game i of a seed is game 0 of the seed + i.
    """
    hands = cython.declare(cython.ulonglong[3])
    state: cython.ulonglong
    top: cython.ulonglong
    word: cython.ulonglong
    game: cython.int
    seat: cython.int
    owner: cython.int
    won: cython.longlong = 0
    turns: cython.longlong = 0
    for game in range(games):
        state = _stir((seed + game + 1) * _SPREAD & _MASK | 1)
        state = _deal(state, hands)
        seat = owner = top = 0
        while True:
            state = _stir(state)
            turns += 1
            word = _draw_response(hands[seat], top, policy, state) if top else _draw_lead(hands[seat], policy, state)
            if word:
                top = word
                owner = seat
                hands[seat] -= word & _CARDS
                if not hands[seat]:
                    break
            seat = (seat + 1) % 3
            if seat == owner:
                top = 0
        won += seat == 0
    return won, turns


def follow(
    hands: tuple[int, int, int], turn: cython.int, melds: list[Meld | None], policy: cython.int
) -> tuple[int, int | None]:
    """Play a script by the law: (how many of its turns are legal in order, the seat that has gone out or None).

    `hands` are packed, `turn` is the seat that leads, each of `melds` is a meld or None for a pass; whatever stands
    behind the turn that ends the game is not legal.

    Raises:
        ValueError: a hand is no part of a deck, there are not three, or `turn` is no seat.
    """
    held = cython.declare(cython.ulonglong[3])
    cards: cython.ulonglong
    kind: cython.int
    length: cython.int
    rank: cython.int
    at: cython.int
    n: cython.int
    done: cython.int = 0
    owner: cython.int = turn
    top_kind: cython.int = -1
    top_length: cython.int = 0
    top_rank: cython.int = 0
    if len(hands) != 3 or not 0 <= turn < 3:
        raise ValueError(f"there are three seats, 0 to 2: {len(hands)} hands, and {turn} leads")
    for at in range(3):
        check(hands[at])
        held[at] = hands[at]
    for meld in melds:
        if meld is None:
            if top_kind < 0:
                return done, None
        else:
            kind, length, rank, cards = meld
            if not (0 <= kind < 14 and _SHORTEST[kind] <= length <= _LONGEST[kind] and 0 <= rank < LANES):
                return done, None
            if not _covers(held[turn], cards) or length * _SIZE[kind] != _total(cards):
                return done, None
            if top_kind >= 0 and (
                rank <= _above(top_kind, top_rank, kind) or (kind == top_kind and length != top_length)
            ):
                return done, None
            n = _list(cards, kind, length, rank - 1, policy, _WORDS, 0)
            if not n or _WORDS[0] != (cards | _KIND_BITS[kind] | _RANK_BITS[rank]):
                return done, None
            held[turn] -= cards
            owner, top_kind, top_length, top_rank = turn, kind, length, rank
        done += 1
        if not held[turn]:
            return done, turn
        turn = (turn + 1) % 3
        if turn == owner:
            top_kind = -1
    return done, None


# --- plans: a hand split into melds

TURN: Final = 100
"""The price of a full turn; prices are in hundredths of a turn."""
BOMB_PRICE: Final = -60
"""A bomb costs no turn and brings a lead besides. Set by hand, as the rocket's and the fades below."""
ROCKET_PRICE: Final = -80
FADES: Final = {SOLO: 0.80, PAIR: 0.75, TRIO: 0.85, CHAIN: 0.85, PAIR_CHAIN: 0.9, AIRPLANE: 0.9, BOMB: 0.9, ROCKET: 0.9}
"""About the chance that one higher core that is out does not beat a meld, by the kind of its core."""

Price = Callable[[int, int, int], int]
"""The price of a meld of (kind, length, rank). Within a kind and length it must not rise with the rank."""

MOST_PLANS: Final = 1 << 16
"""How many hands a planner remembers (about 400 bytes each); then it begins anew."""
_BIAS = cython.declare(cython.int, 1 << 20)  # so that a price that is not yet known is 0


@cython.cclass
class Planner:
    """Plans hands under one policy and one price list, and remembers them.

    A plan splits a hand into melds so that the sum of their prices is least: sequences are searched (they compete for
    cards), what they leave is not searched but counted: no pair is broken but for kickers, a trio only to feed two
    others, jokers stay together, the dearest loose cards go as kickers first. In turns (each price the same) it missed
    none of the 2,600 random hands of 14 to 20 cards that were searched exhaustively, at a twentieth of the time.
    """

    _policy: cython.int
    _price: Price
    _plans: dict[int, tuple[int, tuple[Meld, ...]]]
    _prices = cython.declare(cython.int[14 * 13 * 15])
    _words = cython.declare(cython.ulonglong[133])  # the chains, pair-chains and airplanes of a whole deck (rules.md C)
    _costs = cython.declare(cython.int[133])
    _chosen = cython.declare(cython.int[20])
    _taken = cython.declare(cython.int[20])
    _sequences: cython.int
    _depth: cython.int
    _best: cython.int
    _saved: cython.int
    _solos: cython.ulonglong
    _pairs: cython.ulonglong

    def __init__(self, policy: cython.int, price: Price) -> None:
        """A planner for the kicker rules of `policy`; `price` gives prices in hundredths of a turn."""
        self._policy = policy
        self._price = price
        self._plans = {}
        if not cython.compiled:  # as Python these are lists, and each planner needs its own
            self._prices = [0] * (14 * 13 * 15)
            self._words, self._costs = [0] * 133, [0] * 133
            self._chosen, self._taken = [0] * 20, [0] * 20

    def plan(self, hand: cython.ulonglong) -> tuple[int, tuple[Meld, ...]]:
        """The cheapest plan found for `hand`: the sum of the prices in hundredths of a turn, and the melds.

        Raises:
            ValueError: `hand` is no part of a deck.
        """
        known = self._plans.get(hand)
        if known is None:
            check(hand)
            if len(self._plans) >= MOST_PLANS:
                self._plans.clear()
            self._search(hand)
            known = self._plans[hand] = (self._best, self._parts(hand))
        return known

    def cost(self, hand: cython.ulonglong) -> int:
        """The cost of `plan(hand)`, in hundredths of a turn."""
        return self.plan(hand)[0]

    @cython.cfunc
    def _priced(self, kind: cython.int, length: cython.int, rank: cython.int) -> cython.int:
        at: cython.int = (kind * 13 + length) * 15 + rank
        if not self._prices[at]:
            self._prices[at] = self._price(kind, length, rank) + _BIAS
        return self._prices[at] - _BIAS

    @cython.cfunc
    def _search(self, hand: cython.ulonglong) -> cython.int:
        """Find the best set of sequences: _taken[:_depth], and the cost of the whole plan."""
        kind: cython.int
        length: cython.int
        at: cython.int
        n: cython.int = 0
        for kind in (CHAIN, PAIR_CHAIN, AIRPLANE):
            for length in range(_SHORTEST[kind], _LONGEST[kind] + 1):
                n = _list(hand, kind, length, -1, self._policy, self._words, n)
        for at in range(n):
            kind = self._words[at] >> 60
            length = _total(self._words[at] & _CARDS) // _SIZE[kind]
            self._costs[at] = self._priced(kind, length, (self._words[at] >> 53 & 7) | (self._words[at] >> 54 & 8))
        self._sequences = n
        self._depth = 0
        self._best = self._close(hand, 0, None)
        return self._descend(hand, 0, 0, 0)

    @cython.cfunc
    def _descend(self, rest: cython.ulonglong, first: cython.int, spent: cython.int, depth: cython.int) -> cython.int:
        """Try every further sequence, from the one numbered `first` on, beside the _chosen[:depth]."""
        at: cython.int
        step: cython.int
        cost: cython.int
        for at in range(first, self._sequences):
            if not _covers(rest, self._words[at] & _CARDS):
                continue
            self._chosen[depth] = at
            cost = spent + self._costs[at] + self._close(rest - (self._words[at] & _CARDS), depth + 1, None)
            if cost < self._best:
                self._best = cost
                self._depth = depth + 1
                for step in range(depth + 1):
                    self._taken[step] = self._chosen[step]
        for at in range(self._sequences - 1, first - 1, -1):
            if _covers(rest, self._words[at] & _CARDS):
                self._chosen[depth] = at
                self._descend(rest - (self._words[at] & _CARDS), at, spent + self._costs[at], depth + 1)
        return 0

    @cython.cfunc
    def _parts(self, hand: cython.ulonglong) -> tuple[Meld, ...]:
        """The melds of the plan that was found."""
        at: cython.int
        parts: list[Meld] = []
        for at in range(self._depth):
            self._chosen[at] = self._taken[at]
            hand -= self._words[self._taken[at]] & _CARDS
            if self._words[self._taken[at]] >> 60 != AIRPLANE:
                parts.append(_meld(self._words[self._taken[at]]))
        self._close(hand, self._depth, parts)
        return tuple(parts)

    @cython.cfunc
    def _close(self, rest: cython.ulonglong, depth: cython.int, parts: list[Meld] | None) -> cython.int:
        """The cost of what the _chosen[:depth] leave, less their kickers; its melds, and airplanes, go to `parts`."""
        odd: cython.ulonglong
        twos: cython.ulonglong
        trios: cython.ulonglong
        fours: cython.ulonglong
        one: cython.ulonglong
        at: cython.int
        rank: cython.int
        extra: cython.int
        loose: cython.int
        cost: cython.int = 0
        if rest & _JOKERS == _JOKERS:
            cost = self._priced(ROCKET, 2, BLACK_JOKER)
            rest -= _JOKERS
            if parts is not None:
                parts.append(_meld(_JOKERS | _KIND_BITS[ROCKET] | _RANK_BITS[BLACK_JOKER]))
        odd = rest & _ONES
        twos = rest >> 1 & _ONES
        trios = odd & twos
        self._solos = odd & ~twos
        self._pairs = twos & ~odd
        for at in range(depth):
            if self._words[self._chosen[at]] >> 60 == AIRPLANE:
                self._carry(self._words[self._chosen[at]], 0, parts)
        fours = rest >> 2 & _ONES
        for rank in range(TWO + 1 if fours else 0):
            if fours >> 4 * rank & 1:
                extra = 0
                if self._policy & QUADS:
                    extra = self._priced(QUAD_SOLOS, 1, rank) - self._priced(BOMB, 1, rank)
                cost += self._priced(BOMB, 1, rank)
                if self._carry(_core(BOMB, rank), extra, parts):
                    cost += extra
        loose = _total(trios) - _total(self._solos) - _total(self._pairs)
        while loose >= 3:  # the lowest goes as two kickers of two others
            one = trios & (~trios + 1)
            trios ^= one
            self._solos |= one
            self._pairs |= one
            loose -= 3
        for rank in range(TWO + 1 if trios else 0):
            if trios >> 4 * rank & 1:
                cost += self._priced(TRIO, 1, rank)
                self._carry(_core(TRIO, rank), 0, parts)
        for rank in range(LANES):
            if self._solos >> 4 * rank & 1:
                cost += self._priced(SOLO, 1, rank)
                if parts is not None:
                    parts.append(_meld(_core(SOLO, rank)))
        for rank in range(TWO + 1):
            if self._pairs >> 4 * rank & 1:
                cost += self._priced(PAIR, 1, rank)
                if parts is not None:
                    parts.append(_meld(_core(PAIR, rank)))
        return cost

    @cython.cfunc
    def _carry(self, word: cython.ulonglong, above: cython.int, parts: list[Meld] | None) -> cython.int:
        """Give a core those loose cards that save most, if that is more than `above`; 1 if it took them."""
        kind: cython.int = word >> 60
        wings: cython.int = QUAD_SOLOS if kind == BOMB else kind + 1  # with solos; with pairs it is the next kind
        core: cython.ulonglong = _at_least(word & _CARDS, 3)
        need: cython.int = _SOLOS[wings] * _total(core)
        kickers: cython.ulonglong = 0
        in_pairs: cython.ulonglong
        broken: cython.ulonglong
        saved: cython.int = -1
        if kind != BOMB or self._policy & QUADS:
            kickers = self._solo_kickers(self._solos & ~core, self._pairs & ~core, need)
            saved = self._saved
            in_pairs = self._pair_kickers(self._pairs & ~core, need)
            if self._saved > saved:
                kickers, saved = in_pairs, self._saved
                wings += 1
        if parts is not None:
            word = word & _CARDS | word & _RANKS
            parts.append(_meld(word | _KIND_BITS[kind] if saved <= above else (word + kickers) | _KIND_BITS[wings]))
        if saved <= above:
            return 0
        broken = self._pairs & kickers & ~self._solos  # of a broken pair, the other card stays
        self._solos = self._solos & ~kickers | broken
        self._pairs &= ~(kickers >> 1 | broken)
        return 1

    @cython.cfunc
    def _solo_kickers(self, solos: cython.ulonglong, pairs: cython.ulonglong, need: cython.int) -> cython.ulonglong:
        """The `need` single kickers that save most, _saved being how much (-1: there are too few).

        Pairs fill in, whole or broken.
        """
        rank: cython.int
        kickers: cython.ulonglong = 0
        self._saved = 0
        for rank in range(LANES):
            if need and solos >> 4 * rank & 1:
                kickers += _ONE << 4 * rank
                self._saved += self._priced(SOLO, 1, rank)
                need -= 1
        for rank in range(TWO + 1):
            if need and pairs >> 4 * rank & 1:
                self._saved += self._priced(PAIR, 1, rank)
                if need > 1 and self._policy & MOST_EQUAL > 1:
                    kickers += _ONE << 4 * rank + 1
                    need -= 2
                else:
                    kickers += _ONE << 4 * rank
                    self._saved -= self._priced(SOLO, 1, rank)
                    need -= 1
        if need:
            self._saved = -1
        return kickers

    @cython.cfunc
    def _pair_kickers(self, pairs: cython.ulonglong, need: cython.int) -> cython.ulonglong:
        """The `need` pairs as kickers that save most, _saved being how much (-1: there are too few)."""
        rank: cython.int
        kickers: cython.ulonglong = 0
        self._saved = 0
        for rank in range(TWO + 1):
            if need and pairs >> 4 * rank & 1:
                kickers += _ONE << 4 * rank + 1
                self._saved += self._priced(PAIR, 1, rank)
                need -= 1
        if need:
            self._saved = -1
        return kickers


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _core(kind: cython.int, rank: cython.int) -> cython.ulonglong:
    """The word of a meld of one core rank without kickers."""
    return _COPIES[kind] * (_ONE << 4 * rank) | _KIND_BITS[kind] | _RANK_BITS[rank]


def _a_turn_each(kind: int, length: int, rank: int) -> int:  # noqa: ARG001
    return TURN


def _unless_it_holds(kind: int, length: int, rank: int) -> int:
    """A turn, less the chance that the meld wins its trick and so brings the lead back; all other cards are out."""
    if kind in (BOMB, ROCKET):
        return BOMB_PRICE if kind == BOMB else ROCKET_PRICE
    deck = 4 * (ONES >> 4 * (LANES - BLACK_JOKER)) + block(1, BLACK_JOKER, 2)
    bare = {QUAD_SOLOS: BOMB}.get(kind, kind)
    higher = total(deck >> 4 * (rank + 1)) if kind == SOLO else len(melds_of(deck, bare, length, rank, QUADS))
    return round(TURN * float(1 - FADES[bare] ** higher))


_PLANNERS: dict[tuple[bool, int], Planner] = {}


def _planner(values: bool, policy: int) -> Planner:
    if (values, policy) not in _PLANNERS:
        _PLANNERS[values, policy] = Planner(policy, _unless_it_holds if values else _a_turn_each)
    return _PLANNERS[values, policy]


def turns(hand: int, policy: int) -> int:
    """The fewest melds that `hand` was found to split into (see `Planner`); remembered.

    Raises:
        ValueError: `hand` is no part of a deck.
    """
    return _planner(False, policy).cost(hand) // TURN


def value(hand: int, policy: int) -> int:
    """What a hand is worth, in hundredths of a turn: 0 needs nothing more, -100 one turn that gives the lead away.

    Seen by itself: of the other cards it is only known that they are out. Remembered.

    Raises:
        ValueError: `hand` is no part of a deck.
    """
    return -_planner(True, policy).cost(hand)


COMPILED: Final = (
    "lane", "total", "covers", "check", "melds_of", "leads", "beaters", "responses", "readings", "random_games",
    "follow", "Planner", "turns", "value",
)  # fmt: skip
"""The names that the compiled twin takes over."""

STAMP: Final = ""
"""In the compiled twin: what `compiled.stamp_of` says of the source that it was made of."""

if not cython.compiled:
    from ddz import compiled

    twin = compiled.twin()
    if twin is not None:
        globals().update({name: getattr(twin, name) for name in COMPILED})
