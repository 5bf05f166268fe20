"""The level `hard`: the network's choice, at once."""

import random

from ddz import features
from ddz.bots.base import Advice
from ddz.bots.calling import best_call, rank_calls
from ddz.bots.network import ROLE_NAMES, Floats, Layers, chance_of, judge_positions, shipped
from ddz.bots.world import World, goes_out
from ddz.commands import Turn
from ddz.positions import Position
from ddz.view import SeatView


class HardBot:
    """Plays what the network thinks most likely to win. Draws nothing from `rng`: equal views, equal choices."""

    name = "hard"
    version = "2"

    def __init__(self, networks: dict[str, Layers] | None = None, name: str = "hard") -> None:
        """A player by `networks`, or by those that come with ddz; `name` is what it is called then."""
        self._networks = networks or shipped()
        self.name = name

    def choose(self, view: SeatView, legal: tuple[Turn, ...], rng: random.Random) -> Turn:  # noqa: ARG002
        """One of `legal`."""
        if view.phase == "auction":
            return best_call("hard", view, legal, self._networks)
        if len(legal) == 1:
            return legal[0]
        world = World(view)
        position = world.position()
        out = goes_out(position.moves(), position.hands[world.role])
        if out is not None:  # no network need be asked
            return legal[out]
        return legal[int(self._judged(world, position).argmax())]

    def rank(self, view: SeatView, legal: tuple[Turn, ...], rng: random.Random) -> list[Advice]:  # noqa: ARG002
        """All of `legal`, the best first."""
        if view.phase == "auction":
            return rank_calls("hard", view, legal, self._networks)
        world = World(view)
        position = world.position()
        out = goes_out(position.moves(), position.hands[world.role])
        won = self._judged(world, position)
        order = sorted(range(len(legal)), key=lambda at: (at != out, -float(won[at])))
        return [Advice(legal[at], 1.0 if at == out else chance_of(float(won[at])), "chance") for at in order]

    def _judged(self, world: World, position: Position) -> Floats:
        """The chance of each move to win, as a logit."""
        return judge_positions(self._networks[ROLE_NAMES[world.role]], [features.encode(position)]).won
