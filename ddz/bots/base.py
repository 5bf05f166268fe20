"""What a bot is: something that sees a seat's view and the legal turns, and chooses one. It sees nothing else."""

import random
from collections.abc import Callable
from typing import Literal, NamedTuple, Protocol, runtime_checkable

from ddz.commands import Turn
from ddz.view import SeatView


class Bot(Protocol):
    """A player that needs no person."""

    name: str
    version: str

    def choose(self, view: SeatView, legal: tuple[Turn, ...], rng: random.Random) -> Turn:
        """One of `legal`, which is never empty. All chance comes from `rng`, so that a game can be reproduced."""
        ...


class Advice(NamedTuple):
    """A turn, and what a bot thinks it is worth."""

    turn: Turn
    worth: float | None = None
    """None if the bot cannot say."""
    measure: Literal["chance", "points"] | None = None
    """`chance`: that the own side wins, from 0 to 1. `points`: that the game is expected to bring the own seat."""


@runtime_checkable
class Adviser(Bot, Protocol):
    """A bot that can say what each turn is worth."""

    def rank(self, view: SeatView, legal: tuple[Turn, ...], rng: random.Random) -> list[Advice]:
        """All of `legal`: what `choose` would choose first, then the others, the best first."""
        ...


class Thinking(NamedTuple):
    """How long a search looks at each move, and by which clock."""

    milliseconds: int
    clock: Callable[[], float]
    """Gives seconds."""


@runtime_checkable
class Thinker(Bot, Protocol):
    """A bot that decides better the longer it thinks."""

    def think(self, milliseconds: int, clock: Callable[[], float]) -> None:
        """From now on think about each move for `milliseconds`, by a clock that gives seconds; its version says so.

        Its choices then depend on the machine and cannot be reproduced.
        """
        ...
