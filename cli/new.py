"""`ddz new`: open a game and deal, for a program or several people to drive with `act`."""

from typing import TYPE_CHECKING, Annotated

import typer

from .door import give, put
from .shell import CommandId, Db, Json, RulesName, need_seat, rules_named, table_at

if TYPE_CHECKING:
    from ddz.frozen.shapes import Players


def new(
    seed: Annotated[
        int | None, typer.Option("--seed", help="Deal from this number; equal numbers deal equal cards.")
    ] = None,
    players: Annotated[
        str, typer.Option("--players", help="Three names in seat order; bot:NAME seats a bot.", metavar="A,B,C")
    ] = "ann,bob,cat",
    first: Annotated[
        int | None, typer.Option("--first", help="The seat that bids first; by default the seed decides.")
    ] = None,
    rules: RulesName = "classic",
    command_id: CommandId = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Open a game and deal. `ddz act` then plays every seat.

    A program that does not know whether its command arrived sends it again with the same --id: the answer is the game
    that it opened, and no other game opens. The same id for another command is refused.

    Example: ddz new --seed 7 --players ann,bob,cat
    """
    from ddz.services.opening import Opening

    need_seat(first)
    opening = Opening(players=_players(players), rules=rules_named(rules), first_voice=first, seed=seed)
    with table_at(db, create=True) as table:
        outcome = table.open(opening, command_id=command_id)
    if as_json:
        from ddz.services import games_json

        give(games_json.opened(outcome))
        return
    put(outcome.game)


def _players(text: str) -> "Players":
    """Three players by name.

    Raises:
        Unreadable: not three, or a bot that does not exist.
    """
    from ddz import bots
    from ddz.errors import Unreadable
    from ddz.frozen.shapes import Player
    from ddz.names import shown_name, typed_name

    names = [name.strip() for name in text.split(",")]
    if len(names) != 3 or not all(names):
        raise Unreadable("usage/players", "--players takes three names separated by commas, not '{text}'", text=text)

    def player(name: str) -> Player:
        if not name.startswith("bot:"):
            return Player(typed_name(name, "--players: a name"), "human")
        bot = bots.make(name.removeprefix("bot:"))
        return Player(shown_name(bot.name), "bot", bot.name, bot.version)

    return player(names[0]), player(names[1]), player(names[2])
