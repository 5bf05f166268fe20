"""What a seat says, in words: between the text of a record, a terminal or a program, and a command of the law."""

from typing import Literal

import msgspec

from ddz.cards import CardSet, Rank, resolve
from ddz.commands import Bid, Escape, Pass, PassBid, Play, Turn
from ddz.frozen.shapes import Kind, Seat
from ddz.state import Playing, State


class Action(msgspec.Struct, frozen=True):
    """Who does what, not yet judged."""

    seat: Seat
    what: Literal["bid", "pass", "play", "escape"]
    points: int = 0
    cards: str = ""
    """As they were said: by rank, or with suits."""
    kind: Kind | None = None
    rank: Rank | None = None


def command_of(action: Action, state: State) -> Turn | Escape:
    """The command that `action` is in `state`: a pass is one of the auction or of the play.

    Raises:
        Unreadable, Refused: if the cards cannot be read, or are not in the hand.
    """
    if action.what == "bid":
        return Bid(action.seat, action.points)
    if action.what == "escape":
        return Escape(action.seat)
    if not isinstance(state, Playing):
        if action.what == "pass":
            return PassBid(action.seat)
        return Play(action.seat, CardSet())  # there is no hand to look into: the law will refuse it
    if action.what == "pass":
        return Pass(action.seat)
    if action.seat != state.turn:
        return Play(action.seat, CardSet())  # out of turn, whatever the cards are
    return Play(action.seat, resolve(action.cards, state.hands[action.seat]), action.kind, action.rank)
