"""Who plays, where a game comes from, and how it ended: the parts of many objects."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from ddz.cards import CardSet
from ddz.contract.base import Base, CauseJson, Multiplier, Payouts, SeatNumber
from ddz.frozen.shapes import Cause, Origin, Player, Score, Winner


class PlayerJson(msgspec.Struct, frozen=True):
    """Who sits at a seat."""

    name: Annotated[str, Meta(description="The player's name.")]
    kind: Annotated[Literal["human", "bot", "import"], Meta(description="A person, a bot, or a seat of a record.")]
    bot: Annotated[str, Meta(description="The name of the bot.")] | None
    version: Annotated[str, Meta(description="The version of the bot.")] | None


class ClaimJson(msgspec.Struct, frozen=True):
    """What the source of an imported game says of its end."""

    payouts: Payouts | None
    winner: Annotated[str, Meta(description="Who won, in the words of the source.")] | None


class OriginJson(msgspec.Struct, frozen=True):
    """Where an imported game comes from."""

    format: Annotated[str, Meta(description="The format of the record.")]
    source: Annotated[str, Meta(description="What the record calls itself, or the name of its file.")]
    claim: Annotated[ClaimJson, Meta(description="What the record says of its end.")] | None
    deals: Annotated[int, Meta(description="A number of deals: those that the record brought.")]
    seeds_given: Annotated[bool, Meta(description="The record brought its own seeds.")]


class ScoreJson(msgspec.Struct, frozen=True):
    """How a game ended, with everything that the points follow from."""

    winner: Annotated[Winner, Meta(description="The side that won.")]
    landlord: SeatNumber | None
    base: Base
    multiplier: Multiplier
    causes: Annotated[tuple[CauseJson, ...], Meta(description="One an occurrence, in the order that they happened.")]
    payouts: Payouts
    escaped: SeatNumber | None


def score_json(score: Score) -> ScoreJson:
    """A result."""
    return ScoreJson(
        score.winner,
        score.landlord,
        score.base,
        score.multiplier,
        causes_json(score.causes),
        score.payouts,
        score.escaped,
    )


def player_json(player: Player) -> PlayerJson:
    """A player."""
    return PlayerJson(player.name, player.kind, player.bot, player.version)


def origin_json(origin: Origin | None) -> OriginJson | None:
    """Where an imported game comes from; None where it was not imported."""
    if origin is None:
        return None
    claim = origin.claim
    told = None if claim is None else ClaimJson(claim.payouts, claim.winner)
    return OriginJson(origin.format, origin.source, told, origin.deals, origin.seeds_given)


def result_json(score: Score | None) -> ScoreJson | None:
    """A result; None where there is none."""
    return None if score is None else score_json(score)


def causes_json(causes: tuple[Cause, ...]) -> tuple[CauseJson, ...]:
    """What multiplies the base: names and factors."""
    return tuple([(cause.name, cause.factor) for cause in causes])


def ranks(cards: CardSet | None) -> str | None:
    """Cards without suits; None where they are hidden."""
    return None if cards is None else cards.ranks


def suited(cards: CardSet | None) -> str | None:
    """Cards with suits; None where they are hidden."""
    return None if cards is None else str(cards)
