"""What a hand may lead or answer, against brute force; which reading a play means (rules.md B2)."""

import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddz import moves
from ddz.cards import FULL_DECK, CardSet, Rank, parse_ranks
from ddz.errors import Refused
from ddz.frozen.shapes import Kind
from ddz.melds import Meld
from ddz.rules import CLASSIC, PRESETS

hands = st.lists(st.integers(0, 53), min_size=1, max_size=10, unique=True).map(
    lambda cards: CardSet(sum(1 << card for card in cards))
)
rich_hands = st.lists(st.sampled_from("345KA2BR"), min_size=1, max_size=11).map(
    lambda letters: cards_of("".join((oracle.Counter(letters) & oracle.DECK).elements()))
)
some_rules = st.sampled_from(list(PRESETS.values()))


def cards_of(letters):
    return FULL_DECK.take(parse_ranks(letters))


def plain(meld):
    return (meld.kind.value, meld.rank.value, meld.length)


def brute_force(hand, rules):
    """Every reading of every choice of cards from a hand, by the oracle."""
    knobs = oracle.TABLE[rules.name]
    return {(*reading, cards) for cards in oracle.subsets(hand.ranks) for reading in oracle.readings(cards, knobs)}


def listed(melds):
    return [(*plain(meld), meld.cards.ranks) for meld in melds]


def in_order(melds):
    """The documented order: kind, length, rank, kickers."""
    key = [
        (meld.kind.index, meld.length, meld.rank.index, [oracle.ORDER.index(card) for card in meld.kickers])
        for meld in melds
    ]
    return key == sorted(key)


@given(hands | rich_hands, some_rules)
def test_leads_are_all_that_brute_force_finds(hand, rules):
    found = moves.leads(hand, rules)
    assert set(listed(found)) == brute_force(hand, rules)
    assert len(found) == len(set(listed(found))), "a reading is listed twice"
    assert in_order(found)


@given(hands | rich_hands, some_rules)
def test_melds_are_of_the_lowest_suits_held(hand, rules):
    for meld in moves.leads(hand, rules):
        assert hand >= meld.cards
        assert meld.cards == hand.take(meld.cards.counts)


SHAPES = sorted({split.reading: cards for cards, split in oracle.every_split() if len(cards) <= 10}.items())
tops = st.sampled_from(SHAPES).map(
    lambda shape: Meld(Kind(shape[0][0]), Rank(shape[0][1]), shape[0][2], cards_of(shape[1]))
)


@given(hands | rich_hands, tops, some_rules)
def test_responses_are_the_leads_that_beat_the_top(hand, top, rules):
    found = moves.responses(hand, top, rules)
    expected = {lead for lead in brute_force(hand, rules) if oracle.beats(lead[:3], plain(top))}
    assert set(listed(found)) == expected
    assert len(found) == len(expected)
    assert in_order(found)


def test_the_order_within_a_shape_is_by_kickers():
    found = [meld.cards.ranks for meld in moves.leads(cards_of("333445R"), CLASSIC) if meld.kind is Kind.TRIO_SOLO]
    assert found == ["3334", "3335", "333R"]


def read(letters, top=None, kind=None, rank=None, rules=CLASSIC):
    """The name and length of the reading that is meant."""
    if isinstance(top, str):
        top = moves.read_play(cards_of(top), None, rules)
    meld = moves.read_play(cards_of(letters), top, rules, kind and Kind(kind), rank and Rank(rank))
    return f"{meld.name} {meld.length}"


def refused(*args, **kwargs):
    with pytest.raises(Refused) as caught:
        read(*args, **kwargs)
    return caught.value


AIRPLANE_OF_FOUR = Meld(Kind.AIRPLANE, Rank.THREE, 4, cards_of("333444555666"))
AIRPLANE_WITH_SOLOS = Meld(Kind.AIRPLANE_SOLOS, Rank.THREE, 3, cards_of("333444555789"))


def test_a_lead_of_several_kinds_is_ambiguous_and_names_the_choices():
    fault = refused("333444555666")
    assert fault.code == "play/ambiguous"
    assert fault.facts["choices"] == "airplane 3 or airplane+solos 3 or airplane+solos 4"
    assert "airplane 3" in str(fault)


@pytest.mark.parametrize(
    ("kind", "rank", "meant"),
    [
        ("airplane", None, "airplane 3 4"),
        ("airplane", "3", "airplane 3 4"),
        ("airplane+solos", None, "airplane+solos 4 3"),  # of the same kind and length the highest rank is meant
        ("airplane+solos", "4", "airplane+solos 4 3"),
        ("airplane+solos", "3", "airplane+solos 3 3"),  # unless the player names another
        (None, "4", "airplane+solos 4 3"),
    ],
)
def test_the_player_names_a_reading(kind, rank, meant):
    assert read("333444555666", kind=kind, rank=rank) == meant


def test_a_rank_alone_may_leave_it_ambiguous():
    assert refused("333444555666", rank="3").code == "play/ambiguous"


@pytest.mark.parametrize(("kind", "rank"), [("airplane", "4"), ("solo", None), (None, "5"), ("airplane+pairs", None)])
def test_a_name_that_does_not_fit_is_refused(kind, rank):
    fault = refused("333444555666", kind=kind, rank=rank)
    assert fault.code == "play/not-a-meld"
    assert "airplane 3" in str(fault)


def test_of_the_same_kind_and_length_the_highest_rank_is_meant():
    assert read("33334444") == "quad+pairs 4 1"
    assert read("33334444", rank="3") == "quad+pairs 3 1"


def test_when_following_only_readings_that_beat_count():
    assert read("444555666777", AIRPLANE_OF_FOUR) == "airplane 4 4"
    assert read("444555666777", AIRPLANE_WITH_SOLOS) == "airplane+solos 5 3"
    assert read("333444555666", AIRPLANE_WITH_SOLOS) == "airplane+solos 4 3"
    assert refused("333444555666", AIRPLANE_OF_FOUR).code == "play/does-not-beat"


def test_a_named_reading_that_does_not_beat_is_refused_though_another_would():
    assert refused("333444555666", AIRPLANE_WITH_SOLOS, rank="3", kind="airplane+solos").code == "play/does-not-beat"
    assert refused("444555666777", AIRPLANE_OF_FOUR, kind="airplane+solos").code == "play/does-not-beat"


def test_what_is_no_meld_is_refused_before_anything_else():
    assert refused("34", AIRPLANE_OF_FOUR, kind="solo").code == "play/not-a-meld"
    assert refused("", None).code == "play/not-a-meld"


@given(rich_hands, st.none() | tops, some_rules, st.data())
def test_reading_a_play_follows_from_what_is_listed(cards, top, rules, data):
    """B2 said once more over the oracle: filter by name and top, then one kind and length must remain."""
    kind = data.draw(st.none() | st.sampled_from(oracle.KINDS))
    rank = data.draw(st.none() | st.sampled_from(oracle.ORDER))
    every = oracle.readings(cards.ranks, oracle.TABLE[rules.name])
    named = {reading for reading in every if kind in (None, reading[0]) and rank in (None, reading[1])}
    fitting = {reading for reading in named if top is None or oracle.beats(reading, plain(top))}
    if not named:
        expected = "play/not-a-meld"
    elif not fitting:
        expected = "play/does-not-beat"
    elif len({(one, length) for one, _, length in fitting}) > 1:
        expected = "play/ambiguous"
    else:
        expected = max(fitting, key=lambda reading: oracle.ORDER.index(reading[1]))
    try:
        found = plain(moves.read_play(cards, top, rules, kind and Kind(kind), rank and Rank(rank)))
    except Refused as fault:
        found = fault.code
    assert found == expected
