"""Cards read as melds, and the rules that say which there are: the objects of `melds`, `moves`, `counts`, `rules`.

`cards`, `core`, `kickers`, `hand`, `kitty` are rank letters, low to high, without suits, in the whole contract; what
has suits says so in its name (`suited`).
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from ddz.cards import Rank
from ddz.contract.base import Answer, Length, Ranks, RulesName
from ddz.frozen.shapes import AuctionKind, Kind, Rules
from ddz.melds import Meld

KindName = Annotated[Kind, Meta(description="The kind of the meld.")]
RankLetter = Annotated[Rank, Meta(description="The lowest core rank; of the rocket, the black joker.")]
Core = Annotated[str, Meta(description="The cards that compare, as rank letters, low to high.")]
Kickers = Annotated[str, Meta(description="The cards that ride along, as rank letters, low to high.")]
Knob = Annotated[bool, Meta(description="A knob of the rules: what its name says is allowed.")]
Factor = Annotated[int, Meta(description="A factor; 1 means that it does not count.")]


class ReadingJson(msgspec.Struct, frozen=True):
    """One way to read cards as a meld."""

    kind: KindName
    rank: RankLetter
    length: Length
    core: Core
    kickers: Kickers


class MoveJson(ReadingJson, frozen=True):
    """A reading and all its cards."""

    cards: Ranks


class MeldsJson(Answer, frozen=True, tag="ddz/melds@1"):
    """Every meld that exactly some cards are."""

    readings: Annotated[tuple[ReadingJson, ...], Meta(description="By kind, length and rank; none if it is no meld.")]


class MovesJson(Answer, frozen=True, tag="ddz/moves@1"):
    """What a hand may play."""

    moves: Annotated[tuple[MoveJson, ...], Meta(description="By kind, length and rank; each reading once.")]
    can_pass: Annotated[bool, Meta(description="There is something to beat, so one may also pass.")]


class CountsJson(Answer, frozen=True, tag="ddz/counts@1"):
    """How many melds the rules allow."""

    rules: RulesName
    sets: Annotated[int, Meta(description="Sets of cards by rank that are at least one meld.")]
    readings: Annotated[int, Meta(description="Melds: some sets are several.")]
    by_kind: Annotated[dict[str, int], Meta(description="Melds by kind.")]


class KickersJson(msgspec.Struct, frozen=True):
    """Which kickers a meld may carry, and whether quad+ melds exist."""

    core_kickers: Knob
    most_equal: Annotated[int, Meta(description="The most equal solo kickers, 1 to 4.")]
    equal_pairs: Knob
    both_jokers: Knob
    adjacent_trio: Knob
    quads: Knob


class KnobsJson(msgspec.Struct, frozen=True):
    """The rules of a house: all their knobs."""

    name: RulesName
    kickers: Annotated[KickersJson, Meta(description="Which kickers a meld may carry.")]
    auction: Annotated[AuctionKind, Meta(description="How the landlord is found.")]
    all_pass: Annotated[Literal["redeal", "void"], Meta(description="What happens when nobody bids.")]
    bomb: Factor
    rocket: Factor
    spring: Factor
    anti_spring: Factor
    escape_factor: Annotated[int, Meta(description="An escape costs base x multiplier x this many points ...")]
    escape_least: Annotated[int, Meta(description="... and at least this many points.")]


class RulesJson(Answer, frozen=True, tag="ddz/rules@1"):
    """Rules with all their knobs."""

    presets: Annotated[dict[str, KnobsJson], Meta(description="The rules by name.")]


def reading_json(meld: Meld) -> ReadingJson:
    """A reading: kind, rank, length, core and kickers."""
    return ReadingJson(meld.kind, meld.rank, meld.length, meld.core, meld.kickers)


def move_json(meld: Meld) -> MoveJson:
    """A reading and all its cards."""
    return MoveJson(meld.kind, meld.rank, meld.length, meld.core, meld.kickers, meld.cards.ranks)


def knobs_json(rules: Rules) -> KnobsJson:
    """All knobs of the rules."""
    kickers = KickersJson(**msgspec.structs.asdict(rules.kickers))
    return KnobsJson(**{**msgspec.structs.asdict(rules), "kickers": kickers})
