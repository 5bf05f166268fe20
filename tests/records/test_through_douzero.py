"""Records through DouZero's own environment, where it is installed: ours are loaded and played there, its own here."""

import json
import random
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from ddz.errors import Unreadable

from .peers import peer_modules
from .samples import RULES, refusal, taken, told, writable

NAME = "douzero"
POSITIONS = ("landlord", "landlord_down", "landlord_up")


@pytest.fixture(scope="module")
def engine() -> ModuleType:
    return peer_modules("douzero", "douzero.env.game")[0]


def loaded(engine: ModuleType, record: dict[str, Any]) -> tuple[Any, SimpleNamespace]:
    """DouZero's environment with the hands of a record, and a player that does what it is told."""
    player = SimpleNamespace(move=[])
    agent = SimpleNamespace(act=lambda infoset: player.move)  # noqa: ARG005
    env = engine.GameEnv(dict.fromkeys(POSITIONS, agent))
    env.card_play_init({key: list(record[key]) for key in (*POSITIONS, "three_landlord_cards")})
    return env, player


def test_what_we_export_is_loaded_and_played_there_to_the_same_end(engine: ModuleType):
    for game, text in writable(NAME, RULES[NAME], 40):
        record = json.loads(text)
        env, player = loaded(engine, record)
        for number, action in enumerate(record["actions"]):
            assert env.acting_player_position == POSITIONS[number % 3]
            assert sorted(action) in [sorted(move) for move in env.game_infoset.legal_actions]
            player.move = list(action)
            env.step()
        assert env.game_over
        found = told(game.events)
        assert env.get_winner() == {"landlord": "landlord", "peasants": "farmer"}[found["winner"]]
        assert env.num_scores["landlord"] == found["payouts"][found["landlord"]]


def record_of(engine: ModuleType, rng: random.Random) -> tuple[dict[str, Any], Any]:
    """A random game of DouZero's environment as a record, and the environment at its end."""
    deck = sorted([*(list(range(3, 15)) * 4), *[17] * 4, 20, 30])
    rng.shuffle(deck)
    record: dict[str, Any] = {
        "landlord": sorted(deck[:20]),
        "landlord_up": sorted(deck[20:37]),
        "landlord_down": sorted(deck[37:]),
        "three_landlord_cards": sorted(deck[17:20]),
    }
    env, player = loaded(engine, record)
    actions = []
    while not env.game_over:
        player.move = list(rng.choice(env.game_infoset.legal_actions))
        actions.append(list(player.move))
        env.step()
    return {**record, "actions": actions}, env


def test_what_douzero_plays_is_read_here_to_the_same_end(engine: ModuleType):
    """But for melds that its cards alone do not tell, which are refused as ambiguous."""
    rng = random.Random("records")
    read = 0
    for _ in range(40):
        record, env = record_of(engine, rng)
        try:
            table, done = taken(json.dumps(record))
        except Unreadable:
            assert "can be read as" in refusal(record)
            continue
        found = told(table.log.history(done.game))
        assert {"landlord": "landlord", "peasants": "farmer"}[found["winner"]] == env.get_winner()
        assert found["payouts"][0] == env.num_scores["landlord"]
        read += 1
    assert read >= 35
