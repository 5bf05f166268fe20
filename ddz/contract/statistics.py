"""What many games come to: statistics of a log, tables of it, and arenas."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from ddz.contract.base import Answer, File, Games, RulesName, SeatNumber
from ddz.intervals import Interval

Rate = Annotated[Interval, Meta(description="A share, 0 to 1, with its interval.")]
PerGame = Annotated[Interval, Meta(description="Points a game, with their interval.")]
BotName = Annotated[str, Meta(description="The name of a bot.")]


class PointsJson(msgspec.Struct, frozen=True):
    """Points a game and seat, over all games: with an escape, and those that nobody bid for, too."""

    games: Games
    mean: PerGame | None


class PerformanceJson(msgspec.Struct, frozen=True):
    """Wins and points of a side, a seat or a player."""

    games: Annotated[int, Meta(description="Games in which one side won: the trials of the rate.")]
    wins: Annotated[
        int | float, Meta(description="Games won; a player with several seats in a game won the share that did.")
    ]
    rate: Annotated[Interval, Meta(description="Wins by games, 0 to 1, with its interval.")] | None
    points: Annotated[PointsJson, Meta(description="Points a game.")]


class RolesJson(msgspec.Struct, frozen=True):
    """Standings in all, and by role."""

    all: PerformanceJson
    landlord: PerformanceJson
    peasant: PerformanceJson


class SeatPerformanceJson(msgspec.Struct, frozen=True):
    """A seat."""

    seat: SeatNumber
    roles: RolesJson


class PlayerPerformanceJson(msgspec.Struct, frozen=True):
    """A bot of one version; or all humans, or all imported seats, together."""

    kind: Annotated[str, Meta(description="`human`, `bot` or `import`.")]
    bot: BotName | None
    version: Annotated[str, Meta(description="The version of the bot.")] | None
    seats: Annotated[int, Meta(description="Seats in all these games.")]
    roles: RolesJson


class SpreadJson(msgspec.Struct, frozen=True):
    """A number that each game has."""

    mean: Annotated[Interval, Meta(description="Its mean, with its interval.")] | None
    min: Annotated[int, Meta(description="Its least value.")] | None
    median: Annotated[float, Meta(description="Its median.")] | None
    max: Annotated[int, Meta(description="Its greatest value.")] | None
    games: Annotated[dict[str, int], Meta(description="How many games have each value, from the lowest on.")]


class FrequencyJson(msgspec.Struct, frozen=True):
    """How often something happened."""

    times: Annotated[int, Meta(description="How often.")]
    games: Annotated[int, Meta(description="Games in which it did.")]
    rate: Annotated[Interval, Meta(description="The share of these games, 0 to 1, with its interval.")] | None


class EscapesJson(msgspec.Struct, frozen=True):
    """Games that a seat left."""

    games: Games
    rate: Rate | None
    by: Annotated[
        dict[str, int],
        Meta(description="Games: `auction` where there was no landlord yet, else by the role of the seat."),
    ]


class MeldShareJson(msgspec.Struct, frozen=True):
    """A kind of meld."""

    plays: Annotated[int, Meta(description="How often it was played.")]
    share: Annotated[float, Meta(description="The share of all plays, 0 to 1.")] | None


class FilterJson(msgspec.Struct, frozen=True):
    """Which games were asked for. That one match alone was is not said: its name is an id."""

    rules: RulesName | None
    bot: BotName | None


class StatsJson(Answer, frozen=True, kw_only=True, tag="ddz/stats@1"):
    """What the games of a log come to. Nothing depends on ids, times, paths or the order of the games."""

    filter: FilterJson
    confidence: Annotated[float, Meta(description="The confidence of all intervals, 0 to 1.")]
    rules: Annotated[dict[str, int], Meta(description="Games by the name of their rules.")]
    games: Annotated[int, Meta(description="Games that are over, each counted once: all that follows is about them.")]
    decided: Annotated[int, Meta(description="Of these, games that one side won; from `base` on it is about them.")]
    unfinished: Annotated[int, Meta(description="Games that go on.")]
    explored: Annotated[int, Meta(description="Forks that are explorations, which no match counts.")]
    superseded: Annotated[int, Meta(description="Lines taken back, and games that their match went on without.")]
    winners: Annotated[dict[str, int], Meta(description="Games by the side that won.")]
    sides: Annotated[
        dict[str, PerformanceJson], Meta(description="landlord, and peasants: the two in a game have one result.")
    ]
    seats: Annotated[tuple[SeatPerformanceJson, ...], Meta(description="The seats 0, 1 and 2.")]
    players: Annotated[tuple[PlayerPerformanceJson, ...], Meta(description="By kind, bot and version.")]
    redeals: Annotated[SpreadJson, Meta(description="Deals that nobody bid for.")]
    escapes: EscapesJson
    base: Annotated[SpreadJson, Meta(description="Points before anything multiplies them.")]
    multiplier: Annotated[SpreadJson, Meta(description="The product of the factors of all causes.")]
    turns: Annotated[SpreadJson, Meta(description="Plays and passes.")]
    plays: Annotated[SpreadJson, Meta(description="Plays.")]
    causes: Annotated[dict[str, FrequencyJson], Meta(description="What multiplies the base, by name.")]
    melds: Annotated[dict[str, MeldShareJson], Meta(description="The melds that were played, by kind.")]


class TableJson(msgspec.Struct, frozen=True):
    """A table in a file."""

    table: Annotated[str, Meta(description="The name of the table.")]
    file: File
    rows: Annotated[int, Meta(description="A number of rows.")]


PARQUET: Final = "ddz/parquet@1"
"""Stands also in the metadata of each file, under the key `ddz`."""


class ParquetJson(Answer, frozen=True, tag=PARQUET):
    """The tables that were written."""

    tables: Annotated[tuple[TableJson, ...], Meta(description="In the order in which they were written.")]


Wins = Annotated[float, Meta(description="The share of the games won, 0 to 1.")]
WinsBound = Annotated[float, Meta(description="A bound of its 95 % interval, 0 to 1.")]
ADP = Annotated[float, Meta(description="Points a game.")]
ADPBound = Annotated[float, Meta(description="Points a game: a bound of the 95 % interval.")]
Elo = Annotated[float, Meta(description="Elo points; the mean of all bots is 1500.")]


class RateJson(msgspec.Struct, frozen=True):
    """Wins and points of the first of a pair of bots; null without games."""

    games: Games
    wp: Wins | None
    wp_low: WinsBound | None
    wp_high: WinsBound | None
    adp: ADP | None
    adp_low: ADPBound | None
    adp_high: ADPBound | None


class ByRoleJson(msgspec.Struct, frozen=True):
    """Rates by role."""

    landlord: RateJson
    peasants: RateJson


class ThinkingJson(msgspec.Struct, frozen=True):
    """How long a bot thinks about a choice."""

    median: Annotated[float, Meta(description="Milliseconds.")] | None
    p95: Annotated[float, Meta(description="Milliseconds, within which 95 % of the choices were made.")] | None
    choices: Annotated[int, Meta(description="A number of choices.")]


class ThinkingOfBothJson(msgspec.Struct, frozen=True):
    """How long the two bots of a pair think."""

    a: ThinkingJson
    b: ThinkingJson


class MeetingJson(msgspec.Struct, frozen=True):
    """What the first of a pair of bots has come to against the second."""

    a: BotName
    b: BotName
    decks: Annotated[int, Meta(description="A number of decks.")]
    games: Games
    wp: Wins | None
    wp_low: WinsBound | None
    wp_high: WinsBound | None
    adp: ADP | None
    adp_low: ADPBound | None
    adp_high: ADPBound | None
    by_role: ByRoleJson
    ms: ThinkingOfBothJson


class RungJson(msgspec.Struct, frozen=True):
    """One bot over all its games."""

    bot: BotName
    elo: Elo
    elo_low: Elo | None
    elo_high: Elo | None
    ms: ThinkingJson
    faults: Annotated[dict[str, int], Meta(description="How often it was at fault, by kind.")]


class ArenaJson(Answer, frozen=True, tag="ddz/arena@1"):
    """Bots against bots on the same decks. Nothing but `ms` depends on the machine, and nothing on the workers."""

    decks: Annotated[int, Meta(description="A number of decks: those that have been played.")]
    games_a_deck: Annotated[int, Meta(description="A number of games: those of a pair on one deck.")]
    seed: Annotated[int, Meta(description="The number that the decks are dealt from.")]
    rules: RulesName
    auction: Annotated[bool, Meta(description="The seats bid for the landlord.")]
    results: Annotated[tuple[MeetingJson, ...], Meta(description="A pair each.")]
    ladder: Annotated[tuple[RungJson, ...], Meta(description="The strongest first.")]
