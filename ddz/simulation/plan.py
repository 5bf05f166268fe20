"""A simulation as it is written in its folder."""

import os
from pathlib import Path
from typing import Final, Literal

import msgspec

from ddz import bots
from ddz.errors import Phrase, StorageRefused, Unreadable, unreadable, unwritable
from ddz.frozen.shapes import Players, Rules
from ddz.log import files
from ddz.rules import CLASSIC
from ddz.services.loop import DEFAULT, seat_bots

PLAN: Final = "simulation.json"
UNFINISHED: Final = f"{PLAN}.new"
"""The plan while it is being written."""


class Simulation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Games number 1, 2, ... of a seed. Two with the same seed, players and rules play the same games."""

    format: Literal["ddz-simulation/1"] = "ddz-simulation/1"
    seed: int
    games: int
    players: Players
    """Who sits where, in every game. Bots with their versions: another version may play another game."""
    rules: Rules
    drawn: bool = False
    """The seed was drawn, not chosen. The same command once more, without a seed, means this simulation."""


class PlanRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be played; None leaves it open."""

    games: int | None = None
    seed: int | None = None
    bots: tuple[str, ...] | None = None
    rules: Rules | None = None


def new(request: PlanRequest, drawn: int) -> Simulation:
    """The simulation that is requested; its seed is `drawn` if none was requested. Nothing is written yet.

    Raises:
        Unreadable: what is requested cannot be played.
    """
    if request.games is None:
        raise Unreadable("simulation/games", "say how many games to play")
    names = request.bots or (DEFAULT,)
    for name in names:
        bots.make(name)  # no guest either: what another program does does not follow from the seed
    return Simulation(
        seed=drawn if request.seed is None else request.seed,
        games=request.games,
        players=seat_bots(names)[0],
        rules=request.rules or CLASSIC,
        drawn=request.seed is None,
    )


def same(found: Simulation, asked: Simulation) -> bool:
    """True if continuing one is what the other asks for: all of its games, and perhaps more."""
    seeds = found.drawn if asked.drawn else found.seed == asked.seed
    return seeds and (found.players, found.rules) == (asked.players, asked.rules) and found.games <= asked.games


def old(folder: Path, found: Simulation, request: PlanRequest) -> Simulation:
    """The simulation of a folder, to be continued; more games may be requested than it had. Nothing is written yet.

    Raises:
        Unreadable: it is not the one that is requested, or its bots have other versions now.
    """
    for name, there, asked in (
        ("seed", found.seed, request.seed),
        ("bots", found.players, request.bots and seat_bots(request.bots)[0]),
        ("rules", found.rules, request.rules),
    ):
        if asked is not None and asked != there:
            raise Unreadable(
                "simulation/other",
                "the simulation in {folder} has other {what}: ask for nothing else to continue it",
                folder=str(folder),
                what=name,
            )
    for player in found.players:
        bots.make(player.bot or "")
    if seat_bots(tuple(player.bot or "" for player in found.players))[0] != found.players:
        versions = ", ".join(f"{player.bot} {player.version}" for player in found.players)
        raise Unreadable(
            "simulation/versions",
            "the simulation in {folder} was begun with {versions}, and this ddz has other versions of them: {way_out}",
            folder=str(folder),
            versions=versions,
            way_out=way_out(folder),
        )
    games = found.games if request.games is None else request.games
    if games < found.games:
        raise Unreadable(
            "simulation/fewer",
            "the simulation in {folder} has {games} games: it cannot be continued with fewer",
            folder=str(folder),
            games=found.games,
        )
    return msgspec.structs.replace(found, games=games)


def way_out(folder: Path) -> Phrase:
    """What to do with games that cannot be gone on with."""
    return Phrase(
        "simulation/way-out",
        "merge its shards ({shards}) into a log, then remove {folder}",
        shards=str(folder / "games-*.db"),
        folder=str(folder),
    )


def read(folder: Path) -> Simulation | None:
    """The simulation that a folder was made for, None if it was made for none.

    Raises:
        Unreadable: what is written there describes no simulation.
        StorageRefused: it cannot be read.
    """
    try:
        return msgspec.json.decode((folder / PLAN).read_bytes(), type=Simulation)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise StorageRefused.of(unreadable(folder / PLAN, error)) from error
    except ValueError as error:
        raise Unreadable(
            "simulation/unreadable",
            "{path} describes no simulation: {reason}",
            path=str(folder / PLAN),
            reason=str(error),
        ) from None


def write(folder: Path, simulation: Simulation) -> None:
    """Write a simulation into its folder: whole, or not at all, whatever happens meanwhile.

    Raises:
        StorageRefused: it cannot be written.
    """
    unfinished = folder / UNFINISHED
    try:
        with files.fresh(unfinished) as file:
            file.write(msgspec.json.format(msgspec.json.encode(simulation)) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(folder / PLAN)
    except OSError as error:
        raise unwritable(folder, error) from error
