"""Replays through RLCard, where it is installed: ours are played there to the same end, its own are read here."""

import json
import random
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from .peers import peer_modules
from .samples import RULES, taken, told, writable

NAME = "rlcard-showdown"


@pytest.fixture(scope="module")
def doudizhu() -> ModuleType:
    return peer_modules("rlcard", "rlcard.games.doudizhu")[0]


def dealt(doudizhu: ModuleType, order: list[str]) -> Any:
    """A game with this order of the deck: player 0 is the landlord, and the last three cards are his."""
    game = doudizhu.Game()
    game.np_random = SimpleNamespace(
        shuffle=lambda deck: deck.sort(key=lambda card: order.index(card_name(card))), choice=random.choice
    )
    game.init_game()
    return game


def card_name(card: Any) -> str:
    return card.suit + card.rank if card.suit not in ("BJ", "RJ") else card.suit


def ranks(move: str) -> str:
    """A move of a replay in RLCard's ranks, low to high."""
    letters = "3456789TJQKA2BR"
    found = [token[0] if token in ("BJ", "RJ") else token[1] for token in move.split()]
    return "".join(sorted(found, key=letters.index))


def test_what_we_export_is_played_there_to_the_same_end(doudizhu: ModuleType):
    for game, text in writable(NAME, RULES[NAME], 40):
        replay = json.loads(text)
        landlord = next(player["index"] for player in replay["playerInfo"] if player["role"] == "landlord")
        hands = [replay["initHands"][(landlord + player) % 3].split() for player in range(3)]
        peer = dealt(doudizhu, [*hands[0][:17], *hands[1], *hands[2], *hands[0][17:]])
        for move in replay["moveHistory"]:
            assert (landlord + peer.get_player_id()) % 3 == move["playerIdx"]
            spelled = {"".join(sorted(action)): action for action in peer.state["actions"] if action != "pass"}
            wanted = "pass" if move["move"] == "pass" else spelled["".join(sorted(ranks(move["move"])))]
            assert wanted in peer.state["actions"]
            peer.step(wanted)
        assert peer.is_over()
        side = "landlord" if peer.winner_id == 0 else "peasants"
        assert told(game.events)["winner"] == side


def replay_of(doudizhu: ModuleType, rng: random.Random) -> tuple[dict[str, Any], int]:
    """A random game of RLCard as a replay, and who won."""
    order = [suit + rank for rank in "3456789TJQKA2" for suit in "SHDC"] + ["BJ", "RJ"]
    rng.shuffle(order)
    game = dealt(doudizhu, order)
    hands = [[card_name(card) for card in player.current_hand] for player in game.players]
    left = [list(hand) for hand in hands]
    history = []
    while not game.is_over():
        seat = game.get_player_id()
        action = rng.choice(game.state["actions"])
        tokens = []
        for letter in "" if action == "pass" else action:
            token = next(card for card in left[seat] if card[0 if card in ("BJ", "RJ") else 1] == letter)
            left[seat].remove(token)
            tokens.append(token)
        history.append({"playerIdx": seat, "move": " ".join(tokens) or "pass", "info": {}})
        game.step(action)
    info = [{"id": seat, "index": seat, "role": "peasant" if seat else "landlord"} for seat in range(3)]
    return {
        "initHands": [" ".join(hand) for hand in hands],
        "playerInfo": info,
        "moveHistory": history,
    }, game.winner_id


def test_what_rlcard_plays_is_read_here_to_the_same_end(doudizhu: ModuleType):
    rng = random.Random("replays")
    for _ in range(40):
        replay, winner = replay_of(doudizhu, rng)
        table, done = taken(json.dumps(replay))
        assert done.phase == "over"
        found = told(table.log.history(done.game))
        assert found["winner"] == ("peasants" if winner else "landlord")
        assert len(found["plays"]) == len(replay["moveHistory"])
