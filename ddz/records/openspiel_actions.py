"""The numbers and the texts of OpenSpiel's dou_dizhu: what each of its actions is.

Found by asking OpenSpiel 2.0.2 (`action_to_string` of every action, `history` of its games); the tests ask it again.
Chance has 105 actions: 0 to 50 say which of the cards dealt lies face up, 51 to 104 deal a card (`Deal C3`: clubs 3
to 2, diamonds, hearts, spades, then the jokers `(BWJ)` black and `(CJ)` red). A seat has 26,057: 0 is the pass, in
the auction and in the play, 1 to 3 bid, and 4 to 26,056 are the readings of the preset `openspiel`. Those stand by
kind in its own order, then by length, then by rank, then by kickers, where of two choices the one whose highest card
is lower comes first; that is the order of our packed counts.
"""

import functools
import re
from typing import Final

from ddz import kernel
from ddz.cards import DECK, FULL_DECK, parse_ranks, rank_letters
from ddz.errors import Unreadable
from ddz.rules import PRESETS

Reading = tuple[int, int, int, int]
"""Kind, length, rank and packed cards, in the kernel's numbers."""

RULES: Final = PRESETS["openspiel"]
PASS: Final = 0
HIGHEST_BID: Final = 3
FIRST_PLAY: Final = 4
LAST_PLAY: Final = 26056
DEALT: Final = 51
"""How many cards are dealt; also how many places there are for the card that lies face up, and the first deal."""
LAST_DEAL: Final = 104

_KINDS: Final = (
    *(kernel.SOLO, kernel.CHAIN, kernel.PAIR, kernel.PAIR_CHAIN, kernel.TRIO, kernel.TRIO_SOLO, kernel.TRIO_PAIR),
    *(kernel.AIRPLANE, kernel.AIRPLANE_SOLOS, kernel.AIRPLANE_PAIRS, kernel.BOMB, kernel.ROCKET),
)
"""In OpenSpiel's order; it has no quad with kickers."""
_WITH_KICKERS: Final = (kernel.AIRPLANE_SOLOS, kernel.AIRPLANE_PAIRS)
_JOKERS: Final = {"B": "(BWJ)", "R": "(CJ)"}
_SUITS: Final = "CDHS"
FACE_UP: Final = "Decide first card up position "
_DEAL: Final = "Deal "
_NUMBER: Final = re.compile(r"\d{1,9}", re.ASCII)


@functools.cache
def readings() -> tuple[Reading, ...]:
    """What its actions are from `FIRST_PLAY` on."""
    every = kernel.leads(FULL_DECK.counts, RULES.kickers.code)
    place = {kind: at for at, kind in enumerate(_KINDS)}
    return tuple(sorted(every, key=lambda reading: (place[reading[0]], *reading[1:])))


@functools.cache
def _actions() -> dict[Reading, int]:
    return {reading: action for action, reading in enumerate(readings(), FIRST_PLAY)}


def action_of(reading: Reading) -> int | None:
    """Its action for a reading; None if it has none."""
    return _actions().get(reading)


def text_of(reading: Reading) -> str:
    """Its text for a reading: `3334`, `(BWJ)(CJ)`, and `333444-56` where there is a choice what the kickers are."""
    kind, length, rank, cards = reading
    if kind not in _WITH_KICKERS:
        return _spelled(cards)
    core = kernel.block(kernel.CORE_COPIES[kind], rank, length)
    return f"{_spelled(core)}-{_spelled(cards - core)}"


def _spelled(packed: int) -> str:
    return "".join(_JOKERS.get(letter, letter) for letter in rank_letters(packed))


def reading_of(text: str) -> Reading | None:
    """The reading that its text names, spelled exactly so; None if it names none."""
    plain = text.replace("(BWJ)", "B").replace("(CJ)", "R").replace("-", "")
    if len(plain) > kernel.LARGEST_HAND:
        return None
    try:
        cards = parse_ranks(plain)
    except Unreadable:
        return None
    every = ((*shape, cards) for shape in kernel.readings(cards, RULES.kickers.code))
    return next((reading for reading in every if text_of(reading) == text), None)


def deal_of(card: int) -> int:
    """The action that deals card `card` of our deck."""
    return DEALT + (card if card >= 52 else card % 4 * 13 + card // 4)


def card_of(action: int) -> int:
    """The card of our deck that an action deals."""
    number = action - DEALT
    return number if number >= 52 else number % 13 * 4 + number // 13


def card_text(card: int) -> str:
    """Its text for a card of our deck: `C3`, `(CJ)`."""
    name = DECK[card]
    return _JOKERS.get(name) or f"{_SUITS[card % 4]}{name[0]}"


@functools.cache
def _deals() -> dict[str, int]:
    return {card_text(card_of(action)): action for action in range(DEALT, LAST_DEAL + 1)}


def number_of(text: str) -> int | None:
    """A number as it stands in a list of actions; None if the text is none."""
    return int(text) if _NUMBER.fullmatch(text) else None


def face_up_of(text: str) -> int | None:
    """The number after `Decide first card up position `; None if the text does not begin so."""
    return number_of(text.removeprefix(FACE_UP)) if text.startswith(FACE_UP) else None


def dealing_of(text: str) -> int | None:
    """The action that a text such as `Deal C3` names; None if it names none."""
    return _deals().get(text.removeprefix(_DEAL)) if text.startswith(_DEAL) else None


def voice_of(text: str) -> int | None:
    """The action of `Pass` or `Bid 1` to `Bid 3`; None for any other text."""
    voices = ("Pass", *(f"Bid {points}" for points in range(1, HIGHEST_BID + 1)))
    return voices.index(text) if text in voices else None
