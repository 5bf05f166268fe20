"""RLCard's agent at our table does what it does in RLCard's own game, on the same cards and with the same chance."""

import random
from types import ModuleType, SimpleNamespace
from typing import Any

import msgspec
import pytest

from ddz import bots, guests
from ddz.cards import DECK, CardSet, Rank
from ddz.commands import Deal, Pass, Play
from ddz.decide import legal
from ddz.frozen.shapes import Kind
from ddz.melds import Meld
from ddz.rules import CLASSIC, PRESETS, SEATS
from ddz.services.table import decide_all
from ddz.state import START, Over, Played, Playing, Top, turn_of
from ddz.view import seat_view

from .games import exchanged, opened, play, positions
from .peers import peer_modules

RULES = PRESETS["rlcard"]


@pytest.fixture(scope="module")
def doudizhu() -> ModuleType:
    return peer_modules("rlcard", "rlcard.games.doudizhu", "rlcard.models.doudizhu_rule_models")[0]


def dealt(doudizhu: ModuleType, state: Playing) -> Any:
    """RLCard's game with these cards; its player 0 is the landlord, and draws the last three."""
    hands = [state.dealt.hands[(state.landlord + player) % 3] for player in SEATS]
    order = [name(card) for cards in (*hands, state.dealt.kitty) for card in cards]
    game = doudizhu.Game()
    game.np_random = SimpleNamespace(
        shuffle=lambda deck: deck.sort(key=lambda card: order.index(card.suit + card.rank)), choice=random.choice
    )
    game.init_game()
    return game


def name(card: int) -> str:
    ours = DECK[card]
    return ours + "J" if len(ours) == 1 else ours[1].upper() + ours[0]


def test_move_for_move_and_list_for_list(doudizhu: ModuleType) -> None:
    """The agent is asked there with RLCard's own state and here with ours, by the preset that is RLCard's."""
    guest = guests.make("rlcard-rule")
    theirs = guest._agent
    drawn = 0
    for number in range(40):
        _, state = decide_all(START, (opened(RULES, number, number % 3), Deal()))
        assert isinstance(state, Playing)
        peer = dealt(doudizhu, state)
        while not isinstance(state, Over):
            seat = turn_of(state)
            view = seat_view(state, seat)
            chance = random.Random(f"{number}/{len(view.history)}")
            turns = legal(state)
            told = guest.state(view, [turn.cards.ranks if isinstance(turn, Play) else "pass" for turn in turns])
            assert told == {key: peer.state[key] for key in told if key != "actions"} | {"actions": told["actions"]}
            if view.top is not None:
                assert told["actions"] == peer.state["actions"]
            else:
                assert set(told["actions"]) == set(peer.state["actions"])  # of a set, in no order; a leader draws none
            before = chance.getstate()
            ours = guest.choose(view, turns, chance)
            chance.setstate(before)
            guest._chance.seed(chance.getrandbits(32))
            wanted = str(theirs.step({"raw_obs": peer.state}))
            drawn += wanted != "pass" and view.top is not None
            assert (ours.cards.ranks if isinstance(ours, Play) else "pass") == wanted
            peer.step(wanted)
            _, state = decide_all(state, (ours,))
        assert peer.is_over()
        assert (peer.winner_id == 0) == (state.scored.score.winner == "landlord")
    assert drawn > 100


@pytest.mark.parametrize("rules", [CLASSIC, PRESETS["douzero"]], ids=lambda rules: rules.name)
def test_it_plays_whole_games_by_other_rules(doudizhu: ModuleType, rules) -> None:  # noqa: ARG001
    guest = guests.make("rlcard-rule")

    def look(state, turn) -> None:
        assert turn in legal(state)

    for number in range(20):
        play(rules, number, {seat: bots.make("random") if seat == number % 3 else guest for seat in SEATS}, look, None)


def test_a_meld_without_a_name_there_has_no_move_of_its_type(doudizhu: ModuleType) -> None:  # noqa: ARG001
    """An airplane with both jokers is none in RLCard: of a partner it is let be, on others the agent draws."""
    guest = guests.make("rlcard-rule")
    strange = Meld(Kind.AIRPLANE_SOLOS, Rank.THREE, 2, CardSet.parse("3c3d3h4c4d4hBR"))
    drawn = {False: set(), True: set()}
    for state, _ in positions(PRESETS["douzero"], 40, voice=None):
        if not isinstance(state, Playing) or not state.history or state.turn == state.landlord:
            continue
        view, turns = seat_view(state, state.turn), (*legal(state), Pass(state.turn))
        before = view.history[-1].seat
        history = (*view.history[:-1], Played(before, strange))
        view = msgspec.structs.replace(view, top=Top(before, strange), history=history)
        choice = guest.choose(view, turns, random.Random(len(history)))
        assert choice in turns
        drawn[before != view.landlord].add(isinstance(choice, Pass))
    assert drawn == {True: {True}, False: {True, False}}


def test_it_is_told_nothing_hidden(doudizhu: ModuleType) -> None:  # noqa: ARG001
    guest = guests.make("rlcard-rule")
    rng = random.Random(3)
    for state, _ in positions(PRESETS["douzero"], 6):
        other = exchanged(state, rng)
        moves = ["pass"]
        assert guest.state(seat_view(state, state.turn), moves) == guest.state(seat_view(other, state.turn), moves)
