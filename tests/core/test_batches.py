"""The events of one command are one batch: between two of them no seat is to act, and no command has a place."""

import random

import msgspec
import pytest
from games import Game, arranged, opening

from ddz.cards import CardSet
from ddz.commands import Bid, Deal, Escape, Fork, GivenDeal, Pass, PassBid, Play
from ddz.decide import legal, refusal
from ddz.frozen.shapes import Rules
from ddz.rules import PRESETS, SEATS
from ddz.state import Over, State, Void, in_batch, turn_of
from ddz.view import public_view, seat_view, visible_legal

HOUSES = (
    *PRESETS.values(),
    Rules("void once", all_pass="void"),
    Rules("redeal until", auction="until-two-passes"),
    Rules("assigned void", auction="assigned", all_pass="void"),
)
GAMES = 12


def games(rules: Rules, number: int) -> Game:
    """A game at random, in which most pass in the auction, and some leave at any moment they may."""
    rng = random.Random(f"{rules.name}/{number}")
    game = Game()
    game.do(opening(rules, seed=number))
    game.do(Deal())
    while not isinstance(game.state, Over):
        turns = legal(game.state)
        if rng.random() < 0.02:
            game.do(Escape(rng.randrange(3)))
        elif isinstance(game.state, Void):
            game.do(Deal())
        else:
            game.do(turns[-1] if rng.random() < 0.5 else rng.choice(turns))
    return game


def batches(game: Game) -> list[tuple[State, ...]]:
    """The states behind the events of each command."""
    found, at = [], 0
    while at < len(game.events):
        behind = next(length for length in range(1, 9) if not in_batch(game.states[at + length]))
        found.append(tuple(game.states[at + 1 : at + behind + 1]))
        at += behind
    return found


def every_command(state: State) -> list[object]:
    hands = getattr(state, "hands", (CardSet(),) * 3)
    dealt = getattr(state, "dealt", None)
    given = [] if dealt is None else [Deal(GivenDeal(dealt.hands, dealt.kitty, dealt.first_voice, 0, 1))]
    own: list[object] = []
    for seat in SEATS:
        own += [Bid(seat, 1), Bid(seat, 3), PassBid(seat), Pass(seat), Escape(seat), Play(seat, hands[seat])]
    return [*own, *given, Deal(), Fork("game", 2, "0" * 64, "explore"), Fork("game", 2, "0" * 64, "back"), opening()]


@pytest.mark.parametrize("rules", HOUSES, ids=lambda rules: rules.name)
def test_what_a_command_decides_is_one_batch(rules: Rules):
    """The state alone tells where a batch ends: just there where `decide` has ended it."""
    rng = random.Random(rules.name)
    seen = set()
    for number in range(GAMES):
        game = Game()
        commands = [opening(rules, seed=number), Deal()]
        while commands:
            batch = game.do(commands.pop(0))
            inner = game.states[-len(batch) : -1]
            assert all(in_batch(state) for state in inner)
            assert not in_batch(game.state)
            seen |= {type(state).__name__ for state in inner}
            if commands or isinstance(game.state, Over):
                continue
            if rng.random() < 0.03:
                commands.append(Escape(rng.randrange(3)))
            elif isinstance(game.state, Void):
                commands.append(Deal())
            else:
                turns = legal(game.state)
                commands.append(turns[-1] if rng.random() < 0.5 else rng.choice(turns))
    wanted = {"Ending", "Over"} | ({"Auction"} if rules.auction == "assigned" else {"Called"})
    voids = {"Void"} if rules.all_pass == "void" and rules.auction != "assigned" else set()
    assert seen == wanted | voids


@pytest.mark.parametrize("rules", HOUSES, ids=lambda rules: rules.name)
def test_in_the_middle_of_a_batch_nothing_may_be_done(rules: Rules):
    inner = 0
    for number in range(GAMES):
        for batch in batches(games(rules, number)):
            for state in batch[:-1]:
                inner += 1
                assert turn_of(state) is None
                assert legal(state) == ()
                assert public_view(state).turn is None
                for seat in SEATS:
                    assert seat_view(state, seat).turn is None
                assert visible_legal(state, "all") == ()
                for command in every_command(state):
                    refused = refusal(state, command)
                    assert refused is not None, f"{command} in {state}"
                    assert refused.code in ("phase/wrong", "fork/no-turn-here", "game/over")
                    assert "auction" not in str(refused)
    assert inner >= 2 * GAMES


def test_under_rules_that_assign_the_landlord_there_is_no_auction():
    game = arranged(rules=PRESETS["openspiel"])
    assigned = msgspec.structs.replace(
        game.state, opened=msgspec.structs.replace(game.events[0], rules=PRESETS["rlcard"])
    )
    assert public_view(game.state).phase == "auction"
    assert public_view(assigned).phase == "dealing"
    assert str(refusal(assigned, Bid(0, 1))) == "no bid now: the game is between two phases"
