"""What a player of Botzone's FightTheLandlord2 is told, as the view of a seat: so that our bots can play there.

Seat n is player n. A player is told the bids before his own, and later the final bid and the landlord; the bids that he
was not told count as passes here. A player that the judge has silenced for an error passes, or plays his lowest
card; the history says so.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from ddz import places
from ddz.auction import HIGHEST_BID, Call
from ddz.cards import EMPTY, CardSet, Rank, union
from ddz.commands import Turn
from ddz.decide import legal_calls, legal_plays
from ddz.errors import Phrase, Unreadable
from ddz.frozen.shapes import Kind, Player, Players, Rules, Seat
from ddz.guests.botzone import Response, quoted
from ddz.melds import Meld, beats, readings
from ddz.records.botzone_shapes import Request, cards_of, is_card
from ddz.rules import SEATS
from ddz.scoring import cause_of, multiplier
from ddz.state import Played, Top
from ddz.view import SeatView

_PLAYERS: Final[Players] = (Player("player 0", "bot"), Player("player 1", "bot"), Player("player 2", "bot"))


MOST_REQUESTS: Final = 60
"""One to bid, and one for each of a deal's 54 cards with passes between, are 55."""


class Decision(msgspec.Struct, frozen=True):
    """A seat's view and what it may do there."""

    view: SeatView
    legal: tuple[Turn, ...]


def decision(requests: Sequence[Request], responses: Sequence[Response], rules: Rules) -> Decision:
    """What a player knows after all of `requests`, of which it has answered all but the last.

    Raises:
        Unreadable: it is no such conversation; says which request is wrong.
    """
    if len(requests) > MOST_REQUESTS:
        raise Unreadable(
            "botzone/too-many-requests",
            "there are {requests} requests: in one deal nobody is asked so often",
            requests=len(requests),
        )
    if not requests or len(responses) != len(requests) - 1:
        raise Unreadable(
            "botzone/requests-and-responses",
            "there are {requests} requests and {responses} responses: each but the last has one",
            requests=len(requests),
            responses=len(responses),
        )
    return _Listener(rules, requests, responses).decision()


class _Listener:
    """Follows a conversation request by request."""

    def __init__(self, rules: Rules, requests: Sequence[Request], responses: Sequence[Response]) -> None:
        self.rules = rules
        self.requests = requests
        self.responses = responses
        first = requests[0]
        self.own = _cards(first.own, 17, places.field("own", places.request(0)))
        bids = first.bid
        self.asked_to_bid = bids is not None
        if bids is not None and (len(bids) > 2 or any(not 0 <= bid <= 3 for bid in bids)):
            raise Unreadable(
                "botzone/bids",
                "{where}: the bids so far are at most two numbers from 0 to 3, not {bids}",
                where=places.request(0),
                bids=quoted(bids),
            )
        if HIGHEST_BID in (bids or ()):
            raise Unreadable(
                "botzone/asked-after-the-highest",
                "{where}: nobody is asked after a bid of {highest}, but the bids are {bids}",
                where=places.request(0),
                highest=HIGHEST_BID,
                bids=str(bids),
            )
        self.calls = tuple(Call(seat, points) for seat, points in enumerate(bids or ()))

    def decision(self) -> Decision:
        """The view after the last request."""
        if self.asked_to_bid and len(self.requests) == 1:
            seat = len(self.calls)
            return Decision(self._bidding(seat), legal_calls(seat, self.calls))
        view = self._playing()
        top = view.top.meld if view.top else None
        return Decision(view, legal_plays(view.seat, view.hand, top, self.rules))

    def _bidding(self, seat: Seat) -> SeatView:
        return SeatView(
            phase="auction",
            players=_PLAYERS,
            rules=self.rules,
            round=1,
            deal_number=0,
            first_voice=0,
            turn=seat,
            counts=(17, 17, 17),
            calls=self.calls,
            landlord=None,
            base=max((call.points for call in self.calls), default=0),
            multiplier=1,
            causes=(),
            kitty=None,
            top=None,
            history=(),
            score=None,
            seat=seat,
            hand=self.own,
        )

    def _playing(self) -> SeatView:
        begin = 1 if self.asked_to_bid else 0
        landlord, seat, base = self._roles(begin)
        kitty = self._kitty(begin)
        plays = self._plays(begin, (seat - landlord) % 3)
        history = self._history(landlord, plays)
        played = _played(history)
        dealt = self.own | kitty if seat == landlord else self.own
        counts = [(20 if each == landlord else 17) - len(played[each]) for each in SEATS]
        others = union(played[each] for each in SEATS if each != seat)
        hidden = kitty - played[landlord] if seat != landlord else EMPTY  # the landlord has these among his cards
        strangers = kitty & union(played[each] for each in SEATS if each != landlord)
        if (
            not dealt >= played[seat]
            or others & dealt
            or strangers
            or min(counts) < 1
            or counts[landlord] < len(hidden)
        ):
            raise Unreadable(
                "botzone/plays-and-hands",
                "the plays do not fit the hands: more cards are played than there are, or other ones",
            )
        causes = tuple(cause for turn in history if turn.meld and (cause := cause_of(turn.meld.kind, self.rules)))
        return SeatView(
            phase="playing",
            players=_PLAYERS,
            rules=self.rules,
            round=1,
            deal_number=0,
            first_voice=0,
            turn=seat,
            counts=(counts[0], counts[1], counts[2]),
            calls=self._all_calls(seat, landlord, base),
            landlord=landlord,
            base=base,
            multiplier=multiplier(causes),
            causes=causes,
            kitty=kitty,
            top=_top(history),
            history=history,
            score=None,
            seat=seat,
            hand=dealt - played[seat],
        )

    def _roles(self, begin: int) -> tuple[Seat, Seat, int]:
        """The landlord, the player's seat, and the base, which the first request of the play tells."""
        first = self.requests[begin]
        landlord, seat, base = first.landlord, first.pos, first.finalbid
        if landlord not in SEATS or seat not in SEATS or base is None or not 1 <= base <= HIGHEST_BID:
            raise Unreadable(
                "botzone/roles",
                "{where}: it must tell the landlord and pos, 0 to 2 each, and the finalbid, 1 to 3, not {landlord}, "
                "{seat} and {base}",
                where=places.request(begin),
                landlord=quoted(landlord),
                seat=quoted(seat),
                base=quoted(base),
            )
        if self.asked_to_bid and seat != len(self.calls):
            raise Unreadable(
                "botzone/pos",
                "{where}: pos is {seat}, but player {player} was asked to bid",
                where=places.request(begin),
                seat=seat,
                player=len(self.calls),
            )
        for number, request in enumerate(self.requests[begin + 1 :], begin + 1):
            for name in ("landlord", "pos", "finalbid", "publiccard"):
                given = getattr(request, name)
                if given not in (None, getattr(first, name)):
                    raise Unreadable(
                        "botzone/changed",
                        "{where}: the {field} is another one than in {first}",
                        where=places.request(number),
                        field=name,
                        first=places.request(begin),
                    )
        return landlord, seat, base

    def _kitty(self, begin: int) -> CardSet:
        """The public cards, after a check that everything told of the hand agrees."""
        kitty = _cards(self.requests[begin].publiccard, 3, places.field("publiccard", places.request(begin)))
        if kitty & self.own:
            raise Unreadable(
                "botzone/public-is-own",
                "{where}: {cards} is among the player's own cards",
                where=places.field("publiccard", places.request(begin)),
                cards=str(kitty & self.own),
            )
        for number, request in enumerate(self.requests[1:], 1):
            if (
                request.own is not None
                and _cards(request.own, 17, places.field("own", places.request(number))) != self.own
            ):
                raise Unreadable(
                    "botzone/other-cards",
                    "{where}: these are other cards than in {first}",
                    where=places.field("own", places.request(number)),
                    first=places.request(0),
                )
        return kitty

    def _all_calls(self, seat: Seat, landlord: Seat, base: int) -> tuple[Call, ...]:
        """The auction as far as it was told; empty where the rules have none."""
        if self.rules.auction == "assigned":
            return ()
        calls = list(self.calls)
        if self.asked_to_bid:
            own = self.responses[0]
            if str(own) not in ("0", "1", "2", "3"):
                raise Unreadable(
                    "botzone/bid",
                    "{where}: a bid is a number from 0 to 3, not {bid}",
                    where=places.response(0),
                    bid=quoted(own),
                )
            calls.append(Call(seat, int(str(own))))
        while len(calls) < 3 and not any(call.points == HIGHEST_BID for call in calls):
            calls.append(Call(len(calls), base if len(calls) == landlord else 0))
        return tuple(calls)

    def _plays(self, begin: int, before: int) -> list[CardSet]:
        """Every turn of the play in order, an empty set for a pass; `before` of them came before the player's first."""
        plays: list[CardSet] = []
        for number, request in enumerate(self.requests[begin:], begin):
            where = places.field("history", places.request(number))
            if request.history is None:
                raise Unreadable("botzone/no-history", "{where}: the last two plays are not told", where=where)
            if number > begin:
                plays.append(_cards(self.responses[number - 1], None, places.response(number - 1)))
            new = request.history[2 - before :] if number == begin else request.history
            if number == begin and any(request.history[: 2 - before]):
                raise Unreadable(
                    "botzone/before-the-lead", "{where}: nobody plays before the landlord leads", where=where
                )
            plays += [_cards(cards, None, where) for cards in new]
        return plays

    def _history(self, landlord: Seat, plays: Sequence[CardSet]) -> tuple[Played, ...]:
        history: list[Played] = []
        for number, cards in enumerate(plays):
            top = _top(history)
            if top is None and not cards:
                raise Unreadable(
                    "botzone/leader-passes",
                    "{where} is a pass, but player {player} leads",
                    where=places.turn(number),
                    player=(landlord + number) % 3,
                )
            meld = _read(cards, top.meld if top else None, self.rules) if cards else None
            history.append(Played((landlord + number) % 3, meld))
        return tuple(history)


def _played(history: Sequence[Played]) -> list[CardSet]:
    """What each seat has played.

    Raises:
        Unreadable: a card was played twice.
    """
    played = [EMPTY, EMPTY, EMPTY]
    for number, turn in enumerate(history):
        if turn.meld is None:
            continue
        if twice := turn.meld.cards & union(played):
            raise Unreadable(
                "botzone/played-before",
                "{where}: {cards} was played before",
                where=places.turn(number),
                cards=str(twice),
            )
        played[turn.seat] |= turn.meld.cards
    return played


def _top(history: Sequence[Played]) -> Top | None:
    """The meld to beat: that of the last two turns, if one of them was no pass."""
    return next((Top(turn.seat, turn.meld) for turn in reversed(history[-2:]) if turn.meld), None)


def _read(cards: CardSet, top: Meld | None, rules: Rules) -> Meld:
    """The reading of what somebody has played, by the same choice as in `botzone.turn_of_answer`.

    Botzone knows melds that no rules of ours do (several fours of consecutive ranks). Only bombs and the rocket beat
    them, as they beat a red joker, which stands in for them.
    """
    found = [meld for meld in readings(cards, rules.kickers) if top is None or beats(meld, top)]
    same = [meld for meld in found if meld.kind == found[0].kind]
    return same[-1] if same else Meld(Kind.SOLO, Rank.RED_JOKER, 1, cards)


def _cards(numbers: object, size: int | None, where: Phrase) -> CardSet:
    """The cards, `size` of them if it is given, all different.

    Raises:
        Unreadable: they are not.
    """
    if not isinstance(numbers, list) or not all(is_card(number) for number in numbers):
        raise Unreadable(
            "botzone/no-cards",
            "{where}: it must be a list of cards, 0 to 53, not {found}",
            where=where,
            found=quoted(numbers),
        )
    if len(set(numbers)) != len(numbers) or size not in (None, len(numbers)):
        if size is None:
            raise Unreadable(
                "botzone/not-different",
                "{where}: it must be different cards, not {found}",
                where=where,
                found=quoted(numbers),
            )
        raise Unreadable(
            "botzone/not-different",
            "{where}: it must be {size} different cards, not {found}",
            where=where,
            size=size,
            found=quoted(numbers),
        )
    return cards_of(numbers)
