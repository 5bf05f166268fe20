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
from ddz.view import SeatView

SLIP: Final = 30
"""How far off `easy` is in what it sees in a move, in hundredths of a turn: a move that gains as much less is chosen
1 time for 2.7 times of the best."""
BLUNDER: Final = 100
"""What no person would do: moves that gain so much less than the best, `easy` never makes."""


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
        return legal[position.moves().index(position.quick())]


class EasyBot:
    """Sees what `normal` sees, less sharply. It never misses that a move ends the game, nor throws a bomb away."""

    name = "easy"
    version = "2"

    def choose(self, view: SeatView, legal: tuple[Turn, ...], rng: random.Random) -> Turn:
        """One of `legal`."""
        if view.phase == "auction":
            return best_call(self.name, view, legal)
        if len(legal) == 1:
            return legal[0]
        position = World(view).position()
        return legal[slip(position.moves(), position.gains(), rng)]


def slip(moves: list[kernel.Meld | None], gains: list[int], rng: random.Random) -> int:
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
