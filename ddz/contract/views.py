"""The machine contract: how readings, views, events and results look in JSON. Never localised.

`cards`, `core`, `kickers`, `hand`, `kitty` are rank letters, low to high, without suits; what has suits says so
in its name (`suited`). Fields may be added; those that are here stay.
"""

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from ddz import kernel
from ddz.cards import CardSet
from ddz.commands import Bid, Pass, PassBid, Play, Turn
from ddz.errors import Refused
from ddz.frozen.events import CardsPlayed, GameScored, LandlordChosen
from ddz.frozen.shapes import Score
from ddz.melds import Meld, played_meld
from ddz.signs import in_json
from ddz.state import Played
from ddz.view import DealtView, EventView, OpenedView, OpenView, PublicView, SeatView

Json = dict[str, Any]


def encode(value: Mapping[str, Any]) -> str:
    """One line of JSON in which no sign acts on a terminal: each is escaped, and read as what it is."""
    try:
        raw = msgspec.json.encode(value).decode()
    except UnicodeEncodeError:  # the bytes of a file's name that are no text: halves of signs to Python
        raw = json.dumps(msgspec.to_builtins(value), ensure_ascii=False, separators=(",", ":"))
    return in_json(raw)


def reading_json(meld: Meld) -> Json:
    """A reading: kind, rank, length, core and kickers."""
    return {
        "kind": meld.kind.value,
        "rank": meld.rank.value,
        "length": meld.length,
        "core": meld.core,
        "kickers": meld.kickers,
    }


def move_json(meld: Meld) -> Json:
    """A reading and all its cards."""
    return {**reading_json(meld), "cards": meld.cards.ranks}


def turn_json(turn: Turn, meld: Meld | None = None) -> Json:
    """A legal turn: a bid, a pass, or a play with its reading."""
    match turn:
        case Bid():
            return {"type": "bid", "bid": turn.points}
        case PassBid() | Pass():
            return {"type": "pass"}
        case Play():
            assert meld is not None, "a legal play is a reading"
            return {"type": "play", **move_json(meld), "suited": str(turn.cards)}


def legal_json(legal: tuple[Turn, ...]) -> list[Json]:
    """Every legal turn, in its stable order."""
    return [turn_json(turn, _meld_of_play(turn)) for turn in legal]


def _meld_of_play(turn: Turn) -> Meld | None:
    if not isinstance(turn, Play):
        return None
    assert turn.kind is not None
    assert turn.rank is not None
    return Meld(turn.kind, turn.rank, kernel.length_of(turn.kind.index, len(turn.cards)), turn.cards)


def score_json(score: Score) -> Json:
    """A result."""
    return {
        "winner": score.winner,
        "landlord": score.landlord,
        "base": score.base,
        "multiplier": score.multiplier,
        "causes": [[cause.name, cause.factor] for cause in score.causes],
        "payouts": list(score.payouts),
        "escaped": score.escaped,
    }


def _turn_taken(played: Played | None) -> Json | None:
    if played is None:
        return None
    return {"type": "pass"} if played.meld is None else {"type": "play", **move_json(played.meld)}


def view_json(view: PublicView, legal: tuple[Turn, ...], game: str, seq: int) -> Json:
    """A view, `ddz/view@1`."""
    seat = view.seat if isinstance(view, SeatView) else None
    hand = view.hand if isinstance(view, SeatView) else None
    kitty = view.hidden_kitty if isinstance(view, OpenView) else view.kitty
    found: Json = {
        "schema": "ddz/view@1",
        "game": game,
        "seq": seq,
        "phase": view.phase,
        "turn": view.turn,
        "seat": seat,
        "hand": _ranks(hand),
        "hand_suited": _suited(hand),
        "counts": list(view.counts),
        "landlord": view.landlord,
        "base": view.base,
        "multiplier": view.multiplier,
        "causes": [[cause.name, cause.factor] for cause in view.causes],
        "kitty": _ranks(kitty),
        "kitty_suited": _suited(kitty),
        "first_voice": view.first_voice,
        "deal": view.deal_number,
        "round": view.round,
        "bids": [{"seat": call.seat, "bid": call.points} for call in view.calls],
        "top": {"seat": view.top.seat, **move_json(view.top.meld)} if view.top else None,
        "last_plays": [_turn_taken(played) for played in view.last_plays],
        "legal": legal_json(legal),
        "players": [msgspec.to_builtins(player) for player in view.players],
        "rules": view.rules.name,
        "result": score_json(view.score) if view.score else None,
    }
    if isinstance(view, OpenView):
        found["hands"] = [hand.ranks for hand in view.hands]
        found["hands_suited"] = [str(hand) for hand in view.hands]
    return found


def event_json(seq: int, event: EventView) -> Json:
    """One event as a viewer may see it."""
    head: Json = {"seq": seq, "type": str(event.__struct_config__.tag)}
    match event:
        case OpenedView():
            return {**head, **msgspec.to_builtins(event), "type": "game_opened"}
        case DealtView():
            return {
                **head,
                "number": event.number,
                "hands": [_ranks(hand) for hand in event.hands],
                "hands_suited": [_suited(hand) for hand in event.hands],
                "kitty": _ranks(event.kitty),
                "kitty_suited": _suited(event.kitty),
                "first_voice": event.first_voice,
            }
        case CardsPlayed():
            cause = [event.cause.name, event.cause.factor] if event.cause else None
            return {
                **head,
                "seat": event.seat,
                **move_json(played_meld(event)),
                "suited": str(event.cards),
                "cause": cause,
                "next": event.next,
            }
        case LandlordChosen():
            return {
                **head,
                "seat": event.landlord,
                "landlord": event.landlord,
                "base": event.base,
                "kitty": event.kitty.ranks,
                "kitty_suited": str(event.kitty),
            }
        case GameScored():
            return {**head, **score_json(event.score)}
        case _:
            return {**head, **msgspec.to_builtins(event)}


def refused_json(refused: Refused) -> Json:
    """A refusal, for programs."""
    return {"schema": "ddz/refused@1", "code": refused.code, "detail": refused.detail, "facts": refused.plain_facts}


def _ranks(cards: CardSet | None) -> str | None:
    return None if cards is None else cards.ranks


def _suited(cards: CardSet | None) -> str | None:
    return None if cards is None else str(cards)
