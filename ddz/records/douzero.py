"""DouZero's records: hands as integers by position, and the actions in order.

One JSON object: `landlord` (20 cards), `landlord_down` and `landlord_up` (17 each) and `three_landlord_cards`
as lists of 3 to 14, 17 for a 2, 20 and 30 for the jokers, and `actions`, a list of such lists in turn order from the
landlord, an empty one for a pass. Seat 0 is the landlord, 1 landlord_down, 2 landlord_up. The numbers and the names
of the positions are those of DouZero's own environment, which deals just such an object.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from ddz import places
from ddz.cards import LETTERS, CardSet
from ddz.errors import Phrase, Unreadable
from ddz.frozen.events import CardsPlayed, Event
from ddz.record import FORMAT, Record, RecordDeal
from ddz.records.base import Foreign
from ddz.records.reading import decode_json, has_keys, only_deal, turns_under
from ddz.rules import PRESETS, SEATS

NAME: Final = "douzero"
NUMBERS: Final = (3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17, 20, 30)
"""The number of each rank, low to high."""
POSITIONS: Final = ("landlord", "landlord_down", "landlord_up")


class DouZeroRecord(msgspec.Struct, forbid_unknown_fields=True):
    """A record as it stands in the file."""

    landlord: list[int]
    landlord_down: list[int]
    landlord_up: list[int]
    three_landlord_cards: list[int]
    actions: list[list[int]]


def looks_like(raw: bytes) -> bool:
    """True if the bytes are likely a DouZero record."""
    return has_keys(raw, (*POSITIONS, "actions"))


def read(raw: bytes) -> Foreign:
    """The game in a file's bytes.

    Raises:
        Unreadable: naming the place of the fault.
    """
    shape = decode_json(raw, DouZeroRecord, NAME)
    kitty = _letters(shape.three_landlord_cards, places.field("three_landlord_cards"))
    landlord = _letters(shape.landlord, places.field("landlord"))
    if len(landlord) != 20:
        raise Unreadable(
            "douzero/landlord",
            "the landlord holds {count} cards, not 20 with the three landlord cards",
            count=len(landlord),
        )
    for card in kitty:
        if card not in landlord:
            raise Unreadable(
                "douzero/kitty",
                "{where}: the landlord does not hold {rank}",
                where=places.field("three_landlord_cards"),
                rank=card,
            )
        landlord = landlord.replace(card, "", 1)
    hands = (
        landlord,
        _letters(shape.landlord_down, places.field("landlord_down")),
        _letters(shape.landlord_up, places.field("landlord_up")),
    )
    actions = tuple(_action(number, cards) for number, cards in enumerate(shape.actions))
    deal = RecordDeal(0, hands, kitty, landlord=0, base=1, actions=actions)
    return Foreign(Record(FORMAT, NAME, POSITIONS, (deal,)))


def _action(number: int, cards: list[int]) -> str:
    played = _letters(cards, places.move(number))
    return f"{number % 3} play {played}" if played else f"{number % 3} pass"


def _letters(numbers: list[int], where: Phrase) -> str:
    for number in numbers:
        if number not in NUMBERS:
            raise Unreadable(
                "douzero/no-card",
                "{where}: {card} is no card: the cards are {cards}",
                where=where,
                card=number,
                cards=", ".join(map(str, NUMBERS)),
            )
    return "".join(LETTERS[NUMBERS.index(number)] for number in numbers)


def write(events: Sequence[Event]) -> str:
    """A game as DouZero deals and plays it: the landlord first, ranks without suits.

    Raises:
        Unreadable: there is no landlord, somebody escaped, or DouZero would not take a meld as what it was.
    """
    _, dealt, chosen = only_deal(events, NAME)
    turns = turns_under(events, PRESETS[NAME], "DouZero")
    actions = [_numbers(turn.cards) if isinstance(turn, CardsPlayed) else [] for turn in turns]
    hands = [dealt.hands[(chosen.landlord + after) % 3] for after in SEATS]
    shape = DouZeroRecord(
        landlord=_numbers(hands[0] | dealt.kitty),
        landlord_down=_numbers(hands[1]),
        landlord_up=_numbers(hands[2]),
        three_landlord_cards=_numbers(dealt.kitty),
        actions=actions,
    )
    return msgspec.json.encode(shape).decode() + "\n"


def _numbers(cards: CardSet) -> list[int]:
    return [NUMBERS[LETTERS.index(letter)] for letter in cards.ranks]
