"""The kernel against the numbers of rules.md C and against an oracle that is no twin of it."""

from collections import Counter, defaultdict
from functools import cache
from itertools import pairwise

import oracle
import pytest

from ddz import kernel
from ddz.cards import FULL_DECK, parse_ranks, rank_letters
from ddz.rules import PRESETS

PRESET_NAMES = ("classic", "literal", "rlcard", "openspiel", "douzero", "pagat")

# rules.md C, "Numbers of all melds": (distinct card sets, readings). The sources of the numbers stand beside them.
TOTALS = {
    "classic": (33_675, 34_152),  # PyPI doudizhu 0.1.5
    "literal": (93_772, 95_352),  # nobody; so tests/core/oracle.py counts it again
    "rlcard": (27_471, 27_471),  # RLCard 1.2.0's published action list, set for set
    "openspiel": (25_661, 26_053),  # OpenSpiel 2.0.2 dou_dizhu
    "douzero": (29_984, 30_383),  # DouZero's move generator
    "pagat": (12_654, 12_654),  # Pagat's description
}
# rules.md C, "Readings by kind": the same in every preset ...
SAME_EVERYWHERE = {
    "solo": 15,
    "pair": 13,
    "trio": 13,
    "trio+solo": 182,
    "trio+pair": 156,
    "chain": 36,
    "pair-chain": 52,
    "airplane": 45,
    "bomb": 13,
    "rocket": 1,
}
# ... and those that the knobs change, in the order of PRESET_NAMES.
BY_PRESET = {
    "airplane+solos": (24_721, 85_921, 21_822, 22_588, 24_721, 7_161),
    "airplane+pairs": (6_552, 6_552, 2_939, 2_939, 2_939, 2_939),
    "quad+solos": (1_339, 1_339, 1_326, 0, 1_339, 1_170),
    "quad+pairs": (1_014, 1_014, 858, 0, 858, 858),
}


@cache
def full_deck_leads(name):
    return kernel.leads(FULL_DECK.counts, PRESETS[name].kickers.code)


@pytest.fixture(scope="module")
def every_split():
    """The oracle's whole world, split by split, before any knob."""
    return list(oracle.every_split())


def test_the_oracle_knows_the_same_presets():
    assert tuple(PRESETS) == PRESET_NAMES == tuple(oracle.TABLE)


@pytest.mark.parametrize("name", PRESET_NAMES)
def test_counts_of_sets_and_readings(name):
    found = full_deck_leads(name)
    assert (len({cards for *_, cards in found}), len(found)) == TOTALS[name]


@pytest.mark.parametrize("name", PRESET_NAMES)
def test_counts_by_kind(name):
    counts = Counter(oracle.KINDS[kind] for kind, *_ in full_deck_leads(name))
    column = PRESET_NAMES.index(name)
    expected = SAME_EVERYWHERE | {kind: numbers[column] for kind, numbers in BY_PRESET.items()}
    assert counts == Counter(expected)  # a Counter takes a kind that never occurs for 0


def test_classic_has_468_sets_of_more_than_one_reading():
    times = Counter(cards for *_, cards in full_deck_leads("classic"))
    assert sum(count > 1 for count in times.values()) == 468  # rules.md C


@pytest.mark.parametrize("name", PRESET_NAMES)
def test_every_meld_of_the_deck_is_one_of_the_oracle_and_the_other_way_round(name, every_split):
    letters = "3456789TJQKA2BR"
    ours = [
        (oracle.KINDS[kind], letters[rank], length, rank_letters(cards))
        for kind, length, rank, cards in full_deck_leads(name)
    ]
    theirs = [
        (*split.reading, oracle.ordered(cards))
        for cards, split in every_split
        if oracle.allows(oracle.TABLE[name], split)
    ]
    assert len(ours) == len(set(ours)), "a reading is listed twice"
    assert len(theirs) == len(set(theirs)), "the oracle counts a reading twice"
    assert set(ours) - set(theirs) == set(), "the kernel alone has these"
    assert set(theirs) - set(ours) == set(), "the oracle alone has these"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long if name == "literal" else ()) for name in PRESET_NAMES]
)
def test_every_meld_of_the_deck_reads_back_to_what_was_enumerated(name):
    policy = PRESETS[name].kickers.code
    enumerated = defaultdict(list)
    for kind, length, rank, cards in full_deck_leads(name):
        enumerated[cards].append((kind, length, rank))
    wrong = {
        rank_letters(cards): (shapes, kernel.readings(cards, policy))
        for cards, shapes in enumerated.items()
        if kernel.readings(cards, policy) != shapes
    }
    assert wrong == {}


@pytest.mark.parametrize("name", PRESET_NAMES)
def test_leads_come_by_kind_length_rank_and_kickers(name):
    keys = []
    for kind, length, rank, cards in full_deck_leads(name):
        core = block_of(kind, rank, length)
        keys.append((kind, length, rank, [oracle.ORDER.index(letter) for letter in rank_letters(cards - core)]))
    assert keys == sorted(keys)
    assert all(earlier != later for earlier, later in pairwise(keys))


def block_of(kind, rank, length):
    return kernel.block(kernel.CORE_COPIES[kind], rank, length)


@pytest.mark.parametrize(
    ("cards", "total"), [("", 0), ("3", 1), ("BR", 2), ("3333444455556666777788889999TTTTJJJJQQQQKKKKAAAA2222BR", 54)]
)
def test_total_counts_all_cards(cards, total):
    assert kernel.total(parse_ranks(cards)) == total


@pytest.mark.parametrize(
    ("hand", "part", "covered"),
    [
        ("3344", "34", True),
        ("3344", "", True),
        ("3344", "333", False),
        ("4444", "3", False),  # a lane that lacks cards borrows from no neighbour
        ("BR", "R", True),
        ("B", "R", False),
        ("2222", "BR", False),
    ],
)
def test_covers_asks_lane_by_lane(hand, part, covered):
    assert kernel.covers(parse_ranks(hand), parse_ranks(part)) is covered


def test_shapes_fit_into_the_largest_hand():
    assert all(size == kernel.size(kind, length) <= 20 for kind, length, size in kernel.SHAPES)
    longest = {oracle.KINDS[kind]: length for kind, length, _ in kernel.SHAPES}  # in rising order: the last stays
    assert longest["chain"] == 12  # 3 to A
    assert longest["pair-chain"] == 10
    assert longest["airplane"] == 6
    assert longest["airplane+solos"] == 5
    assert longest["airplane+pairs"] == 4


@pytest.mark.parametrize("above", [-1, 0, 3, 11, 12, 13, 14])
def test_melds_above_a_rank_are_the_rest_of_all_melds(above):
    hand = FULL_DECK.counts
    policy = PRESETS["classic"].kickers.code
    for kind, length, _ in kernel.SHAPES:
        every = kernel.melds_of(hand, kind, length, -1, policy)
        assert kernel.melds_of(hand, kind, length, above, policy) == [meld for meld in every if meld[0] > above]
