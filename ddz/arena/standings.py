"""The results of an arena: who won how often and by how much, how sure that is, and a ladder."""

from collections import Counter
from collections.abc import Mapping

import msgspec

from ddz.arena.contest import DeckResult, Meeting, Plan, Totals
from ddz.arena.elo import Bout, ladder
from ddz.contract.statistics import (
    ArenaJson,
    ByRoleJson,
    MeetingJson,
    RateJson,
    RungJson,
    ThinkingJson,
    ThinkingOfBothJson,
)
from ddz.intervals import Clusters, Interval, clustered_mean, clustered_rate


class WinsAndPoints(msgspec.Struct, frozen=True):
    """Wins and points over some games; None without games."""

    games: int
    wp: Interval | None
    """The share of the games won."""
    adp: Interval | None
    """Points a game."""


class Result(msgspec.Struct, frozen=True):
    """The results of the first of a pair against the second."""

    a: int
    """Numbers of bots in the order of the plan."""
    b: int
    all: WinsAndPoints
    landlord: WinsAndPoints
    peasants: WinsAndPoints


class Standing(msgspec.Struct, frozen=True):
    """One bot over all its games."""

    bot: int
    elo: Interval
    median: float | None
    """Milliseconds a choice; None if it never had one."""
    p95: float | None
    choices: int
    faults: Mapping[str, int]


class Report(msgspec.Struct, frozen=True):
    """All that an arena says."""

    plan: Plan
    decks: int
    """Those that have been played."""
    results: tuple[Result, ...]
    """A pair each."""
    ladder: tuple[Standing, ...]
    """The strongest first."""


class Standings:
    """Adds up decks, in whole numbers, so that nothing depends on how they were shared out."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.decks = 0
        self._sums = [_Sums() for _ in plan.pairs]
        self._bouts: list[list[Bout]] = []
        self._took: list[Counter[float]] = [Counter() for _ in plan.bots]
        self._faults: list[Counter[str]] = [Counter() for _ in plan.bots]

    def add(self, deck: DeckResult) -> None:
        """Take a deck in."""
        self.decks += 1
        bouts = []
        for (one, two), sums, meeting in zip(self.plan.pairs, self._sums, deck.meetings, strict=True):
            sums.add(meeting)
            bouts.append(Bout(one, two, meeting.all.halves, meeting.all.games))
        self._bouts.append(bouts)
        for total, took in zip(self._took, deck.took, strict=True):
            total.update(took)
        for known, faults in zip(self._faults, deck.faults, strict=True):
            known.update(faults)

    def report(self) -> Report:
        """The results; at least one deck has been played."""
        results = [
            Result(one, two, sums.all.rate(), sums.landlord.rate(), sums.peasants.rate())
            for (one, two), sums in zip(self.plan.pairs, self._sums, strict=True)
        ]
        rungs = [
            Standing(
                bot, elo, _percentile(took, 0.5), _percentile(took, 0.95), took.total(), dict(sorted(faults.items()))
            )
            for bot, (elo, took, faults) in enumerate(
                zip(ladder(len(self.plan.bots), self._bouts), self._took, self._faults, strict=True)
            )
        ]
        rungs.sort(key=lambda rung: -rung.elo.value)
        return Report(self.plan, self.decks, tuple(results), tuple(rungs))


class _Part:
    """One role's wins and points; a deck is a group of games that depend on each other."""

    def __init__(self) -> None:
        self.halves = Clusters()
        self.points = Clusters()

    def add(self, tally: Totals) -> None:
        if tally.games:
            self.halves.add(tally.halves, tally.games)
            self.points.add(tally.points, tally.games)

    def rate(self) -> WinsAndPoints:
        return WinsAndPoints(self.points.size, clustered_rate(self.halves, 2), clustered_mean(self.points))


class _Sums:
    def __init__(self) -> None:
        self.all = _Part()
        self.landlord = _Part()
        self.peasants = _Part()

    def add(self, meeting: Meeting) -> None:
        self.all.add(meeting.all)
        self.landlord.add(meeting.landlord)
        self.peasants.add(meeting.peasants)


def _percentile(took: Counter[float], part: float) -> float | None:
    """The least time within which `part` of the choices were made."""
    need, reached = part * took.total(), 0
    for milliseconds in sorted(took):
        reached += took[milliseconds]
        if reached >= need:
            return milliseconds
    return None


def arena_json(report: Report) -> ArenaJson:
    """The report for programs. Only `ms` depends on the machine, and nothing depends on the number of jobs."""
    plan = report.plan
    ms = {rung.bot: ThinkingJson(rung.median, rung.p95, rung.choices) for rung in report.ladder}
    return ArenaJson(
        decks=report.decks,
        games_a_deck=plan.games,
        seed=plan.seed,
        rules=plan.rules.name,
        auction=plan.auction,
        results=tuple([_meeting(report, result, ms) for result in report.results]),
        ladder=tuple([_rung(plan.bots[rung.bot], rung, ms[rung.bot]) for rung in report.ladder]),
    )


def _meeting(report: Report, result: Result, ms: Mapping[int, ThinkingJson]) -> MeetingJson:
    bots = report.plan.bots
    rate = _rate(result.all)
    return MeetingJson(
        a=bots[result.a],
        b=bots[result.b],
        decks=report.decks,
        games=rate.games,
        wp=rate.wp,
        wp_low=rate.wp_low,
        wp_high=rate.wp_high,
        adp=rate.adp,
        adp_low=rate.adp_low,
        adp_high=rate.adp_high,
        by_role=ByRoleJson(_rate(result.landlord), _rate(result.peasants)),
        ms=ThinkingOfBothJson(ms[result.a], ms[result.b]),
    )


def _rung(bot: str, rung: Standing, ms: ThinkingJson) -> RungJson:
    return RungJson(bot, rung.elo.value, rung.elo.low, rung.elo.high, ms, dict(rung.faults))


def _rate(rate: WinsAndPoints) -> RateJson:
    return RateJson(rate.games, *_bounds(rate.wp), *_bounds(rate.adp))


def _bounds(found: Interval | None) -> tuple[float | None, float | None, float | None]:
    return (None, None, None) if found is None else (found.value, found.low, found.high)
