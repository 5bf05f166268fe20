"""The summary of a tally: rates, means and distributions, as `ddz stats` prints them and as `ddz/stats@1`."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from ddz.contract.statistics import (
    EscapesJson,
    FilterJson,
    FrequencyJson,
    MeldShareJson,
    PerformanceJson,
    PlayerPerformanceJson,
    PointsJson,
    RolesJson,
    SeatPerformanceJson,
    SpreadJson,
    StatsJson,
)
from ddz.frozen.shapes import CauseName, Winner
from ddz.intervals import CONFIDENCE, mean, wilson
from ddz.melds import KINDS
from ddz.stats.sides import ROLES
from ddz.stats.statistics import EVERY, SHARE, Filter, Roles, Sum, Tally, Who

CAUSES: Final[tuple[CauseName, ...]] = ("bomb", "rocket", "spring", "anti-spring")
WINNERS: Final[tuple[Winner, ...]] = ("landlord", "peasants", "escape", "nobody")
ESCAPES: Final = ("auction", *ROLES)


def summarize(tally: Tally, wanted: Filter = EVERY) -> StatsJson:
    """The summary of the counted games, those that the filter takes.

    A filter by match is not mentioned, since a match's name is an id.
    """
    games = tally.statuses["over"]
    decided = tally.winners["landlord"] + tally.winners["peasants"]
    plays = tally.kinds.total()
    escaped = tally.escapes.total()
    return StatsJson(
        filter=FilterJson(wanted.rules, wanted.bot),
        confidence=CONFIDENCE,
        rules=dict(sorted(tally.rules.items())),
        games=games,
        decided=decided,
        unfinished=tally.statuses["unfinished"],
        explored=tally.statuses["explored"],
        superseded=tally.statuses["superseded"],
        winners={winner: tally.winners[winner] for winner in WINNERS},
        sides={"landlord": _performance(tally.sides["landlord"]), "peasants": _performance(tally.sides["peasant"])},
        seats=tuple(SeatPerformanceJson(seat, _by_role(found)) for seat, found in enumerate(tally.seats)),
        players=tuple(_player(who, tally.players[who]) for who in sorted(tally.players, key=_order)),
        redeals=_spread(tally.redeals),
        escapes=EscapesJson(escaped, wilson(escaped, games), {by: tally.escapes[by] for by in ESCAPES}),
        base=_spread(tally.base),
        multiplier=_spread(tally.multiplier),
        turns=_spread(tally.turns),
        plays=_spread(tally.plays),
        causes={
            name: FrequencyJson(
                tally.cause_times[name], tally.cause_games[name], wilson(tally.cause_games[name], decided)
            )
            for name in CAUSES
        },
        melds={
            kind.value: MeldShareJson(tally.kinds[kind], round(tally.kinds[kind] / plays, 6) if plays else None)
            for kind in KINDS
        },
    )


def _order(who: Who) -> tuple[str, str, str]:
    return who.kind, who.bot or "", who.version or ""


def _player(who: Who, found: Roles) -> PlayerPerformanceJson:
    return PlayerPerformanceJson(who.kind, who.bot, who.version, found.all.seats, _by_role(found))


def _by_role(found: Roles) -> RolesJson:
    return RolesJson(
        _performance(found.all), _performance(found.by_role["landlord"]), _performance(found.by_role["peasant"])
    )


def _performance(found: Sum) -> PerformanceJson:
    whole, part = divmod(found.won, SHARE)
    return PerformanceJson(
        games=found.decided,
        wins=round(whole + part / SHARE, 6) if part else whole,
        rate=wilson(found.won / SHARE, found.decided),
        points=PointsJson(found.games, mean(found.points, found.squares, found.games, SHARE)),
    )


def _spread(numbers: Counter[int]) -> SpreadJson:
    """The distribution of a number that each game has once."""
    values = sorted(numbers)
    games = numbers.total()
    total = sum(value * count for value, count in numbers.items())
    squares = sum(value * value * count for value, count in numbers.items())
    return SpreadJson(
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
