"""`ddz fork`: explore another line of a game."""

from typing import TYPE_CHECKING, Annotated

import typer

from .shell import Db, GameId, Json, Reveal, table_at

if TYPE_CHECKING:
    from ddz.services.table import Outcome, Table


def fork(
    game: GameId,
    at: Annotated[int, typer.Option("--at", help="The event after which the new line begins; a seat must be to act.")],
    auto: Annotated[bool, typer.Option("--auto", help="Let bots play the new line to its end.")] = False,
    bot: Annotated[
        str | None, typer.Option("--bot", help="The bot that plays it out; else those that played, or simple.")
    ] = None,
    reveal: Reveal = False,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Begin a line of its own after one event; go on in it with `ddz play ID` or `ddz act`.

    Example: ddz fork @last --at 12
    """
    from ddz import guests
    from ddz.services import lines
    from ddz.services.contract import encode
    from ddz.services.sight import need_open

    if bot is not None:
        guests.make(bot)  # must be there before a line begins
    with table_at(db) as table:
        game = table.log.resolve(game)
        need_open(table.log, game, table.load(game).state, reveal, "a fork")
        forked = lines.fork(table, game, at)
        if auto:
            _play_out(table, forked, bot)
    if as_json:
        typer.echo(encode({"schema": "ddz/fork@1", "game": forked.game, "parent": game, "at": at}))
        return
    typer.echo(forked.game)


def _play_out(table: "Table", forked: "Outcome", bot: str | None) -> None:
    from ddz import guests
    from ddz.services import loop
    from ddz.services.table import Position
    from ddz.state import opening_of

    opened = opening_of(forked.state)
    assert opened is not None
    seated = loop.bots_of(opened.players, (), () if bot is None else (bot,))
    try:
        loop.run(table, Position(forked.game, forked.seq, forked.state), seated)
    finally:
        guests.close(seated.values())
