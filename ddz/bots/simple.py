"""The bot `simple`: plans its hand in the fewest turns and plays along the plan.

All its judgement is in hundredths of a turn (`plans.TURN`): how far a play brings the plan on, what the lead is
worth, what it costs to let another seat go out. It draws nothing from `rng`: equal views, equal choices.
"""

import random
from typing import Final, NamedTuple

from ddz import kernel, plans
from ddz.bots.outlook import Outlook
from ddz.cards import CardSet
from ddz.commands import Bid, Pass, PassBid, Play, Turn
from ddz.view import SeatView

BOMBS: Final = (kernel.BOMB, kernel.ROCKET)
SMALL: Final = (kernel.SOLO, kernel.PAIR)
HIGH_CARDS: Final = ((kernel.RED_JOKER, 4), (kernel.BLACK_JOKER, 3), (kernel.TWO, 2), (kernel.TWO - 1, 1))
"""(rank, points) in the strength of a hand."""
BID_AT: Final = (0, 1, 3)
"""The least strength of a bid of 1, 2 and 3."""


class Weights(NamedTuple):
    """What `simple` sets by its various ends, in hundredths of a turn.

    Set by hand; self-play (350 to 1,000 deals a value) found the game flat around them, within its noise.
    """

    lead: int = 55
    """Holding the lead."""
    size: int = 4
    """Leading one card more ..."""
    rank: int = 3
    """... or a rank lower."""
    danger: tuple[int, ...] = (0, 200, 150, 80, 60, 30)
    """Winning a trick against opponents of whom one has that many cards left."""
    shared: float = 1.0
    """The part of the danger that is left where the partner can still stop the landlord."""
    partner: int = 60
    """Beating the partner's meld, besides the loss of his lead."""
    partner_holds: float = 0.3
    """A partner's meld is left alone if it holds with this chance."""
    block: int = 4
    """A rank higher of a solo or pair played before the landlord's turn."""
    feed: int = 60
    """Leading what a partner with one or two cards left can go out with."""


class Option(NamedTuple):
    """A legal play, thought through."""

    play: Play
    part: kernel.PackedMeld
    after: int
    """The cost of the plan for what stays in hand."""


class SimpleBot:
    """Sensible, quick and without memory of its own: everything it knows stands in the view."""

    name = "simple"
    version = "1"

    def __init__(self, weights: Weights | None = None) -> None:
        self._weights = weights or Weights()

    def choose(self, view: SeatView, legal: tuple[Turn, ...], rng: random.Random) -> Turn:  # noqa: ARG002
        """One of `legal`, always the same one for equal views."""
        plays = [turn for turn in legal if isinstance(turn, Play)]
        if not plays:
            return _bid(view, legal) if view.phase == "auction" else legal[0]
        for play in plays:
            if len(play.cards) == len(view.hand):
                return play
        outlook = Outlook(view)
        options = [_option(outlook, play) for play in plays]
        winning = _runs_out(outlook, options)
        if winning is not None:
            return winning
        if view.top is None:
            return _lead(outlook, options, self._weights)
        passing = next((turn for turn in legal if isinstance(turn, Pass)), None)
        return _follow(outlook, options, passing, self._weights)


def strength(hand: CardSet, policy: int) -> int:
    """What a hand of 17 promises its landlord: high cards and bombs, less the turns that it needs.

    In self-play (700 deals, of which the landlord won 45%) he won 27% at -3, 55% at 0, 67% at 2 and 75% at 4.
    """
    counts = hand.counts
    points = sum(worth * kernel.lane(counts, rank) for rank, worth in HIGH_CARDS)
    points += sum(3 for rank in range(kernel.TWO) if kernel.lane(counts, rank) == 4)
    return points - plans.turns(counts, policy)


def _bid(view: SeatView, legal: tuple[Turn, ...]) -> Turn:
    """The bid that the hand is worth, if it may be made, else a pass."""
    points = strength(view.hand, view.rules.kickers.code)
    worth = sum(points >= least for least in BID_AT)
    passing = next(turn for turn in legal if isinstance(turn, PassBid))
    return next((turn for turn in legal if isinstance(turn, Bid) and turn.points == worth), passing)


def _option(outlook: Outlook, play: Play) -> Option:
    assert play.kind is not None
    assert play.rank is not None
    kind, cards = play.kind.index, play.cards.counts
    length = kernel.length_of(kind, kernel.total(cards))
    return Option(play, (kind, length, play.rank.index, cards), outlook.planner.cost(outlook.hand - cards))


def _runs_out(outlook: Outlook, options: list[Option]) -> Play | None:
    """A play that nobody can beat, after which all but the last meld are such plays too."""
    best: tuple[int, Play] | None = None
    for option in options:
        if option.after > plans.TURN or not outlook.sure(*option.part[:3]):
            continue
        rest = outlook.planner.plan(outlook.hand - option.part[3])[1]
        if sum(not outlook.sure(*part[:3]) for part in rest) <= 1:
            key = (option.part[0] in BOMBS) * 20 + len(rest)
            if best is None or key < best[0]:
                best = key, option.play
    return best[1] if best else None


def _lead(outlook: Outlook, options: list[Option], weights: Weights) -> Play:
    now = outlook.planner.cost(outlook.hand)
    partner_left = outlook.view.counts[outlook.partner] if outlook.partner is not None else 0

    def worth(option: Option) -> tuple[float, int]:
        kind, length, rank, cards = option.part
        size = kernel.total(cards)
        control = outlook.control(kind, length, rank)
        value = now - option.after + weights.lead * control + weights.size * size - weights.rank * rank
        if kind in BOMBS:
            value -= 60
        elif size == outlook.least <= 2 and not outlook.sure(kind, length, rank):
            value -= 200 - 8 * rank
        elif size == partner_left <= 2:
            value += weights.feed * (1 - rank / 20)
        if outlook.landlord_next and kind in SMALL:
            value += weights.block * rank
        return value, -rank

    return max(options, key=worth).play


def _follow(outlook: Outlook, options: list[Option], passing: Pass | None, weights: Weights) -> Turn:
    top = outlook.view.top
    assert top is not None
    now = outlook.planner.cost(outlook.hand)
    partners = top.seat == outlook.partner
    lead = float(weights.lead)
    if not partners and outlook.least < len(weights.danger):
        share = 1.0 if outlook.partner is None or outlook.landlord_next else weights.shared
        lead += weights.danger[outlook.least] * share

    def worth(option: Option) -> tuple[float, int]:
        kind, length, rank, _ = option.part
        control = outlook.control(kind, length, rank)
        value = now - option.after + lead * control
        if partners:
            value -= weights.partner + lead * control
            held = outlook.control(*top.meld.shape)
            if not outlook.landlord_next or held > weights.partner_holds or kind in BOMBS:
                value -= 1000
        if outlook.landlord_next and kind in SMALL:
            value += weights.block * rank
        return value, -rank

    best = max(options, key=worth)
    if passing is not None and worth(best)[0] <= 0:
        return passing
    return best.play
