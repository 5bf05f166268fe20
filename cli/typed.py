"""What a player types: words of the screen, and moves by rank, in English and in Chinese."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from ddz import bots
from ddz.actions import Action
from ddz.commands import Bid, Play, Turn
from ddz.errors import Unreadable
from ddz.frozen.shapes import Seat
from ddz.words.said import letters_of, parse_reading

if TYPE_CHECKING:
    from ddz.view import Phase

WordName = Literal["help", "hint", "log", "count", "quit", "escape", "back"]


class UnreadableBid(Unreadable):
    """A line of the auction that is neither a bid nor a pass."""


class UnreadableReading(Unreadable):
    """What stands behind `as` is no reading."""


class UnreadableLevel(Unreadable):
    """What stands behind `hint` is no level."""


class Word(NamedTuple):
    """A word of the screen; it is no move."""

    name: WordName
    more: str = ""
    """The level behind `hint`."""


# Whole words only: q is a queen and b the black joker.
_WORDS: dict[str, WordName] = {
    "?": "help",
    "？": "help",
    "help": "help",
    "帮助": "help",
    "hint": "hint",
    "提示": "hint",
    "log": "log",
    "记录": "log",
    "count": "count",
    "记牌": "count",
    "记牌器": "count",
    "quit": "quit",
    "退出": "quit",
    "escape": "escape",
    "逃跑": "escape",
    "back": "back",
    "悔牌": "back",
    "悔棋": "back",
}
_PASSES = ("p", "pass", "过", "不出", "不叫", "不要")


def parse_line(line: str, seat: Seat, phase: "Phase") -> Word | Action:
    """What a line means for the seat to act.

    Raises:
        UnreadableBid: in the auction, for what is neither a number nor a pass.
        UnreadableReading: for a reading that is none.
        UnreadableLevel: for a hint by a level that is none.
    """
    text = line.strip()
    word, _, level = text.lower().partition(" ")
    if _WORDS.get(word) == "hint" and level.strip() not in ("", *bots.LEVELS):
        raise UnreadableLevel("input/level", "there is no level called '{level}'", level=level.strip())
    if word in _WORDS and (not level or _WORDS[word] == "hint"):
        return Word(_WORDS[word], level.strip())
    if text.lower() in _PASSES:
        return Action(seat, "pass")
    if phase == "auction":
        points = text.lower().removeprefix("bid").strip()
        if points.isascii() and points.isdigit() and len(points) < 10:
            return Action(seat, "bid", points=int(points))
        raise UnreadableBid("input/bid", "write a number of points, or p to pass")
    lower = text.lower()
    cut = lower.find(" as ") if " as " in lower else len(lower)
    cards, reading = lower[:cut].removeprefix("play "), lower[cut:].removeprefix(" as ")
    try:
        kind, rank = parse_reading(reading or None)
    except Unreadable as error:
        raise UnreadableReading("input/reading", "{why}", why=error) from None
    return Action(seat, "play", cards=letters_of(cards), kind=kind, rank=rank)


def as_typed(turn: Turn, legal: Sequence[Turn]) -> str:
    """A legal turn as one would type it; a play that could be meant in several ways with its reading."""
    if not isinstance(turn, Play):
        return str(turn.points) if isinstance(turn, Bid) else "p"
    same = [other for other in legal if isinstance(other, Play) and other.cards.counts == turn.cards.counts]
    return turn.cards.ranks + (f" as {turn.kind} {turn.rank}" if len(same) > 1 else "")
