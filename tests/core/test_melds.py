"""Melds as people know them, and brute force over every small hand."""

from collections import Counter

import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddz.cards import FULL_DECK, CardSet, Rank, parse_ranks
from ddz.frozen.shapes import KickerPolicy, Kind
from ddz.melds import KINDS, Meld, beats, readings
from ddz.rules import PRESETS

CLASSIC = PRESETS["classic"].kickers


def cards_of(letters):
    return FULL_DECK.take(parse_ranks(letters))


def named(melds):
    return [(meld.kind.value, meld.rank.value, meld.length) for meld in melds]


def disagreements(hands, presets):
    """The hands that the oracle reads otherwise than `readings`, by preset."""
    wrong = {}
    for letters in hands:
        cards = cards_of(letters)
        every = oracle.splits(letters)
        for preset in presets:
            expected = {split.reading for split in every if oracle.allows(oracle.TABLE[preset], split)}
            found = named(readings(cards, PRESETS[preset].kickers))
            if len(found) != len(expected) or set(found) != expected:
                wrong[preset, letters] = (found, expected)
    return wrong


def test_all_hands_of_up_to_five_cards():
    hands = list(oracle.multisets(oracle.ORDER, 5))
    assert len(hands) == 13_875  # counted another way below
    assert disagreements(hands, PRESETS) == {}


def test_the_number_of_small_hands_follows_from_the_deck():
    coefficients = Counter({0: 1})
    for most in [4] * 13 + [1] * 2:  # thirteen ranks of four cards and two jokers
        coefficients = Counter(
            {size: sum(coefficients[size - taken] for taken in range(most + 1) if taken <= size) for size in range(6)}
        )
    assert Counter(len(hand) for hand in oracle.multisets(oracle.ORDER, 5)) == coefficients


def test_all_hands_of_the_top_ranks_and_jokers():
    hands = list(oracle.multisets("QKA2BR", 18))  # airplanes that end before the 2, with every kicker there is
    assert len(hands) == 5**4 * 2**2
    assert disagreements(hands, PRESETS) == {}


def test_all_hands_of_five_low_ranks():
    hands = list(oracle.multisets("34567", 20))  # sequences from the lowest rank, quads beside quads
    assert len(hands) == 5**5
    assert disagreements(hands, PRESETS) == {}


def test_all_hands_of_up_to_eight_cards_with_a_gap():
    assert disagreements(oracle.multisets("34KA2BR", 8), ["classic", "literal", "rlcard"]) == {}


@pytest.mark.long
@pytest.mark.parametrize("ranks", ["3456789", "TJQKA2BR", "345KA2BR"])
def test_all_hands_of_a_few_ranks_long(ranks):
    assert disagreements(oracle.multisets(ranks, 20), PRESETS) == {}


@pytest.mark.long
def test_all_hands_of_up_to_seven_cards_long():
    assert disagreements(oracle.multisets(oracle.ORDER, 7), PRESETS) == {}


@given(st.lists(st.integers(0, 53), max_size=20, unique=True), st.sampled_from(sorted(PRESETS)))
def test_any_cards_of_any_suits(chosen, preset):
    cards = CardSet(sum(1 << card for card in chosen))
    found = readings(cards, PRESETS[preset].kickers)
    assert all(meld.cards == cards for meld in found)
    assert set(named(found)) == oracle.readings(cards.ranks, oracle.TABLE[preset])


policies = st.builds(
    KickerPolicy,
    core_kickers=st.booleans(),
    most_equal=st.integers(1, 4),
    equal_pairs=st.booleans(),
    both_jokers=st.booleans(),
    adjacent_trio=st.booleans(),
    quads=st.booleans(),
)


def knobs_of(policy):
    return oracle.Knobs(
        policy.core_kickers,
        policy.most_equal,
        policy.equal_pairs,
        policy.both_jokers,
        policy.adjacent_trio,
        policy.quads,
    )


@st.composite
def near_melds(draw):
    """Cards that are nearly an airplane or a quad with kickers, where the knobs matter."""
    _, core, each, number, width = draw(st.sampled_from(oracle.CARRIERS))
    kickers = draw(st.lists(st.sampled_from(oracle.ORDER), min_size=number, max_size=number))
    letters = core * each + "".join(rank * width for rank in kickers)
    return "".join((Counter(letters) & oracle.DECK).elements())


@given(near_melds(), policies)
def test_every_house_that_the_knobs_can_make(letters, policy):
    """Not only the six presets: each knob does what its row of the table says, whatever the others are."""
    assert set(named(readings(cards_of(letters), policy))) == oracle.readings(letters, knobs_of(policy))


@pytest.mark.parametrize("preset", PRESETS)
def test_the_presets_have_the_knobs_of_the_table(preset):
    assert knobs_of(PRESETS[preset].kickers) == oracle.TABLE[preset] or preset == "pagat"
    pagat = knobs_of(PRESETS["pagat"].kickers)
    assert pagat.most_equal_solo_kickers == 1  # so its knob about trios of kickers ("-") can never matter


@pytest.mark.parametrize("most", [0, 5, -1])
def test_most_equal_is_one_to_four(most):
    with pytest.raises(ValueError, match="1 to 4"):
        KickerPolicy(most_equal=most)


def test_kinds_are_spelled_and_ordered_as_the_contract_says():
    assert [str(kind) for kind in KINDS] == oracle.KINDS  # design.md 6
    assert [kind.index for kind in KINDS] == list(range(14))


# (cards, kind, core, kickers, name): the examples of rules.md A, "Melds", and B1
EXAMPLES = [
    ("BR", "rocket", "BR", "", "rocket B"),
    ("7777", "bomb", "7777", "", "bomb 7"),
    ("JJJ", "trio", "JJJ", "", "trio J"),
    ("3336", "trio+solo", "333", "6", "trio+solo 3"),
    ("44499", "trio+pair", "444", "99", "trio+pair 4"),
    ("45678", "chain", "45678", "", "chain 4"),
    ("789TJQK", "chain", "789TJQK", "", "chain 7"),
    ("334455", "pair-chain", "334455", "", "pair-chain 3"),
    ("778899TTJJ", "pair-chain", "778899TTJJ", "", "pair-chain 7"),
    ("333444", "airplane", "333444", "", "airplane 3"),
    ("555666777888", "airplane", "555666777888", "", "airplane 5"),
    ("44455579", "airplane+solos", "444555", "79", "airplane+solos 4"),
    ("3334445557799JJ", "airplane+pairs", "333444555", "7799JJ", "airplane+pairs 3"),
    ("555538", "quad+solos", "5555", "38", "quad+solos 5"),
    ("44445577", "quad+pairs", "4444", "5577", "quad+pairs 4"),
    ("33344455", "airplane+solos", "333444", "55", "airplane+solos 3"),
    ("333344", "quad+solos", "3333", "44", "quad+solos 3"),
    ("3334445555", "airplane+pairs", "333444", "5555", "airplane+pairs 3"),
    ("3333BR", "quad+solos", "3333", "BR", "quad+solos 3"),
]


@pytest.mark.parametrize(("letters", "kind", "core", "kickers", "name"), EXAMPLES, ids=[case[0] for case in EXAMPLES])
def test_the_examples_of_the_rules(letters, kind, core, kickers, name):
    melds = [meld for meld in readings(cards_of(letters), CLASSIC) if meld.kind is Kind(kind)]
    assert [(meld.core, meld.kickers, meld.name) for meld in melds] == [(core, kickers, name)]


@pytest.mark.parametrize(
    "letters",
    ["", "4444577", "QKA23", "KA2", "KKAA22", "AAA222", "2BR", "3456", "3344", "334", "33345", "3333456", "3334445"],
)
def test_what_is_no_meld(letters):
    assert readings(cards_of(letters), CLASSIC) == ()


def every_shape():
    return sorted({split.reading: cards for cards, split in oracle.every_split() if len(cards) <= 12}.items())


def test_beating_is_what_the_rules_say():
    """Every pair of shapes of up to 12 cards; kickers never count, so one meld a shape will do."""
    shapes = every_shape()
    melds = [
        (reading, Meld(Kind(reading[0]), Rank(reading[1]), reading[2], cards_of(cards))) for reading, cards in shapes
    ]
    wrong = [
        (meld.name, top.name)
        for reading, meld in melds
        for top_reading, top in melds
        if beats(meld, top) is not oracle.beats(reading, top_reading)
    ]
    assert len(melds) > 200
    assert wrong == []
