"""From events back to the commands that must have caused them, so that all of it can be decided again."""

from collections.abc import Sequence

from ddz.commands import (
    Bid,
    Command,
    Deal,
    Escape,
    Fork,
    GivenDeal,
    OpenGame,
    Pass,
    PassBid,
    Play,
    Seeds,
    Turn,
)
from ddz.frozen.events import (
    BidMade,
    BidPassed,
    CardsPlayed,
    Dealt,
    Event,
    GameForked,
    GameOpened,
    LandlordChosen,
    PlayPassed,
    SeatEscaped,
)
from ddz.frozen.shapes import Rules
from ddz.log.base import Row
from ddz.state import State, from_record, opening_of


def command_that_gave(events: Sequence[Event], at: int, state: State, rows: Sequence[Row]) -> Command | None:
    """The command that must have caused `events[at]`, the first of a batch; None if no command begins so."""
    event = events[at]
    command = seat_command(event)
    if command is not None:
        return command
    match event:
        case GameOpened():
            return _opening(event)
        case Dealt():
            opened = opening_of(state)
            if opened is None or opened.origin is None or event.number >= from_record(state):
                return Deal()
            return Deal(given_deal(events, at, opened.rules))
        case GameForked():
            return Fork(event.parent, rows[at].seq - 1, rows[at].prev, event.reason)
        case _:
            return None


def seat_command(event: Event) -> Turn | Escape | None:
    """The command of a seat that gave an event; None if no seat's command begins so."""
    match event:  # most frequent first
        case CardsPlayed():
            return Play(event.seat, event.cards, event.kind, event.rank)
        case PlayPassed():
            return Pass(event.seat)
        case BidMade():
            return Bid(event.seat, event.points)
        case BidPassed():
            return PassBid(event.seat)
        case SeatEscaped():
            return Escape(event.seat)
        case _:
            return None


def given_deal(events: Sequence[Event], at: int, rules: Rules) -> GivenDeal:
    """The deal `events[at]` as a record would bring it; with its landlord where the rules assign one."""
    dealt = events[at]
    assert isinstance(dealt, Dealt)
    chosen = next((event for event in events[at:] if isinstance(event, LandlordChosen)), None)
    if rules.auction != "assigned" or chosen is None:
        return GivenDeal(dealt.hands, dealt.kitty, dealt.first_voice)
    return GivenDeal(dealt.hands, dealt.kitty, dealt.first_voice, chosen.landlord, chosen.base)


def _opening(event: GameOpened) -> OpenGame | None:
    if not (is_seed(event.nonce) and is_seed(event.server_seed)):
        return None
    return OpenGame(
        game=event.game,
        match=event.match,
        round=event.round,
        previous=event.previous,
        players=event.players,
        rules=event.rules,
        seeds=Seeds(event.nonce, event.server_seed, event.seat_seeds, event.seed_chosen),
        first_voice=None if event.voice_from == "seed" else event.first_voice,
        voice_from=event.voice_from,
        origin=event.origin,
    )


def is_seed(text: str) -> bool:
    """True if the text is 32 bytes as we write them: 64 small hexadecimal digits."""
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        return False
    return len(seed) == 32 and seed.hex() == text
