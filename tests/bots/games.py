"""Whole games between bots, driven by the pure core."""

import random
from collections.abc import Callable, Sequence

from ddz.bots.base import Bot
from ddz.cards import CardSet
from ddz.commands import Bid, Deal, GivenDeal, OpenGame, Origin, Player, Seeds
from ddz.decide import decide, legal
from ddz.rules import CLASSIC, Rules
from ddz.state import START, Auction, Over, State, Void, fold, turn_of
from ddz.view import seat_view

NOBODY = Player("x", "bot")


def shuffled(seed: int) -> tuple[tuple[CardSet, CardSet, CardSet], CardSet]:
    """Three hands of 17 and a kitty."""
    deck = random.Random(seed).sample(range(54), 54)
    one, two, three, kitty = (CardSet(sum(1 << card for card in deck[a : a + 17])) for a in (0, 17, 34, 51))
    return (one, two, three), kitty


def opened(seed: int, rules: Rules = CLASSIC, landlord: int = 0) -> State:
    """A dealt game; where the rules assign a landlord, `landlord`."""
    hands, kitty = shuffled(seed)
    assigned = rules.auction == "assigned"
    command = OpenGame(
        game="g", match="m", round=1, previous=None, players=(NOBODY, NOBODY, NOBODY), rules=rules,
        seeds=Seeds(f"{seed:064x}", "00" * 32), first_voice=landlord, voice_from="chosen", origin=Origin("t", "t"),
    )  # fmt: skip
    given = GivenDeal(hands, kitty, landlord, landlord if assigned else None, 1 if assigned else None)
    state = fold(decide(START, command))
    return fold(decide(state, Deal(given)), state)


def crowned(seed: int, landlord: int, rules: Rules = CLASSIC) -> State:
    """A dealt game whose `landlord` is about to lead."""
    state = opened(seed, rules, landlord)
    return fold(decide(state, Bid(landlord, 3)), state) if isinstance(state, Auction) else state


Watch = Callable[[State, object], None]


def play(state: State, bots: Sequence[Bot], seed: int = 0, watch: Watch | None = None) -> Over:
    """`state` played to its end by one bot a seat."""
    rng = random.Random(seed)
    while not isinstance(state, Over):
        if isinstance(state, Void):
            state = fold(decide(state, Deal()), state)
        seat = turn_of(state)
        assert seat is not None
        turn = bots[seat].choose(seat_view(state, seat), legal(state), rng)
        if watch:
            watch(state, turn)
        state = fold(decide(state, turn), state)
    return state
