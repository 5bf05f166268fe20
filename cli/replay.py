"""`ddz replay`: a game retold from its events, with its score and the four audits."""

from typing import TYPE_CHECKING, Annotated

import typer

from ddz.names import shown_name
from ddz.words.base import Words
from ddz.words.columns import brief, fitted, shown
from ddz.words.tell import audit_lines, score_lines, tell

from .door import give, put
from .exits import FAULT
from .languages import words_for
from .shell import AsViewer, Db, GameId, Json, Lang, Reveal, table_at, viewer_named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ddz.services.audit import Audit
    from ddz.services.replay import Replay, Step
    from ddz.view import Viewer


def replay(
    game: GameId,
    at: Annotated[int | None, typer.Option("--at", help="Only this event, and the table after it.")] = None,
    first: Annotated[int | None, typer.Option("--from", help="From this event on.")] = None,
    last: Annotated[int | None, typer.Option("--to", help="Up to this event.")] = None,
    viewer: AsViewer = None,
    step: Annotated[bool, typer.Option("--step", help="Walk through it with keys.")] = False,
    reveal: Reveal = False,
    lang: Lang = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Retell a game from its log, lay out its score cause by cause, and audit it.

    Example: ddz replay @last
    """
    from ddz.errors import OutOfRange
    from ddz.services.audit import audit_game
    from ddz.services.replay import replay as retell
    from ddz.services.replay import replay_json
    from ddz.services.sight import viewer_for

    asked = viewer_named(viewer)
    if at is not None and (first is not None or last is not None):
        raise OutOfRange("--at is one event: leave --from and --to away")
    words = words_for(lang)
    with table_at(db) as table:
        game = table.log.resolve(game)
        told = retell(table.log, game)
        audited = audit_game(table.log, game)
        seen_by = viewer_for(table.log, game, told.state, asked, reveal) if told.steps else "table"
    if first is not None and last is not None and first > last:
        raise OutOfRange(f"from event {first} to event {last} there is nothing: turn them round")
    steps = told.between(at if at is not None else first, at if at is not None else last)
    if as_json:
        give(replay_json(told, steps, seen_by))
    elif step and steps:
        from .walk import walk

        walk(
            [each.seq for each in steps], lambda at: _lines(told, [steps[at]], seen_by, words, table_after=True), words
        )
    else:
        put(*_lines(told, steps, seen_by, words, table_after=at is not None))
        put(*_ending(told, audited, words))
    if not audited.ok:
        raise typer.Exit(FAULT)


def _lines(
    told: "Replay", steps: "Sequence[Step]", viewer: "Viewer", words: Words, table_after: bool = False
) -> list[str]:
    """One line an event, in fixed columns: seq, who, what, the cards as a record writes them."""
    lines = [_header(told, words)]
    lines += [_line(each, *_told(each, viewer, words)) for each in steps]
    if table_after:
        lines += _table(steps[-1], viewer, words)
    return lines


def _header(told: "Replay", words: Words) -> str:
    """Which game it is, under which rules, which round of its match, and when it began (UTC)."""
    from ddz.state import opening_of

    opened = opening_of(told.state)
    if opened is None:
        return brief(told.game)
    began = told.steps[0].at[:16].replace("T", " ")
    return f"{brief(told.game)} ({shown_name(opened.rules.name)}, {words.round.format(round=opened.round)}, {began})"


def _line(step: "Step", who: str, what: str, cards: str) -> str:
    """An event in columns of fixed width, whatever the game: 4 for the seq, 12 for who, 51 for what, then the cards."""
    return f"{step.seq:>4}  {fitted(who, 12)}  {fitted(what, 51)}  {cards}".rstrip()


def _told(step: "Step", viewer: "Viewer", words: Words) -> tuple[str, str, str]:
    from ddz.state import opened_in

    opened = opened_in(step.after)
    return tell(step.shown_to(viewer), opened.players, words)


def _table(step: "Step", viewer: "Viewer", words: Words) -> list[str]:
    from ddz.view import view_for
    from ddz.words.table import table_lines

    return table_lines(view_for(step.after, viewer), words)


def _ending(told: "Replay", audited: "Audit", words: Words) -> list[str]:
    from ddz.state import opening_of

    lines = []
    opened = opening_of(told.state)
    if told.score is not None and opened is not None:
        lines += score_lines(told.score, opened.players, words)
    if told.broken is not None:
        lines.append(shown(told.broken))
    lines += audit_lines(audited, words)
    return lines
