"""`ddz train`: teach the network that `hard` and `expert` play by."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ddz.words.columns import shown

from .door import give, put, say
from .exits import interrupted
from .languages import words_for
from .shell import Lang

if TYPE_CHECKING:
    from ddz.training.networks import Round


def train(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder for checkpoints and weights.")],
    games: Annotated[
        int, typer.Option("--games", help="Train until this many games have been played.", min=1)
    ] = 500_000,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Equal seeds train equally unless interrupted; by default 1.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the training in DIR.")] = False,
    start: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="FILE", help="Begin with the weights of an earlier training; by default with random ones."
        ),
    ] = None,
    auctions: Annotated[
        int, typer.Option("--auctions", help="Rounds of 2,048 auctions from which each level learns to bid.", min=1)
    ] = 60,
    lang: Lang = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object for each round and one for the result, for programs.")
    ] = False,
) -> None:
    """Teach the network by games against itself, then teach each level to bid, and write DIR/weights.npz.

    Needs the extra `train` (PyTorch). One core plays about 500 games a second. Ctrl-C leaves a checkpoint, and --resume
    continues from it. The bots hard:DIR/weights.npz and expert:DIR/weights.npz then play by the result.

    Example: ddz train trained --games 20000
    """
    from ddz.errors import NotInstalled, Unreadable

    from .progress import Bar

    words = words_for(lang)
    if resume and seed is not None:
        raise Unreadable("usage/resume-and-seed", "a training keeps its seed: omit --seed to continue it")
    if resume and start is not None:
        raise Unreadable(
            "usage/resume-and-from", "a training continues from its checkpoint: omit --from to continue it"
        )
    try:
        from ddz.training import teaching
        from ddz.training.auctions import AuctionSettings
    except ModuleNotFoundError as missing:
        if missing.name != "torch":
            raise
        raise NotInstalled("training needs PyTorch", "train") from missing
    trainer = teaching.resume(folder) if resume else teaching.begin(folder, 1 if seed is None else seed, start=start)
    with Bar(words) as bar:
        bar(trainer.games, games)

        def report(result: "Round") -> None:
            bar(result.games, games)
            if as_json:
                from ddz.contract.machine import TrainProgressJson

                give(TrainProgressJson(result.games, games, result.loss, result.landlord))

        try:
            teaching.play_on(trainer, folder, games, report)
        except KeyboardInterrupt:
            again = shlex.join(["ddz", "train", str(folder), "--resume"])
            say(words.train["stopped"].format(games=f"{trainer.games:,}", again=f"`{shown(again)}`"))
            interrupted(as_json)
    say(words.train["bidding"].format(games=f"{trainer.games:,}"))
    with Bar(words) as bar:
        path = teaching.finish(trainer, folder, AuctionSettings(rounds=auctions, seed=trainer.settings.seed), bar)
    if as_json:
        from ddz.contract.machine import TrainJson

        give(TrainJson(trainer.games, trainer.settings.seed, str(path)))
    else:
        put(words.train["done"].format(path=path))
