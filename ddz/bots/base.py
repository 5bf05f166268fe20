"""What a bot is: something that sees a seat's view and the legal turns, and chooses one. It sees nothing else."""

import random
from typing import Protocol

from ddz.commands import Turn
from ddz.view import SeatView


class Bot(Protocol):
    """A player that needs no person."""

    name: str
    version: str

    def choose(self, view: SeatView, legal: tuple[Turn, ...], rng: random.Random) -> Turn:
        """One of `legal`, which is never empty. All chance comes from `rng`, so that a game can be played again."""
        ...
