"""The bot `simple`: plans its hand in the fewest turns and plays along the plan.

All its judgement is in hundredths of a turn (`decompose.TURN`): what a play brings the plan forward, what the lead is
worth, what it costs to let somebody go out. It draws nothing from `rng`: equal views, equal choices.
"""

import random
from typing import Final, NamedTuple

from ddz import kernel
from ddz.bots.decompose import TURN, Part
from ddz.bots.table import Table
from ddz.cards import CardSet
from ddz.commands import Bid, Pass, PassBid, Play, Turn
from ddz.view import SeatView

LEAD: Final = 55
"""What holding the lead is worth."""
BID_AT: Final = ((3, 1), (2, 2), (1, 3))
"""(a hand's strength, the bid it is worth), rising."""


class Option(NamedTuple):
    """A legal play, thought through."""

    play: Play
    part: Part
    after: int
    """The cost of the plan for what stays in hand."""


class SimpleBot:
    """Sensible, quick and without memory of its own: everything it knows stands in the view."""

    name = "simple"
    version = "1"

    def choose(self, view: SeatView, legal: tuple[Turn, ...], rng: random.Random) -> Turn:  # noqa: ARG002
        """One of `legal`, always the same one for equal views."""
        plays = [turn for turn in legal if isinstance(turn, Play)]
        if not plays:
            return _bid(view, legal) if view.phase == "auction" else legal[0]
        for play in plays:
            if len(play.cards) == len(view.hand):
                return play
        table = Table(view)
        options = [_option(table, play) for play in plays]
        winning = _runs_out(table, options)
        if winning is not None:
            return winning
        if view.top is None:
            return _lead(table, options)
        passing = next((turn for turn in legal if isinstance(turn, Pass)), None)
        return _follow(table, options, passing)


def strength(hand: CardSet) -> int:
    """How much a hand of 17 promises its landlord, in points: high cards and bombs, less the turns it needs."""
    counts = hand.counts
    points = 0
    for rank, worth in ((kernel.RED_JOKER, 4), (kernel.BLACK_JOKER, 3), (kernel.TWO, 2), (kernel.TWO - 1, 1)):
        points += worth * kernel.lane(counts, rank)
    points += sum(3 for rank in range(kernel.TWO) if kernel.lane(counts, rank) == 4)
    return points


def _bid(view: SeatView, legal: tuple[Turn, ...]) -> Turn:
    worth = 0
    points = strength(view.hand)
    for bid, least in zip((1, 2, 3), (6, 8, 10), strict=True):
        if points >= least:
            worth = bid
    passing = next(turn for turn in legal if isinstance(turn, PassBid))
    bids = [turn for turn in legal if isinstance(turn, Bid) and turn.points <= worth]
    return bids[-1] if bids else passing


def _option(table: Table, play: Play) -> Option:
    assert play.kind is not None
    assert play.rank is not None
    kind, cards = play.kind.index, play.cards.counts
    copies = kernel.size(kind, 1)
    length = 1 if kind == kernel.ROCKET else kernel.total(cards) // copies
    part = (kind, length, play.rank.index, cards)
    return Option(play, part, table.planner.cost(table.hand - cards))


def _runs_out(table: Table, options: list[Option]) -> Play | None:
    """A play that nobody can beat, after which all but the last meld are such plays too."""
    best: tuple[int, Play] | None = None
    for option in options:
        if option.after > TURN or not table.sure(*option.part[:3]):
            continue
        rest = table.planner.plan(table.hand - option.part[3]).parts
        unsure = sum(not table.sure(*part[:3]) for part in rest)
        if unsure <= 1:
            bombs = option.part[0] in (kernel.BOMB, kernel.ROCKET)
            key = bombs * 10 + len(rest)
            if best is None or key < best[0]:
                best = key, option.play
    return best[1] if best else None


def _lead(table: Table, options: list[Option]) -> Play:
    now = table.planner.cost(table.hand)

    def worth(option: Option) -> tuple[float, int]:
        kind, length, rank, cards = option.part
        size = kernel.total(cards)
        control = table.control(kind, length, rank)
        value = now - option.after + LEAD * control + 4 * size - 3 * rank
        if kind in (kernel.BOMB, kernel.ROCKET):
            value -= 60
        if size <= table.least <= 2 and size == table.least and not table.sure(kind, length, rank):
            value -= 200 - 8 * rank
        return value, -rank

    return max(options, key=worth).play


def _follow(table: Table, options: list[Option], passing: Pass | None) -> Turn:
    top = table.view.top
    assert top is not None
    now = table.planner.cost(table.hand)
    partners = top.seat == table.partner
    danger = 0 if partners else {1: 200, 2: 150, 3: 80, 4: 60, 5: 30}.get(table.least, 0)

    def worth(option: Option) -> tuple[float, int]:
        kind, length, rank, _ = option.part
        control = table.control(kind, length, rank)
        value = now - option.after + (LEAD + danger) * control
        if partners:
            value -= 60 + LEAD * control
            held = table.control(*top.meld.shape)
            if not table.landlord_next or held > 0.3 or kind in (kernel.BOMB, kernel.ROCKET):
                value -= 1000
        return value, -rank

    best = max(options, key=worth)
    if passing is not None and worth(best)[0] <= 0:
        return passing
    return best.play
