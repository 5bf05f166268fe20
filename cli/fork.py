"""`ddz fork`: explore another line of a game."""

from typing import TYPE_CHECKING, Annotated

import typer

from .door import give, put
from .shell import CommandId, Db, GameId, Json, Reveal, Think, table_at, thinking_for

if TYPE_CHECKING:
    from ddz.services.loop import Seated
    from ddz.services.table import Table
    from ddz.state import State


def fork(
    game: GameId,
    at: Annotated[
        int, typer.Option("--at", help="The event after which the new line begins; it must be a seat's turn there.")
    ],
    auto: Annotated[bool, typer.Option("--auto", help="Let bots play the new line to its end.")] = False,
    bot: Annotated[
        str | None,
        typer.Option("--bot", help="The bot that plays the line to its end; by default those that played, or normal."),
    ] = None,
    think: Think = None,
    command_id: CommandId = None,
    reveal: Reveal = False,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Begin a new line after an event; continue it with `ddz play ID` or `ddz act`.

    A program that does not know whether its command arrived sends it again with the same --id: the answer is the line
    that it began, and no other line begins. The same id for another command is refused. With --auto the bots continue
    where they stopped.

    Example: ddz fork @last --at 12
    """
    from ddz.errors import Phrase, Unreadable
    from ddz.services import lines
    from ddz.services.repeat import line_meant
    from ddz.services.sight import need_open

    if think is not None and not auto:
        raise Unreadable(
            "usage/think-without-auto", "--think is for the bots that play the line to its end: add --auto"
        )
    with table_at(db) as table:
        game = line_meant(table.log, game, command_id)
        state = table.load(game).state
        need_open(table.log, game, state, reveal, Phrase("what/fork", "a fork"))
        seated = _seated(state, bot, think) if auto or bot is not None else {}  # must be there before a line begins
        forked = lines.fork(table, game, at, command_id=command_id)
        if auto:
            _play_out(table, forked.game, seated)
    if as_json:
        from ddz.contract.games import ForkJson

        give(ForkJson(forked.game, game, at))
        return
    put(forked.game)


def _seated(state: "State", bot: str | None, think: int | None) -> "Seated":
    """The bots that play the line out.

    Raises:
        Unreadable: one of them is none, or none thinks though it shall.
    """
    from ddz.services import loop
    from ddz.state import opened_in

    opened = opened_in(state)
    seated = loop.bots_of(opened.players, (), () if bot is None else (bot,))
    loop.let_think(seated, thinking_for(think))
    return seated


def _play_out(table: "Table", line: str, seated: "Seated") -> None:
    from ddz import guests
    from ddz.services import loop

    try:
        loop.finish(table, line, seated)
    finally:
        guests.close(seated.values())
