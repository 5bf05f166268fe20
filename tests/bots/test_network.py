"""The networks in numpy: the same numbers as in torch, whole through a file, and no file that does not fit."""

import hashlib
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from torches import torch_or_skip

from ddz import features
from ddz.bots.network import (
    CALL_INPUTS,
    CALLS,
    NAMES,
    POINTS_SCALE,
    WEIGHTS,
    Layers,
    judge,
    judge_positions,
    load,
    points_of_calls,
    save,
    shipped,
)
from ddz.errors import Unreadable
from ddz.features import CHOICE_INPUTS, CHOICE_SLOTS, STATE_INPUTS, STATE_SLOTS
from ddz.rules import CLASSIC

from .nets import positions, random_networks

CODE = CLASSIC.kickers.code
MOST_BYTES = 2_000_000


def plainly(layers: Layers, state: np.ndarray, choice: np.ndarray) -> np.ndarray:
    """One choice, number by number."""
    hot = np.zeros(len(layers.state)), np.zeros(len(layers.choice))
    for inputs, row in zip(hot, (state, choice), strict=True):
        for at in row:
            inputs[at] = 1 if at < len(inputs) - 1 else 0
    first = np.maximum(hot[0] @ layers.state + hot[1] @ layers.choice + layers.first_bias, 0)
    second = np.maximum(first @ layers.second + layers.second_bias, 0)
    return second @ layers.last + layers.last_bias


def test_it_is_computed_as_it_is_described() -> None:
    for role, layers in enumerate(random_networks().values()):
        for position in positions(3 if role < 3 else 0):
            state, choices, count = features.encode(position)
            judged = judge_positions(layers, [(state, choices, count)])
            row = np.frombuffer(state, dtype=np.uint16)
            for at, choice in enumerate(np.frombuffer(choices, dtype=np.uint16).reshape(count, CHOICE_SLOTS)):
                won, points = plainly(layers, row, choice)
                assert judged.won[at] == pytest.approx(won, abs=1e-4)
                assert judged.points[at] == pytest.approx(points * POINTS_SCALE, abs=1e-3)


def test_many_positions_at_once_are_judged_as_one_by_one() -> None:
    layers = random_networks()["after"]
    told = [features.encode(position) for position in positions(12)]
    states = np.array([np.frombuffer(state, dtype=np.uint16) for state, _, _ in told])
    choices = np.concatenate([np.frombuffer(row, dtype=np.uint16).reshape(-1, CHOICE_SLOTS) for _, row, _ in told])
    of = np.repeat(np.arange(len(told)), [count for *_, count in told])
    together = judge(layers, states, choices, of)
    alone = [judge_positions(layers, [each]) for each in told]
    np.testing.assert_allclose(together.won, np.concatenate([each.won for each in alone]), atol=1e-4)
    np.testing.assert_allclose(together.points, np.concatenate([each.points for each in alone]), atol=1e-3)
    assert states.shape == (12, STATE_SLOTS)


def test_torch_says_the_same() -> None:
    torch = torch_or_skip()
    from ddz.training.networks import Network, layers_of, tensor

    torch.manual_seed(3)
    nets = Network(48, 32), Network(48, 32, CALL_INPUTS, CALLS)
    for position in positions(8):
        state, choices, count = features.encode(position)
        rows = np.frombuffer(choices, dtype=np.uint16).reshape(count, CHOICE_SLOTS)
        states = np.frombuffer(state, dtype=np.uint16)[None, :]
        with torch.inference_mode():
            theirs = nets[0](tensor(states), tensor(rows), torch.zeros(count, dtype=torch.int64)).numpy()
        ours = judge_positions(layers_of(nets[0]), [(state, choices, count)])
        np.testing.assert_allclose(ours.won, theirs[:, 0], atol=1e-4)
        np.testing.assert_allclose(ours.points, theirs[:, 1] * POINTS_SCALE, atol=1e-3)
    inputs = [0, 5, 52, 60, 70, 90]
    with torch.inference_mode():
        theirs = nets[1](
            tensor(np.array([inputs] * CALLS, dtype=np.uint16)), tensor(np.arange(CALLS, dtype=np.uint16)[:, None])
        ).numpy()
    np.testing.assert_allclose(points_of_calls(layers_of(nets[1]), inputs), theirs[:, 1] * POINTS_SCALE, atol=1e-3)


# --- the file


def test_what_is_saved_is_loaded_again_as_half_floats(tmp_path: Path) -> None:
    networks = random_networks()
    file = tmp_path / "some.npz"
    save(file, networks)
    again = load(file)
    assert list(again) == list(NAMES)
    for name, layers in networks.items():
        for field, values in layers._asdict().items():
            found = getattr(again[name], field)
            assert found.dtype == np.float32
            np.testing.assert_array_equal(found, values.astype(np.float16).astype(np.float32))


def test_the_shipped_weights_are_small_and_whole() -> None:
    assert WEIGHTS.stat().st_size < MOST_BYTES
    networks = shipped()
    assert networks is shipped(), "read once"
    assert set(networks) == set(NAMES)
    for layers in networks.values():
        assert not layers.state[-1].any(), "what pads counts nothing"
        assert not layers.choice[-1].any()


def test_the_model_card_is_of_these_weights() -> None:
    card = WEIGHTS.with_name("MODEL.md").read_text(encoding="utf-8")
    assert hashlib.sha256(WEIGHTS.read_bytes()).hexdigest() in card, "new weights need a new card, and new versions"
    for number in (STATE_INPUTS, CHOICE_INPUTS, CALL_INPUTS, CALLS):
        assert re.search(rf"\b{number}\b", card)
    landlord, bids = shipped()["landlord"], shipped()["calls-hard"]
    form = card.partition("**Their form.**")[2].partition("\n\n")[0]
    told = re.match(
        r" A layer of (\d+) of all inputs, one of (\d+), two outputs; those that bid are (\d+) and (\d+)", form
    )
    assert told
    sizes = [values.size for layers in (landlord, bids) for values in (layers.first_bias, layers.second_bias)]
    assert [*map(int, told.groups())] == sizes


def broken(path: Path, how: str) -> None:
    """Write a file that is none of weights."""
    networks = random_networks()
    calls = networks["calls-hard"]
    whole = path.with_name("whole.npz")
    save(whole, networks)
    match how:
        case "missing":
            return
        case "folder":
            path.mkdir()
        case "empty":
            path.write_bytes(b"")
        case "text":
            path.write_text("no weights\n", encoding="utf-8")
        case "pickle":
            path.write_bytes(b"\x80\x04N.")
        case "one array":
            with path.open("wb") as file:
                np.save(file, np.zeros(3))
        case "objects":
            np.savez(path, **{"landlord.state": np.array([{}], dtype=object)})
        case "letters":
            np.savez(path, **{f"{name}.{field}": np.array(["a"]) for name in NAMES for field in Layers._fields})
        case "another zip":
            with zipfile.ZipFile(path, "w") as file:
                file.writestr("readme.txt", "nothing")
        case "cut off":
            path.write_bytes(whole.read_bytes()[:-300])
        case "a damaged array":
            data = bytearray(whole.read_bytes())
            data[400:480] = bytes(80)
            path.write_bytes(data)
        case "a network is missing":
            save(path, {name: layers for name, layers in networks.items() if name != "after"})
        case "fewer inputs":
            save(path, networks | {"after": networks["after"]._replace(state=networks["after"].state[1:])})
        case "a network that bids in place of one that plays":
            save(path, networks | {"before": calls})
        case "layers that do not fit":
            save(path, networks | {"landlord": networks["landlord"]._replace(second=calls.second[1:])})
        case "another number of dimensions":
            save(path, networks | {"calls-hard": calls._replace(last=calls.last[0])})
        case "not a number":
            save(path, networks | {"calls-hard": calls._replace(last_bias=np.array([0, np.nan], dtype=np.float32))})
        case "an infinite number":
            save(path, networks | {"calls-hard": calls._replace(last_bias=np.array([0, np.inf], dtype=np.float32))})


HOW = (
    *("missing", "folder", "empty", "text", "pickle", "one array", "objects", "letters", "another zip", "cut off"),
    *("a damaged array", "a network is missing", "fewer inputs", "a network that bids in place of one that plays"),
    *("layers that do not fit", "another number of dimensions", "not a number", "an infinite number"),
)


@pytest.mark.parametrize("how", HOW)
def test_a_file_that_does_not_fit_is_refused_in_a_sentence(how: str, tmp_path: Path) -> None:
    file = tmp_path / "weights.npz"
    broken(file, how)
    assert file.exists() == (how != "missing")
    with pytest.raises(Unreadable) as refused:
        load(file)
    assert str(refused.value).startswith(f"{file} cannot be read as weights: ")
    assert "\n" not in str(refused.value)
    assert "pickle" not in str(refused.value), "numpy's advice is how to run a stranger's program"


def test_every_byte_that_is_damaged_is_refused_or_harmless(tmp_path: Path) -> None:
    """Whatever befalls the file: weights come out, or a sentence."""
    whole = tmp_path / "whole.npz"
    save(whole, random_networks(width=4, hidden=4))
    data = whole.read_bytes()
    rng = np.random.default_rng(1)
    refused = 0
    for _ in range(300):
        damaged = bytearray(data)
        for at in rng.integers(len(data), size=3):
            damaged[at] = rng.integers(256)
        file = tmp_path / "damaged.npz"
        file.write_bytes(damaged)
        try:
            load(file)
        except Unreadable:
            refused += 1
    assert refused > 250


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the threads of a process are listed by Linux alone")
def test_one_thread_is_asked_for_where_numpy_is_first_imported_by_us() -> None:
    asked = "import os; from ddz.bots import hard; print(len(os.listdir('/proc/self/task')))"
    left = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    found = subprocess.run([sys.executable, "-c", asked], env=left, capture_output=True, text=True, check=True)
    assert found.stdout == "1\n"
