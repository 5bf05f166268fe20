"""The level `expert`: the network says which moves to look at, and games played on in sampled worlds say which wins.

A *world* gives the hidden cards to the seats that may hold them. Each world serves all moves that are looked at, so
that luck in the cards is the same for each. In a world the game is played on by the quick player; where few cards are
left it is solved with open hands, exactly.
"""

import math
import random
from collections.abc import Callable
from typing import Final, NamedTuple

from ddz import compiled, features, kernel
from ddz.bots.calling import best_call
from ddz.bots.network import ROLE_NAMES, Layers, judge_position, shipped
from ddz.bots.world import World, goes_out
from ddz.commands import Turn
from ddz.endgame import Solver
from ddz.positions import Position
from ddz.view import SeatView


class Budget(NamedTuple):
    """How far `expert` looks; counted, so that a choice does not hang on the machine's speed."""

    worlds: int = 120
    """Worlds a decision; each is one rollout for each move that is looked at."""
    moves: int = 6
    """The most moves that are looked at."""
    margin: float = 0.25
    """A move is looked at if the network gives it no more than this less of a chance than the best."""
    trust: float = 30.0
    """How many rollouts the network's opinion counts for."""
    open_cards: int = 26
    """With so many cards left in all, worlds are solved instead of played on ..."""
    nodes: int = 3_000
    """... as far as so many nodes a move and world tell."""


DEFAULT: Final = Budget()
UNCOMPILED: Final = Budget(worlds=40, moves=4, nodes=200)
"""Where the kernel is not compiled, which is some 60 times slower: a weaker player, but one that answers."""


class ExpertBot:
    """Searches. Its chance comes from `rng` alone, so equal views and seeds are equal choices."""

    name = "expert"

    def __init__(
        self,
        budget: Budget | None = None,
        networks: dict[str, Layers] | None = None,
        name: str = "expert",
    ) -> None:
        """A player by `networks`, or by those that come with ddz; `name` is what it is called then.

        Without a budget it looks as far as a person can wait for, which hangs on whether the kernel is compiled; its
        version tells which.
        """
        slow = budget is None and compiled.find()[0] is None
        self.version = "1-uncompiled" if slow else "1"
        self._budget = budget or (UNCOMPILED if slow else DEFAULT)
        self._networks = networks or shipped()
        self.name = name
        self._seconds = 0.0
        self._clock: Callable[[], float] | None = None

    def think(self, milliseconds: int, clock: Callable[[], float]) -> None:
        """Think by a clock that gives seconds: worlds are looked at for so long, and `Budget.worlds` is no limit."""
        self._seconds, self._clock = milliseconds / 1000, clock
        self.version += f"+{milliseconds}ms"

    def choose(self, view: SeatView, legal: tuple[Turn, ...], rng: random.Random) -> Turn:
        """One of `legal`."""
        if view.phase == "auction":
            return best_call("hard", view, legal, self._networks)
        if len(legal) == 1:
            return legal[0]
        world = World(view)
        position = world.position()
        moves = position.moves()
        out = goes_out(moves, position.hands[world.role])
        if out is not None:
            return legal[out]
        judged = judge_position(self._networks[ROLE_NAMES[world.role]], features.encode(position))
        chances = [(1 + math.tanh(float(logit) / 2)) / 2 for logit in judged.won]
        looked_at = self._looked_at(chances)
        if len(looked_at) == 1:
            return legal[looked_at[0]]
        return legal[self._search(world, [(at, moves[at], chances[at]) for at in looked_at], rng)]

    def _looked_at(self, chances: list[float]) -> list[int]:
        order = sorted(range(len(chances)), key=lambda at: -chances[at])[: self._budget.moves]
        return [at for at in order if chances[at] >= chances[order[0]] - self._budget.margin]

    def _search(self, world: World, looked_at: list[tuple[int, kernel.Meld | None, float]], rng: random.Random) -> int:
        budget = self._budget
        solver = Solver(world.policy)  # a new one, since what an older one remembers stretches its budget
        wins = {at: budget.trust * chance for at, _, chance in looked_at}
        clock = self._clock
        end = clock() + self._seconds if clock else 0.0
        number = 0
        while clock() < end if clock else number < budget.worlds:
            here = world.position(rng)
            for at, move, _ in looked_at:
                there = here.copy()
                there.play(move)
                wins[at] += self._landlord_wins(there, solver, number) == (world.role == 0)
            number += 1
        return max(wins, key=wins.__getitem__)

    def _landlord_wins(self, position: Position, solver: Solver, seed: int) -> bool:
        if sum(kernel.total(hand) for hand in position.hands) <= self._budget.open_cards:
            result = solver.solve(position, self._budget.nodes)
            if result >= 0:
                return result == 1
        return position.playout(seed)[0] == 0
