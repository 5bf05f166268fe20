"""DouZero's features from our view are those of its own game, at every position of whole games."""

import random
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from ddz import guests
from ddz.decide import legal
from ddz.errors import NotInstalled, Unreadable
from ddz.guests.douzero import POSITIONS, DouZero, infoset, numbers
from ddz.rules import PRESETS
from ddz.state import Playing
from ddz.view import seat_view

from .games import exchanged, positions
from .peers import peer_modules

RULES = PRESETS["douzero"]


@pytest.fixture(scope="module")
def douzero() -> tuple[ModuleType, ...]:
    return peer_modules("douzero", "douzero.env.env", "douzero.env.game")


def begun(game: ModuleType, state: Playing) -> Any:
    """DouZero's game with these cards; every position has a player that does as it is told."""
    player = SimpleNamespace(act=lambda told: player.next)  # noqa: ARG005
    peer = game.GameEnv(dict.fromkeys(POSITIONS, player))
    hands = {where: numbers(state.hands[(state.landlord + at) % 3].counts) for at, where in enumerate(POSITIONS)}
    peer.card_play_init({**hands, "three_landlord_cards": numbers(state.dealt.kitty.counts)})
    return peer, player


def test_the_observations_are_its_own(douzero: tuple[ModuleType, ...]) -> None:
    env, game = douzero
    seen = dict.fromkeys(POSITIONS, 0)
    for state, turn in positions(RULES, 20, voice=None):
        if not state.history:
            peer, player = begun(game, state)
        told = infoset(seat_view(state, state.turn), legal(state))
        own = peer.game_infoset
        assert told.player_position == own.player_position
        assert {tuple(move) for move in told.legal_actions} == {tuple(move) for move in own.legal_actions}
        own.legal_actions = told.legal_actions  # it lists some moves twice, and in its own order
        ours, theirs = env.get_obs(told), env.get_obs(own)
        assert ours.keys() == theirs.keys()
        for name in ("x_batch", "z_batch", "x_no_action", "z"):
            assert (ours[name] == theirs[name]).all(), name
            assert ours[name].dtype == theirs[name].dtype
        seen[told.player_position] += 1
        player.next = numbers(turn.cards.counts) if hasattr(turn, "cards") else []
        peer.step()
    assert min(seen.values()) > 100


def test_it_is_told_nothing_hidden() -> None:
    rng = random.Random(5)
    for state, _ in positions(RULES, 6):
        other = exchanged(state, rng)
        assert infoset(seat_view(state, state.turn), legal(state)) == infoset(
            seat_view(other, state.turn), legal(state)
        )


def test_the_highest_value_is_played(douzero: tuple[ModuleType, ...]) -> None:
    """With a network that values the number of cards played, and the rank of the first."""
    asked = []

    def values(position: str, observation: Any) -> list[float]:
        asked.append(position)
        moves = observation["legal_actions"]
        return [len(move) + (move[0] / 100 if move else -1) for move in moves]

    bot = DouZero("douzero:x", douzero[0].get_obs, values)
    for state, _ in positions(RULES, 3):
        turns = legal(state)
        choice = bot.choose(seat_view(state, state.turn), turns, random.Random(1))
        longest = max(len(getattr(turn, "cards", ())) for turn in turns)
        assert len(getattr(choice, "cards", ())) == longest
    assert set(asked) == set(POSITIONS)


def test_a_folder_without_its_three_files_is_refused(tmp_path) -> None:
    (tmp_path / "landlord.ckpt").touch()
    with pytest.raises(Unreadable, match=r"no file .*landlord_down\.ckpt"):
        guests.make(f"douzero:{tmp_path}")


def test_without_torch_the_extra_is_named(tmp_path, monkeypatch) -> None:
    for position in POSITIONS:
        (tmp_path / f"{position}.ckpt").touch()
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(NotInstalled, match="the extra 'douzero' of ddz brings it"):
        guests.make(f"douzero:{tmp_path}")


@pytest.fixture
def real(monkeypatch: pytest.MonkeyPatch) -> None:
    """DouZero as it is installed, not with the empty packages that keep torch away from the other tests."""
    pytest.importorskip("torch")
    for name in [name for name in sys.modules if name.partition(".")[0] == "douzero"]:
        monkeypatch.delitem(sys.modules, name)
    pytest.importorskip("douzero.dmc.models")


def test_what_is_no_checkpoint_is_refused(tmp_path, real) -> None:  # noqa: ARG001
    for position in POSITIONS:
        (tmp_path / f"{position}.ckpt").write_bytes(b"no pickle")
    with pytest.raises(Unreadable, match="is no checkpoint"):
        guests.make(f"douzero:{tmp_path}")


def test_a_checkpoint_plays_as_douzeros_own_agent_does(tmp_path, real) -> None:  # noqa: ARG001
    """Networks of chance weights: there are none of DouZero's to be had here, but the way to a move is the same."""
    import torch
    from douzero.dmc import models
    from douzero.evaluation import deep_agent as agents

    torch.manual_seed(7)
    for position in POSITIONS:
        torch.save(models.model_dict[position]().state_dict(), tmp_path / f"{position}.ckpt")
    bot = guests.make(f"douzero:{tmp_path}")
    own = {position: agents.DeepAgent(position, str(tmp_path / f"{position}.ckpt")) for position in POSITIONS}
    for state, _ in positions(RULES, 2):
        view, turns = seat_view(state, state.turn), legal(state)
        told = infoset(view, turns)
        choice = bot.choose(view, turns, random.Random(1))
        assert own[told.player_position].act(told) == told.legal_actions[turns.index(choice)]
