"""What a simulation is, as it is written down in its folder."""

import os
from pathlib import Path
from typing import Final, Literal

import msgspec

from ddz import bots
from ddz.errors import StorageRefused, Unreadable
from ddz.frozen.shapes import Players, Rules
from ddz.log import files
from ddz.rules import CLASSIC
from ddz.services.loop import DEFAULT, seat_bots

PLAN: Final = "simulation.json"
UNFINISHED: Final = f"{PLAN}.new"
"""The plan while it is being written."""
MOST_GAMES: Final = 999_999_999
"""What the name of a shard has room for."""


class Simulation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Games number 1, 2, ... of a seed. Two with the same seed, players and rules play the same games."""

    format: Literal["ddz-simulation/1"] = "ddz-simulation/1"
    seed: int
    games: int
    players: Players
    """Who sits where, in every game. Bots with their versions: another version may play another game."""
    rules: Rules
    drawn: bool = False
    """Nobody has chosen the seed. So whoever asks for the same once more, without one, means this one."""


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody wants to have played; None leaves a thing open."""

    games: int | None = None
    seed: int | None = None
    bots: tuple[str, ...] | None = None
    rules: Rules | None = None


def new(wish: Wish, drawn: int) -> Simulation:
    """The simulation that is wished, of the seed `drawn` if none is. Nothing is written yet.

    Raises:
        Unreadable: what is wished cannot be played.
    """
    if wish.games is None:
        raise Unreadable("say how many games: --games N")
    names = wish.bots or (DEFAULT,)
    for name in names:
        bots.make(name)  # no guest either: what another program does is no question of the seed
    return Simulation(
        seed=drawn if wish.seed is None else wish.seed,
        games=wish.games,
        players=seat_bots(names)[0],
        rules=wish.rules or CLASSIC,
        drawn=wish.seed is None,
    )


def same(found: Simulation, wished: Simulation) -> bool:
    """True if to go on with one is what the other one asks for: all games of it, and perhaps more."""
    seeds = found.drawn if wished.drawn else found.seed == wished.seed
    return seeds and (found.players, found.rules) == (wished.players, wished.rules) and found.games <= wished.games


def old(folder: Path, found: Simulation, wish: Wish) -> Simulation:
    """The simulation of a folder, to go on with; more games may be wished than it had. Nothing is written yet.

    Raises:
        Unreadable: it is not the one that is wished, or its bots are of other versions by now.
    """
    for name, there, wished in (
        ("seed", found.seed, wish.seed),
        ("bots", found.players, wish.bots and seat_bots(wish.bots)[0]),
        ("rules", found.rules, wish.rules),
    ):
        if wished is not None and wished != there:
            raise Unreadable(f"the simulation in {folder} has other {name}: leave --{name} away to go on with it")
    for player in found.players:
        bots.make(player.bot or "")
    if seat_bots(tuple(player.bot or "" for player in found.players))[0] != found.players:
        versions = ", ".join(f"{player.bot} {player.version}" for player in found.players)
        begun = f"the simulation in {folder} was begun with {versions}; this ddz has other versions of these"
        raise Unreadable(f"{begun}. {way_out(folder)}")
    games = found.games if wish.games is None else wish.games
    if games < found.games:
        raise Unreadable(f"the simulation in {folder} has {found.games} games: it is gone on with for no fewer")
    return msgspec.structs.replace(found, games=games)


def way_out(folder: Path) -> str:
    """What to do with games that cannot be gone on with."""
    return f"`ddz log merge {folder / 'games-*.db'}` takes what it has played into a log; then remove {folder}"


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
        raise StorageRefused(f"{folder / PLAN} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise Unreadable(f"{folder / PLAN} describes no simulation: {error}") from None


def write(folder: Path, simulation: Simulation) -> None:
    """Write down in its folder what a simulation is: whole, or not at all, whatever happens meanwhile.

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
        raise StorageRefused(f"{folder} cannot be written: {error.strerror}") from error
