"""The peer engines at work on the same cards, each by its own means; what is not installed is left out and named.

They are those of tests/peers: `pip install --no-deps -r tests/peers.txt`.
"""

import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from dealt import Response, Work, packed

TESTS = Path(__file__).resolve().parent.parent
sys.path += [str(TESTS), str(TESTS / "core")]

from peers.engines import DOUZERO_POSITIONS, Openspiel, douzero_cards, rlcard_move  # noqa: E402
from peers.installed import peer_modules  # noqa: E402

from ddz import kernel  # noqa: E402
from ddz.cards import CardSet, rank_letters  # noqa: E402
from ddz.commands import GivenDeal  # noqa: E402

MODULES = {
    "openspiel": ("open_spiel", "pyspiel"),
    "rlcard": (
        "rlcard",
        "rlcard.games.doudizhu",
        "rlcard.games.doudizhu.judger",
        "rlcard.games.doudizhu.utils",
    ),
    "douzero": ("douzero", "douzero.env.game", "douzero.env.move_generator"),
}
Orders = Sequence[tuple[int, ...]]


def installed() -> tuple[dict[str, tuple[ModuleType, ...]], list[str]]:
    """The modules of each peer that is there, and why the others are not."""
    found, missing = {}, []
    for name, (distribution, *modules) in MODULES.items():
        try:
            found[name] = peer_modules(distribution, *modules)
        except pytest.skip.Exception as reason:
            missing.append(str(reason))
    return found, missing


def cards_of(order: Sequence[int]) -> CardSet:
    """Cards by number as a set."""
    return CardSet(sum(1 << card for card in order))


# --- leads


def openspiel_leads(pyspiel: ModuleType, orders: Orders, size: int) -> Work:
    """`legal_actions` of states whose leader holds just these cards: what else he had he has led, card by card."""
    peer = Openspiel(pyspiel)
    states = []
    for order in orders:
        deal_openspiel(peer, order)
        for card in order[size:20]:
            rank = packed((card,))
            peer.play((kernel.SOLO, 1, rank.bit_length() - 1 >> 2, rank))
            peer.play(0)
            peer.play(0)
        states.append(peer.state)

    def work() -> float:
        for state in states:
            state.legal_actions()
        return len(states)

    return work


def deal_openspiel(peer: Openspiel, order: Sequence[int]) -> None:
    """Seat 0 has the first 20 cards and has won the auction; the others have 17 each."""
    hands = cards_of(order[:17]), cards_of(order[20:37]), cards_of(order[37:])
    peer.deal(GivenDeal(hands, cards_of(order[17:20]), 0))
    peer.play(3)


def rlcard_leads(modules: tuple[ModuleType, ...], orders: Orders, size: int) -> Work:
    """What RLCard's judge finds in a hand, which it takes as letters."""
    playable = modules[1].DoudizhuJudger.playable_cards_from_hand
    hands = [rank_letters(packed(order[:size])) for order in orders]

    def work() -> float:
        for hand in hands:
            playable(hand)
        return len(hands)

    return work


def douzero_leads(modules: tuple[ModuleType, ...], orders: Orders, size: int) -> Work:
    """DouZero's generator of moves."""
    generator = modules[1].MovesGener
    hands = [douzero_cards(packed(order[:size])) for order in orders]

    def work() -> float:
        for hand in hands:
            generator(hand).gen_moves()
        return len(hands)

    return work


# --- responses


def openspiel_responses(pyspiel: ModuleType, given: Sequence[Response]) -> Work:
    """`legal_actions` of states in which seat 0 has led the top."""
    peer = Openspiel(pyspiel)
    states = []
    for each in given:
        deal_openspiel(peer, each.order)
        peer.play(each.top)
        states.append(peer.state)

    def work() -> float:
        for state in states:
            state.legal_actions()
        return len(states)

    return work


def rlcard_responses(modules: tuple[ModuleType, ...], given: Sequence[Response]) -> Work:
    """What RLCard finds greater than what another player has played."""
    _, _, utils = modules
    spelled = {rlcard_move(action): action for action in utils.ID_2_ACTION}
    players = [
        (
            SimpleNamespace(current_hand=[SimpleNamespace(rank=rank, suit="S") for rank in rank_letters(each.hand)]),
            SimpleNamespace(played_cards=spelled[each.top[3]]),
        )
        for each in given
    ]
    greater = utils.get_gt_cards

    def work() -> float:
        for player, other in players:
            greater(player, other)
        return len(players)

    return work


def douzero_responses(modules: tuple[ModuleType, ...], given: Sequence[Response]) -> Work:
    """DouZero's legal actions of a seat, the last action being the top."""
    envs = []
    for each in given:
        env = new_douzero(modules, each.order, lambda infoset: [])  # noqa: ARG005
        env.card_play_action_seq = [douzero_cards(each.top[3])]
        env.acting_player_position = DOUZERO_POSITIONS[1]
        envs.append(env)

    def work() -> float:
        for env in envs:
            env.get_legal_card_play_actions()
        return len(envs)

    return work


def new_douzero(modules: tuple[ModuleType, ...], order: Sequence[int], act: Callable[[object], list[int]]) -> object:
    """Its game with these hands and one player for all."""
    env = modules[0].GameEnv(dict.fromkeys(DOUZERO_POSITIONS, SimpleNamespace(act=act)))
    parts = order[:20], order[20:37], order[37:]
    hands = {name: douzero_cards(packed(part)) for name, part in zip(DOUZERO_POSITIONS, parts, strict=True)}
    env.card_play_init({**hands, "three_landlord_cards": douzero_cards(packed(order[17:20]))})
    return env


# --- whole games, each turn drawn evenly among the legal ones


def openspiel_rollouts(pyspiel: ModuleType, orders: Orders, rollouts: int) -> Work:
    """Rollouts in C++ from the landlord's first turn: one simulation of MCTSBot, judged by so many, for each deal."""
    peer = Openspiel(pyspiel)
    states = []
    for order in orders:
        deal_openspiel(peer, order)
        states.append(peer.state)
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 7)
    bot = pyspiel.MCTSBot(pyspiel.load_game("dou_dizhu"), evaluator, 2.0, 1, 64, False, 7, False)

    def work() -> float:
        for state in states:
            bot.mcts_search(state)
        return len(states) * rollouts

    return work


def rlcard_games(modules: tuple[ModuleType, ...], games: int) -> Work:
    """Whole games by `game.step`, deals included."""
    rng = random.Random(7)
    game = modules[0].Game()

    def work() -> float:
        for _ in range(games):
            state, _ = game.init_game()
            while not game.is_over():
                state, _ = game.step(rng.choice(state["actions"]))
        return games

    return work


def douzero_games(modules: tuple[ModuleType, ...], games: int) -> Work:
    """Whole games by `GameEnv.step`, deals included."""
    rng = random.Random(7)

    def work() -> float:
        for _ in range(games):
            env = new_douzero(modules, rng.sample(range(54), 54), lambda infoset: rng.choice(infoset.legal_actions))
            while not env.game_over:
                env.step()
        return games

    return work
