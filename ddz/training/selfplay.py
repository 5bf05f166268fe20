"""Games of a network against itself, many at a time, and what is learnt from them.

Deep Monte Carlo (DouZero, Zha et al. 2021): every decision of a game is a sample, whose target is how the game ended.
Part of the target may be what the network itself expected at the role's next decisions, which depends less on the luck
of the hidden cards (Watkins' Q(lambda): Sutton and Barto, Reinforcement Learning, 2nd edition, 12.10).
Games run in step so that the network is asked about all of them at once.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ddz import features
from ddz.bots.network import chance_of
from ddz.features import CHOICE_SLOTS, STATE_SLOTS
from ddz.plans import Worth
from ddz.positions import Position
from ddz.quickplay import quick_move

Inputs = NDArray[np.uint16]
Rng = np.random.Generator
Evaluator = Callable[[int, Inputs, Inputs, NDArray[np.int64]], NDArray[np.float32]]
"""evaluator(role, states, choices, of): (n, 2). For each choice the chance that it wins, as a logit, and the points
that it is expected to bring. A choice is a row of `choices`, of the state numbered `of`."""

MOST_BOMBS: Final = 4
"""More bombs than this count as this many in a target: their doubles would dominate everything else."""


class Samples(NamedTuple):
    """Decisions of one role: a row each."""

    states: Inputs
    """(n, STATE_SLOTS)"""
    choices: Inputs
    """(n, CHOICE_SLOTS)"""
    won: NDArray[np.float32]
    """1 if the role's side won, else 0; between them where the network's own estimate counts."""
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

    strays: float = 0.02
    """The share of moves drawn evenly among the legal ones."""
    quick_sides: float = 0.4
    """The share of games in which one side is the quick player (`quickplay`), which teaches nothing."""
    policies: tuple[int, ...] = ()
    """The kicker rules, one drawn a game."""
    picked_landlords: float = 0.4
    """The share of games whose landlord has the better of two hands, as an auction would cause."""
    trace: float = 1.0
    """How much of a sample's target is what came after the role's next decision. 1: only the end of the game. 0: only
    the network's own estimate there."""


class _Decision(NamedTuple):
    """What a role knew and did, and, where the network was asked, what it expected of its best choice."""

    role: int
    state: bytes
    choice: bytes
    logit: float | None = None
    points: float = 0.0
    astray: bool = False


class _Game:
    """One game and the decisions made in it."""

    def __init__(self, position: Position, quick: tuple[bool, bool, bool]) -> None:
        self.position = position
        self.quick = quick
        self.decisions: list[_Decision] = []


def deal(seed: int, position: Position, worth: Worth, picked: bool) -> None:
    """Set up a game from a seed; with `picked`, the one of two in which the landlord's hand is the better."""
    position.deal(2 * seed)
    if picked:
        cost = worth.cost(position.hands[0])
        position.deal(2 * seed + 1)
        if worth.cost(position.hands[0]) > cost:
            position.deal(2 * seed)


def play(evaluator: Evaluator | None, games: int, seed: int, style: Style) -> tuple[Samples, Samples, Samples]:
    """Play `games` games and return each role's decisions. Without an evaluator the quick player plays all of them.

    Equal evaluators, seeds and styles play equal games.
    """
    rng = np.random.default_rng(seed)
    worths = [Worth(policy) for policy in style.policies]
    running = [_open(rng, worths, style, evaluator is None) for _ in range(games)]
    over: list[_Game] = []
    while running:
        _step(evaluator, running, rng, style.strays)
        over += [game for game in running if game.position.winner >= 0]
        running = [game for game in running if game.position.winner < 0]
    return _samples(over, 0, style.trace), _samples(over, 1, style.trace), _samples(over, 2, style.trace)


def finish(evaluator: Evaluator, positions: list[Position], rng: Rng) -> None:
    """Play positions to their ends by the evaluator."""
    running = [_Game(position, (False, False, False)) for position in positions]
    while running:
        _step(evaluator, running, rng, 0.0)
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


class _Asked(NamedTuple):
    """A decision that the network is asked about."""

    game: _Game
    state: bytes
    choices: bytes
    number: int
    """How many choices there are."""
    stray: int
    """The choice drawn by chance that is made whatever the network says; below 0 if none is."""


def _step(evaluator: Evaluator | None, games: list[_Game], rng: Rng, strays: float) -> None:
    """One move in each game."""
    asked: tuple[list[_Asked], ...] = ([], [], [])
    stray = rng.random(len(games)) < strays
    for game, astray in zip(games, stray, strict=True):
        position = game.position
        role = position.turn
        if evaluator is not None and game.quick[role]:
            _play_quick(position, rng, bool(astray))
            continue
        state, choices, count = features.encode(position)
        if count == 1:  # nothing is learnt where there is no choice
            position.play(position.moves()[0])
            continue
        drawn = int(rng.integers(count)) if astray else -1
        if evaluator is not None:
            asked[role].append(_Asked(game, state, choices, count, drawn))
            continue
        at = drawn if astray else position.moves().index(quick_move(position))
        game.decisions.append(_Decision(role, state, _choice(choices, at)))
        position.play(position.moves()[at])
    if evaluator is not None:
        for role, group in enumerate(asked):
            if group:
                _ask(evaluator, role, group)


def _play_quick(position: Position, rng: Rng, astray: bool) -> None:
    moves = position.moves() if astray else []
    position.play(moves[int(rng.integers(len(moves)))] if astray else quick_move(position))


def _ask(evaluator: Evaluator, role: int, group: list[_Asked]) -> None:
    """Let the evaluator choose in each of a role's games."""
    counts = np.array([asked.number for asked in group])
    states = _rows(b"".join(asked.state for asked in group), STATE_SLOTS)
    choices = _rows(b"".join(asked.choices for asked in group), CHOICE_SLOTS)
    answers = evaluator(role, states, choices, np.repeat(np.arange(len(group)), counts))
    first = 0
    for game, state, inputs, count, stray in group:
        best = first + int(answers[first : first + count, 0].argmax())
        at = stray if stray >= 0 else best - first
        logit, points = float(answers[best, 0]), float(answers[best, 1])
        game.decisions.append(_Decision(role, state, _choice(inputs, at), logit, points, stray >= 0))
        game.position.play(game.position.moves()[at])
        first += count


def _choice(choices: bytes, at: int) -> bytes:
    width = 2 * CHOICE_SLOTS
    return choices[at * width : (at + 1) * width]


def _samples(games: list[_Game], role: int, trace: float) -> Samples:
    states, choices, targets = [], [], []
    for game in games:
        made = [decision for decision in game.decisions if decision.role == role]
        states += [decision.state for decision in made]
        choices += [decision.choice for decision in made]
        targets += _targets(made, game.position, role, trace)
    ends = np.array(targets, dtype=np.float32).reshape(-1, 2)
    return Samples(
        _rows(b"".join(states), STATE_SLOTS),
        _rows(b"".join(choices), CHOICE_SLOTS),
        ends[:, 0].copy(),
        ends[:, 1].copy(),
    )


def _targets(made: list[_Decision], ended: Position, role: int, trace: float) -> list[tuple[float, float]]:
    """For each decision of a role in a game, the chance to win and the points that it is to be taught."""
    win = (ended.winner == 0) == (role == 0)
    won = float(win)
    points = 2.0 ** min(ended.bombs, MOST_BOMBS) * (1 if win else -1)
    found = []
    for decision in reversed(made):
        found.append((won, points))
        if decision.logit is not None:
            # what came of a stray says nothing of the best choice, so nothing of it goes to the decisions before
            kept = 0.0 if decision.astray and trace < 1 else trace
            won = kept * won + (1 - kept) * chance_of(decision.logit)
            points = kept * points + (1 - kept) * decision.points
    return found[::-1]


def _rows(data: bytes, width: int) -> Inputs:
    return np.frombuffer(data, dtype=np.uint16).reshape(-1, width)
