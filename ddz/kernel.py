"""The one generator of moves. Integers only; knows ranks, never suits.

A *packed* value holds how many cards of each rank there are: 15 lanes of 4 bits, lane 0 for the 3s up to lane
12 for the 2s, lane 13 for the black joker and 14 for the red one. Recognition, listing, hints, audit and bots
all ask this file; there is no second place that knows what a meld is.

Kinds, ranks and lengths are as in rules.md A: `rank` is the lane of the lowest core rank, `length` the number of
core ranks. A *policy* packs the knobs of rules.md C that decide which kickers are allowed.

The file is Python, and also Cython in its pure Python mode: where a compiler was there at the installation, the names
of `COMPILED` are replaced at the end by those of `ddz._kernel`, which is this file compiled as one unit with the
others of `compiled.SOURCES`. What is annotated with a type of `cython` is a C number there. So products are masked to
64 bits, no number here is ever negative but `above`, and a literal of more than 31 bits is declared at the top (in
place it would be a Python object).
"""

from collections.abc import Iterable
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

PackedMeld = tuple[int, int, int, int]
"""A meld as the kernel lists it: kind, length, rank, packed cards."""

_ONE = cython.declare(cython.ulonglong, 1)
_GUARD = cython.declare(cython.ulonglong, GUARD)
_ONES = cython.declare(cython.ulonglong, ONES)
_LOW_NIBBLES = cython.declare(cython.ulonglong, LOW_NIBBLES)
_JOKERS = cython.declare(cython.ulonglong, 0x110000000000000)
_WHOLE_DECK = cython.declare(cython.ulonglong, 0x114444444444444)
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


def pack(ranks: Iterable[int]) -> int:
    """One card of each of these ranks, as often as a rank comes."""
    return sum([1 << 4 * rank for rank in ranks])


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


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _rank(word: cython.ulonglong) -> cython.int:
    """The rank of a meld's word."""
    return (word >> 53 & 7) | (word >> 54 & 8)


_SLOTS = cython.declare(cython.int, 1 << 16)
_KEYS = cython.declare(cython.ulonglong[1 << 16])
_SHARED: list[PackedMeld] = cython.declare(list, [(0, 0, 0, 0)] * (1 << 16))
_shared = cython.declare(cython.int, 0)
_BY_WORD: dict[int, PackedMeld] = {}


@cython.cfunc
def _unpack(word: cython.ulonglong) -> PackedMeld:
    """The meld of a word."""
    kind: cython.int = word >> 60
    rank: cython.int = _rank(word)
    cards: cython.ulonglong = word & _CARDS
    return kind, _total(cards) // _SIZE[kind], rank, cards


@cython.cfunc
def _meld(word: cython.ulonglong) -> PackedMeld:
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
    return [(_rank(_WORDS[at]), _WORDS[at] & _CARDS) for at in range(n)]


def leads(hand: cython.ulonglong, policy: cython.int) -> list[PackedMeld]:
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
) -> list[PackedMeld]:
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
                found.append((kind, length, _rank(_WORDS[at])))
    return found


COMPILED: Final = (
    "lane", "total", "covers", "check", "melds_of", "leads", "beaters", "responses", "readings",
)  # fmt: skip
"""The names that the compiled twin takes over."""

STAMP: Final = ""
"""In the compiled twin: what `compiled.stamp_of` says of the source that it was made of."""

if not cython.compiled:
    from ddz import compiled

    compiled.take_over(globals(), COMPILED)
