"""Every bot plays by the law and by its view alone; each is clearly better than those below it."""

import random
import subprocess
import sys

import pytest

from ddz import bots
from ddz.bots.base import Bot
from ddz.bots.expert import Budget, ExpertBot
from ddz.decide import legal
from ddz.errors import Unreadable
from ddz.rules import PRESETS
from ddz.state import Auction, Playing
from ddz.view import seat_view

from .games import exchanged, match, opened, play

NAMES = ("random", "easy", "normal", "simple", "hard", "expert")
HASTY = Budget(worlds=3, nodes=300)


def made(name: str) -> Bot:
    """A bot; `expert` with so small a budget that whole games are quick."""
    return ExpertBot(HASTY) if name == "expert" else bots.make(name)


def test_the_registry_names_its_bots() -> None:
    assert bots.names() == NAMES
    assert set(bots.LEVELS) < set(NAMES)
    for name in bots.names():
        bot: Bot = bots.make(name)
        assert bot.name == name
        assert bot.version
    with pytest.raises(Unreadable, match="the bots are random, easy, normal, simple, hard, expert"):
        bots.make("deep")


NUMPY = """
import sys
from ddz import bots, guests
for name in {names}:
    bots.make(name)
print("numpy" in sys.modules)
"""


@pytest.mark.parametrize(("names", "imported"), [((), False), (("random", "simple"), False), (("easy",), True)])
def test_numpy_is_imported_by_those_who_need_it_alone(names: tuple[str, ...], imported: bool) -> None:
    asked = [sys.executable, "-c", NUMPY.format(names=names)]
    assert subprocess.run(asked, capture_output=True, text=True, check=True).stdout == f"{imported}\n"


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("bot", NAMES)
def test_every_choice_is_legal(bot: str, rules: str) -> None:
    def watch(state: Auction | Playing, turn: object) -> None:
        assert turn in legal(state)

    player = made(bot)
    for seed in range(2 if bot == "expert" else 8):
        play(opened(seed, PRESETS[rules], seed % 3), [player] * 3, seed, watch)


@pytest.mark.parametrize("bot", NAMES)
def test_the_same_seed_plays_the_same_game(bot: str) -> None:
    player = made(bot)
    first = play(opened(5), [player] * 3, 1)
    assert first == play(opened(5), [made(bot)] * 3, 1), "whoever plays it"
    play(opened(6), [player] * 3, 2)
    assert first == play(opened(5), [player] * 3, 1), "and whatever he has played before"


@pytest.mark.parametrize("bot", NAMES)
def test_a_choice_does_not_hang_on_hidden_cards(bot: str) -> None:
    player = made(bot)
    checked = {Auction: 0, Playing: 0}
    chance = random.Random(4)
    rng = random.Random(0)

    def watch(state: Auction | Playing, turn: object) -> None:
        other = exchanged(state, chance)
        seat = state.turn
        state_of_chance = rng.getstate()
        for each in (state, other):
            rng.setstate(state_of_chance)
            answers.append(player.choose(seat_view(each, seat), legal(each), rng))
        assert answers[-1] == answers[-2]
        checked[type(state)] += other != state
        assert turn in legal(state)

    answers: list[object] = []
    for seed in range(2 if bot == "expert" else 6):
        play(opened(seed), [player] * 3, 0, watch)
    assert checked[Auction] > 1
    assert checked[Playing] > 30


LADDER = [
    # who, against whom, deals, and the least share of the games that he wins
    ("simple", "random", 60, 0.9),
    ("easy", "random", 60, 0.85),
    ("normal", "easy", 200, 0.52),
    ("hard", "easy", 120, 0.53),
    ("hard", "normal", 200, 0.5),
]
"""Measured on 1,000 deals: see the README. The bounds are generous, the deals always the same."""


@pytest.mark.parametrize(("one", "other", "deals", "least"), LADDER)
def test_one_beats_the_other(one: str, other: str, deals: int, least: float) -> None:
    won = match(bots.make(one), bots.make(other), deals)
    assert won >= least
