"""The lines of a game, and where two of them part, as lines of text."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ddz.frozen.events import Event
from ddz.frozen.shapes import Players
from ddz.services.lines import Branch, Difference
from ddz.state import Over, opened_in

from .base import Words
from .columns import brief
from .tell import score_lines, sentence

if TYPE_CHECKING:
    from ddz.services.sight import Sight

_MOST_INDENTED: Final = 20


def tree_lines(found: Sequence[Branch], named: str, words: Words) -> list[str]:
    """The lines of a game with their results, indented below those they fork from; the one called `named` is marked."""
    return [_line(branch, named, words) for branch in found]


def _line(branch: Branch, named: str, words: Words) -> str:
    line = branch.line
    where = ""
    if line.forked_at is not None:
        reason = line.reason or "explore"
        where = words.from_event.format(at=line.forked_at, reason=words.reasons.get(reason, brief(reason)))
    mark = " <" if line.game == named else ""
    length = words.events.format(count=line.last_seq)
    told = words.line.format(game=brief(line.game), where=where, result=_result(branch, words), length=length)
    return f"{_indent(branch.depth)}{told}{mark}"


def _indent(depth: int) -> str:
    """What stands before a line: the deepest ones would lie far beyond any margin, so they say how deep they are."""
    return "  " * depth if depth <= _MOST_INDENTED else f"{'  ' * _MOST_INDENTED}[{depth}] "


def _result(branch: Branch, words: Words) -> str:
    if branch.score is None:
        return words.phases[branch.phase]
    return f"{words.winner[branch.score.winner]} {' '.join(f'{points:+d}' for points in branch.score.payouts)}"


def difference_lines(found: Difference, games: tuple[str, str], sights: "Sequence[Sight]", words: Words) -> list[str]:
    """Where two lines part, what each does there as its viewer may see it, and what that changed in the score."""
    if not found.left and not found.right:
        return [words.all_the_same]
    left, right = games
    lines = [words.same_up_to.format(seq=found.common) if found.common else words.nothing_same]
    sides = ((left, found.left, found.left_state, sights[0]), (right, found.right, found.right_state, sights[1]))
    for game, events, state, sight in sides:
        opened = opened_in(state)
        lines.append(words.part.format(game=brief(game), what=_next(events, opened.players, sight, words)))
        if isinstance(state, Over):
            lines += score_lines(state.scored.score, opened.players, words)
    change = found.payout_change
    if change is not None:
        points = " ".join(f"{each:+d}" for each in change)
        lines.append(words.against.format(one=brief(right), other=brief(left), points=points))
    return lines


def _next(events: tuple[Event, ...], players: Players, sight: "Sight", words: Words) -> str:
    return sentence(sight.event(events[0]), players, words) if events else words.ends_here
