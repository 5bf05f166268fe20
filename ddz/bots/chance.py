"""The bot `random`: any legal turn, each as likely as the others. The floor that every other bot is measured from."""

import random

from ddz.commands import Turn
from ddz.view import SeatView


class RandomBot:
    """Plays blindly."""

    name = "random"
    version = "1"

    def choose(self, view: SeatView, legal: tuple[Turn, ...], rng: random.Random) -> Turn:  # noqa: ARG002
        """A uniformly random one of `legal`."""
        return rng.choice(legal)
