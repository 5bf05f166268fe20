"""Networks of random weights, and positions to ask them about."""

import numpy as np

from ddz.bots.network import CALL_INPUTS, CALLS, NAMES, ROLE_NAMES, Layers
from ddz.features import CHOICE_INPUTS, STATE_INPUTS
from ddz.plans import Worth
from ddz.positions import Position
from ddz.quickplay import quick_move
from ddz.rules import CLASSIC

CODE = CLASSIC.kickers.code


def random_networks(seed: int = 1, width: int = 24, hidden: int = 16) -> dict[str, Layers]:
    """Small networks of random weights, of the form that all have."""
    rng = np.random.default_rng(seed)
    networks = {}
    for name in NAMES:
        states, choices = (STATE_INPUTS, CHOICE_INPUTS) if name in ROLE_NAMES else (CALL_INPUTS, CALLS)
        shapes = [(states + 1, width), (choices + 1, width), (width,), (width, hidden), (hidden,), (hidden, 2), (2,)]
        layers = [rng.normal(0, 0.3, shape).astype(np.float32) for shape in shapes]
        layers[0][-1] = layers[1][-1] = 0
        networks[name] = Layers(*layers)
    return networks


def positions(number: int) -> list[Position]:
    worth = Worth(CODE)
    found = []
    for seed in range(number):
        position = Position(CODE, worth)
        position.deal(seed)
        for _ in range(seed % 5):
            position.play(quick_move(position))
        found.append(position)
    return found
