"""What stands against a command, a check each: `decide` asks them, first the phase, then the turn, then the move."""

from collections.abc import Mapping
from typing import Final, Literal

from ddz.auction import HIGHEST_BID, allowed_bids, highest
from ddz.cards import DECK, FULL_DECK, LETTERS, CardSet, card_not_held, not_held, union
from ddz.commands import GivenDeal
from ddz.errors import Phrase, Refused
from ddz.frozen.events import GameOpened
from ddz.frozen.shapes import Seat
from ddz.kernel import lane
from ddz.rules import SEATS
from ddz.state import Auction, Opened, Over, Playing, State, Unopened, Void, in_batch

_IN_ITS_PLAY: Final = Phrase("now/playing", "in its play")
_BETWEEN: Final = Phrase("now/between", "between two phases")
_NOW: Final[Mapping[type, Phrase]] = {
    Unopened: Phrase("now/not-open", "not open yet"),
    Auction: Phrase("now/auction", "in its auction"),
    Void: Phrase("now/void", "waiting for a new deal"),
}
_WHAT: Final = {
    "deal": Phrase("what/deal", "deal"),
    "bid": Phrase("what/bid", "bid"),
    "play": Phrase("what/play", "play"),
    "pass": Phrase("what/pass", "pass"),
    "escape": Phrase("what/escape", "escape"),
}


def wrong_phase(state: State, what: Literal["deal", "bid", "play", "pass", "escape"]) -> Refused:
    """The refusal of a command that has no place in this phase."""
    if isinstance(state, Over):
        return Refused("game/over", "the game is over")
    if isinstance(state, Playing):
        now = _IN_ITS_PLAY
    else:
        now = _BETWEEN if in_batch(state) else _NOW.get(type(state), _BETWEEN)
    return Refused("phase/wrong", "no {what} now: the game is {now}", what=_WHAT[what], now=now)


def check_is_seat(seat: int) -> None:
    """Refuse a seat that no table has: `seat/unknown`."""
    if seat not in SEATS:
        raise Refused("seat/unknown", "there is no seat {seat}, only 0, 1 and 2", seat=seat)


def check_turn(turn: Seat, seat: int) -> None:
    """Refuse a seat that is not to act: `turn/not-yours`."""
    if seat != turn:
        raise Refused("turn/not-yours", "it is seat {turn}'s turn, not seat {seat}'s", turn=turn, seat=seat)


def check_source(state: Opened | Void, number: int, given: GivenDeal | None) -> None:
    """Refuse a deal that does not come from where deal `number` must come from, the seed or the record."""
    brought = state.opened.origin is not None and number < state.from_record
    if given is None and brought:
        raise Refused("deal/from-record", "deal {number} must come from the record, not from the seed", number=number)
    if given is not None and not brought:
        raise Refused(
            "deal/not-from-seed", "deal {number} must come from the seed: nobody may choose its cards", number=number
        )


def check_seeds(opened: GameOpened) -> None:
    """Refuse to deal from what is no seed, as somebody may have stored: `deal/no-seeds`."""
    try:
        bytes.fromhex(opened.nonce)
        bytes.fromhex(opened.server_seed)
    except ValueError:
        raise Refused(
            "deal/no-seeds", "the game's seeds are not hexadecimal digits, so no deal follows from them"
        ) from None


def check_given(state: Opened | Void, voice: Seat, given: GivenDeal) -> None:
    """Refuse a record's deal without all 54 cards, its first voice, or a landlord just where the rules assign one."""
    sizes = (*(len(hand) for hand in given.hands), len(given.kitty))
    if sizes != (17, 17, 17, 3):
        raise Refused(
            "deal/wrong-size",
            "the hands hold {hands} and the kitty {kitty} cards, not 17, 17, 17 and 3",
            hands=", ".join(map(str, sizes[:3])),
            kitty=sizes[3],
        )
    missing = FULL_DECK - (union(given.hands) | given.kitty)
    if missing:
        card = DECK[next(iter(missing))]
        raise Refused("deal/not-54", "the card {card} is missing, so another one occurs twice", card=card)
    if given.first_voice != voice:
        raise Refused(
            "deal/wrong-voice",
            "seat {expected} has the first voice in this deal, not seat {seat}",
            expected=voice,
            seat=given.first_voice,
        )
    assigned = state.opened.rules.auction == "assigned"
    if (given.landlord is not None) != assigned or (given.base is not None and not assigned):
        raise Refused("deal/assigned", "a deal gives a landlord and a base if the rules assign them, and only then")
    if given.landlord is not None:
        check_is_seat(given.landlord)
    if given.base is not None and given.base < 1:
        raise Refused("deal/assigned", "a base is at least 1 point, not {base}", base=given.base)


def check_bid(state: Auction, points: int) -> None:
    """Refuse a bid that does not exist, or that is not higher than the highest so far."""
    if points in allowed_bids(state.calls):
        return
    if not 1 <= points <= HIGHEST_BID:
        raise Refused("bid/no-such-bid", "a bid is 1, 2 or 3 points, not {points}", points=points)
    best = highest(state.calls)
    assert best is not None
    raise Refused(
        "bid/too-low",
        "a bid of {points} is not higher than seat {seat}'s bid of {best}",
        points=points,
        seat=best.seat,
        best=best.points,
    )


def check_held(hand: CardSet, cards: CardSet) -> None:
    """Refuse cards that the hand does not hold: `play/not-held`, by rank where too few of one are there."""
    if hand >= cards:
        return
    for rank, letter in enumerate(LETTERS):
        wanted, held = lane(cards.counts, rank), lane(hand.counts, rank)
        if wanted > held:
            raise not_held(letter, wanted, held)
    raise card_not_held(DECK[next(iter(cards - hand))])
