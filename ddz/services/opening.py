"""How a game is to begin, and the command that opens it so."""

import msgspec

from ddz import dealing
from ddz.commands import OpenGame, Seeds
from ddz.frozen.shapes import Players, Rules, Seat
from ddz.rules import CLASSIC


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """How a game is to begin. Without a match it is the first game of its own."""

    players: Players
    rules: Rules = CLASSIC
    match: str | None = None
    round: int = 1
    previous: str | None = None
    first_voice: Seat | None = None
    """None leaves it to the seed."""
    rotated: bool = False
    """The first voice follows from the game before."""
    seed: int | None = None
    """A chosen seed; None draws one."""
    seat_seeds: tuple[str, str, str] = ("", "", "")


def open_command(game: str, opening: Opening, seeds: Seeds) -> OpenGame:
    """The command that opens `game` as it is to begin, with these seeds."""
    return OpenGame(
        game=game,
        match=opening.match or game,
        round=opening.round,
        previous=opening.previous,
        players=opening.players,
        rules=opening.rules,
        seeds=seeds,
        first_voice=opening.first_voice,
        voice_from="rotation" if opening.rotated else "seed" if opening.first_voice is None else "chosen",
    )


def chosen(number: int, match_round: int, seat_seeds: tuple[str, str, str] = ("", "", "")) -> Seeds:
    """The seeds of a chosen number for one round of a match."""
    nonce, server_seed = dealing.chosen_seeds(number, match_round)
    return Seeds(nonce.hex(), server_seed.hex(), seat_seeds, chosen=True)
