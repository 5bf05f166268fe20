"""RLCard and the preset `rlcard`: its published action list, its generator, and whole games side by side."""

import random
from itertools import pairwise

import pytest

from ddz import kernel
from ddz.cards import FULL_DECK
from ddz.moves import census
from ddz.rules import PRESETS

from .engines import Rlcard, rlcard_move
from .installed import peer_modules
from .lockstep import play_games, play_leads, report
from .positions import letters, random_hand

doudizhu, judger, utils = peer_modules(
    "rlcard", "rlcard.games.doudizhu", "rlcard.games.doudizhu.judger", "rlcard.games.doudizhu.utils"
)
RULES = PRESETS["rlcard"]
POLICY = RULES.kickers.code
KIND = {
    "solo": kernel.SOLO,
    "pair": kernel.PAIR,
    "trio": kernel.TRIO,
    "trio_solo": kernel.TRIO_SOLO,
    "trio_pair": kernel.TRIO_PAIR,
    "solo_chain": kernel.CHAIN,
    "pair_chain": kernel.PAIR_CHAIN,
    "trio_chain": kernel.AIRPLANE,
    "trio_solo_chain": kernel.AIRPLANE_SOLOS,
    "trio_pair_chain": kernel.AIRPLANE_PAIRS,
    "four_two_solo": kernel.QUAD_SOLOS,
    "four_two_pair": kernel.QUAD_PAIRS,
    "bomb": kernel.BOMB,
    "rocket": kernel.ROCKET,
}


def shape_of(card_type: str) -> tuple[int, int]:
    """(kind, length) of RLCard's `trio_chain_3` or `bomb`."""
    name, _, length = card_type.rpartition("_")
    return (KIND[name], int(length)) if length.isdigit() else (KIND[card_type], kernel.SHORTEST[KIND[card_type]])


def test_the_published_action_list_card_set_for_card_set():
    published = [rlcard_move(action) for action in utils.ID_2_ACTION if action != "pass"]
    ours = {cards for _, _, _, cards in kernel.leads(FULL_DECK.counts, POLICY)}
    assert len(published) == len(set(published)) == len(ours) == census(RULES).sets == 27471
    assert set(published) == ours


def test_the_published_types_are_our_kinds_and_their_weights_rise_with_our_ranks():
    ours = {cards: (kind, length, rank) for kind, length, rank, cards in kernel.leads(FULL_DECK.counts, POLICY)}
    ranks: dict[str, dict[int, set[int]]] = {}
    for action, readings in utils.CARD_TYPE[0].items():
        assert len(readings) == 1, f"{action} has more than one type"
        card_type, weight = readings[0]
        *shape, rank = ours[rlcard_move(action)]
        assert tuple(shape) == shape_of(card_type), action
        ranks.setdefault(card_type, {}).setdefault(int(weight), set()).add(rank)
    for card_type, by_weight in ranks.items():
        assert all(len(of_one_weight) == 1 for of_one_weight in by_weight.values()), card_type
        rising = [min(by_weight[weight]) for weight in sorted(by_weight)]
        assert all(one < next_one for one, next_one in pairwise(rising)), card_type


def generated(hand: int) -> set[int]:
    return {rlcard_move(action) for action in judger.DoudizhuJudger.playable_cards_from_hand(letters(hand))}


def hands_agree(hands: int) -> None:
    for number in range(hands):
        rng = random.Random(f"rlcard {number}")
        hand = random_hand(rng, rng.randint(1, 20), clumped=bool(number % 2))
        ours = {cards for _, _, _, cards in kernel.leads(hand, POLICY)}
        assert generated(hand) == ours, f"hand {letters(hand)}"


def test_the_generator_on_random_hands():
    hands_agree(400)


@pytest.mark.long
def test_the_generator_on_random_hands_long():
    hands_agree(10_000)


def test_whole_games_side_by_side():
    tallies = play_games(Rlcard(doudizhu), 1000, seed=1)
    assert sum(tally.games for tally in tallies.values()) == 1000
    assert sum(tally.positions for tally in tallies.values()) >= 5000
    assert all({"landlord", "peasants"} == set(tally.winners) for tally in tallies.values())


def test_leads_of_every_kind_and_their_answers():
    tally = play_leads(Rlcard(doudizhu), 300, seed=1)
    assert tally.leads == 300
    assert tally.positions > 800
    assert not tally.exceptions


@pytest.mark.long
def test_whole_games_side_by_side_long():
    tallies = play_games(Rlcard(doudizhu), 5000, seed=2)
    print(report("rlcard", tallies))
    assert not any(tally.exceptions for tally in tallies.values())


@pytest.mark.long
def test_leads_of_every_kind_and_their_answers_long():
    for least_equal in (0, 3):
        tally = play_leads(Rlcard(doudizhu), 5000, seed=2, least_equal=least_equal)
        print("rlcard leads", least_equal, tally)
        assert not tally.exceptions
