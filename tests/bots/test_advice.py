"""What a bot says its turns are worth: all of them, what it would do first, the best first."""

import math
import random

import pytest

from ddz import bots
from ddz.bots.base import Advice, Adviser
from ddz.bots.expert import Budget, ExpertBot
from ddz.bots.hard import HardBot
from ddz.commands import Bid, PassBid
from ddz.decide import decide, legal
from ddz.frozen.shapes import Rules
from ddz.rules import PRESETS
from ddz.state import Auction, State, fold
from ddz.view import seat_view

from .games import at_the_end, opened
from .test_levels import on_the_way

SMALL = Budget(worlds=12, least=4, trust=4.0, nodes=50)
ADVISERS = {"hard": HardBot, "expert": lambda: ExpertBot(SMALL)}


def asked(name: str, state: State, seed: int) -> tuple[list[Advice], object]:
    """What the adviser says, and what it would do, with equal chance."""
    bot = ADVISERS[name]()
    assert isinstance(bot, Adviser)
    view, turns = seat_view(state, state.turn), legal(state)
    found = bot.rank(view, turns, random.Random(seed))
    return found, bot.choose(view, turns, random.Random(seed))


def check(found: list[Advice], chosen: object, state: State) -> None:
    """Every legal turn once; the choice first; a worth for each."""
    assert found[0].turn == chosen
    assert sorted(map(repr, legal(state))) == sorted(repr(each.turn) for each in found)
    assert all(each.worth is not None and math.isfinite(each.worth) for each in found)


@pytest.mark.parametrize("name", ADVISERS)
@pytest.mark.parametrize("preset", PRESETS)
def test_every_turn_is_ranked_and_the_choice_is_first(name: str, preset: str) -> None:
    asked_for = 0
    for number, state in enumerate(on_the_way(3, preset)):
        if name == "expert" and number % 3:
            continue
        found, chosen = asked(name, state, number)
        check(found, chosen, state)
        assert {each.measure for each in found} == {"chance"}
        assert all(0 <= each.worth <= 1 for each in found)
        if name == "hard":
            assert [each.worth for each in found] == sorted((each.worth for each in found), reverse=True)
        asked_for += len(found) > 1
    assert asked_for


def test_the_search_puts_the_best_first() -> None:
    """Where no move is left behind, all that are looked at were tried equally often."""
    bot = ExpertBot(Budget(worlds=12, least=13, trust=4.0, nodes=50))
    searched = 0
    for number, state in enumerate(on_the_way(4)):
        if number % 2:
            continue
        found = bot.rank(seat_view(state, state.turn), legal(state), random.Random(number))
        network = HardBot().rank(seat_view(state, state.turn), legal(state), random.Random(number))
        if len(found) > 1:
            assert found[0].worth >= found[1].worth
            searched += found[0] not in network
    assert searched > 3


@pytest.mark.parametrize("name", ADVISERS)
@pytest.mark.parametrize("preset", ["classic", "openspiel"])
def test_calls_are_ranked_by_points(name: str, preset: str) -> None:
    rules: Rules = PRESETS[preset]
    for seed in range(5):
        state: State = opened(seed, rules)
        while isinstance(state, Auction):
            found, chosen = asked(name, state, seed)
            check(found, chosen, state)
            assert {each.measure for each in found} == {"points"}
            assert [each.worth for each in found] == sorted((each.worth for each in found), reverse=True)
            assert all(isinstance(each.turn, Bid | PassBid) for each in found)
            state = fold(decide(state, PassBid(state.turn)), state)


@pytest.mark.parametrize("name", ADVISERS)
def test_to_go_out_is_certain(name: str) -> None:
    found, _ = asked(name, at_the_end(("33", 9, 9)), 0)
    assert (found[0].turn.cards.ranks, found[0].worth) == ("33", 1.0)
    assert all(each.worth < 1 for each in found[1:])


def test_who_can_say_what_a_turn_is_worth() -> None:
    assert [name for name in bots.names() if isinstance(bots.make(name), Adviser)] == ["hard", "expert"]
