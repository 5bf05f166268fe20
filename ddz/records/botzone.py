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

from collections.abc import Iterable
from typing import Final

from ddz import places
from ddz.cards import CardSet
from ddz.errors import Phrase, Unreadable
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
        raise Unreadable("botzone/no-entry", "not a {name} record: there is no entry in its log", name=NAME)
    reader = _Reader(KnownHands(bids=_is_two(entries[0])))
    reader.hands.look(match.initdata)
    for number, entry in enumerate(entries):
        if number % 2:
            reader.answer(number, entry)
        elif entry.output is None:
            raise Unreadable(
                "botzone/no-output", "{where}: there is no output of the judge", where=places.entry(number)
            )
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

    def where(self) -> Phrase:
        """The move that comes next."""
        bids = 0 if self.unbid and self.landlord is not None else len(self.bids)
        return places.move(bids + len(self.plays))

    def output(self, number: int, output: Output) -> None:
        """A request or the end."""
        if self.finished:
            raise Unreadable(
                "botzone/after-finish", "{where}: the log goes on after its finish", where=places.entry(number)
            )
        self.hands.look(output.display)
        self.hands.look(output.initdata)
        if output.command == "finish":
            self.finished = True
            self._finish(number, output.content)
            return
        if (seat := self._out()) is not None:
            raise Unreadable(
                "botzone/somebody-out",
                "{where}: player {player} has no card left, but the game goes on",
                where=places.entry(number),
                player=seat,
            )
        if len(output.content) != 1:
            raise Unreadable(
                "botzone/not-one-asked",
                "{where}: {players} players are asked instead of one (is one in error?)",
                where=places.entry(number),
                players=len(output.content),
            )
        ((name, request),) = output.content.items()
        if name != str(self.turn) or not isinstance(request, Request):
            raise Unreadable(
                "botzone/wrong-player",
                "{where}: player {player} must be asked, not {asked}",
                where=self.where(),
                player=self.turn,
                asked=repr(name[:20]),
            )
        self.asked = self.turn
        self._request(request)

    def _request(self, request: Request) -> None:
        """Hold what a player is told against what has been."""
        where = self.where()
        if self.landlord is None:
            if request.bid != self.bids:
                raise Unreadable(
                    "botzone/wrong-bids",
                    "{where}: the request says that the bids are {told}, but they are {bids}",
                    where=where,
                    told=str(request.bid),
                    bids=str(self.bids),
                )
            self.hands.own(self.turn, request.own, where)
            return
        told = [sorted(play) for play in request.history or ()]
        plays = [sorted(play) for play in [[], [], *self.plays][-2:]]
        if told != plays:
            raise Unreadable(
                "botzone/wrong-history",
                "{where}: the history is {told}, but the last two plays are {plays}",
                where=where,
                told=str(told),
                plays=str(plays),
            )
        if len(self.plays) < 3:
            self.hands.public(request.publiccard, where)
            self.hands.own(self.turn, request.own, where)
            if self.hands.bids:
                self._check_landlord(request, where)

    def _check_landlord(self, request: Request, where: Phrase) -> None:
        base = max(1, *self.bids)
        for name, told, true in (
            ("landlord", request.landlord, self.landlord),
            ("pos", request.pos, self.turn),
            ("finalbid", request.finalbid, base),
        ):
            if told != true:
                raise Unreadable(
                    "botzone/wrong-role",
                    "{where}: the request says {field} {told}, but by the bids {bids} it is {true}",
                    where=where,
                    field=name,
                    told=str(told),
                    bids=str(self.bids),
                    true=str(true),
                )

    def answer(self, number: int, entry: LogEntry) -> None:
        """An answer to the request before."""
        where = self.where()
        if self.finished or list(entry.answers) != [self.asked]:
            raise Unreadable(
                "botzone/not-asked",
                "{where}: {asked} is asked, but the answer is by {answering}",
                where=places.entry(number),
                asked=_players([] if self.finished or self.asked is None else [self.asked]),
                answering=_players(entry.answers),
            )
        answer = entry.answers[self.turn]
        if answer.verdict != "OK":
            raise Unreadable(
                "botzone/verdict",
                "{where}: the verdict on player {player} is {verdict}, not OK",
                where=where,
                player=self.turn,
                verdict=repr(answer.verdict[:20]),
            )
        if self.landlord is None:
            self._bid(answer.response, where)
        else:
            self._play(answer.response, where)

    def _bid(self, response: object, where: Phrase) -> None:
        if type(response) is not int or not 0 <= response <= 3:
            raise Unreadable(
                "botzone/bid",
                "{where}: player {player} must bid 0, 1, 2 or 3, not {bid}",
                where=where,
                player=self.turn,
                bid=repr(str(response)[:40]),
            )
        self.bids.append(response)
        if len(self.bids) == 3 or response == 3:
            self.landlord = self.bids.index(max(self.bids))

    def _play(self, response: object, where: Phrase) -> None:
        if not isinstance(response, list):
            raise Unreadable(
                "botzone/no-cards",
                "{where}: player {player} must answer with a list of cards, not {found}",
                where=where,
                player=self.turn,
                found=repr(str(response)[:40]),
            )
        for at, number in enumerate(response):
            if not is_card(number):
                raise Unreadable(
                    "botzone/no-card",
                    "{where}: {card} is no card: the cards are 0 to 53",
                    where=where,
                    card=repr(str(number)[:20]),
                )
            if number in response[:at]:
                raise Unreadable(
                    "cards/twice", "{where}: the card {card} is named twice", where=where, card=called(number)
                )
        fours = [rank for rank in range(13) if sum(number // 4 == rank for number in response) == 4]
        if len(fours) > 1:
            raise Unreadable(
                "botzone/space-shuttle",
                "{where}: {cards} holds {fours} fours; botzone calls it a space shuttle, and our rules have no such "
                "meld",
                where=where,
                cards=str(cards_of(response)),
                fours=len(fours),
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
            raise Unreadable(
                "botzone/finish-points",
                "{where}: a finish gives each of the three players his points",
                where=places.entry(number),
            )
        if self.landlord is None or self._out() is None:
            raise Unreadable(
                "botzone/nobody-out",
                "{where}: the game is finished, but before {last} no player is out of cards",
                where=places.entry(number),
                last=self.where(),
            )
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


def _players(players: Iterable[int]) -> Phrase:
    """Who was asked, or who answered."""
    numbers = " and ".join(map(str, players))
    return (
        Phrase("botzone/players", "player {players}", players=numbers)
        if numbers
        else Phrase("botzone/nobody", "nobody")
    )


def _bid_action(seat: int, points: int) -> str:
    return f"{seat} bid {points}" if points else f"{seat} pass"


def _play_action(seat: int, cards: CardSet) -> str:
    return f"{seat} play {cards}" if cards else f"{seat} pass"
