"""A ladder from who beats whom: Bradley and Terry's model, by maximum likelihood, in Elo's points.

The chance that i wins against j is 1/(1 + 10^((e_j - e_i)/400)) (R. A. Bradley and M. E. Terry, Biometrika 39, 1952);
the log likelihood is concave, and Newton's method finds its top. Each pair is given one drawn game more than it
played, so that a bot that never lost has a finite place. The intervals take the deck as the unit, as its games
depend on each other: the sandwich estimator over decks (H. White, Econometrica 50, 1982).

Own code: the libraries for it need numpy and scipy, for a matrix with one row for each bot.
"""

import math
from collections.abc import Sequence
from typing import Final

import msgspec

from ddz.intervals import Interval, normal

AVERAGE: Final = 1500
"""The mean of a ladder."""
_POINTS: Final = 400 / math.log(10)
"""Elo's points of one unit of the model."""
_STEPS: Final = 200
_FARTHEST: Final = 1.0
"""The longest step of a rating, in the model's units: far from the top a whole Newton step may overshoot."""

Matrix = list[list[float]]


class Bout(msgspec.Struct, frozen=True, array_like=True):
    """The result of two players against each other on one deck."""

    one: int
    """Numbers of players, 0, 1, ..."""
    two: int
    halves: int
    """Half wins of `one`: 2 a win, 1 a draw."""
    games: int


def ladder(players: int, decks: Sequence[Sequence[Bout]]) -> list[Interval]:
    """The rating of each player with its 95 % interval; their mean is AVERAGE. `decks` has at least one bout."""
    drawn = [Bout(one, two, 1, 1) for one, two in {(bout.one, bout.two): None for deck in decks for bout in deck}]
    total = _totals([*decks, drawn])
    ratings = _fit(players, total)
    inverse = _inverted(_information(players, ratings, total))
    if all(deck == decks[0] for deck in decks):  # nothing to see how far decks lie apart: each counts as one game
        games = sum(bout.games for bout in decks[0]) / len(decks[0])
        covariance = [[games * value for value in row] for row in inverse]
    else:
        covariance = _sandwich(players, ratings, [*decks, drawn], inverse)
    errors = [math.sqrt(max(0.0, covariance[player][player])) for player in range(players)]
    return [normal(AVERAGE + _POINTS * rating, _POINTS * error) for rating, error in zip(ratings, errors, strict=True)]


def _totals(decks: Sequence[Sequence[Bout]]) -> list[Bout]:
    """The bouts of all decks together, one a pair."""
    sums: dict[tuple[int, int], tuple[int, int]] = {}
    for deck in decks:
        for bout in deck:
            halves, games = sums.get((bout.one, bout.two), (0, 0))
            sums[bout.one, bout.two] = halves + bout.halves, games + bout.games
    return [Bout(one, two, *both) for (one, two), both in sums.items()]


def _chance(ratings: Sequence[float], bout: Bout) -> float:
    """That `one` wins."""
    return 1 / (1 + math.exp(ratings[bout.two] - ratings[bout.one]))


def _fit(players: int, total: Sequence[Bout]) -> list[float]:
    ratings = [0.0] * players
    for _ in range(_STEPS):
        inverse = _inverted(_information(players, ratings, total))
        pull = _pull(players, ratings, total)
        steps = [sum(row[at] * pull[at] for at in range(players)) for row in inverse]
        longest = max(map(abs, steps))
        shorter = min(1.0, _FARTHEST / longest) if longest else 0.0
        ratings = [rating + shorter * step for rating, step in zip(ratings, steps, strict=True)]
        if longest < 1e-12:
            break
    return ratings


def _pull(players: int, ratings: Sequence[float], bouts: Sequence[Bout]) -> list[float]:
    """The slope of the log likelihood: wins less those expected."""
    pull = [0.0] * players
    for bout in bouts:
        more = bout.halves / 2 - bout.games * _chance(ratings, bout)
        pull[bout.one] += more
        pull[bout.two] -= more
    return pull


def _information(players: int, ratings: Sequence[float], bouts: Sequence[Bout]) -> Matrix:
    """The curvature of the log likelihood, and 1 everywhere, which holds the mean of the ratings at 0."""
    matrix = [[1.0] * players for _ in range(players)]
    for bout in bouts:
        chance = _chance(ratings, bout)
        weight = bout.games * chance * (1 - chance)
        for at, other in ((bout.one, bout.two), (bout.two, bout.one)):
            matrix[at][at] += weight
            matrix[at][other] -= weight
    return matrix


def _sandwich(players: int, ratings: Sequence[float], decks: Sequence[Sequence[Bout]], inverse: Matrix) -> Matrix:
    """The covariance of the ratings by how the decks differ; the drawn games that nobody played are one more deck."""
    meat = [[0.0] * players for _ in range(players)]
    for deck in decks:
        pull = _pull(players, ratings, deck)
        for row, one in zip(meat, pull, strict=True):
            for at, two in enumerate(pull):
                row[at] += one * two
    wider = len(decks) / (len(decks) - 1)
    return [[wider * value for value in row] for row in _product(_product(inverse, meat), inverse)]


def _product(left: Matrix, right: Matrix) -> Matrix:
    return [
        [sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*right, strict=True)] for row in left
    ]


def _inverted(matrix: Matrix) -> Matrix:
    """By Gauss and Jordan. The matrices here are symmetric and positive, so that no pivot is 0."""
    size = len(matrix)
    rows = [row[:] + [float(at == own) for at in range(size)] for own, row in enumerate(matrix)]
    for at in range(size):
        pivot = rows[at][at]
        rows[at] = [value / pivot for value in rows[at]]
        for other in range(size):
            if other != at and (factor := rows[other][at]):
                rows[other] = [value - factor * own for value, own in zip(rows[other], rows[at], strict=True)]
    return [row[size:] for row in rows]
