"""A game retold, a line an event in columns of fixed width, with its score and what its audit found."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ddz.names import shown_name
from ddz.services.audit import Audit
from ddz.services.replay import Replay, Step
from ddz.state import opened_in, opening_of

from . import errors
from .base import Words
from .columns import brief, fitted, shown
from .table import table_lines
from .tell import audit_lines, score_lines, tell

if TYPE_CHECKING:
    from ddz.services.sight import Sight


def replay_lines(
    replayed: Replay, steps: Sequence[Step], sight: "Sight", words: Words, table_after: bool = False
) -> list[str]:
    """Which game it is, and its steps: seq, who, what, the cards as a record writes them; the table after the last."""
    lines = [_header(replayed, words)]
    lines += [_line(step, *tell(step.shown_to(sight), opened_in(step.after).players, words)) for step in steps]
    if table_after:
        lines += table_lines(sight.view(steps[-1].after), words)
    return lines


def _header(replayed: Replay, words: Words) -> str:
    """Which game it is, under which rules, which round of its match, and when it began (UTC)."""
    opened = opening_of(replayed.state)
    if opened is None:
        return brief(replayed.game)
    began = replayed.steps[0].at[:16].replace("T", " ")
    round_number = words.round.format(round=opened.round)
    return f"{brief(replayed.game)} ({shown_name(opened.rules.name)}, {round_number}, {began})"


def _line(step: Step, who: str, what: str, cards: str) -> str:
    """An event in columns of fixed width, whatever the game: 4 for the seq, 12 for who, 51 for what, then the cards."""
    return f"{step.seq:>4}  {fitted(who, 12)}  {fitted(what, 51)}  {cards}".rstrip()


def ending_lines(replayed: Replay, audited: Audit, words: Words) -> list[str]:
    """The score if there is one, why the events end early if they do, and what the audit found."""
    lines = []
    opened = opening_of(replayed.state)
    if replayed.score is not None and opened is not None:
        lines += score_lines(replayed.score, opened.players, words)
    if replayed.broken is not None:
        lines.append(shown(errors.sentence(replayed.broken, words)))
    return [*lines, *audit_lines(audited, words)]
