"""What a tally comes to: rates, means and distributions, as `ddz stats` prints them and as `ddz/stats@1`."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

import msgspec

from ddz.frozen.shapes import CauseName, Seat, Winner
from ddz.intervals import CONFIDENCE, Interval, mean, wilson
from ddz.melds import KINDS
from ddz.stats.sides import ROLES
from ddz.stats.statistics import SHARE, Filter, Roles, Sum, Tally, Who

SCHEMA: Final = "ddz/stats@1"
CAUSES: Final[tuple[CauseName, ...]] = ("bomb", "rocket", "spring", "anti-spring")
WINNERS: Final[tuple[Winner, ...]] = ("landlord", "peasants", "escape", "nobody")
ESCAPES: Final = ("auction", *ROLES)


class Points(msgspec.Struct, frozen=True):
    """Points a game and seat, over all games: with an escape, and those that nobody bid for, too."""

    games: int
    mean: Interval | None


class Performance(msgspec.Struct, frozen=True):
    """Wins and points of a side, a seat or a player."""

    games: int
    """Games in which one side won: the trials of the rate."""
    wins: int | float
    """Games won; a player who had several seats in a game won the share of them that did."""
    rate: Interval | None
    """Wins by games."""
    points: Points


class ByRole(msgspec.Struct, frozen=True):
    """A performance in all, and by role."""

    all: Performance
    landlord: Performance
    peasant: Performance


class SeatPerformance(msgspec.Struct, frozen=True):
    """A seat."""

    seat: Seat
    roles: ByRole


class PlayerPerformance(msgspec.Struct, frozen=True):
    """A bot of one version; or all humans, or all imported seats, together."""

    kind: str
    bot: str | None
    version: str | None
    seats: int
    """Seats in all these games."""
    roles: ByRole


class Spread(msgspec.Struct, frozen=True):
    """A number that each game has."""

    mean: Interval | None
    min: int | None
    median: float | None
    max: int | None
    games: dict[str, int]
    """How many games have each number, from the lowest on."""


class Frequency(msgspec.Struct, frozen=True):
    """How often something happened."""

    times: int
    games: int
    """Games in which it did."""
    rate: Interval | None
    """The share of these games."""


class Escapes(msgspec.Struct, frozen=True):
    """Games that a seat left."""

    games: int
    rate: Interval | None
    by: dict[str, int]
    """`auction` where there was no landlord yet, else the role of the seat."""


class MeldShare(msgspec.Struct, frozen=True):
    """A kind of meld."""

    plays: int
    share: float | None
    """Of all plays."""


class Summary(msgspec.Struct, frozen=True):
    """All of it. Nothing depends on ids, times, paths or the order of the games."""

    rules: dict[str, int]
    """Games by the name of their rules."""
    games: int
    """Games that are over, each counted once: all that follows is about them."""
    decided: int
    """Of these, games that one side won; all from `base` on is about them."""
    unfinished: int
    explored: int
    """Forks that are explorations, which no match counts."""
    superseded: int
    """Lines that were taken back, and games that their match went on without."""
    winners: dict[str, int]
    sides: dict[str, Performance]
    """landlord, and peasants: the two of them in a game have one result."""
    seats: tuple[SeatPerformance, ...]
    players: tuple[PlayerPerformance, ...]
    redeals: Spread
    escapes: Escapes
    base: Spread
    multiplier: Spread
    turns: Spread
    """Plays and passes."""
    plays: Spread
    causes: dict[str, Frequency]
    melds: dict[str, MeldShare]


def summarize(tally: Tally) -> Summary:
    """What the counted games come to."""
    games = tally.statuses["over"]
    decided = tally.winners["landlord"] + tally.winners["peasants"]
    plays = tally.kinds.total()
    escaped = tally.escapes.total()
    return Summary(
        rules=dict(sorted(tally.rules.items())),
        games=games,
        decided=decided,
        unfinished=tally.statuses["unfinished"],
        explored=tally.statuses["explored"],
        superseded=tally.statuses["superseded"],
        winners={winner: tally.winners[winner] for winner in WINNERS},
        sides={"landlord": _performance(tally.sides["landlord"]), "peasants": _performance(tally.sides["peasant"])},
        seats=tuple(SeatPerformance(seat, _by_role(found)) for seat, found in enumerate(tally.seats)),
        players=tuple(_player(who, tally.players[who]) for who in sorted(tally.players, key=_order)),
        redeals=_spread(tally.redeals),
        escapes=Escapes(escaped, wilson(escaped, games), {by: tally.escapes[by] for by in ESCAPES}),
        base=_spread(tally.base),
        multiplier=_spread(tally.multiplier),
        turns=_spread(tally.turns),
        plays=_spread(tally.plays),
        causes={
            name: Frequency(tally.cause_times[name], tally.cause_games[name], wilson(tally.cause_games[name], decided))
            for name in CAUSES
        },
        melds={
            kind.value: MeldShare(tally.kinds[kind], round(tally.kinds[kind] / plays, 6) if plays else None)
            for kind in KINDS
        },
    )


def stats_json(summary: Summary, wanted: Filter) -> dict[str, object]:
    """The summary for programs, `ddz/stats@1`. That one match alone was asked for is not said: its name is an id."""
    asked = {"rules": wanted.rules, "bot": wanted.bot}
    found: dict[str, object] = msgspec.to_builtins(summary)
    return {"schema": SCHEMA, "filter": asked, "confidence": CONFIDENCE, **found}


def _order(who: Who) -> tuple[str, str, str]:
    return who.kind, who.bot or "", who.version or ""


def _player(who: Who, found: Roles) -> PlayerPerformance:
    return PlayerPerformance(who.kind, who.bot, who.version, found.all.seats, _by_role(found))


def _by_role(found: Roles) -> ByRole:
    return ByRole(
        _performance(found.all), _performance(found.by_role["landlord"]), _performance(found.by_role["peasant"])
    )


def _performance(found: Sum) -> Performance:
    whole, part = divmod(found.won, SHARE)
    return Performance(
        games=found.decided,
        wins=round(whole + part / SHARE, 6) if part else whole,
        rate=wilson(found.won / SHARE, found.decided),
        points=Points(found.games, mean(found.points, found.squares, found.games, SHARE)),
    )


def _spread(numbers: Counter[int]) -> Spread:
    """The distribution of a number that each game has once."""
    values = sorted(numbers)
    games = numbers.total()
    total = sum(value * count for value, count in numbers.items())
    squares = sum(value * value * count for value, count in numbers.items())
    return Spread(
        mean=mean(total, squares, games),
        min=values[0] if values else None,
        median=_median(numbers, games) if values else None,
        max=values[-1] if values else None,
        games={str(value): numbers[value] for value in values},
    )


def _median(numbers: Mapping[int, int], games: int) -> float:
    """The middle one of all numbers; of two middle ones, what lies between."""
    middle = ((games - 1) // 2, games // 2)
    found: list[int] = []
    passed = 0
    for value in sorted(numbers):
        passed += numbers[value]
        while len(found) < 2 and passed > middle[len(found)]:
            found.append(value)
    return sum(found) / 2
