"""`ddz act`: one command of one seat."""

from typing import TYPE_CHECKING, Annotated

import typer

from .door import give, put
from .shell import CommandId, Db, GameId, Json, need_seat, table_at

if TYPE_CHECKING:
    from ddz.actions import Action


def act(
    game: GameId,
    what: Annotated[list[str], typer.Argument(help="bid K | pass | play CARDS | escape", metavar="ACTION...")],
    seat: Annotated[int, typer.Option("--seat", help="The seat that acts, 0 to 2.")],
    reading: Annotated[
        str | None,
        typer.Option("--as", help="The reading you mean, if the cards have several.", metavar='"KIND [RANK]"'),
    ] = None,
    expect: Annotated[int | None, typer.Option("--expect", help="Refuse unless this is the last event.")] = None,
    command_id: CommandId = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Bid, pass, play or escape for one seat.

    A program that does not know whether its command arrived sends it again with the same --id: the answer is the same
    as before, and nothing is done twice. The same id for another command is refused.

    Example: ddz act @last --seat 1 play 334455
    """
    from ddz.services.repeat import line_meant
    from ddz.services.sight import of_actor

    need_seat(seat)
    with table_at(db) as table:
        game = line_meant(table.log, game, command_id)
        outcome = table.act(game, _action(seat, what, reading), expect, command_id)
        sight = of_actor(table.log, game, outcome.state, seat) if as_json else None
    if sight is not None:
        from ddz.services import games_json

        give(games_json.acted(outcome, sight))
        return
    put(f"{game} {outcome.seq}")


def _action(seat: int, what: list[str], reading: str | None) -> "Action":
    """The action that the words say.

    Raises:
        Unreadable: if they say none.
    """
    from ddz.actions import Action
    from ddz.errors import Unreadable
    from ddz.words.said import letters_of, parse_reading

    kind, rank = parse_reading(reading)
    match what:
        case ["bid", points] if points.isascii() and points.isdigit() and len(points) < 10:
            return Action(seat, "bid", points=int(points))
        case ["pass" | "escape" as word]:
            return Action(seat, "pass" if word == "pass" else "escape")
        case ["play", *cards] if cards:
            return Action(seat, "play", cards=letters_of(" ".join(cards)), kind=kind, rank=rank)
        case _:
            raise Unreadable(
                "usage/action",
                "'{action}' is no action: write bid 1, pass, play 334455, or escape",
                action=" ".join(what),
            )
