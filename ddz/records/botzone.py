"""Botzone's logs: the requests of its judge and the answers of the players, as one JSON list.

It has two games. In FightTheLandlord player 0 is the landlord, and owns 20 cards with the three public ones; in
FightTheLandlord2 the players 0, 1 and 2 bid once each (0 is a pass, 3 ends it), and if all three pass player 0 is the
landlord for a base of 1. Entries alternate: `{"output": {"command": "request", "content": {"1": {...}}}}` and
`{"1": {"verdict": "OK", "response": [...]}}`; the last one is a `finish` with the points of each player. A list may
stand alone, or as `log` (or `logs`) of an object, with `initdata` beside it.

The bids are moves too: move n is the n-th answer, counted from 0; only where nobody bid, the count begins with the
first play. Sources and rules: see `botzone_shapes`. What the judge plays for a player in error is no player's move, and
its *space shuttles* (several fours of consecutive ranks) are no melds of ours: such logs are refused. So is one whose
landlord did not bid highest, though the published judge_FTL2.py would have player 0 whenever nobody says 3: whether the
platform really plays so could not be confirmed.
"""

from typing import Final

from ddz.cards import CardSet
from ddz.errors import Unreadable
from ddz.frozen.shapes import Claim
from ddz.record import FORMAT, Record, RecordDeal
from ddz.records import botzone_out
from ddz.records.base import Foreign
from ddz.records.botzone_deal import KnownHands
from ddz.records.botzone_shapes import (
    NAME,
    ONE,
    TWO,
    UNBID,
    LogEntry,
    Match,
    Output,
    Request,
    called,
    cards_of,
    is_card,
)
from ddz.records.reading import decode_json
from ddz.rules import SEATS

_LARGEST: Final = 1 << 53
"""More points than any game has, and few enough for any JSON."""

write = botzone_out.write


def looks_like(raw: bytes) -> bool:
    """True if the bytes are likely a botzone log: a list of requests, alone or in an object."""
    start = raw.lstrip()[:1]
    wrapped = start == b"{" and (b'"log"' in raw or b'"logs"' in raw)
    return (start == b"[" or wrapped) and all(word in raw for word in (b'"output"', b'"request"', b'"own"'))


def read(raw: bytes) -> Foreign:
    """The game in a file's bytes.

    Raises:
        Unreadable: naming the entry, or the deal and the move.
    """
    alone = raw.lstrip()[:1] == b"["
    match = Match(decode_json(raw, list[LogEntry], NAME)) if alone else decode_json(raw, Match, NAME)
    entries = match.log if match.log is not None else match.logs
    if not entries:
        raise Unreadable(f"not a {NAME} record: there is no entry in its log")
    reader = _Reader(KnownHands(bids=_is_two(entries[0])))
    reader.hands.look(match.initdata)
    for number, entry in enumerate(entries):
        if number % 2:
            reader.answer(number, entry)
        elif entry.output is None:
            raise Unreadable(f"entry {number}: there is no output of the judge")
        else:
            reader.output(number, entry.output)
    return Foreign(reader.record(), reader.claim, match.name if isinstance(match.name, str) and match.name else None)


def _is_two(entry: LogEntry) -> bool:
    content = entry.output.content if entry.output else {}
    return any(isinstance(request, Request) and request.bid is not None for request in content.values())


class _Reader:
    """Follows a log entry by entry, and holds each against what was before."""

    def __init__(self, hands: KnownHands) -> None:
        self.hands = hands
        self.bids: list[int] = []
        self.plays: list[list[int]] = []
        self.landlord = None if hands.bids else 0
        self.claim: Claim | None = None
        self.asked: int | None = None
        self.finished = False

    @property
    def turn(self) -> int:
        """Who is to act."""
        return len(self.bids) if self.landlord is None else (self.landlord + len(self.plays)) % 3

    @property
    def unbid(self) -> bool:
        """All three passed, and player 0 is the landlord none the less."""
        return self.hands.bids and not any(self.bids)

    def where(self) -> str:
        """The move that comes next."""
        bids = 0 if self.unbid and self.landlord is not None else len(self.bids)
        return f"deal 0, move {bids + len(self.plays)}"

    def output(self, number: int, output: Output) -> None:
        """A request or the end."""
        if self.finished:
            raise Unreadable(f"entry {number}: the log goes on behind its finish")
        self.hands.look(output.display)
        self.hands.look(output.initdata)
        if output.command == "finish":
            self.finished = True
            self._finish(number, output.content)
            return
        if (seat := self._out()) is not None:
            raise Unreadable(f"entry {number}: player {seat} has no card left, but the game goes on")
        if len(output.content) != 1:
            raise Unreadable(f"entry {number}: {len(output.content)} players are asked, and not one (is one in error?)")
        ((name, request),) = output.content.items()
        if name != str(self.turn) or not isinstance(request, Request):
            raise Unreadable(f"{self.where()}: player {self.turn} must be asked, not {name[:20]!r}")
        self.asked = self.turn
        self._request(request)

    def _request(self, request: Request) -> None:
        """Hold what a player is told against what has been."""
        where = self.where()
        if self.landlord is None:
            if request.bid != self.bids:
                raise Unreadable(f"{where}: the request tells of the bids {request.bid}, but they are {self.bids}")
            self.hands.own(self.turn, request.own, where)
            return
        told = [sorted(play) for play in request.history or ()]
        plays = [sorted(play) for play in [[], [], *self.plays][-2:]]
        if told != plays:
            raise Unreadable(f"{where}: the history is {told}, but the last two plays are {plays}")
        if len(self.plays) < 3:
            self.hands.public(request.publiccard, where)
            self.hands.own(self.turn, request.own, where)
            if self.hands.bids:
                self._check_landlord(request, where)

    def _check_landlord(self, request: Request, where: str) -> None:
        base = max(1, *self.bids)
        for name, told, true in (
            ("landlord", request.landlord, self.landlord),
            ("pos", request.pos, self.turn),
            ("finalbid", request.finalbid, base),
        ):
            if told != true:
                raise Unreadable(f"{where}: the request says {name} {told}, but by the bids {self.bids} it is {true}")

    def answer(self, number: int, entry: LogEntry) -> None:
        """An answer to the request before."""
        where = self.where()
        if self.finished or list(entry.answers) != [self.asked]:
            who = " and ".join(map(str, entry.answers)) or "nobody"
            wanted = "nobody" if self.finished else f"player {self.asked}"
            raise Unreadable(f"entry {number}: {wanted} is asked, but {who} answers")
        answer = entry.answers[self.turn]
        if answer.verdict != "OK":
            raise Unreadable(f"{where}: the verdict on player {self.turn} is {answer.verdict[:20]!r}, not OK")
        if self.landlord is None:
            self._bid(answer.response, where)
        else:
            self._play(answer.response, where)

    def _bid(self, response: object, where: str) -> None:
        if type(response) is not int or not 0 <= response <= 3:
            raise Unreadable(f"{where}: player {self.turn} must bid 0, 1, 2 or 3, not {str(response)[:40]!r}")
        self.bids.append(response)
        if len(self.bids) == 3 or response == 3:
            self.landlord = self.bids.index(max(self.bids))

    def _play(self, response: object, where: str) -> None:
        if not isinstance(response, list):
            raise Unreadable(
                f"{where}: player {self.turn} must answer with a list of cards, not {str(response)[:40]!r}"
            )
        for at, number in enumerate(response):
            if not is_card(number):
                raise Unreadable(f"{where}: {str(number)[:20]!r} is no card: the cards are 0 to 53")
            if number in response[:at]:
                raise Unreadable(f"{where}: the card {called(number)} is there twice")
        fours = [rank for rank in range(13) if sum(number // 4 == rank for number in response) == 4]
        if len(fours) > 1:
            raise Unreadable(
                f"{where}: {cards_of(response)} holds {len(fours)} fours; botzone calls it a space shuttle, and our "
                "rules have no such meld"
            )
        self.plays.append(response)

    def _out(self) -> int | None:
        """The player who has no card left."""
        if self.landlord is None:
            return None
        for after in SEATS:
            seat = (self.landlord + after) % 3
            if sum(len(play) for play in self.plays[after::3]) >= (17 if after else 20):
                return seat
        return None

    def _finish(self, number: int, content: dict[str, Request | int | float]) -> None:
        """The points: those of FightTheLandlord2 are ours, of the others only the winner can be compared."""
        points = [content.get(str(seat)) for seat in SEATS]
        scores = [score for score in points if isinstance(score, int | float) and abs(score) < _LARGEST]
        if len(content) != 3 or len(scores) != 3:
            raise Unreadable(f"entry {number}: a finish gives each of the three players his points")
        if self.landlord is None or self._out() is None:
            raise Unreadable(f"entry {number}: the game is finished, but behind {self.where()} nobody is out")
        mine, other = scores[self.landlord], scores[(self.landlord + 1) % 3]
        winner = None if mine == other else "landlord" if mine > other else "peasants"
        whole = [int(score) for score in scores]
        payouts = (whole[0], whole[1], whole[2]) if self.hands.bids and whole == scores else None
        self.claim = Claim(payouts, winner)

    def record(self) -> Record:
        """The game as a record."""
        hands, kitty = self.hands.dealt()
        rules = UNBID if self.unbid and self.landlord is not None else TWO if self.hands.bids else ONE
        actions = [] if rules is UNBID else [_bid_action(seat, points) for seat, points in enumerate(self.bids)]
        for number, play in enumerate(self.plays):
            actions.append(_play_action(((self.landlord or 0) + number) % 3, cards_of(play)))
        deal = RecordDeal(0, hands, kitty, actions=tuple(actions))
        if rules is not TWO:
            deal = RecordDeal(0, hands, kitty, landlord=0, base=1, actions=tuple(actions))
        return Record(FORMAT, rules, ("player 0", "player 1", "player 2"), (deal,))


def _bid_action(seat: int, points: int) -> str:
    return f"{seat} bid {points}" if points else f"{seat} pass"


def _play_action(seat: int, cards: CardSet) -> str:
    return f"{seat} play {cards}" if cards else f"{seat} pass"
