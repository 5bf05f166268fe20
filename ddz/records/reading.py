"""What several translators need: JSON that is checked as it is read, and the deal that a game's events begin with."""

from collections.abc import Sequence
from typing import TypeVar

import msgspec

from ddz.errors import Phrase, Refused, Unreadable
from ddz.frozen.events import CardsPlayed, Dealt, Event, GameOpened, LandlordChosen, PlayPassed, SeatEscaped
from ddz.frozen.shapes import Rules
from ddz.limits import FOREIGN, check_size
from ddz.melds import Meld, played_meld
from ddz.moves import read_play

T = TypeVar("T")
Turns = tuple[CardsPlayed | PlayPassed, ...]


def record_of(name: str) -> Phrase:
    """What a file of another engine is called where one is too long."""
    return Phrase("thing/record", "{name} record", name=name)


def decode_json(raw: bytes, shape: type[T], name: str) -> T:
    """A file's bytes as JSON of one shape.

    Raises:
        Unreadable: naming the place of the fault.
    """
    check_size(len(raw), FOREIGN, record_of(name))
    try:
        return msgspec.json.decode(raw, type=shape)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable("record/no-such", "not a {name} record: {why}", name=name, why=str(error)) from None


def has_keys(raw: bytes, keys: Sequence[str]) -> bool:
    """True if the bytes look like a JSON object with all these keys; what stands after them is not checked."""
    return raw.lstrip()[:1] == b"{" and all(f'"{key}"'.encode() in raw for key in keys)


def only_deal(events: Sequence[Event], name: str) -> tuple[GameOpened, Dealt, LandlordChosen]:
    """The opening, the last deal and its landlord, for formats that know of one deal and no auction.

    Raises:
        Unreadable: the game has no landlord yet.
    """
    opened = next(event for event in events if isinstance(event, GameOpened))
    deals = [event for event in events if isinstance(event, Dealt)]
    chosen = next((event for event in events if isinstance(event, LandlordChosen)), None)
    if chosen is None:
        raise Unreadable(
            "record/no-landlord", "the game has no landlord, and a {name} record begins with one", name=name
        )
    return opened, deals[-1], chosen


def turns_under(events: Sequence[Event], rules: Rules, engine: str) -> Turns:
    """The turns of the play, which `engine` must take from the cards alone as what they were.

    Raises:
        Unreadable: a seat escaped, or by the engine's rules some cards are no such meld.
    """
    for event in events:
        if isinstance(event, SeatEscaped):
            raise Unreadable(
                "record/no-escape", "seat {seat} escaped, and {engine} knows no escape", seat=event.seat, engine=engine
            )
    turns = tuple(event for event in events if isinstance(event, CardsPlayed | PlayPassed))
    top: Meld | None = None
    for number, turn in enumerate(turns):
        if isinstance(turn, PlayPassed):
            top = None if turn.cleared else top
            continue
        played = Phrase(
            "record/not-taken",
            "play {play}, {cards} as {reading}, is not one that {engine} would take",
            play=number,
            cards=str(turn.cards),
            reading=played_meld(turn).name,
            engine=engine,
        )
        try:
            read = read_play(turn.cards, top, rules)
        except Refused as refused:
            raise Unreadable.at(played, refused) from None
        if read != played_meld(turn):
            raise Unreadable("record/other-reading", "{where}: there it is {other}", where=played, other=read.name)
        top = read
    return turns
