"""Every bot plays by the law and by its view alone; `simple` is clearly better than chance."""

import random

import msgspec
import pytest

from ddz import bots
from ddz.bots.base import Bot
from ddz.decide import legal
from ddz.errors import Unreadable
from ddz.rules import PRESETS
from ddz.state import Auction, Playing, turn_of
from ddz.view import seat_view

from .games import crowned, opened, play

DEALS = 100


def test_the_registry_names_its_bots():
    assert bots.names() == ("random", "simple")
    for name in bots.names():
        bot: Bot = bots.make(name)
        assert bot.name == name
        assert bot.version
    with pytest.raises(Unreadable, match="random, simple"):
        bots.make("deep")


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("bot", ["random", "simple"])
def test_every_choice_is_legal(bot, name):
    def watch(state, turn):
        assert turn in legal(state)

    player = bots.make(bot)
    for seed in range(8):
        play(opened(seed, PRESETS[name], seed % 3), [player] * 3, seed, watch)


@pytest.mark.parametrize("bot", ["random", "simple"])
def test_the_same_seed_plays_the_same_game(bot):
    assert play(opened(5), [bots.make(bot)] * 3, 1) == play(opened(5), [bots.make(bot)] * 3, 1)


def landlord_wins(landlord: Bot, peasants: Bot) -> int:
    """Of DEALS deals, always the same ones."""
    won = 0
    for seed in range(DEALS):
        seats = [peasants] * 3
        seats[seed % 3] = landlord
        won += play(crowned(seed, seed % 3), seats, seed).scored.score.winner == "landlord"
    return won


def test_simple_beats_random_on_either_side_of_the_same_deals():
    simple, chance = bots.make("simple"), bots.make("random")
    assert landlord_wins(simple, chance) >= 0.9 * DEALS
    assert landlord_wins(chance, simple) <= 0.1 * DEALS


def test_a_choice_does_not_hang_on_hidden_cards():
    simple = bots.make("simple")
    checked = 0

    def watch(state, turn):
        nonlocal checked
        seat = turn_of(state)
        one, two = ((seat + step) % 3 for step in (1, 2))
        hands = list(state.hands)
        unknown = [card for other in (one, two) for card in hands[other] if card not in _public(state)]
        mine = random.Random(len(unknown)).sample(unknown, len(unknown))
        for other in (one, two):
            fixed = [card for card in hands[other] if card in _public(state)]
            need = len(hands[other]) - len(fixed)
            hands[other] = type(hands[other])(sum(1 << card for card in fixed + mine[:need]))
            mine = mine[need:]
        if isinstance(state, Auction):
            exchanged = msgspec.structs.replace(state, dealt=msgspec.structs.replace(state.dealt, hands=tuple(hands)))
        else:
            exchanged = msgspec.structs.replace(state, hands=tuple(hands))
        assert simple.choose(seat_view(exchanged, seat), legal(exchanged), random.Random(9)) == turn
        checked += exchanged != state

    for seed in range(6):
        play(opened(seed), [simple] * 3, 0, watch)
    assert checked > 100


def _public(state):
    return set(state.dealt.kitty) if isinstance(state, Playing) else set()
