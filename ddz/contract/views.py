"""A game as it stands, as a viewer may see it, and what the seat to act may do."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ddz import kernel
from ddz.commands import Bid, Pass, PassBid, Play, Turn
from ddz.contract.base import (
    Answer,
    Base,
    CauseJson,
    DealNumber,
    GameId,
    LastSeq,
    Length,
    Multiplier,
    Ranks,
    RoundNumber,
    RulesName,
    SeatNumber,
    Suited,
)
from ddz.contract.melds import Core, Kickers, KindName, MoveJson, RankLetter, move_json
from ddz.contract.results import PlayerJson, ScoreJson, causes_json, player_json, ranks, result_json, suited
from ddz.melds import Meld
from ddz.state import Played, Top
from ddz.view import OpenView, Phase, PublicView, SeatView

PhaseName = Annotated[Phase, Meta(description="Where the game stands.")]
Bidding = Annotated[int, Meta(description="Points: 1, 2 or 3.")]


class BidJson(msgspec.Struct, frozen=True, tag_field="type", tag="bid"):
    """A bid."""

    bid: Bidding


class PassJson(msgspec.Struct, frozen=True, tag_field="type", tag="pass"):
    """A pass, in the auction or in the play."""


class LegalPlayJson(MoveJson, frozen=True, tag_field="type", tag="play"):
    """A legal play, with its reading."""

    suited: Suited


class LastPlayJson(MoveJson, frozen=True, tag_field="type", tag="play"):
    """What a seat has played."""


class CallJson(msgspec.Struct, frozen=True):
    """A voice in the auction."""

    seat: SeatNumber
    bid: Annotated[int, Meta(description="Points; 0 is a pass.")]


class TopJson(msgspec.Struct, frozen=True):
    """The meld to beat and whose it is."""

    seat: SeatNumber
    kind: KindName
    rank: RankLetter
    length: Length
    core: Core
    kickers: Kickers
    cards: Ranks


class ViewJson(Answer, frozen=True, tag="ddz/view@1"):
    """A game as it stands, as a viewer may see it."""

    game: GameId
    seq: LastSeq
    phase: PhaseName
    turn: Annotated[SeatNumber, Meta(description="The seat to act: 0, 1 or 2.")] | None
    seat: Annotated[SeatNumber, Meta(description="The seat whose view it is: 0, 1 or 2; null for the table.")] | None
    hand: Ranks | None
    hand_suited: Suited | None
    counts: Annotated[tuple[int, int, int], Meta(description="How many cards each seat holds.")]
    landlord: SeatNumber | None
    base: Base
    multiplier: Multiplier
    causes: Annotated[tuple[CauseJson, ...], Meta(description="What multiplies the base so far.")]
    kitty: Ranks | None
    kitty_suited: Suited | None
    first_voice: SeatNumber
    deal: DealNumber
    round: RoundNumber
    bids: Annotated[tuple[CallJson, ...], Meta(description="Every voice of the auction so far.")]
    top: TopJson | None
    last_plays: Annotated[
        tuple[LastPlayJson | PassJson | None, ...],
        Meta(description="The last turn of each seat in the play; null if it has had none."),
    ]
    legal: Annotated[
        tuple[BidJson | PassJson | LegalPlayJson, ...],
        Meta(description="Every legal turn of the seat to act, in a stable order, where the viewer may see them."),
    ]
    players: Annotated[tuple[PlayerJson, PlayerJson, PlayerJson], Meta(description="Who sits at the seats.")]
    rules: RulesName
    result: ScoreJson | None
    hands: (
        Annotated[tuple[Ranks, ...], Meta(description="All hands, a seat each; only for one who sees all.")] | UnsetType
    ) = UNSET
    hands_suited: (
        Annotated[tuple[Suited, ...], Meta(description="All hands, a seat each; only for one who sees all.")]
        | UnsetType
    ) = UNSET


def turn_json(turn: Turn, meld: Meld | None = None) -> BidJson | PassJson | LegalPlayJson:
    """A legal turn: a bid, a pass, or a play with its reading."""
    match turn:
        case Bid():
            return BidJson(turn.points)
        case PassBid() | Pass():
            return PassJson()
        case Play():
            assert meld is not None, "a legal play is a reading"
            return LegalPlayJson(**msgspec.structs.asdict(move_json(meld)), suited=str(turn.cards))


def _meld_of_play(turn: Turn) -> Meld | None:
    if not isinstance(turn, Play):
        return None
    assert turn.kind is not None
    assert turn.rank is not None
    return Meld(turn.kind, turn.rank, kernel.length_of(turn.kind.index, len(turn.cards)), turn.cards)


def _last_play(played: Played | None) -> LastPlayJson | PassJson | None:
    if played is None:
        return None
    return PassJson() if played.meld is None else LastPlayJson(**msgspec.structs.asdict(move_json(played.meld)))


def _top(top: Top | None) -> TopJson | None:
    return None if top is None else TopJson(top.seat, **msgspec.structs.asdict(move_json(top.meld)))


def view_json(view: PublicView, legal: tuple[Turn, ...], game: str, seq: int) -> ViewJson:
    """A view, `ddz/view@1`."""
    hand = view.hand if isinstance(view, SeatView) else None
    kitty = view.hidden_kitty if isinstance(view, OpenView) else view.kitty
    hands = view.hands if isinstance(view, OpenView) else None
    one, two, three = view.players
    return ViewJson(
        game=game,
        seq=seq,
        phase=view.phase,
        turn=view.turn,
        seat=view.seat if isinstance(view, SeatView) else None,
        hand=ranks(hand),
        hand_suited=suited(hand),
        counts=view.counts,
        landlord=view.landlord,
        base=view.base,
        multiplier=view.multiplier,
        causes=causes_json(view.causes),
        kitty=ranks(kitty),
        kitty_suited=suited(kitty),
        first_voice=view.first_voice,
        deal=view.deal_number,
        round=view.round,
        bids=tuple([CallJson(call.seat, call.points) for call in view.calls]),
        top=_top(view.top),
        last_plays=tuple(map(_last_play, view.last_plays)),
        legal=tuple([turn_json(turn, _meld_of_play(turn)) for turn in legal]),
        players=(player_json(one), player_json(two), player_json(three)),
        rules=view.rules.name,
        result=result_json(view.score),
        hands=UNSET if hands is None else tuple([hand.ranks for hand in hands]),
        hands_suited=UNSET if hands is None else tuple(map(str, hands)),
    )
