"""What the network thinks of a position after the others have answered, when more is known than before.

Many positions are judged at a time: a hundred choices at once take the network hardly longer than ten.
"""

from collections.abc import Sequence
from typing import Final

from ddz import features
from ddz.bots.network import ROLE_NAMES, Layers, chance_of, judge_positions
from ddz.positions import Position

ANSWERS: Final = 2
"""After this many moves of others it is the turn of the seat that moved before them."""


def landlords_chances(networks: dict[str, Layers], positions: Sequence[Position]) -> list[float]:
    """For each position, the chance that the landlord wins: the others answer first, then the network is asked.

    All positions are of the same role's turn. Both others play what their networks think best, from what they know,
    and the chance is that of the best choice of the role that is next. The positions are played on.
    """
    found: dict[int, float] = {}
    running = dict(enumerate(positions))
    for _ in range(ANSWERS):
        for at, best, _ in _best_choices(networks, running):
            position = running[at]
            position.play(position.moves()[best])
            if position.winner >= 0:
                found[at] = float(position.winner == 0)
                del running[at]
    for at, _, logit in _best_choices(networks, running):
        chance = chance_of(logit)
        found[at] = 1 - chance if running[at].turn else chance
    return [found[at] for at in range(len(positions))]


def _best_choices(networks: dict[str, Layers], positions: dict[int, Position]) -> list[tuple[int, int, float]]:
    """For each position by its number: that number, which choice is the best, and the logit of its chance to win."""
    if not positions:
        return []
    (role,) = {position.turn for position in positions.values()}
    encoded = [features.encode(position) for position in positions.values()]
    won = judge_positions(networks[ROLE_NAMES[role]], encoded).won
    found = []
    first = 0
    for at, (_, _, count) in zip(positions, encoded, strict=True):
        best = int(won[first : first + count].argmax())
        found.append((at, best, float(won[first + best])))
        first += count
    return found
