"""The level `expert`: the network selects the moves to look at, and their results in sampled worlds decide.

A *world* gives the hidden cards to the seats that may hold them. Each world serves all moves that are looked at, so
that luck in the cards is the same for each; moves that fall behind are dropped. The result of a move in a
world is the mean of two judges that err differently: the network, asked again after the others have answered
(`lookahead`), and the quick player, which plays the game to its end. Where few cards are left it is solved exactly,
with open hands.
"""

import math
import random
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from ddz import compiled, features, kernel
from ddz.bots.base import Advice
from ddz.bots.calling import best_call, rank_calls
from ddz.bots.lookahead import landlords_chances
from ddz.bots.network import ROLE_NAMES, Layers, chance_of, judge_positions, shipped
from ddz.bots.world import World, goes_out
from ddz.commands import Turn
from ddz.endgame import Solver
from ddz.positions import Position
from ddz.quickplay import play_out
from ddz.view import SeatView


class Budget(NamedTuple):
    """How far `expert` looks. It is counted, so that a choice does not depend on the machine's speed."""

    worlds: int = 384
    """The most worlds a decision; each is looked at once for each move that is still racing."""
    least: int = 64
    """No move is dropped before this many worlds."""
    moves: int = 6
    """The most moves that are looked at."""
    margin: float = 0.25
    """A move is looked at if the network's chance for it is at most this much below that of the best."""
    trust: float = 32.0
    """How many worlds the network's opinion counts for."""
    open_cards: int = 26
    """With this many cards left in all, worlds are solved instead of played on ..."""
    nodes: int = 3_000
    """... within this many nodes a move and world."""


DEFAULT: Final = Budget()
UNCOMPILED: Final = Budget(worlds=40, least=16, moves=4, trust=10, nodes=200)
"""Where the kernel is not compiled, which is some 60 times slower: a weaker player, but one that answers."""
AT_ONCE: Final = 32
"""This many worlds are looked at together; with a clock, it is read between them."""
SURE: Final = 2.5
"""A move that trails the leader by more standard errors than this is dropped."""


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

        Without a budget it looks as far as a person can wait for, which depends on whether the kernel is compiled; its
        version says which.
        """
        slow = budget is None and compiled.find()[0] is None
        self.version = "2-uncompiled" if slow else "2"
        self._budget = budget or (UNCOMPILED if slow else DEFAULT)
        self._networks = networks or shipped()
        self.name = name
        self._seconds = 0.0
        self._clock: Callable[[], float] | None = None

    def think(self, milliseconds: int, clock: Callable[[], float]) -> None:
        """Think for `milliseconds` by a clock that gives seconds; `Budget.worlds` is then no limit."""
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
        return legal[self._ranking(world, position, moves, rng)[0][0]]

    def rank(self, view: SeatView, legal: tuple[Turn, ...], rng: random.Random) -> list[Advice]:
        """All of `legal`: those that it looks at first, then the others as the network judges them."""
        if view.phase == "auction":
            return rank_calls("hard", view, legal, self._networks)
        world = World(view)
        position = world.position()
        found = self._ranking(world, position, position.moves(), rng)
        return [Advice(legal[at], worth, "chance") for at, worth in found]

    def _ranking(
        self, world: World, position: Position, moves: list[kernel.PackedMeld | None], rng: random.Random
    ) -> list[tuple[int, float]]:
        """Each move by its number, with its chance to win, the best first."""
        judged = judge_positions(self._networks[ROLE_NAMES[world.role]], [features.encode(position)])
        chances = [chance_of(float(logit)) for logit in judged.won]
        order = sorted(range(len(chances)), key=lambda at: -chances[at])
        out = goes_out(moves, position.hands[world.role])
        if out is not None:
            return [(out, 1.0), *((at, chances[at]) for at in order if at != out)]
        near = [at for at in order[: self._budget.moves] if chances[at] >= chances[order[0]] - self._budget.margin]
        rest = [(at, chances[at]) for at in order[len(near) :]]
        if len(near) == 1:
            return [(near[0], chances[near[0]]), *rest]
        searched = self._search(world, [moves[at] for at in near], [chances[at] for at in near], rng)
        return [*((near[at], worth) for at, worth in searched), *rest]

    def _search(
        self, world: World, moves: Sequence[kernel.PackedMeld | None], chances: Sequence[float], rng: random.Random
    ) -> list[tuple[int, float]]:
        """The moves by how often they win, `chances` being what the network thinks of each beforehand."""
        budget = self._budget
        solver = Solver(world.policy)  # a new one, since what an older one remembers stretches its budget
        values: list[list[float]] = [[] for _ in moves]
        racing = list(range(len(moves)))
        clock = self._clock
        end = clock() + self._seconds if clock else 0.0
        number = 0
        while len(racing) > 1 and (clock() < end if clock else number < budget.worlds):
            count = AT_ONCE if clock else min(AT_ONCE, budget.worlds - number)
            tried = []
            for here in [world.position(rng) for _ in range(count)]:
                for at in racing:
                    tried.append(here.copy())
                    tried[-1].play(moves[at])
            for place, landlord in enumerate(self._landlords_chances(tried, solver)):
                values[racing[place % len(racing)]].append(1 - landlord if world.role else landlord)
            number += count
            racing = self._still_racing(racing, values, chances)
        leader = self._leader(racing, values, chances)
        trust = budget.trust
        worths = [(trust * chances[at] + sum(won)) / (trust + len(won)) for at, won in enumerate(values)]
        order = sorted(range(len(moves)), key=lambda at: (at != leader, -worths[at]))
        return [(at, worths[at]) for at in order]

    def _leader(self, racing: list[int], values: list[list[float]], chances: Sequence[float]) -> int:
        return max(racing, key=lambda at: self._budget.trust * chances[at] + sum(values[at]))

    def _still_racing(self, racing: list[int], values: list[list[float]], chances: Sequence[float]) -> list[int]:
        """The moves that may yet be the best: those that trail the leader by no more than chance may explain."""
        leader = self._leader(racing, values, chances)
        found = []
        for at in racing:
            leads = [one - other for one, other in zip(values[leader], values[at], strict=True)]
            lead = sum(leads) + self._budget.trust * (chances[leader] - chances[at])
            if lead <= SURE * math.hypot(*leads) or len(leads) < self._budget.least:
                found.append(at)
        return found

    def _landlords_chances(self, positions: Sequence[Position], solver: Solver) -> list[float]:
        """What comes of each position, the chance that the landlord wins."""
        found = [self._solved(position, solver) for position in positions]
        unsolved = [at for at, result in enumerate(found) if result < 0]
        ends = [play_out(positions[at].copy(), 0)[0] == 0 for at in unsolved]
        looks = landlords_chances(self._networks, [positions[at] for at in unsolved])
        for at, end, look in zip(unsolved, ends, looks, strict=True):
            found[at] = (end + look) / 2
        return found

    def _solved(self, position: Position, solver: Solver) -> float:
        """1 if the landlord wins with open hands, 0 if he does not, -1 if that is not known."""
        if sum(kernel.total(hand) for hand in position.hands) > self._budget.open_cards:
            return -1
        return solver.solve(position, self._budget.nodes)
