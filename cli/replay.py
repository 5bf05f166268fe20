"""`ddz replay`: a game retold from its events, with its score and the four audits."""

from typing import TYPE_CHECKING, Annotated

import typer

from .door import give, put
from .exits import FAULT
from .languages import words_for
from .shell import AsViewer, Db, GameId, Json, Lang, Reveal, log_at, viewer_named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ddz.services.replay import Replay, Step
    from ddz.services.sight import Sight
    from ddz.words.base import Words


def replay(
    game: GameId,
    at: Annotated[int | None, typer.Option("--at", help="Only this event, and the table after it.")] = None,
    first: Annotated[int | None, typer.Option("--from", help="From this event on.")] = None,
    last: Annotated[int | None, typer.Option("--to", help="Up to this event.")] = None,
    viewer: AsViewer = None,
    step: Annotated[bool, typer.Option("--step", help="Step through the game with keys.")] = False,
    reveal: Reveal = False,
    lang: Lang = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Retell a game from its log, explain its score, and audit it.

    Example: ddz replay @last
    """
    from ddz.errors import OutOfRange
    from ddz.services.audit import audit_game
    from ddz.services.replay import replay as retell
    from ddz.services.sight import TABLE, look
    from ddz.words.retelling import ending_lines, replay_lines

    asked = viewer_named(viewer)
    if at is not None and (first is not None or last is not None):
        raise OutOfRange("usage/at-and-range", "--at names one event: omit --from and --to")
    words = words_for(lang)
    with log_at(db) as log:
        game = log.resolve(game)
        replayed = retell(log, game)
        audited = audit_game(log, game)
        sight = look(log, game, replayed.state, asked, reveal) if replayed.steps else TABLE
    if first is not None and last is not None and first > last:
        raise OutOfRange(
            "usage/range", "there is nothing from event {first} to event {last}: swap them", first=first, last=last
        )
    steps = replayed.between(at if at is not None else first, at if at is not None else last)
    if as_json:
        from ddz.services import games_json

        give(games_json.replay(replayed, steps, sight))
    elif step and steps:
        _walk(replayed, steps, sight, words)
    else:
        put(*replay_lines(replayed, steps, sight, words, table_after=at is not None))
        put(*ending_lines(replayed, audited, words))
    if not audited.ok:
        raise typer.Exit(FAULT)


def _walk(replayed: "Replay", steps: "Sequence[Step]", sight: "Sight", words: "Words") -> None:
    from ddz.words.retelling import replay_lines

    from .walk import walk

    walk([each.seq for each in steps], lambda at: replay_lines(replayed, [steps[at]], sight, words, True), words)
