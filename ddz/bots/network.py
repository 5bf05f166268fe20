"""The network that `hard` and `expert` play by: three of them, one a role, in plain numpy.

Trained by `ddz train` (ddz/training/networks.py, where the shape is explained). `weights.npz` holds half floats; what
they are, how they were made and how strong they are is in MODEL.md beside this file.
"""

import io
import math
import os
import zipfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

# The layers are small: threads only wait for each other, and they wait long where other work runs too (measured:
# 0.3 ms became 100 ms). The library reads this when numpy is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray

from ddz import limits
from ddz.errors import Fact, Phrase, Unreadable
from ddz.features import CARD_INPUTS, CHOICE_INPUTS, CHOICE_SLOTS, STATE_INPUTS, STATE_SLOTS
from ddz.files import read_file

Floats = NDArray[np.float32]
WEIGHTS: Final = Path(__file__).with_name("weights.npz")
ROLE_NAMES: Final = ("landlord", "after", "before")
"""The names of the three that play, by role."""
NAMES: Final = (*ROLE_NAMES, "calls-easy", "calls-normal", "calls-hard")
"""The networks of a file of weights."""
CALLS: Final = 4
"""A pass, and bids of 1, 2 and 3 points: the choices of those that bid, by points."""
CALL_INPUTS: Final = CARD_INPUTS + 3 + 4 + 2 * 5 + 12 + 16
"""Their states: the hand; how many have called (two stand for more); the highest bid; the last call and the one
before it (none, a pass, 1, 2, 3); melds of the hand's plan; its cost in half turns (see `calling.call_inputs`)."""
POINTS_SCALE: Final = 4.0
"""The points that the network's second output counts as 1, so that they weigh about as much as a win."""


class Layers(NamedTuple):
    """One role's network. The last row of `state` and of `choice` is 0: it pads."""

    state: Floats
    choice: Floats
    first_bias: Floats
    second: Floats
    second_bias: Floats
    last: Floats
    last_bias: Floats


class Judged(NamedTuple):
    """What the network thinks of each choice, in the order of `Position.moves`."""

    won: Floats
    """The chance that the own side wins, as a logit."""
    points: Floats
    """The own side's points to be expected, a landlord's single share: 1 is the base."""


def judge(layers: Layers, states: NDArray[np.uint16], choices: NDArray[np.uint16], of: NDArray[np.int64]) -> Judged:
    """What a network thinks of some choices: a row of inputs each; `of` says which row of `states` each belongs to."""
    summed = _summed(layers.state, states) + layers.first_bias
    hidden = _summed(layers.choice, choices) + summed[of]
    np.maximum(hidden, 0, out=hidden)
    hidden = hidden @ layers.second + layers.second_bias
    np.maximum(hidden, 0, out=hidden)
    won, points = (hidden @ layers.last + layers.last_bias).T
    return Judged(won, points * POINTS_SCALE)


def _summed(weights: Floats, inputs: NDArray[np.uint16]) -> Floats:
    """The sum of the rows of `weights` that each row of `inputs` names.

    A product with a matrix of zeros and ones, which takes less time than to fetch the rows: as much for eight choices,
    a sixth for a thousand.
    """
    ones = np.zeros((len(inputs), len(weights)), dtype=np.float32)
    ones[np.arange(len(inputs))[:, None], inputs] = 1
    total: Floats = ones @ weights  # where an input pads, the row is 0
    return total


def judge_positions(layers: Layers, encoded: Sequence[tuple[bytes, bytes, int]]) -> Judged:
    """What a role's network thinks of the choices in positions that `features.encode` has encoded."""
    states = np.frombuffer(b"".join(state for state, _, _ in encoded), dtype=np.uint16).reshape(-1, STATE_SLOTS)
    choices = np.frombuffer(b"".join(rows for _, rows, _ in encoded), dtype=np.uint16).reshape(-1, CHOICE_SLOTS)
    return judge(layers, states, choices, np.repeat(np.arange(len(encoded)), [count for _, _, count in encoded]))


def chance_of(logit: float) -> float:
    """The chance that a logit stands for."""
    return (1 + math.tanh(logit / 2)) / 2


def points_of_calls(layers: Layers, inputs: Sequence[int]) -> Floats:
    """The points to be expected of a pass and of bids of 1, 2 and 3."""
    states = np.array([inputs], dtype=np.uint16)
    choices = np.arange(CALLS, dtype=np.uint16)[:, None]
    return judge(layers, states, choices, np.zeros(CALLS, dtype=np.int64)).points


def load(path: Path) -> dict[str, Layers]:
    """The networks of a file of weights, by name.

    Raises:
        Unreadable: there is no such file, or it holds something else.
    """
    return read(bytes_of(path), str(path))


def bytes_of(path: Path) -> bytes:
    """The bytes of a file of weights.

    Raises:
        Unreadable: there is no such file, or it is longer than a file of weights can be.
    """
    try:
        return read_file(path, limits.WEIGHTS, limits.SOME_WEIGHTS)
    except Unreadable as error:
        why = error.facts["why"] if error.code == "file/unreadable" else error
        raise _unusable(path, why) from None


def _unusable(path: Path | str, why: Fact) -> Unreadable:
    return Unreadable("bot/bad-weights", "{path} cannot be read as weights: {why}", path=str(path), why=why)


def read(raw: bytes, path: str) -> dict[str, Layers]:
    """The networks in the bytes of a file of weights, which is called `path`.

    Raises:
        Unreadable: they hold something else.
    """
    try:
        _check_unpacked(raw)
        with np.load(io.BytesIO(raw), allow_pickle=False) as stored:
            networks = {
                name: Layers(*(stored[f"{name}.{field}"].astype(np.float32) for field in Layers._fields))
                for name in NAMES
            }
    except Unreadable as error:
        raise _unusable(path, error) from None
    except Exception as error:  # a stranger's file may be wrong in any way, and numpy reports it in any way
        why = Phrase("bot/no-weights", "it is no file of weights, or it is damaged")
        raise _unusable(path, why) from error
    for name, layers in networks.items():
        inputs = (STATE_INPUTS, CHOICE_INPUTS) if name in ROLE_NAMES else (CALL_INPUTS, CALLS)
        if not _fits(layers, *inputs):
            raise _unusable(path, f"{name} is no network of this ddz")
    return networks


def _check_unpacked(raw: bytes) -> None:
    """Make sure that the weights are not larger than real ones after they are unpacked."""
    with zipfile.ZipFile(io.BytesIO(raw)) as packed:
        limits.check_size(sum(part.file_size for part in packed.infolist()), limits.WEIGHTS, limits.SOME_WEIGHTS)


def _fits(layers: Layers, state_inputs: int, choice_inputs: int) -> bool:
    """True for layers that fit to each other and to these numbers of inputs, with finite numbers only."""
    width, hidden = layers.first_bias.size, layers.second_bias.size
    shapes = [(state_inputs + 1, width), (choice_inputs + 1, width), (width,)]
    shapes += [(width, hidden), (hidden,), (hidden, 2), (2,)]
    return [values.shape for values in layers] == shapes and all(np.isfinite(values).all() for values in layers)


def save(file: Path | IO[bytes], networks: dict[str, Layers]) -> None:
    """Write networks by name, as half floats."""
    halves: dict[str, Any] = {
        f"{name}.{field}": values.astype(np.float16)
        for name, layers in networks.items()
        for field, values in layers._asdict().items()
    }
    np.savez_compressed(file, **halves)


@cache
def shipped() -> dict[str, Layers]:
    """The networks that come with ddz: `landlord`, `after` and `before` play, the others bid."""
    return load(WEIGHTS)
