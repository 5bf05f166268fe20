"""Teaching a level to bid, by its own play: games with auctions, and the result of each call in the end."""

import random
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from ddz import kernel
from ddz.auction import Call, Won, allowed_bids, verdict
from ddz.bots.calling import call_inputs, expected_points
from ddz.bots.network import CALL_INPUTS, CALLS, Layers
from ddz.bots.quick import slip
from ddz.plans import Worth
from ddz.positions import Position
from ddz.quickplay import gains_of, play_out
from ddz.training.networks import Network, layers_of, learn
from ddz.training.selfplay import Samples, joined, rows_of

MOST_BOMBS: Final = 4
"""More doubles than this count as this many in the targets."""


class AuctionSettings(NamedTuple):
    """What the training is given."""

    seed: int = 1
    rounds: int = 60
    games_a_round: int = 2048
    strays: float = 0.15
    """The share of calls drawn evenly among the legal ones."""
    width: int = 128
    hidden: int = 64
    batch: int = 512
    reuse: float = 3.0
    rate: float = 1e-3


class _Auction(NamedTuple):
    """One auction: what each call knew, and what it was; and the hands by seat."""

    inputs: list[list[int]]
    calls: list[Call]
    hands: list[int]
    kitty: int
    won: Won | None


Finish = Callable[[list[Position], np.random.Generator], None]
"""Plays positions to their ends as a level plays."""


def normal_ends(positions: list[Position], rng: np.random.Generator) -> None:
    """As `normal` plays."""
    for position in positions:
        play_out(position, int(rng.integers(1 << 62)))


def easy_ends(positions: list[Position], rng: np.random.Generator) -> None:
    """As `easy` plays."""
    chance = random.Random(int(rng.integers(1 << 62)))
    for position in positions:
        while position.winner < 0:
            moves = position.moves()
            position.play(moves[slip(moves, gains_of(position), chance)])


def train(policy: int, finish: Finish, settings: AuctionSettings) -> Iterator[tuple[float, Layers]]:
    """Teach a level that plays as `finish` does to bid, one call a seat. Each round gives its error and the network."""
    torch.manual_seed(settings.seed)
    network = Network(settings.width, settings.hidden, CALL_INPUTS, CALLS)
    optimizer = torch.optim.Adam(network.parameters(), lr=settings.rate)
    rng = np.random.default_rng(settings.seed)
    worth = Worth(policy)
    parts: list[Samples] = []
    for number in range(settings.rounds):
        for group in optimizer.param_groups:
            group["lr"] = settings.rate * (1 - number / settings.rounds)
        layers = layers_of(network)
        losses = []
        auctions = [_auction(layers, worth, rng, settings.strays) for _ in range(settings.games_a_round)]
        parts = [*parts[-20:], _samples(auctions, _outcomes(auctions, policy, worth, finish, rng))]
        data = joined(parts)
        for _ in range(max(1, round(settings.reuse * len(parts[-1].won) / settings.batch))):
            batch = rows_of(data, rng.integers(len(data.won), size=settings.batch))
            losses.append(learn(network, optimizer, batch))
        yield float(np.mean(losses)), layers_of(network)


def _auction(layers: Layers, worth: Worth, rng: np.random.Generator, strays: float) -> _Auction:
    deck = rng.permutation(54)
    lanes = [int(min(card // 4, 13) if card < 53 else 14) for card in deck]
    hands = [kernel.pack(lanes[17 * seat : 17 * seat + 17]) for seat in range(3)]
    found = _Auction([], [], hands, kernel.pack(lanes[51:]), None)
    for seat in range(3):
        allowed = [0, *allowed_bids(found.calls)]
        inputs = call_inputs(hands[seat], found.calls, worth)
        if rng.random() < strays:
            points = int(rng.choice(allowed))
        else:
            expected = expected_points(layers, inputs, "once", found.calls, seat)
            points = max(allowed, key=[float(each) for each in expected].__getitem__)
        found.inputs.append(inputs)
        found.calls.append(Call(seat, points))
        result = verdict("once", found.calls)
        if isinstance(result, Won):
            return found._replace(won=result)
    return found


def _outcomes(
    auctions: list[_Auction], policy: int, worth: Worth, finish: Finish, rng: np.random.Generator
) -> NDArray[np.float32]:
    """(n, 3): the points of each seat; 0 where nobody bid."""
    points = np.zeros((len(auctions), 3), dtype=np.float32)
    positions: list[tuple[int, Position]] = []
    for at, auction in enumerate(auctions):
        if auction.won is not None:
            by_role = [auction.hands[(auction.won.landlord + role) % 3] for role in range(3)]
            position = Position(policy, worth)
            position.set((by_role[0] + auction.kitty, by_role[1], by_role[2]), auction.kitty)
            positions.append((at, position))
    finish([position for _, position in positions], rng)
    for at, position in positions:
        won = auctions[at].won
        assert won is not None
        stake = won.base * 2.0 ** min(position.bombs + _springs(position), MOST_BOMBS)
        for seat in range(3):
            share = 2 * stake if seat == won.landlord else -stake
            points[at, seat] = share if position.winner == 0 else -share
    return points


def _springs(position: Position) -> int:
    """1 if neither peasant has played, or the landlord only his lead; else 0."""
    landlord, after, before = position.plays
    return int(not after + before if position.winner == 0 else landlord == 1)


def _samples(auctions: list[_Auction], points: NDArray[np.float32]) -> Samples:
    width = max(len(inputs) for auction in auctions for inputs in auction.inputs)
    states, choices, results = [], [], []
    for auction, by_seat in zip(auctions, points, strict=True):
        for inputs, call in zip(auction.inputs, auction.calls, strict=True):
            states.append(inputs + [CALL_INPUTS] * (width - len(inputs)))
            choices.append([call.points])
            results.append(by_seat[call.seat])
    ends = np.array(results, dtype=np.float32)
    return Samples(
        np.array(states, dtype=np.uint16), np.array(choices, dtype=np.uint16), (ends > 0).astype(np.float32), ends
    )
