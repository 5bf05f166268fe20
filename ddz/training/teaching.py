"""A whole training in a folder: play, checkpoints, bidding, and the file of weights. Needs torch (extra `train`)."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import torch

from ddz.bots import network
from ddz.errors import Unreadable
from ddz.log import files
from ddz.positions import Position
from ddz.rules import PRESETS
from ddz.training import auctions, networks, selfplay

CHECKPOINT: Final = "checkpoint.pt"
WEIGHTS: Final = "weights.npz"
A_CHECKPOINT: Final = 100
"""Rounds between two checkpoints."""
PRESETS_LEARNT: Final = ("classic", "rlcard")
"""The rules that the network learns by, half and half: the loosest kickers that are played, and the strictest."""
TAUGHT_RATE: Final = 3e-4
"""The learning rate for networks that have learnt already: at a higher one they would unlearn first."""
TAUGHT_TRACE: Final = 0.7
"""The trace (`selfplay.Style`) of networks that have learnt already, whose estimates are worth something.
Measured: after a quarter of an hour from the same weights, 0.634 against `normal` at 0.7 and 0.622 at 1 (12,000 games
each; two standard errors are 0.009); but from chance, after 100,000 games, 0.460 and 0.483 (6,000 games each)."""
OnRound = Callable[[networks.Round], None]


def begin(
    folder: Path, seed: int, settings: networks.TrainingSettings | None = None, start: Path | None = None
) -> networks.Trainer:
    """A new training in a folder that has none: from chance, or from the file of weights `start`.

    Raises:
        Unreadable: there is one already; or `start` is no file of weights.
    """
    taught = network.load(start) if start else None
    files.folder(folder)
    if (folder / CHECKPOINT).exists():
        raise Unreadable("training/present", "there is a training in {folder} already", folder=str(folder))
    policies = tuple(PRESETS[name].kickers.code for name in PRESETS_LEARNT)
    chosen = settings or networks.TrainingSettings()
    chosen = chosen._replace(seed=seed, style=chosen.style._replace(policies=policies))
    if taught is None:
        return networks.Trainer(chosen)
    layers = taught[network.ROLE_NAMES[0]]
    form = chosen._replace(width=layers.first_bias.size, hidden=layers.second_bias.size)
    style = chosen.style._replace(trace=min(chosen.style.trace, TAUGHT_TRACE))
    trainer = networks.Trainer(form._replace(warm_games=0, rate=min(chosen.rate, TAUGHT_RATE), style=style))
    trainer.go_on_from(taught)
    return trainer


def resume(folder: Path) -> networks.Trainer:
    """The training in a folder, as far as its last checkpoint.

    Raises:
        Unreadable: there is none.
    """
    if not (folder / CHECKPOINT).exists():
        raise Unreadable("training/absent", "there is no training in {folder} to continue", folder=str(folder))
    return networks.load(folder / CHECKPOINT)


def play_on(trainer: networks.Trainer, folder: Path, games: int, report: OnRound) -> None:
    """Train up to `games` games, with a checkpoint every A_CHECKPOINT rounds and at the end, however it ends."""
    torch.set_num_threads(1)  # with such small layers, more threads make two cores slower
    try:
        for result in networks.run(trainer, games):
            report(result)
            if trainer.rounds % A_CHECKPOINT == 0:
                trainer.save(folder / CHECKPOINT)
    finally:
        trainer.save(folder / CHECKPOINT)


def finish(
    trainer: networks.Trainer,
    folder: Path,
    settings: auctions.AuctionSettings,
    report: Callable[[int, int], object] = lambda done, total: None,  # noqa: ARG005
) -> Path:
    """Teach each level to bid, and write the file of weights; its path. `report` hears the games done and all games."""
    policy = PRESETS["classic"].kickers.code

    def hard_ends(positions: list[Position], rng: selfplay.Rng) -> None:
        selfplay.finish(trainer.judge, positions, rng)

    taught = dict(zip(network.ROLE_NAMES, map(networks.layers_of, trainer.networks), strict=True))
    levels = (("easy", auctions.easy_ends), ("normal", auctions.normal_ends), ("hard", hard_ends))
    done, total = 0, len(levels) * settings.rounds * settings.games_a_round
    for level, ends in levels:
        for _, layers in auctions.train(policy, ends, settings):
            taught[f"calls-{level}"] = layers
            done += settings.games_a_round
            report(done, total)
    whole, partial = folder / WEIGHTS, folder / f"{WEIGHTS}.partial"
    with files.fresh(partial) as file:
        network.save(file, taught)
    return partial.replace(whole)
