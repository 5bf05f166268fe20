"""What a seat may know as Botzone's judge would tell it in FightTheLandlord2, and what a program's answer means.

The conversation of a seat is made of its view alone: the requests that the judge has put to it in this deal, and its
answers. The forms are those of botzone's own judge and sample programs (see `records/botzone_shapes`), down to the
order of the fields. Player 0 has the first voice. Where the rules assign a landlord, the conversation is that of a
deal in which nobody bid: botzone then makes player 0 the landlord for a base of 1, and so does `records/botzone`.
"""

from typing import Any, Final

import msgspec

from ddz.cards import CardSet, union
from ddz.commands import Bid, Pass, PassBid, Play, Turn
from ddz.errors import Phrase, Unreadable
from ddz.frozen.shapes import Seat
from ddz.guests import Fault
from ddz.records.botzone_shapes import called, cards_of, is_card, numbers_of
from ddz.view import SeatView

RequestJson = dict[str, Any]
Response = int | list[int]


class Conversation(msgspec.Struct, frozen=True):
    """What one player was asked in a deal, the open question last, and what it answered."""

    requests: list[RequestJson]
    responses: list[Response]

    def continues(self, before: "Conversation") -> bool:
        """True if this is `before` with any answer to its question, and the next question."""
        return self.requests[:-1] == before.requests and self.responses[:-1] == before.responses


def conversation(view: SeatView) -> Conversation:
    """The conversation that led to `view`, whose seat is to act.

    Raises:
        Unreadable: the rules' auction is not botzone's, where each seat speaks at most once.
    """
    if view.rules.auction == "until-two-passes":
        raise Unreadable(
            "botzone/auction",
            "in botzone each player speaks once in an auction, but by the rules '{rules}' more than once",
            rules=view.rules.name,
        )
    return _Teller(view).tell()


class _Teller:
    """A view with the players numbered as botzone numbers them."""

    def __init__(self, view: SeatView) -> None:
        self.view = view
        self.unbid = view.landlord is not None and not view.calls
        self.first: Seat = view.first_voice
        if self.unbid and view.landlord is not None:
            self.first = view.landlord
        self.me = self.player(view.seat)
        self.bids = [0, 0, 0] if self.unbid else [call.points for call in view.calls]
        self.plays = [numbers_of(turn.meld.cards) if turn.meld else [] for turn in view.history]
        self.own = numbers_of(self._dealt())

    def player(self, seat: Seat) -> int:
        """Botzone's number of a seat."""
        return (seat - self.first) % 3

    def _dealt(self) -> CardSet:
        """The 17 cards that the seat was dealt."""
        view = self.view
        cards = view.hand | union(turn.meld.cards for turn in view.history if turn.meld and turn.seat == view.seat)
        return cards - view.kitty if view.seat == view.landlord and view.kitty is not None else cards

    def tell(self) -> Conversation:
        """All requests to this player, and his answers."""
        requests: list[RequestJson] = []
        responses: list[Response] = []
        asked_to_bid = len(self.bids) > self.me or self.view.landlord is None
        if asked_to_bid:
            requests.append({"own": self.own, "bid": self.bids[: self.me]})
        if self.view.landlord is None:
            return Conversation(requests, responses)
        if asked_to_bid:
            responses.append(self.bids[self.me])
        landlord = self.player(self.view.landlord)
        for number in range((self.me - landlord) % 3, len(self.plays) + 1, 3):
            requests.append(self._playing(number, landlord))
            responses += self.plays[number : number + 1]
        return Conversation(requests, responses)

    def _playing(self, number: int, landlord: int) -> RequestJson:
        request: RequestJson = {"history": [[], [], *self.plays[:number]][-2:]}
        if number < 3:
            assert self.view.kitty is not None
            request |= {"own": self.own, "publiccard": numbers_of(self.view.kitty)}
            request |= {"landlord": landlord, "pos": self.me, "finalbid": self.view.base}
        return request


class WrongAnswer(Exception):  # it carries a fault, and is caught where the house moves instead
    """An answer that is not accepted."""

    def __init__(self, kind: str, why: Phrase) -> None:
        super().__init__(str(why))
        self.fault = Fault(kind, why)


def answer_of(turn: Turn) -> Response:
    """A turn as botzone's judge takes it."""
    match turn:
        case Bid():
            return turn.points
        case PassBid():
            return 0
        case Play():
            return numbers_of(turn.cards)
        case Pass():
            return []


_SHOWN: Final = 60
"""Letters of a wrong answer that are quoted."""


def turn_of_answer(answer: object, view: SeatView, legal: tuple[Turn, ...]) -> Turn:
    """The turn that an answer means: points in the auction, a list of cards in the play.

    Cards that have several readings mean the first kind in the order of the kinds, and of that the highest rank.

    Raises:
        WrongAnswer: `garbage` for what is no answer at all, `illegal` for what may not be played.
    """
    return _bid(answer, legal) if view.phase == "auction" else _play(answer, view, legal)


def quoted(answer: object) -> str:
    """The answer, shortened to fit into a sentence."""
    text = answer if isinstance(answer, str) else repr(answer)
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")


def _bid(answer: object, legal: tuple[Turn, ...]) -> Turn:
    if isinstance(answer, str) and answer.strip() in ("0", "1", "2", "3"):
        answer = int(answer)  # botzone's own sample in Python answers so, and its judge takes it
    if type(answer) is not int:
        raise WrongAnswer(
            "garbage",
            Phrase("guest/no-bid", "a bid is a number of points, 0 for none, not {answer}", answer=quoted(answer)),
        )
    for turn in legal:
        if answer == (turn.points if isinstance(turn, Bid) else 0):
            return turn
    allowed = ", ".join(str(turn.points) for turn in legal if isinstance(turn, Bid))
    if not allowed:
        raise WrongAnswer("illegal", Phrase("guest/bid", "it bids {bid}, but may only pass, which is 0", bid=answer))
    raise WrongAnswer(
        "illegal",
        Phrase("guest/bid", "it bids {bid}, but may bid {allowed}, or 0 to pass", bid=answer, allowed=allowed),
    )


def _play(answer: object, view: SeatView, legal: tuple[Turn, ...]) -> Turn:
    if not isinstance(answer, list):
        raise WrongAnswer(
            "garbage",
            Phrase("guest/no-play", "a play is a list of cards, empty for a pass, not {answer}", answer=quoted(answer)),
        )
    for at, number in enumerate(answer):
        if not is_card(number):
            raise WrongAnswer(
                "garbage", Phrase("guest/no-card", "{card} is no card: the cards are 0 to 53", card=quoted(number))
            )
        if number in answer[:at]:
            raise WrongAnswer("illegal", Phrase("guest/twice", "it plays the card {card} twice", card=called(number)))
    cards = cards_of(answer)
    if not cards:
        if any(isinstance(turn, Pass) for turn in legal):
            return Pass(view.seat)
        raise WrongAnswer("illegal", Phrase("guest/must-lead", "it passes, but it leads"))
    if missing := cards - view.hand:
        raise WrongAnswer(
            "illegal", Phrase("guest/not-held", "it plays {cards}, which it does not hold", cards=str(missing))
        )
    same = [turn for turn in legal if isinstance(turn, Play) and turn.cards.counts == cards.counts]
    if not same:
        if view.top is None:
            raise WrongAnswer("illegal", Phrase("guest/not-legal", "it may not play {cards}", cards=cards.ranks))
        top = view.top.meld.cards.ranks
        raise WrongAnswer(
            "illegal", Phrase("guest/not-legal", "it may not play {cards} on {top}", cards=cards.ranks, top=top)
        )
    meant = [turn for turn in same if turn.kind == same[0].kind][-1]
    return msgspec.structs.replace(meant, cards=cards)
