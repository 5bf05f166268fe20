"""Games of a network against itself, many at a time, and what is learnt from them.

Deep Monte Carlo (DouZero, Zha et al. 2021): every decision of a game is a sample, whose target is how the game ended.
Games run in step so that the network is asked about all of them at once.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ddz.positions import CHOICE_SLOTS, STATE_SLOTS, Position, Worth

Inputs = NDArray[np.uint16]
Rng = np.random.Generator
Judge = Callable[[int, Inputs, Inputs, NDArray[np.int64]], NDArray[np.float32]]
"""judge(role, states, choices, of): the worth of each choice, a row of `choices`, of the state numbered `of`."""

MOST_BOMBS: Final = 4
"""More bombs than that count as that many in a target: their doubles would drown all else."""


class Samples(NamedTuple):
    """Decisions of one role: a row each."""

    states: Inputs
    """(n, STATE_SLOTS)"""
    choices: Inputs
    """(n, CHOICE_SLOTS)"""
    won: NDArray[np.float32]
    """1 if the role's side won, else 0."""
    points: NDArray[np.float32]
    """The role's side's points: 2 to the number of bombs, below 0 if it lost; 1 is the base."""


def empty(size: int) -> Samples:
    """Room for `size` samples."""
    return Samples(
        np.empty((size, STATE_SLOTS), dtype=np.uint16),
        np.empty((size, CHOICE_SLOTS), dtype=np.uint16),
        np.empty(size, dtype=np.float32),
        np.empty(size, dtype=np.float32),
    )


def rows_of(samples: Samples, rows: NDArray[np.int64]) -> Samples:
    """Some of the samples, by their numbers."""
    return Samples(samples.states[rows], samples.choices[rows], samples.won[rows], samples.points[rows])


def joined(parts: Sequence[Samples]) -> Samples:
    """All samples of several parts."""
    return Samples(
        np.concatenate([part.states for part in parts]),
        np.concatenate([part.choices for part in parts]),
        np.concatenate([part.won for part in parts]),
        np.concatenate([part.points for part in parts]),
    )


class Style(NamedTuple):
    """How the games are played."""

    strays: float = 0.03
    """The share of moves drawn evenly among the legal ones."""
    quick_sides: float = 0.15
    """The share of games in which one side is the quick player (`positions.Position.quick`)."""
    policies: tuple[int, ...] = ()
    """The kicker rules, one drawn a game."""
    picked_landlords: float = 0.4
    """The share of games whose landlord has the better of two hands, as an auction would bring about."""


class _Game:
    """One game and the decisions made in it."""

    def __init__(self, position: Position, quick: tuple[bool, bool, bool]) -> None:
        self.position = position
        self.quick = quick
        self.decisions: list[tuple[int, bytes, bytes]] = []


def deal(seed: int, position: Position, worth: Worth, picked: bool) -> None:
    """Put up a game out of a seed; with `picked`, the one of two in which the landlord's hand is the better."""
    position.deal(2 * seed)
    if picked:
        cost = worth.cost(position.hands[0])
        position.deal(2 * seed + 1)
        if worth.cost(position.hands[0]) > cost:
            position.deal(2 * seed)


def play(judge: Judge | None, games: int, seed: int, style: Style) -> tuple[Samples, Samples, Samples]:
    """Play `games` games and return each role's decisions; without a judge, the quick player plays all.

    Equal judges, seeds and styles play equal games.
    """
    rng = np.random.default_rng(seed)
    worths = [Worth(policy) for policy in style.policies]
    running = [_open(rng, worths, style, judge is None) for _ in range(games)]
    over: list[_Game] = []
    while running:
        _step(judge, running, rng, style.strays)
        over += [game for game in running if game.position.winner >= 0]
        running = [game for game in running if game.position.winner < 0]
    return _samples(over, 0), _samples(over, 1), _samples(over, 2)


def finish(judge: Judge, positions: list[Position], rng: Rng) -> None:
    """Play positions to their ends by the judge."""
    running = [_Game(position, (False, False, False)) for position in positions]
    while running:
        _step(judge, running, rng, 0.0)
        running = [game for game in running if game.position.winner < 0]


def _open(rng: Rng, worths: list[Worth], style: Style, all_quick: bool) -> _Game:
    worth = worths[rng.integers(len(worths))]
    position = Position(style.policies[worths.index(worth)], worth)
    deal(int(rng.integers(1 << 62)), position, worth, rng.random() < style.picked_landlords)
    landlord = peasants = all_quick
    if not all_quick and rng.random() < style.quick_sides:
        landlord = rng.random() < 0.5
        peasants = not landlord
    return _Game(position, (landlord, peasants, peasants))


def _step(judge: Judge | None, games: list[_Game], rng: Rng, strays: float) -> None:
    """One move in each game."""
    asked: tuple[list[tuple[_Game, bytes, bytes, int]], ...] = ([], [], [])
    stray = rng.random(len(games)) < strays
    for game, astray in zip(games, stray, strict=True):
        position = game.position
        role = position.turn
        state, choices, count = position.encode()
        if astray or count == 1 or game.quick[role] or judge is None:
            moves = position.moves()
            if astray or count == 1:
                at = int(rng.integers(count)) if count > 1 else 0
            else:
                at = moves.index(position.quick())
            _choose(game, role, state, choices, at, count)
        else:
            asked[role].append((game, state, choices, count))
    if judge is not None:
        for role, group in enumerate(asked):
            if group:
                _ask(judge, role, group)


def _ask(judge: Judge, role: int, group: list[tuple[_Game, bytes, bytes, int]]) -> None:
    """Let the judge choose in each of a role's games."""
    counts = np.array([count for *_, count in group])
    states = _rows(b"".join(state for _, state, _, _ in group), STATE_SLOTS)
    choices = _rows(b"".join(choices for _, _, choices, _ in group), CHOICE_SLOTS)
    worth = judge(role, states, choices, np.repeat(np.arange(len(group)), counts))
    first = 0
    for game, state, inputs, count in group:
        at = int(worth[first : first + count].argmax())
        _choose(game, role, state, inputs, at, count)
        first += count


def _choose(game: _Game, role: int, state: bytes, choices: bytes, at: int, count: int) -> None:
    if count > 1:  # nothing is learnt where there is no choice
        width = 2 * CHOICE_SLOTS
        game.decisions.append((role, state, choices[at * width : (at + 1) * width]))
    game.position.play(game.position.moves()[at])


def _samples(games: list[_Game], role: int) -> Samples:
    states, choices, won, points = [], [], [], []
    for game in games:
        landlord_won = game.position.winner == 0
        win = landlord_won == (role == 0)
        score = 2.0 ** min(game.position.bombs, MOST_BOMBS)
        for other, state, choice in game.decisions:
            if other == role:
                states.append(state)
                choices.append(choice)
                won.append(float(win))
                points.append(score if win else -score)
    return Samples(
        _rows(b"".join(states), STATE_SLOTS),
        _rows(b"".join(choices), CHOICE_SLOTS),
        np.array(won, dtype=np.float32),
        np.array(points, dtype=np.float32),
    )


def _rows(data: bytes, width: int) -> Inputs:
    return np.frombuffer(data, dtype=np.uint16).reshape(-1, width)
