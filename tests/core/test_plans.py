"""A plan covers its hand with melds, in as few turns as an exhaustive search finds, and quickly."""

import random
from functools import lru_cache
from time import process_time

import pytest

from ddz import kernel, plans
from ddz.cards import DECK, parse_ranks, rank_letters
from ddz.plans import TURN, Planner
from ddz.rules import CLASSIC, PRESETS

LETTERS = [name[0] for name in DECK]


def fewest_turns(hand: int, policy: int) -> tuple[int, tuple[kernel.PackedMeld, ...]]:
    return Planner(policy, lambda *_: TURN).plan(hand)


def some_hand(seed: int, size: int) -> int:
    """A random hand; every other one out of six neighbouring ranks, so that there are many melds in it."""
    rng = random.Random(seed)
    start = rng.randrange(7) * 4
    deck = LETTERS if seed % 2 else LETTERS[start : start + 24]
    return parse_ranks("".join(rng.sample(deck, size)))


def exhaustive(hand: int, policy: int) -> int:
    """The fewest turns by trying everything: every meld that holds the lowest card, over and over."""

    @lru_cache(None)
    def turns(rest: int) -> int:
        if not rest:
            return 0
        lowest = (rest & -rest).bit_length() - 1 >> 2
        return 1 + min(turns(rest - cards) for *_, cards in kernel.leads(rest, policy) if kernel.lane(cards, lowest))

    return turns(hand)


@pytest.mark.parametrize("name", PRESETS)
def test_a_plan_covers_exactly_the_hand_with_melds(name):
    policy = PRESETS[name].kickers.code
    for seed in range(120):
        hand = some_hand(seed, 1 + seed % 20)
        cost, parts = fewest_turns(hand, policy)
        assert sum(cards for *_, cards in parts) == hand, rank_letters(hand)
        assert cost == TURN * len(parts) == TURN * plans.turns(hand, policy)
        for kind, length, rank, cards in parts:
            assert (kind, length, rank) in kernel.readings(cards, policy), (rank_letters(hand), rank_letters(cards))


@pytest.mark.parametrize("name", PRESETS)
def test_it_finds_the_fewest_turns_of_small_hands(name):
    policy = PRESETS[name].kickers.code
    for seed in range(100):
        hand = some_hand(seed, 4 + seed % 9)
        assert plans.turns(hand, policy) == exhaustive(hand, policy), rank_letters(hand)


def test_it_finds_the_fewest_turns_of_whole_hands():
    policy = CLASSIC.kickers.code
    for seed in range(1, 161, 2):
        hand = some_hand(seed, 17)
        assert plans.turns(hand, policy) == exhaustive(hand, policy), rank_letters(hand)


@pytest.mark.parametrize(
    ("hand", "turns"),
    [
        ("", 0),
        ("BR", 1),
        ("3344556", 2),
        ("333444555666", 1),
        ("333555777", 2),  # 3335, 77755: one trio feeds two others
        ("444555666899", 1),  # a pair as two of three solos
        ("33445566778899TTJJQQ", 1),
        ("3456789TJQKA2BR", 3),
    ],
)
def test_hands_one_can_check_by_eye(hand, turns):
    assert plans.turns(parse_ranks(hand), CLASSIC.kickers.code) == turns


def test_dear_cards_go_as_kickers_and_cheap_ones_stay():
    def price(kind: int, length: int, rank: int) -> int:
        return TURN - 6 * rank if kind == kernel.SOLO else TURN * length

    _, parts = Planner(CLASSIC.kickers.code, price).plan(parse_ranks("4777R"))
    assert {rank_letters(cards) for *_, cards in parts} == {"4777", "R"}


def test_even_the_worst_hands_take_no_time():
    for text in ("33445566778899TTJJQQ", "33334444555566667777", "33344455566677788899", "3344455566677788899T"):
        start = process_time()
        fewest_turns(parse_ranks(text), CLASSIC.kickers.code)
        assert process_time() - start < 0.2, text  # measured: under 10 ms
