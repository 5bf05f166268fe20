"""The ladder against the model's own closed form, against a search by brute force, and against simulated truth."""

import math
import random

import pytest

from ddz.arena.elo import AVERAGE, Bout, ladder

POINTS = 400 / math.log(10)


def test_two_players_are_as_far_apart_as_the_odds_of_their_games() -> None:
    """With the drawn game that they are given: 31.5 of 41 games."""
    decks = [[Bout(0, 1, halves, 2)] for halves in [4, 4, 2, 4, 4, 2, 4, 2, 4, 2] * 2]
    wins = sum(deck[0].halves for deck in decks) / 2 + 0.5
    one, two = ladder(2, decks)
    assert one.value - two.value == pytest.approx(POINTS * math.log(wins / (41 - wins)), abs=1e-4)
    assert one.value + two.value == pytest.approx(2 * AVERAGE, abs=1e-4)


def loss(ratings, decks) -> float:
    """What the fit is to make least, by its definition."""
    total = 0.0
    pairs = {(bout.one, bout.two) for deck in decks for bout in deck}
    for bout in [bout for deck in decks for bout in deck] + [Bout(one, two, 1, 1) for one, two in pairs]:
        chance = 1 / (1 + 10 ** ((ratings[bout.two] - ratings[bout.one]) / 400))
        total -= bout.halves / 2 * math.log(chance) + (bout.games - bout.halves / 2) * math.log(1 - chance)
    return total


def test_no_other_ladder_is_likelier() -> None:
    rng = random.Random(3)
    decks = [
        [Bout(one, two, rng.randint(0, 4), 2) for one, two in ((0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3))]
        for _ in range(15)
    ]
    best = [each.value for each in ladder(4, decks)]
    least = loss(best, decks)
    for player in range(4):
        for step in (-2.0, -0.1, 0.1, 2.0):
            other = [value + step * (at == player) for at, value in enumerate(best)]
            assert loss(other, decks) > least


def simulated(rng: random.Random, strengths, decks: int) -> list[list[Bout]]:
    """Decks whose two games hang together: a good hand wins for whoever has it."""
    found = []
    for _ in range(decks):
        deck = []
        for one in range(len(strengths)):
            for two in range(one + 1, len(strengths)):
                chance = 1 / (1 + 10 ** ((strengths[two] - strengths[one]) / 400))
                draw = rng.random()
                first, second = draw < chance, 1 - draw < chance  # as far apart as they can be
                deck.append(Bout(one, two, 2 * (first + second), 2))
        found.append(deck)
    return found


def test_the_truth_lies_between_the_bounds_nineteen_times_of_twenty() -> None:
    rng = random.Random(11)
    truth = [1600.0, 1500.0, 1400.0]
    hits = widths = 0.0
    for _ in range(150):
        found = ladder(3, simulated(rng, truth, 60))
        hits += sum(each.low <= true <= each.high for each, true in zip(found, truth, strict=True))
        widths += sum(each.high - each.low for each in found) / 3
    assert 0.90 < hits / 450 < 0.985
    independent = ladder(3, [[Bout(0, 1, 2 * (rng.random() < 0.64), 1), Bout(0, 2, 2 * (rng.random() < 0.76), 1),
                              Bout(1, 2, 2 * (rng.random() < 0.64), 1)] for _ in range(120)])  # fmt: skip
    apart = sum(each.high - each.low for each in independent) / 3
    assert widths / 150 < apart, "games that hang together so say more than as many that do not"


def test_who_never_lost_has_a_place_and_is_not_sure_of_it() -> None:
    found = ladder(3, [[Bout(0, 1, 4, 2), Bout(0, 2, 4, 2), Bout(1, 2, 2, 2)] for _ in range(40)])
    assert found[0].value > 1900
    assert found[0].high - found[0].low > 300
    assert found[1].value == pytest.approx(found[2].value, abs=1e-3)
    mixed = ladder(3, [[Bout(0, 1, 4, 2), Bout(0, 2, 4, 2), Bout(1, 2, 4 * (at % 2), 2)] for at in range(40)])
    assert mixed[0].high - mixed[0].low > 300


def test_the_order_of_decks_and_of_players_does_not_matter() -> None:
    rng = random.Random(5)
    decks = simulated(rng, [1550, 1500, 1450], 30)
    once = ladder(3, decks)
    assert [each.value for each in ladder(3, decks[::-1])] == pytest.approx([each.value for each in once], abs=1e-4)
    turned = [
        [Bout(2 - bout.two, 2 - bout.one, 2 * bout.games - bout.halves, bout.games) for bout in deck] for deck in decks
    ]
    assert [each.value for each in ladder(3, turned)] == pytest.approx([each.value for each in once[::-1]], abs=1e-4)
    assert [each.low for each in ladder(3, turned)] == pytest.approx([each.low for each in once[::-1]], abs=1e-3)


def test_a_single_deck() -> None:
    one, two = ladder(2, [[Bout(0, 1, 4, 2)]])
    assert one.low < two.high
    assert one.value > two.value
