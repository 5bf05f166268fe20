"""The levels `easy` and `normal`: the quick player of the kernel, with and without a person's mistakes.

It splits its hand into the melds that cost least (`plans.Planner`) and plays what brings that plan furthest on: it
keeps its partner's tricks, blocks the landlord's last cards, and feeds a partner with one card left.
"""

import math
import random
from typing import Final

from ddz import kernel
from ddz.bots.calling import best_call
from ddz.bots.world import World
from ddz.commands import Turn
from ddz.quickplay import gains_of, quick_move
from ddz.view import SeatView

SLIP: Final = 30
"""How exactly `easy` sees what a move gains, in hundredths of a turn: a move that gains this much less than the best is
chosen once for 2.7 times that the best one is."""
BLUNDER: Final = 100
"""`easy` never makes a move that gains this much less than the best: no person would."""


class NormalBot:
    """Plays along its plan and with its partner. Draws nothing from `rng`: equal views, equal choices."""

    name = "normal"
    version = "2"

    def choose(self, view: SeatView, legal: tuple[Turn, ...], rng: random.Random) -> Turn:  # noqa: ARG002
        """One of `legal`."""
        if view.phase == "auction":
            return best_call(self.name, view, legal)
        if len(legal) == 1:
            return legal[0]
        position = World(view).position()
        return legal[position.moves().index(quick_move(position))]


class EasyBot:
    """Sees what `normal` sees, less sharply. It never misses a move that ends the game, and never wastes a bomb."""

    name = "easy"
    version = "2"

    def choose(self, view: SeatView, legal: tuple[Turn, ...], rng: random.Random) -> Turn:
        """One of `legal`."""
        if view.phase == "auction":
            return best_call(self.name, view, legal)
        if len(legal) == 1:
            return legal[0]
        position = World(view).position()
        return legal[slip(position.moves(), gains_of(position), rng)]


def slip(moves: list[kernel.PackedMeld | None], gains: list[int], rng: random.Random) -> int:
    """Which of the moves `easy` makes: nearly the best, and no bomb unless it is the best."""
    best = max(range(len(moves)), key=gains.__getitem__)
    weights = [
        math.exp((gain - gains[best]) / SLIP)
        if gain > gains[best] - BLUNDER and (move is None or move[0] < kernel.BOMB)
        else 0.0
        for move, gain in zip(moves, gains, strict=True)
    ]
    weights[best] = 1.0
    return rng.choices(range(len(moves)), weights)[0]
