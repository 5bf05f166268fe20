"""What reading and writing botzone's logs share: the cards, the rules of the two games, and the JSON as it stands.

The facts are those of the two judges and of the page that shows a match, published by botzone's own developers as
<https://github.com/lpaladin/tsFightTheLandlord> (judge.py, judge_FTL2.py, pokerlogic.ts); read, not copied.
"""

from typing import Any, Final, Literal

import msgspec

from ddz.cards import DECK, DECK_SIZE, CardSet
from ddz.frozen.shapes import KickerPolicy, Rules

NAME: Final = "botzone"
SUITS: Final = "hdsc"
"""Ids 4r to 4r+3 are the heart, diamond, spade and club of rank r."""

TWO: Final = Rules(NAME, KickerPolicy(False, 1, False, True, False, True))
"""FightTheLandlord2. Kickers differ from each other and from the core, both jokers may be solo kickers, and every
factor is 2, spring and anti-spring too: 13,550 card sets, each one meld. Three passes end no deal there, see `UNBID`;
what its judge does not know at all (the escape) is as in classic."""
ONE: Final = msgspec.structs.replace(TWO, auction="assigned")
"""FightTheLandlord: player 0 is the landlord. Its points are another game (2 for the winners, and hundredths for each
meld), so that only its winner can be compared."""
UNBID: Final = msgspec.structs.replace(ONE, name="botzone, nobody bid")
"""FightTheLandlord2 after three passes: player 0 is the landlord for a base of 1."""


class Layout(msgspec.Struct):
    """The hands as the judge notes them for itself: in `display` and `initdata`."""

    allocation: tuple[list[int], list[int], list[int]] | None = None
    """The hands; in FightTheLandlord player 0 has 20 cards."""
    publiccard: list[int] | None = None


class Request(msgspec.Struct):
    """What the judge tells a player whose turn it is."""

    own: list[int] | None = None
    bid: list[int] | None = None
    """The bids so far; stands in the auction alone."""
    history: tuple[list[int], list[int]] | None = None
    """The last play but one and the last play; empty for a pass and for what has not been."""
    publiccard: list[int] | None = None
    landlord: int | None = None
    pos: int | None = None
    finalbid: int | None = None


class Output(msgspec.Struct):
    """What the judge says: a request to one player, or the points of each."""

    command: Literal["request", "finish"]
    content: dict[str, Request | int | float]
    display: Layout | None = None
    initdata: Layout | None = None


class PlayerAnswer(msgspec.Struct):
    """What a player answers: points in the auction, a list of cards in the play."""

    verdict: str = "OK"
    response: Any = None


class LogEntry(msgspec.Struct, rename={"zero": "0", "one": "1", "two": "2"}):
    """One entry of the log: the judge's word and a player's answer take turns."""

    output: Output | None = None
    zero: PlayerAnswer | None = None
    one: PlayerAnswer | None = None
    two: PlayerAnswer | None = None

    @property
    def answers(self) -> dict[int, PlayerAnswer]:
        """The answers by player."""
        by_seat = enumerate((self.zero, self.one, self.two))
        return {seat: answer for seat, answer in by_seat if answer is not None}


class Match(msgspec.Struct, rename={"name": "_id"}):
    """A match as the platform hands it out, or as the judge is given it."""

    log: list[LogEntry] | None = None
    logs: list[LogEntry] | None = None
    initdata: Layout | str | None = None
    name: Any = None


def is_card(number: object) -> bool:
    """True for the ids 0 to 53."""
    return type(number) is int and 0 <= number < DECK_SIZE


def card_of(number: int) -> int:
    """Our card of botzone's id."""
    return number if number >= 52 else DECK.index(DECK[number][0] + SUITS[number % 4])


def called(number: int) -> str:
    """An id with the name of its card: `4 (4h)`."""
    return f"{number} ({DECK[card_of(number)]})"


def cards_of(numbers: list[int]) -> CardSet:
    """Our cards of botzone's ids, which are ids and differ."""
    return CardSet(sum(1 << card_of(number) for number in numbers))


def numbers_of(cards: CardSet) -> list[int]:
    """Botzone's ids of our cards, from low to high as its judge sorts them."""
    return sorted(_NUMBERS[card] for card in cards)


_NUMBERS: Final = {card_of(number): number for number in range(DECK_SIZE)}
