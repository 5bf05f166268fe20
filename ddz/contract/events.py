"""Events as a viewer may see them, and how a game ended."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ddz.contract.base import (
    Base,
    CauseJson,
    DealNumber,
    GameId,
    Hash,
    Length,
    Multiplier,
    Payouts,
    Points,
    Ranks,
    RoundNumber,
    SeatNumber,
    Seq,
    Suited,
    Time,
)
from ddz.contract.melds import Core, Kickers, KindName, KnobsJson, RankLetter, knobs_json, move_json
from ddz.contract.results import (
    OriginJson,
    PlayerJson,
    origin_json,
    player_json,
    ranks,
    score_json,
    suited,
)
from ddz.frozen import events
from ddz.frozen.shapes import ForkReason, VoiceFrom, Winner
from ddz.melds import played_meld
from ddz.view import DealtView, EventView, OpenedView


class EventJson(msgspec.Struct, frozen=True, kw_only=True):
    """One event as a viewer may see it."""

    seq: Seq | UnsetType = UNSET
    type: Annotated[str, Meta(description="What happened.")]


class OpenedJson(EventJson, frozen=True, kw_only=True):
    """A game begins."""

    type: Literal["game_opened"] = "game_opened"
    game: GameId
    match: Annotated[str, Meta(description="The id of the match: of its first game.")]
    round: RoundNumber
    previous: GameId | None
    players: tuple[PlayerJson, PlayerJson, PlayerJson]
    rules: KnobsJson
    first_voice: SeatNumber
    voice_from: Annotated[VoiceFrom, Meta(description="Where the first voice comes from.")]
    nonce: Annotated[str, Meta(description="Bytes of the deal, as hexadecimal digits.")]
    commitment: Annotated[str, Meta(description="What commits to the server seed, as hexadecimal digits.")]
    seat_seeds: Annotated[tuple[str, str, str], Meta(description="The words of each seat for the deal.")]
    seed_chosen: Annotated[bool, Meta(description="Somebody chose the seed, so it proves nothing about the deal.")]
    origin: OriginJson | None
    time: Time | UnsetType = UNSET


class DealtJson(EventJson, frozen=True, kw_only=True):
    """The cards are distributed."""

    type: Literal["dealt"] = "dealt"
    number: DealNumber
    hands: Annotated[tuple[Ranks | None, ...], Meta(description="A hand a seat; null where it is hidden.")]
    hands_suited: Annotated[tuple[Suited | None, ...], Meta(description="A hand a seat; null where it is hidden.")]
    kitty: Ranks | None
    kitty_suited: Suited | None
    first_voice: SeatNumber
    time: Time | UnsetType = UNSET


class BidMadeJson(EventJson, frozen=True, kw_only=True):
    """A seat bids."""

    type: Literal["bid_made"] = "bid_made"
    seat: SeatNumber
    points: Points
    next: SeatNumber | None
    time: Time | UnsetType = UNSET


class BidPassedJson(EventJson, frozen=True, kw_only=True):
    """A seat passes in the auction."""

    type: Literal["bid_passed"] = "bid_passed"
    seat: SeatNumber
    next: SeatNumber | None
    time: Time | UnsetType = UNSET


class DealVoidedJson(EventJson, frozen=True, kw_only=True):
    """Nobody bid."""

    type: Literal["deal_voided"] = "deal_voided"
    next_voice: SeatNumber
    time: Time | UnsetType = UNSET


class LandlordJson(EventJson, frozen=True, kw_only=True):
    """The auction has a winner, who takes the kitty and leads."""

    type: Literal["landlord_chosen"] = "landlord_chosen"
    seat: SeatNumber
    landlord: SeatNumber
    base: Base
    kitty: Ranks
    kitty_suited: Suited
    time: Time | UnsetType = UNSET


class PlayedJson(EventJson, frozen=True, kw_only=True):
    """A seat plays a meld."""

    type: Literal["cards_played"] = "cards_played"
    seat: SeatNumber
    kind: KindName
    rank: RankLetter
    length: Length
    core: Core
    kickers: Kickers
    cards: Ranks
    suited: Suited
    cause: CauseJson | None
    next: SeatNumber | None
    time: Time | UnsetType = UNSET


class PassedJson(EventJson, frozen=True, kw_only=True):
    """A seat lets the top stand."""

    type: Literal["play_passed"] = "play_passed"
    seat: SeatNumber
    next: SeatNumber
    cleared: Annotated[bool, Meta(description="It was the second pass in a row: the next seat leads.")]
    time: Time | UnsetType = UNSET


class EscapedJson(EventJson, frozen=True, kw_only=True):
    """A seat leaves the game, which ends it."""

    type: Literal["seat_escaped"] = "seat_escaped"
    seat: SeatNumber
    time: Time | UnsetType = UNSET


class ScoredJson(EventJson, frozen=True, kw_only=True):
    """The game is over."""

    type: Literal["game_scored"] = "game_scored"
    winner: Annotated[Winner, Meta(description="The side that won.")]
    landlord: SeatNumber | None
    base: Base
    multiplier: Multiplier
    causes: Annotated[tuple[CauseJson, ...], Meta(description="One an occurrence, in the order that they happened.")]
    payouts: Payouts
    escaped: SeatNumber | None
    time: Time | UnsetType = UNSET


class RevealedJson(EventJson, frozen=True, kw_only=True):
    """The server seed, for everybody to hold the deals against the commitment."""

    type: Literal["seed_revealed"] = "seed_revealed"
    server_seed: Annotated[str, Meta(description="Bytes of the deal, as hexadecimal digits.")]
    time: Time | UnsetType = UNSET


class ForkedJson(EventJson, frozen=True, kw_only=True):
    """A line of its own begins."""

    type: Literal["game_forked"] = "game_forked"
    parent: GameId
    at: Annotated[int, Meta(description="The number of the last inherited event.")]
    parent_head: Hash
    reason: Annotated[ForkReason, Meta(description="Why: to explore, or to take a move back.")]
    time: Time | UnsetType = UNSET


AnyEvent = (
    OpenedJson
    | DealtJson
    | BidMadeJson
    | BidPassedJson
    | DealVoidedJson
    | LandlordJson
    | PlayedJson
    | PassedJson
    | EscapedJson
    | ScoredJson
    | RevealedJson
    | ForkedJson
)


def event_json(seq: int | UnsetType, event: EventView, time: str | UnsetType = UNSET) -> AnyEvent:
    """One event as a viewer may see it; with its number in its line, and with its time, where they are given."""
    match event:
        case OpenedView():
            return _opened(seq, event, time)
        case DealtView():
            return DealtJson(
                seq=seq,
                number=event.number,
                hands=tuple([ranks(hand) for hand in event.hands]),
                hands_suited=tuple([suited(hand) for hand in event.hands]),
                kitty=ranks(event.kitty),
                kitty_suited=suited(event.kitty),
                first_voice=event.first_voice,
                time=time,
            )
        case events.CardsPlayed():
            return _played(seq, event, time)
        case events.LandlordChosen():
            return LandlordJson(
                seq=seq,
                seat=event.landlord,
                landlord=event.landlord,
                base=event.base,
                kitty=event.kitty.ranks,
                kitty_suited=str(event.kitty),
                time=time,
            )
        case events.GameScored():
            return ScoredJson(seq=seq, time=time, **msgspec.structs.asdict(score_json(event.score)))
        case events.Dealt() | events.GameOpened():
            raise AssertionError("a deal and an opening are shown as a viewer may see them (ddz.view.redact)")
        case _:
            return _AS_IT_IS[type(event)](seq=seq, time=time, **msgspec.structs.asdict(event))


_AS_IT_IS: dict[type, type[AnyEvent]] = {
    events.BidMade: BidMadeJson,
    events.BidPassed: BidPassedJson,
    events.DealVoided: DealVoidedJson,
    events.PlayPassed: PassedJson,
    events.SeatEscaped: EscapedJson,
    events.SeedRevealed: RevealedJson,
    events.GameForked: ForkedJson,
}
"""Events whose fields the contract has under the same names."""


def _opened(seq: int | UnsetType, event: OpenedView, time: str | UnsetType) -> OpenedJson:
    facts = msgspec.structs.asdict(event)
    one, two, three = event.players
    facts |= {
        "players": (player_json(one), player_json(two), player_json(three)),
        "rules": knobs_json(event.rules),
        "origin": origin_json(event.origin),
    }
    return OpenedJson(seq=seq, time=time, **facts)


def _played(seq: int | UnsetType, event: events.CardsPlayed, time: str | UnsetType) -> PlayedJson:
    return PlayedJson(
        seq=seq,
        seat=event.seat,
        suited=str(event.cards),
        cause=(event.cause.name, event.cause.factor) if event.cause else None,
        next=event.next,
        time=time,
        **msgspec.structs.asdict(move_json(played_meld(event))),
    )
