"""Ranks, cards and sets: reading and printing are exact inverses; a set never changes."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddz.cards import (
    DECK,
    EMPTY,
    FULL_DECK,
    LETTERS,
    RANKS,
    CardSet,
    Rank,
    parse_ranks,
    rank_letters,
    split_cards,
    union,
)
from ddz.errors import Refused, Unreadable

card_sets = st.sets(st.integers(0, 53)).map(lambda cards: CardSet(sum(1 << card for card in cards)))


def test_ranks_stand_low_to_high():
    assert LETTERS == "3456789TJQKA2BR"  # rules.md A, "Cards"
    assert list(RANKS) == sorted(RANKS)
    assert Rank.TWO > Rank.ACE
    assert Rank.RED_JOKER > Rank.BLACK_JOKER > Rank.TWO
    assert [str(rank) for rank in RANKS] == list(LETTERS)


def test_a_rank_is_ordered_among_ranks_only():
    with pytest.raises(TypeError):
        _ = Rank.THREE < 3  # type: ignore[operator]


def test_the_deck_is_in_the_order_of_its_bits():
    assert DECK[:5] == ("3c", "3d", "3h", "3s", "4c")  # design.md 5
    assert DECK[-3:] == ("2s", "B", "R")
    assert len(set(DECK)) == 54
    assert [str(CardSet(1 << card)) for card in range(54)] == list(DECK)


@given(card_sets)
def test_printing_and_reading_are_inverses(cards):
    assert CardSet.parse(str(cards)) == cards
    assert eval(repr(cards)) == cards
    assert parse_ranks(cards.ranks) == cards.counts == parse_ranks(str(cards))
    assert rank_letters(cards.counts) == cards.ranks


@given(card_sets, card_sets)
def test_sets_behave_as_sets(one, other):
    a, b = set(one), set(other)
    assert set(one | other) == a | b == set(union([one, other]))
    assert set(one & other) == a & b
    assert set(one - other) == a - b
    assert (one >= other) is (a >= b)
    assert (one == other) is (a == b)
    assert len(one) == len(a)
    assert list(one) == sorted(a)


@given(card_sets)
def test_equal_sets_hash_alike_and_survive_copies(cards):
    again = CardSet(cards.bits)
    assert hash(again) == hash(cards)
    assert copy.copy(cards) == copy.deepcopy(cards) == cards
    assert cards != cards.bits


def test_a_set_does_not_change():
    with pytest.raises(AttributeError):
        EMPTY.bits = 1  # type: ignore[misc]
    assert EMPTY.bits == 0


@pytest.mark.parametrize("bits", [-1, 1 << 54])
def test_bits_outside_the_deck_are_no_set(bits):
    with pytest.raises(ValueError, match="54 cards"):
        CardSet(bits)


@given(card_sets, st.data())
def test_take_gives_the_lowest_suits(cards, data):
    wanted = data.draw(st.sets(st.sampled_from(sorted(cards)))) if len(cards) else set()
    packed = CardSet(sum(1 << card for card in wanted)).counts
    taken = cards.take(packed)
    assert cards >= taken
    assert taken.counts == packed
    for card in taken:
        lower = [other for other in cards if DECK[other][0] == DECK[card][0] and other < card]
        assert all(taken.bits >> other & 1 for other in lower), "a lower suit of the same rank stayed in the hand"


def test_take_refuses_more_than_there_is_and_names_the_rank():
    with pytest.raises(Refused, match="1 of rank 3, not 2") as refused:
        CardSet.parse("3c4d").take(parse_ranks("33"))
    assert refused.value.code == "play/not-held"
    assert refused.value.facts == {"rank": "3", "wanted": 2, "held": 1}


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("10JQKA", "TJQKA"),
        ("0jqka", "TJQKA"),
        ("a, k q", "QKA"),
        ("br", "BR"),
        ("4433", "3344"),
        ("3c 4D".replace("D", "d"), "34"),
        ("", ""),
        ("100", "TT"),
        ("10 10,10", "TTT"),
    ],
)
def test_ranks_are_read_in_any_order_and_case(text, ranks):
    assert rank_letters(parse_ranks(text)) == ranks


@pytest.mark.parametrize(
    ("text", "names"), [("33333", "rank 3"), ("BB", "rank B"), ("x", "'X'"), ("3 1", "'1'"), ("c3", "'C'")]
)
def test_unreadable_ranks_are_named(text, names):
    with pytest.raises(Unreadable, match=names):
        parse_ranks(text)


@pytest.mark.parametrize(("text", "names"), [("3", "'3'"), ("3c3c", "3c is named twice"), ("Bc", "'Bc'"), ("3cc", "C")])
def test_unreadable_cards_are_named(text, names):
    with pytest.raises(Unreadable, match=names):
        CardSet.parse(text)


@given(st.text())
def test_any_text_is_read_or_unreadable(text):
    for read in (CardSet.parse, parse_ranks):
        try:
            found = read(text)
        except Unreadable:
            continue
        letters = found.ranks if isinstance(found, CardSet) else rank_letters(found)
        assert len(letters) == len(split_cards(text))


def test_the_full_deck_has_54_cards():
    assert len(FULL_DECK) == 54
    assert FULL_DECK.ranks == "".join(letter * 4 for letter in LETTERS[:13]) + "BR"


def test_a_set_can_be_pickled():
    assert pickle.loads(pickle.dumps(FULL_DECK)) == FULL_DECK
