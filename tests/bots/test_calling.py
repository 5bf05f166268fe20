"""What the levels bid: legal, by their cards, and by what has been bid before."""

import random
from collections.abc import Sequence

import msgspec
import numpy as np
import pytest

from ddz import bots, kernel, plans
from ddz.auction import Call, allowed_bids
from ddz.bots.calling import best_call, call_inputs
from ddz.bots.network import CALL_INPUTS, CALLS, NAMES, POINTS_SCALE, Layers, points_of_calls, shipped
from ddz.bots.world import worth_under
from ddz.cards import FULL_DECK, CardSet, parse_ranks
from ddz.commands import Bid, PassBid
from ddz.decide import decide, legal
from ddz.features import CARD_INPUTS
from ddz.rules import CLASSIC, PRESETS
from ddz.state import Auction, fold
from ddz.view import seat_view

from .games import opened

POLICY = CLASSIC.kickers.code
WEAK, FAIR, STRONG = "34456778899TJJQKK", "3345678TJQKKAA22B", "3344556677AA222BR"
BLOCKS = {"hand": CARD_INPUTS, "number": 3, "best": 4, "last": 5, "before": 5, "melds": 12, "cost": 16}


def asked(hand: str, calls: Sequence[int] = (), rules: str = "classic") -> Auction:
    """Seat 0 is asked, with this hand; the calls before him went round to him, the last by seat 2."""
    state = opened(1, PRESETS[rules])
    assert isinstance(state, Auction)
    cards = FULL_DECK.take(parse_ranks(hand))
    assert kernel.total(cards.counts) == 17
    rest = list(FULL_DECK - cards)
    hands = (cards, *(CardSet(sum(1 << card for card in rest[at : at + 17])) for at in (0, 17)))
    made = tuple(Call((at - len(calls)) % 3, points) for at, points in enumerate(calls))
    dealt = msgspec.structs.replace(state.dealt, hands=hands)
    return msgspec.structs.replace(state, dealt=dealt, calls=made, turn=0)


def bid(level: str, state: Auction) -> int:
    turn = bots.make(level).choose(seat_view(state, 0), legal(state), random.Random(0))
    assert turn in legal(state)
    assert isinstance(turn, Bid | PassBid)
    return turn.points if isinstance(turn, Bid) else 0


def decoded(inputs: list[int]) -> dict[str, list[int]]:
    """Inputs by block, each counted from the block's first."""
    assert len(set(inputs)) == len(inputs)
    assert sum(BLOCKS.values()) == CALL_INPUTS
    found, first = {}, 0
    for name, size in BLOCKS.items():
        found[name] = sorted(at - first for at in inputs if first <= at < first + size)
        first += size
    assert max(inputs) < CALL_INPUTS
    return found


@pytest.mark.parametrize("calls", [(), (0,), (2,), (0, 0), (1, 0), (0, 1), (1, 2), (1, 0, 2), (0, 1, 0, 2)])
def test_the_inputs_of_a_call_say_what_was_dealt_and_called(calls: tuple[int, ...]) -> None:
    worth = worth_under(POLICY)
    for seed in range(60):
        deck = random.Random(seed).sample([*range(13)] * 4 + [13, 14], 54)
        hand = sum(1 << 4 * rank for rank in deck[:17])
        told = decoded(call_inputs(hand, [Call(at % 3, points) for at, points in enumerate(calls)], worth))
        cards = sum(1 << 4 * (at // 4 if at < 52 else at - 39) for at in told["hand"])
        assert cards == hand
        assert told["number"] == [min(len(calls), 2)]
        assert told["best"] == [max(calls, default=0)]
        called = [0, 0, *(points + 1 for points in calls)]
        assert told["last"] == [called[-1]]
        assert told["before"] == [called[-2]]
        assert told["melds"] == [min(worth.melds(hand), 11)]
        assert told["cost"] == [max(0, min((worth.cost(hand) + 150) // 50, 15))]


@pytest.mark.parametrize("rules", [name for name, rules in PRESETS.items() if rules.auction != "assigned"])
@pytest.mark.parametrize("level", bots.LEVELS)
def test_every_call_is_legal(level: str, rules: str) -> None:
    bot = bots.make(level)
    made = set()
    for seed in range(40):
        state = opened(seed, PRESETS[rules], seed % 3)
        while isinstance(state, Auction):
            turn = bot.choose(seat_view(state, state.turn), legal(state), random.Random(seed))
            assert turn in legal(state)
            made.add(turn.points if isinstance(turn, Bid) else 0)
            state = fold(decide(state, turn), state)
    assert {0, 3} <= made


@pytest.mark.parametrize("level", bots.LEVELS)
def test_it_bids_by_strength(level: str) -> None:
    bids = [bid(level, asked(hand)) for hand in (WEAK, FAIR, STRONG)]
    assert bids[0] == 0
    assert bids[2] == 3
    assert bids == sorted(bids)


@pytest.mark.parametrize("level", bots.LEVELS)
@pytest.mark.parametrize("calls", [(), (0,), (1,), (2,), (0, 0), (0, 2), (1, 2)])
def test_what_was_called_before_changes_what_is_legal_and_no_nonsense_follows(
    level: str, calls: tuple[int, ...]
) -> None:
    state = asked(WEAK, calls)
    assert bid(level, state) == 0
    assert bid(level, asked(STRONG, calls)) == 3
    assert bid(level, asked(FAIR, calls)) in (0, *allowed_bids(state.calls))


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_the_calls_before_count(level: str) -> None:
    layers = shipped()[f"calls-{level}"]
    worth = worth_under(POLICY)
    hand = parse_ranks(FAIR)
    told = {
        calls: points_of_calls(layers, call_inputs(hand, [Call(at, each) for at, each in enumerate(calls)], worth))
        for calls in ((), (0,), (1,), (2,), (0, 0), (0, 2), (1, 2))
    }
    for one, points in told.items():
        assert points.shape == (CALLS,)
        assert np.isfinite(points).all()
        assert all(abs(points - other).max() > 1e-3 for each, other in told.items() if each != one), one


def promising(*points: float) -> dict[str, Layers]:
    """Networks that promise these points for a pass and for bids of 1, 2 and 3, whatever the hand."""
    nothing = np.zeros((CALL_INPUTS + 1, CALLS), dtype=np.float32)
    each = np.eye(CALLS, dtype=np.float32)
    ends = np.zeros((CALLS, 2), dtype=np.float32)
    ends[:, 1] = np.array(points) / POINTS_SCALE
    zeros = np.zeros(CALLS, dtype=np.float32)
    layers = Layers(nothing, np.vstack([each, zeros]), zeros, each, zeros, ends, zeros[:2])
    return dict.fromkeys(NAMES, layers)


@pytest.mark.parametrize(
    ("points", "calls", "made"),
    [
        ((0, 1, 2, 3), (), 3),
        ((0, 1, 3, 2), (), 2),
        ((0, 3, 1, 2), (1,), 3),
        ((4, 3, 1, 2), (), 0),
        ((4, 3, 1, 2), (0,), 0),
        ((4, 3, 1, 2), (0, 0), 1),  # a third pass is worth nothing, whatever is promised
        ((4, -3, -1, -2), (0, 0), 0),
        ((-4, -3, -1, -2), (0, 0), 0),
        ((-4, -3, -1, -2), (0, 1), 2),
    ],
)
def test_the_call_that_promises_most_is_made(points: tuple[float, ...], calls: tuple[int, ...], made: int) -> None:
    for rules in ("classic", "openspiel", "pagat"):
        state = asked(FAIR, calls, rules)
        turn = best_call("normal", seat_view(state, 0), legal(state), promising(*points))
        assert (turn.points if isinstance(turn, Bid) else 0) == made


def test_of_equal_calls_the_first_is_made() -> None:
    state = asked(FAIR)
    turns = legal(state)
    assert best_call("normal", seat_view(state, 0), turns, promising(1, 1, 1, 1)) == turns[0]


def test_better_hands_promise_more() -> None:
    """A bid of 3 on those hands that the kernel values most, against that on those it values least."""
    worth = worth_under(POLICY)
    for level in ("easy", "normal", "hard"):
        values, points = [], []
        for seed in range(300):
            deck = random.Random(seed).sample([*range(13)] * 4 + [13, 14], 54)
            hand = sum(1 << 4 * rank for rank in deck[:17])
            values.append(plans.value(hand, POLICY))
            points.append(float(points_of_calls(shipped()[f"calls-{level}"], call_inputs(hand, (), worth))[3]))
        by_value = [points[at] for at in np.argsort(values)]
        assert np.mean(by_value[-100:]) > np.mean(by_value[:100]) + 1
