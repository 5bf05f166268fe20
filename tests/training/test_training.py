"""The training: games against itself, what is learnt from them, checkpoints, bidding, and the command."""

import functools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from torches import torch_or_skip
from typer.testing import CliRunner

from ddz import bots
from ddz.bots.calling import call_inputs
from ddz.bots.network import points_of_calls
from ddz.cards import parse_ranks
from ddz.errors import Unreadable
from ddz.features import CHOICE_SLOTS, STATE_SLOTS
from ddz.plans import Worth
from ddz.positions import Position
from ddz.rules import PRESETS
from ddz.services.loop import seat_bots, whole_game
from ddz.services.opening import Opening, chosen, open_command

torch = torch_or_skip()

from ddz.training import auctions, networks, selfplay, teaching  # noqa: E402
from ddz.training.selfplay import Samples, Style  # noqa: E402

CODE = PRESETS["classic"].kickers.code
STYLE = Style(policies=(CODE,), trace=1.0)
SMALL = networks.TrainingSettings(
    width=32, hidden=16, warm_games=512, games_a_round=128, batch=128, memory=20_000, rate=3e-3, style=STYLE
)


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def trained(settings: networks.TrainingSettings, games: int) -> networks.Trainer:
    trainer = networks.Trainer(settings)
    for _ in networks.run(trainer, games):
        pass
    return trainer


def weights(trainer: networks.Trainer) -> list[Any]:
    return [value for network in trainer.networks for value in network.state_dict().values()]


def same(one: list[Any], other: list[Any]) -> bool:
    return all(torch.equal(a, b) for a, b in zip(one, other, strict=True))


# --- games against itself


def first_move(role: int, states: Any, choices: Any, of: Any) -> Any:  # noqa: ARG001
    """A judge that likes the first choice of each state, and expects 0.5 points of it less than its place."""
    place = np.arange(len(of), dtype=np.float32)
    return np.stack([-place, 0.5 - place], axis=1)


@pytest.mark.parametrize("judge", [None, first_move])
def test_every_decision_is_a_sample_of_how_its_game_ended(judge: Any) -> None:
    games = 60
    style = STYLE._replace(quick_sides=0.3, strays=0.1)
    samples = selfplay.play(judge, games, 5, style)
    for role, part in enumerate(samples):
        n = len(part.won)
        assert n > games
        assert part.states.shape == (n, STATE_SLOTS)
        assert part.choices.shape == (n, CHOICE_SLOTS)
        assert set(part.won) <= {0.0, 1.0}
        assert ((part.points > 0) == (part.won == 1)).all()
        sizes = set(np.abs(part.points))
        assert sizes <= {1.0, 2.0, 4.0, 8.0, 16.0}
        assert 1.0 in sizes
        assert role in (0, 1, 2)
    again = selfplay.play(judge, games, 5, style)
    assert all(
        (a == b).all() for one, other in zip(samples, again, strict=True) for a, b in zip(one, other, strict=True)
    )
    other = selfplay.play(judge, games, 6, style)
    assert len(other[0].won) != len(samples[0].won) or (other[0].states != samples[0].states).any()


def test_a_quick_side_teaches_nothing_to_a_network() -> None:
    """With a quick side in every game, the landlord decides in the games in which no peasant does, and no others."""
    whole = selfplay.play(first_move, 100, 5, STYLE._replace(quick_sides=0.0))
    parts = selfplay.play(first_move, 100, 5, STYLE._replace(quick_sides=1.0))
    for all_games, half_the_games in zip(whole, parts, strict=True):
        assert 0.2 < len(half_the_games.won) / len(all_games.won) < 0.8


def decision(logit: float | None, points: float = 0.0, *, astray: bool = False) -> selfplay._Decision:
    return selfplay._Decision(0, b"", b"", logit, points, astray)


EVEN, SURE = 0.0, 30.0
"""Logits of a chance of one half, and of nearly 1."""


@pytest.mark.parametrize(
    ("trace", "made", "won"),
    [
        (1.0, [decision(SURE), decision(EVEN, astray=True), decision(SURE)], [0, 0, 0]),
        (0.5, [decision(SURE), decision(EVEN)], [0.25, 0]),
        (0.5, [decision(EVEN), decision(SURE), decision(EVEN)], [0.625, 0.25, 0]),
        (0.0, [decision(SURE), decision(EVEN)], [0.5, 0]),
        (0.5, [decision(SURE), decision(EVEN, astray=True)], [0.5, 0]),
        (0.5, [decision(None), decision(None)], [0, 0]),
        (0.5, [], []),
    ],
)
def test_targets_are_traced_from_the_end_of_the_game(
    trace: float, made: list[selfplay._Decision], won: list[float]
) -> None:
    """By hand: after each decision of a lost game comes `trace` of what the next one was taught, and the rest of what
    the network expected there; nothing of what came of a stray."""
    lost = Position(CODE, Worth(CODE))
    lost.set((1, 1, 1 << 4))
    lost.play(lost.moves()[0])  # the landlord's last card: he has won
    assert lost.winner == 0
    told = selfplay._targets(made, lost, 1, trace)
    assert [chance for chance, _ in told] == pytest.approx(won, abs=1e-9)
    wins = selfplay._targets(made, lost, 0, 1.0)
    assert wins == [(1.0, 1.0)] * len(made)


def test_points_are_traced_as_chances_are() -> None:
    won = Position(CODE, Worth(CODE))
    won.set((1, 1, 1 << 4))
    won.play(won.moves()[0])
    told = selfplay._targets([decision(EVEN, 3.0), decision(SURE, 2.0)], won, 0, 0.5)
    assert told == [(pytest.approx(1.0), 0.5 * 1.0 + 0.5 * 2.0), (1.0, 1.0)]


def test_a_network_is_taught_its_own_expectations_in_part() -> None:
    ends = selfplay.play(first_move, 40, 5, STYLE)
    mixed = selfplay.play(first_move, 40, 5, STYLE._replace(trace=0.5))
    for end, part in zip(ends, mixed, strict=True):
        assert (end.states == part.states).all(), "the games are the same"
        assert ((end.won == 1) >= (part.won > 0.5)).all()
        assert (part.won[(end.won == 0)] > 0).any()


def test_sides_share_their_games() -> None:
    """Both peasants of a game win or lose together, and against the landlord: 200 games of one landlord's decision."""
    landlord, after, before = selfplay.play(None, 200, 3, STYLE)
    shares = [part.won.mean() for part in (landlord, after, before)]
    assert 0.3 < shares[0] < 0.75
    assert abs(shares[0] + shares[1] - 1) < 0.15
    assert abs(shares[1] - shares[2]) < 0.15


def test_a_picked_landlord_has_the_better_hand() -> None:
    worth = Worth(CODE)
    gained = 0
    for seed in range(60):
        costs = []
        for picked in (False, True):
            position = Position(CODE, worth)
            selfplay.deal(seed, position, worth, picked)
            costs.append(worth.cost(position.hands[0]))
        assert costs[1] <= costs[0]
        gained += costs[1] < costs[0]
    assert 15 < gained < 45


def test_positions_are_finished_by_the_judge() -> None:
    worth = Worth(CODE)
    positions = []
    for seed in range(20):
        positions.append(Position(CODE, worth))
        positions[-1].deal(seed)
    selfplay.finish(first_move, positions, np.random.default_rng(1))
    assert all(position.winner >= 0 for position in positions)


# --- learning


def samples(count: int, first: int = 0) -> Samples:
    part = selfplay.empty(count)
    part.states[:] = 1
    part.choices[:] = 1
    part.won[:] = np.arange(first, first + count)
    part.points[:] = 0
    return part


def test_the_memory_forgets_the_oldest_first() -> None:
    rng = np.random.default_rng(1)
    memory = networks.Memory(10)
    memory.add(samples(4))
    assert len(memory) == 4
    assert set(memory.draw(rng, 200).won) == {0, 1, 2, 3}
    memory.add(samples(8, 4))
    assert len(memory) == 10
    assert set(memory.draw(rng, 400).won) == set(range(2, 12))
    memory.add(samples(25, 12))
    assert set(memory.draw(rng, 400).won) == set(range(27, 37))


def error(trainer: networks.Trainer, unseen: tuple[Samples, ...]) -> float:
    """The mean error in nats of the chance to win, over games that were not learnt from."""
    losses = []
    with torch.inference_mode():
        for network, part in zip(trainer.networks, unseen, strict=True):
            told = network(networks.tensor(part.states), networks.tensor(part.choices))[:, 0]
            losses.append(float(torch.nn.functional.binary_cross_entropy_with_logits(told, torch.from_numpy(part.won))))
    return float(np.mean(losses))


def test_the_error_on_unseen_games_falls() -> None:
    unseen = selfplay.play(None, 300, 99, STYLE._replace(strays=0.1))
    settings = SMALL._replace(warm_games=10_000, games_a_round=512)
    before = error(networks.Trainer(settings), unseen)
    trainer = trained(settings, 2048)
    assert error(trainer, unseen) < before - 0.03


def test_equal_seeds_train_equally_and_others_do_not() -> None:
    games = 768  # warm games, then games of its own
    one = trained(SMALL, games)
    assert one.games == games > SMALL.warm_games
    assert same(weights(one), weights(trained(SMALL, games)))
    assert not same(weights(one), weights(trained(SMALL._replace(seed=2), games)))


def test_the_rounds_say_how_far_it_is() -> None:
    trainer = networks.Trainer(SMALL)
    rounds = list(networks.run(trainer, 768))
    assert [result.games for result in rounds] == [128, 256, 384, 512, 640, 768]
    assert [result.warm for result in rounds] == [True] * 4 + [False] * 2
    assert all(0 < result.loss < 1 and 0 < result.landlord < 1 for result in rounds)
    assert trainer.optimizers[0].param_groups[0]["lr"] < SMALL.rate
    assert list(networks.run(trainer, 768)) == [], "there is nothing left to do"


# --- checkpoints


def test_a_training_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    trainer = teaching.begin(tmp_path / "new" / "folder", 7, SMALL)
    assert trainer.settings.seed == 7
    assert trainer.settings.style.policies == tuple(PRESETS[name].kickers.code for name in teaching.PRESETS_LEARNT)
    told: list[int] = []
    teaching.play_on(trainer, tmp_path / "new" / "folder", 256, lambda result: told.append(result.games))
    assert told == [128, 256]
    again = teaching.resume(tmp_path / "new" / "folder")
    assert (again.games, again.rounds, again.samples) == (256, 2, trainer.samples)
    assert again.settings == trainer.settings
    assert same(weights(again), weights(trainer))
    assert [each.state_dict()["state"].keys() for each in again.optimizers] == [
        each.state_dict()["state"].keys() for each in trainer.optimizers
    ]
    teaching.play_on(again, tmp_path / "new" / "folder", 640, lambda result: told.append(result.games))
    assert told == [128, 256, 384, 512, 640]
    with pytest.raises(Unreadable, match=r"there is a training in .* already"):
        teaching.begin(tmp_path / "new" / "folder", 7, SMALL)


def test_a_training_begins_with_the_weights_of_another(tmp_path: Path) -> None:
    first = teaching.begin(tmp_path / "one", 7, SMALL)
    teaching.play_on(first, tmp_path / "one", 256, lambda _: None)
    path = teaching.finish(first, tmp_path / "one", auctions.AuctionSettings(rounds=1, games_a_round=16))
    second = teaching.begin(tmp_path / "two", 8, networks.TrainingSettings(memory=5000), start=path)
    assert (second.settings.width, second.settings.hidden) == (SMALL.width, SMALL.hidden), "as in the file"
    assert second.settings.warm_games == 0
    assert second.settings.rate == teaching.TAUGHT_RATE
    assert second.settings.style.trace == teaching.TAUGHT_TRACE < first.settings.style.trace == 1
    halves = [value.half() for value in weights(first)]
    assert same([value.half() for value in weights(second)], halves)
    assert not second.round().warm
    assert not same([value.half() for value in weights(second)], halves), "it goes on learning"
    for wrong in (tmp_path / "none.npz", tmp_path / "one" / teaching.CHECKPOINT):
        with pytest.raises(Unreadable, match="cannot be read as weights"):
            teaching.begin(tmp_path / "three", 8, SMALL, start=wrong)
    assert not (tmp_path / "three").exists()


def test_networks_of_another_form_are_refused() -> None:
    trainer = networks.Trainer(SMALL._replace(width=8))
    with pytest.raises(Unreadable, match="another form"):
        trainer.go_on_from(bots.network.shipped())


def test_whatever_stops_a_training_leaves_a_checkpoint(tmp_path: Path) -> None:
    trainer = teaching.begin(tmp_path, 1, SMALL)

    def stop(result: networks.Round) -> None:
        if result.games == 256:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        teaching.play_on(trainer, tmp_path, 10_000, stop)
    assert teaching.resume(tmp_path).games == 256
    assert [file.name for file in tmp_path.iterdir()] == [teaching.CHECKPOINT]


def broken(checkpoint: Path, how: str) -> None:
    whole = checkpoint.read_bytes()
    match how:
        case "missing":
            checkpoint.unlink()
        case "empty":
            checkpoint.write_bytes(b"")
        case "text":
            checkpoint.write_text("no checkpoint\n", encoding="utf-8")
        case "cut off":
            checkpoint.write_bytes(whole[: len(whole) // 2])
        case "a list":
            torch.save([1, 2], checkpoint)
        case "other settings":
            told = torch.load(checkpoint, weights_only=True)
            torch.save({**told, "settings": {**told["settings"], "depth": 9}}, checkpoint)
        case "another width":
            told = torch.load(checkpoint, weights_only=True)
            torch.save({**told, "settings": {**told["settings"], "width": 8}}, checkpoint)
        case "two networks":
            told = torch.load(checkpoint, weights_only=True)
            torch.save({**told, "networks": told["networks"][:2]}, checkpoint)


HOW = ("missing", "empty", "text", "cut off", "a list", "other settings", "another width", "two networks")


@pytest.mark.parametrize("how", HOW)
def test_what_is_no_checkpoint_is_refused_in_a_sentence(how: str, tmp_path: Path) -> None:
    networks.Trainer(SMALL).save(tmp_path / teaching.CHECKPOINT)
    broken(tmp_path / teaching.CHECKPOINT, how)
    with pytest.raises(Unreadable, match=r"there is no training|is no checkpoint of this training") as refused:
        teaching.resume(tmp_path)
    assert "\n" not in str(refused.value)
    assert "weights_only" not in str(refused.value), "torch's advice is how to run a stranger's program"


# --- bidding


def test_bidding_is_learnt_from_what_it_brings() -> None:
    settings = auctions.AuctionSettings(rounds=3, games_a_round=512, width=32, hidden=16, batch=64, rate=4e-3)
    *_, (loss, layers) = auctions.train(CODE, auctions.normal_ends, settings)
    *_, (again, same_layers) = auctions.train(CODE, auctions.normal_ends, settings)
    assert loss == again
    assert all((a == b).all() for a, b in zip(layers, same_layers, strict=True))
    worth = Worth(CODE)
    weak, strong = (
        points_of_calls(layers, call_inputs(parse_ranks(hand), (), worth))
        for hand in ("34456778899TJJQKK", "34567TJQKAAA222BR")
    )
    assert strong[3] > weak[3] + 1
    assert weak[0] > weak[3], "it passes"


@pytest.mark.parametrize("ends", [auctions.normal_ends, auctions.easy_ends])
def test_the_ends_are_played_to_the_end(ends: Callable[..., None]) -> None:
    worth = Worth(CODE)
    found = []
    for _ in range(2):
        positions = [Position(CODE, worth) for _ in range(12)]
        for seed, position in enumerate(positions):
            position.deal(seed)
        ends(positions, np.random.default_rng(4))
        assert all(position.winner >= 0 for position in positions)
        found.append([position.played for position in positions])
    assert found[0] == found[1], "by the seed alone"


# --- the whole, and the command


def test_the_weights_of_a_training_play(tmp_path: Path) -> None:
    trainer = teaching.begin(tmp_path, 1, SMALL)
    teaching.play_on(trainer, tmp_path, 640, lambda _: None)
    told: list[tuple[int, int]] = []
    path = teaching.finish(
        trainer, tmp_path, auctions.AuctionSettings(rounds=2, games_a_round=64), lambda *far: told.append(far)
    )
    assert told == [(64 * done, 384) for done in range(1, 7)]
    assert path == tmp_path / teaching.WEIGHTS
    names = (f"hard:{path}", f"expert:{path}", "easy")
    players, seated = seat_bots(names)
    events = whole_game(open_command("g", Opening(players=players), chosen(3, 1)), seated)
    assert type(events[-1]).__name__ == "SeedRevealed"
    assert [player.bot for player in players] == [*names]
    assert bots.make(f"hard:{path}").version != bots.make("hard").version


def ran(*words: object, code: int = 0) -> tuple[str, str]:
    from ddz.cli.app import app

    found = CliRunner().invoke(app, ["train", *map(str, words)], env={"DDZ_LANG": "en"})
    assert found.exit_code == code, found.output
    assert "Traceback" not in found.output
    return found.stdout, found.stderr


def test_the_command_trains_and_says_where_the_weights_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(teaching, "begin", functools.partial(teaching.begin, settings=SMALL))
    monkeypatch.setattr(auctions, "AuctionSettings", functools.partial(auctions.AuctionSettings, games_a_round=64))
    folder = tmp_path / "trained"
    out, err = ran(folder, "--games", 256, "--auctions", 1)
    assert out == f"the weights are in {folder / 'weights.npz'}; the bot hard:{folder / 'weights.npz'} plays by them\n"
    assert "256 games are played; now each level learns to bid" in err
    assert bots.make(f"hard:{folder / 'weights.npz'}")
    _, err = ran(folder, "--games", 256, code=2)
    assert "Type: --resume to continue it" in err
    first = (folder / "weights.npz").read_bytes()
    ran(folder, "--games", 384, "--auctions", 1, "--resume")
    assert (folder / "weights.npz").read_bytes() != first
    assert teaching.resume(folder).games == 384
    _, err = ran(folder, "--games", 384, "--resume", "--seed", 3, code=2)
    assert "a training keeps its seed" in err
    _, err = ran(folder, "--games", 384, "--resume", "--from", folder / "weights.npz", code=2)
    assert "a training continues from its checkpoint" in err
    ran(tmp_path / "next", "--games", 128, "--auctions", 1, "--from", folder / "weights.npz")
    assert teaching.resume(tmp_path / "next").games == 128
    _, err = ran(tmp_path / "last", "--from", tmp_path / "none.npz", code=2)
    assert "none.npz cannot be read as weights" in err
    _, err = ran(tmp_path / "nothing", "--resume", code=2)
    assert "there is no training in" in err


def test_the_command_without_torch_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name == "ddz.training.teaching"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delattr("ddz.training.teaching")
    monkeypatch.setitem(sys.modules, "ddz.training.networks", None)
    monkeypatch.setitem(sys.modules, "torch", None)
    _, err = ran(tmp_path / "trained", code=2)
    assert (
        "training needs PyTorch, which is not installed; the extra 'train' of ddz brings it. "
        "Type: pip install 'ddz[train]'"
    ) in err
    assert not (tmp_path / "trained").exists()


def test_ctrl_c_leaves_a_checkpoint_to_go_on_from(tmp_path: Path) -> None:
    """A real signal to a real process, in the middle of its rounds."""
    folder = tmp_path / "trained"
    script = (
        "import sys; from ddz.training import teaching, networks;"
        "import functools;"
        "settings = networks.TrainingSettings;"
        "small = settings(width=16, hidden=8, warm_games=10**9, games_a_round=64, batch=64, memory=5000);"
        "teaching.begin = functools.partial(teaching.begin, settings=small);"
        "teaching.A_CHECKPOINT = 1;"
        "from ddz.cli import main; main()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, "train", str(folder), "--games", "100000000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "DDZ_LANG": "en"},
    )
    for _ in range(600):
        if (folder / teaching.CHECKPOINT).exists() or process.poll() is not None:
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert f"`ddz train {folder} --resume`" in err
    games = teaching.resume(folder).games
    assert games > 0
    assert games % 64 == 0
