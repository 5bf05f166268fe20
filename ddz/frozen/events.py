"""What has happened. Fat on purpose: an event says all that follows from it, so that `evolve` needs no rule.

Frozen: how a field is added is told in `ddz/frozen/__init__.py`.
"""

from typing import Annotated

import msgspec

from ddz.cards import RANKS, CardSet, Rank
from ddz.frozen.shapes import Base, Cause, ForkReason, Kind, Origin, Players, Rules, Score, Seat, VoiceFrom


class GameOpened(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="game_opened"):
    """A game begins: the first event of every game that is no fork."""

    game: str
    match: str
    """The id of the match's first game."""
    round: int
    """1 for the first game of a match."""
    previous: str | None
    """The game (or the line of it) of the round before."""
    players: Players
    rules: Rules
    first_voice: Seat
    voice_from: VoiceFrom
    """Where the first voice comes from: the seed, a person's choice, the game before, a record."""
    nonce: str
    commitment: str
    seat_seeds: tuple[str, str, str]
    server_seed: str
    """Secret until SeedRevealed; no view shows it."""
    seed_chosen: bool
    origin: Origin | None


class Dealt(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="dealt"):
    """The cards are distributed and the auction opens."""

    number: int
    """0, 1, ... over the redeals of a game."""
    hands: tuple[CardSet, CardSet, CardSet]
    """17 cards a seat."""
    kitty: CardSet
    """3 cards."""
    first_voice: Seat


class BidMade(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="bid_made"):
    """A seat bids."""

    seat: Seat
    points: Base
    next: Seat | None
    """Whose voice is next; None when the auction is over."""


class BidPassed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="bid_passed"):
    """A seat passes in the auction."""

    seat: Seat
    next: Seat | None


class DealVoided(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="deal_voided"):
    """Nobody bid."""

    next_voice: Seat
    """The first voice of the deal that follows."""


class LandlordChosen(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="landlord_chosen"):
    """The auction has a winner, who takes the kitty and leads."""

    landlord: Seat
    base: Base
    kitty: CardSet


class CardsPlayed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="cards_played"):
    """A seat plays a meld."""

    seat: Seat
    kind: Kind
    rank: Rank
    length: Annotated[int, msgspec.Meta(ge=0, le=len(RANKS))]
    cards: CardSet
    cause: Cause | None
    """What the meld does to the multiplier."""
    next: Seat | None
    """Who acts next; None when the hand is empty and the deal is over."""


class PlayPassed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="play_passed"):
    """A seat lets the top stand."""

    seat: Seat
    next: Seat
    cleared: bool
    """It was the second pass in a row: `next` leads."""


class SeatEscaped(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="seat_escaped"):
    """A seat leaves the game, which ends it."""

    seat: Seat


class GameScored(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="game_scored"):
    """The game is over."""

    score: Score


class SeedRevealed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="seed_revealed"):
    """The server seed, for everybody to hold the deals against the commitment."""

    server_seed: str


class GameForked(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="game_forked"):
    """A line of its own begins: the first event that a fork does not inherit."""

    parent: str
    """The game or fork that was named; it may itself inherit the point of the fork."""
    at: int
    """The seq of the last inherited event."""
    parent_head: str
    """The hash of that event."""
    reason: ForkReason


Event = (
    GameOpened
    | Dealt
    | BidMade
    | BidPassed
    | DealVoided
    | LandlordChosen
    | CardsPlayed
    | PlayPassed
    | SeatEscaped
    | GameScored
    | SeedRevealed
    | GameForked
)


def tag_of(event: Event) -> str:
    """The event's type as it is stored and printed: `cards_played`."""
    return str(event.__struct_config__.tag)
