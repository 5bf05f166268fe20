"""The lookahead: what the network says once the others have answered, for many positions at once as for one."""

import numpy as np
import pytest

from ddz import features
from ddz.bots.lookahead import landlords_chances
from ddz.bots.network import ROLE_NAMES, Layers, chance_of, judge_positions
from ddz.cards import parse_ranks
from ddz.plans import Worth
from ddz.positions import Position
from ddz.rules import CLASSIC

from .nets import positions, random_networks

CODE = CLASSIC.kickers.code


def one_by_one(networks: dict[str, Layers], position: Position) -> float:
    """The landlord's chance as the lookahead is described, a move at a time."""
    for _ in range(2):
        won = judge_positions(networks[ROLE_NAMES[position.turn]], [features.encode(position)]).won
        position.play(position.moves()[int(won.argmax())])
        if position.winner >= 0:
            return float(position.winner == 0)
    won = judge_positions(networks[ROLE_NAMES[position.turn]], [features.encode(position)]).won
    chance = chance_of(float(won.max()))
    return chance if position.turn == 0 else 1 - chance


@pytest.mark.parametrize("role", range(3))
def test_many_at_once_are_as_one_by_one(role: int) -> None:
    networks = random_networks()
    asked = [position for position in positions(60) if position.turn == role]
    assert len(asked) > 5
    alone = [one_by_one(networks, position.copy()) for position in asked]
    together = landlords_chances(networks, [position.copy() for position in asked])
    assert together == pytest.approx(alone, abs=1e-5)
    assert len(set(alone)) > 1


def put_up(hands: tuple[str, str, str], turn: int) -> Position:
    position = Position(CODE, Worth(CODE))
    one, two, three = map(parse_ranks, hands)
    position.set((one, two, three), turn=turn)
    return position


@pytest.mark.parametrize(
    ("hands", "turn", "chance"),
    [
        (("3", "45", "67"), 0, 1.0),  # the landlord goes out at once
        (("34", "5", "67"), 1, 0.0),  # a peasant does
        (("34", "56", "7"), 2, 0.0),
    ],
)
def test_whoever_goes_out_has_won(hands: tuple[str, str, str], turn: int, chance: float) -> None:
    going_out = {name: _likes_to_go_out(layers) for name, layers in random_networks().items()}
    assert landlords_chances(going_out, [put_up(hands, turn)]) == [chance]


def _likes_to_go_out(layers: Layers) -> Layers:
    """A network that gives a choice the more, the fewer cards stay in hand."""
    zeros = Layers(*(np.zeros_like(values) for values in layers))
    first = 2 * features.CARD_INPUTS + features.MELD_INPUTS  # of the inputs that say how many cards stay
    if len(zeros.choice) > first + 21:
        zeros.choice[first : first + 21, 0] = np.arange(21, 0, -1)
    zeros.second[0, 0] = 1
    zeros.last[0, 0] = 1
    return zeros


def test_nothing_is_asked_of_no_positions() -> None:
    assert landlords_chances(random_networks(), []) == []


@pytest.mark.parametrize(("logit", "chance"), [(0.0, 0.5), (50.0, 1.0), (-50.0, 0.0), (1.0, 1 / (1 + np.exp(-1.0)))])
def test_a_logit_is_a_chance(logit: float, chance: float) -> None:
    assert chance_of(logit) == pytest.approx(chance)
