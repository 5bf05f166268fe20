"""What a simulation is, as it is written down in its folder; and the lock that keeps two from working there at once."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, Literal

import msgspec

from ddz import bots
from ddz.commands import Players
from ddz.errors import StorageRefused, Unreadable
from ddz.log import files
from ddz.rules import CLASSIC, Rules
from ddz.services.loop import DEFAULT, seat_bots

PLAN: Final = "simulation.json"
LOCK: Final = "simulation.lock"
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


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody wants to have played; None leaves a thing open."""

    games: int | None = None
    seed: int | None = None
    bots: tuple[str, ...] | None = None
    rules: Rules | None = None


def new(folder: Path, wish: Wish, drawn: int) -> Simulation:
    """A new simulation for a folder, of the seed `drawn` if none is wished. Nothing is written yet.

    Raises:
        Unreadable: the folder holds one already, or what is wished cannot be played.
    """
    if wish.games is None:
        raise Unreadable("say how many games: --games N")
    if any(folder.glob("games-*.db")):
        raise Unreadable(f"{folder} holds games of a simulation: --resume goes on with it")
    names = wish.bots or (DEFAULT,)
    for name in names:
        bots.make(name)  # no guest either: what another program does is no question of the seed
    return Simulation(
        seed=drawn if wish.seed is None else wish.seed,
        games=wish.games,
        players=seat_bots(names)[0],
        rules=wish.rules or CLASSIC,
    )


def old(folder: Path, wish: Wish) -> Simulation:
    """The simulation of a folder, to go on with; more games may be wished than it had. Nothing is written yet.

    Raises:
        Unreadable: there is none, it is not the one that is wished, or its bots are of other versions by now.
    """
    found = read(folder)
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
        raise Unreadable(f"the simulation in {folder} was begun with {versions}; this ddz has other versions of these")
    games = found.games if wish.games is None else wish.games
    if games < found.games:
        raise Unreadable(f"the simulation in {folder} has {found.games} games: it is gone on with for no fewer")
    return msgspec.structs.replace(found, games=games)


def read(folder: Path) -> Simulation:
    """The simulation that a folder was made for.

    Raises:
        Unreadable: it was made for none.
    """
    try:
        return msgspec.json.decode((folder / PLAN).read_bytes(), type=Simulation)
    except FileNotFoundError:
        raise Unreadable(f"there is no simulation in {folder} to go on with") from None
    except OSError as error:
        raise Unreadable(f"{folder / PLAN} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise Unreadable(f"{folder / PLAN} describes no simulation: {error}") from None


def write(folder: Path, simulation: Simulation) -> None:
    """Write down in its folder what a simulation is.

    Raises:
        StorageRefused: it cannot be written.
    """
    whole = folder / f"{PLAN}.new"
    try:
        with files.fresh(whole) as file:
            file.write(msgspec.json.format(msgspec.json.encode(simulation)) + b"\n")
        whole.replace(folder / PLAN)
    except OSError as error:
        raise StorageRefused(f"{folder} cannot be written: {error.strerror}") from error


@contextmanager
def at_work(folder: Path) -> Iterator[None]:
    """Make the folder if need be, and keep others from working on it. A process that is killed lets go of it.

    Raises:
        StorageRefused: somebody is at work there, or it cannot be written.
    """
    try:
        files.folder(folder)
        files.create(folder / LOCK)
        file = (folder / LOCK).open("w")
    except OSError as error:
        raise StorageRefused(f"{folder} cannot be written: {error.strerror}") from error
    with file:
        try:
            _lock(file)
        except OSError as error:
            raise StorageRefused(f"another ddz is at work in {folder}: wait for it") from error
        yield


def _lock(file: IO[str]) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
