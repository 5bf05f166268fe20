"""Writing a game as a botzone log: FightTheLandlord where the landlord is assigned, else FightTheLandlord2.

Player 0 is the landlord of the one and the first voice of the other, so that the seats may be numbered anew. Entries
hold what the judge says to the players and shows to those who watch; there are no times and no memory in them.
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from ddz.errors import Unreadable
from ddz.frozen.events import BidMade, BidPassed, CardsPlayed, Dealt, Event, GameOpened, LandlordChosen
from ddz.frozen.shapes import Kind
from ddz.records.botzone_shapes import NAME, TWO, UNBID, numbers_of
from ddz.records.reading import only_deal, turns_under
from ddz.rules import SEATS
from ddz.scoring import cause_of, settle

HUNDREDTHS: Final = {
    **dict.fromkeys(Kind, 8),
    Kind.SOLO: 1,
    Kind.PAIR: 2,
    **dict.fromkeys((Kind.TRIO, Kind.TRIO_SOLO, Kind.TRIO_PAIR), 4),
    **dict.fromkeys((Kind.CHAIN, Kind.PAIR_CHAIN), 6),
    Kind.BOMB: 10,
    Kind.ROCKET: 16,
}
"""What a meld is worth in FightTheLandlord; airplanes and fours 8, whatever they carry."""

JsonObject = dict[str, Any]


def write(events: Sequence[Event]) -> str:
    """A game as a botzone log; an unfinished one ends with a request.

    Raises:
        Unreadable: saying why botzone cannot hold this game.
    """
    opened, dealt, chosen = only_deal(events, NAME)
    if sum(isinstance(event, Dealt) for event in events) > 1:
        raise Unreadable("botzone/redeal", "the cards were dealt again, and botzone deals once")
    out = _Writer(opened, dealt, chosen, events)
    out.check()
    lines = ",\n".join(msgspec.json.encode(entry).decode() for entry in out.entries())
    return f"[\n{lines}\n]\n"


class _Writer:
    """A game with its players numbered as botzone numbers them."""

    def __init__(self, opened: GameOpened, dealt: Dealt, chosen: LandlordChosen, events: Sequence[Event]) -> None:
        self.unbid = opened.rules == UNBID and chosen.base == 1
        self.two = opened.rules.auction != "assigned" or self.unbid
        self.first = dealt.first_voice if self.two and not self.unbid else chosen.landlord
        self.landlord = self.player(chosen.landlord)
        self.base = chosen.base
        self.public = numbers_of(dealt.kitty)
        hands = [dealt.hands[(self.first + player) % 3] for player in SEATS]
        self.own = [numbers_of(hand) for hand in hands]
        if not self.two:
            self.own[0] = numbers_of(hands[0] | dealt.kitty)
        self.calls = [event for event in events if isinstance(event, BidMade | BidPassed)]
        self.bids = (
            [0, 0, 0] if self.unbid else [call.points if isinstance(call, BidMade) else 0 for call in self.calls]
        )
        self.turns = turns_under(events, TWO, NAME)
        self.plays = [numbers_of(turn.cards) if isinstance(turn, CardsPlayed) else [] for turn in self.turns]

    def player(self, seat: int) -> int:
        """Botzone's number of a seat."""
        return (seat - self.first) % 3

    def check(self) -> None:
        """Make sure that botzone's judge would have heard this auction.

        Raises:
            Unreadable: saying why it would not.
        """
        if self.two and not self.unbid:
            ended = len(self.bids) == 3 or self.bids[-1:] == [3]
            if not ended or len(self.bids) > 3 or self.base not in self.bids:
                raise Unreadable(
                    "botzone/auction",
                    "the seats called {calls} times; in botzone each speaks once, and a 3 ends it",
                    calls=len(self.calls),
                )

    def entries(self) -> list[JsonObject]:
        """The log."""
        found: list[JsonObject] = []
        if self.two:
            for player, points in enumerate(self.bids):
                found += [self._bidding(player), _answer(player, points)]
        for number, play in enumerate(self.plays):
            found += [self._playing(number), _answer(self._turn(number), play)]
        over = bool(self.turns) and self.turns[-1].next is None
        found.append(self._finish() if over else self._playing(len(self.plays)))
        found[0]["output"]["initdata"] = {"allocation": self.own, "publiccard": self.public}
        return found

    def _turn(self, number: int) -> int:
        return (self.landlord + number) % 3

    def _bidding(self, player: int) -> JsonObject:
        bids = self.bids[:player]
        display = {"allocation": self.own, "publiccard": self.public, "bid": bids}
        return _request(player, {"own": self.own[player], "bid": bids}, display)

    def _playing(self, number: int) -> JsonObject:
        player = self._turn(number)
        content: JsonObject = {"history": [[], [], *self.plays[:number]][-2:]}
        if number < 3:
            content |= {"own": self.own[player], "publiccard": self.public}
            if self.two:
                content |= {"landlord": self.landlord, "pos": player, "finalbid": self.base}
        display: JsonObject = {}
        if self.two:
            display = {"landlord": self.landlord, "bid": self.bids, "errored": [None] * 3}
        if number:
            display["event"] = self._event(number - 1)
        elif not self.two:
            display = {"allocation": self.own, "publiccard": self.public}
        return _request(player, content, display)

    def _event(self, number: int) -> JsonObject:
        return {"player": self._turn(number), "action": self.plays[number]}

    def _finish(self) -> JsonObject:
        scores = self._points() if self.two else self._worth()
        points = {str(player): score for player, score in enumerate(scores)}
        last = len(self.plays) - 1
        display = {"event": self._event(last), **points} | ({"landlord": self.landlord} if self.two else {})
        return {"output": {"command": "finish", "content": points, "display": display}}

    def _points(self) -> Sequence[int]:
        """The points of FightTheLandlord2, whatever rules the game was played by here."""
        melds = [turn for turn in self.turns if isinstance(turn, CardsPlayed)]
        hands = [sum(self.player(meld.seat) == player for meld in melds) for player in SEATS]
        causes = tuple(cause for meld in melds if (cause := cause_of(meld.kind, TWO)))
        out = self._turn(len(self.plays) - 1)
        return settle(TWO, self.landlord, self.base, causes, out, (hands[0], hands[1], hands[2])).payouts

    def _worth(self) -> Sequence[float]:
        """The points of FightTheLandlord: 2 for who wins and hundredths for melds; the peasants share theirs."""
        worth = [0.0, 0.0, 0.0]
        for number, turn in enumerate(self.turns):
            if isinstance(turn, CardsPlayed):
                worth[number % 3] += HUNDREDTHS[turn.kind] / 100
        winners = (0,) if (len(self.plays) - 1) % 3 == 0 else (1, 2)
        scores = [round(worth[player] + 2 * (player in winners), 2) for player in SEATS]
        shared = round((scores[1] + scores[2]) / 2, 3)
        return scores[0], shared, shared


def _request(player: int, content: JsonObject, display: JsonObject) -> JsonObject:
    return {"output": {"command": "request", "content": {str(player): content}, "display": display}}


def _answer(player: int, response: int | list[int]) -> JsonObject:
    return {str(player): {"verdict": "OK", "response": response}}
