"""What an arena comes to, as columns of text."""

from collections.abc import Sequence

from ddz.arena.standings import Report, WinsAndPoints
from ddz.names import shown_name

from .base import Words
from .columns import apart, padded, shown
from .figures import estimate
from .figures import rate as percent


def report_lines(report: Report, words: Words) -> list[str]:
    """The report as columns of text."""
    plan = report.plan
    says = words.arena["auction" if plan.auction else "twice"]
    blocks = [[says.format(decks=f"{report.decks:,}", rules=shown_name(plan.rules.name), seed=plan.seed)]]
    rows: list[Sequence[str]] = [("", *words.arena_pair)]
    for result in report.results:
        name = words.arena["pair"].format(a=shown(plan.bots[result.a]), b=shown(plan.bots[result.b]))
        rows.append((name, *_rate(result.all)))
        rows.append((words.arena["landlord"], *_rate(result.landlord)))
        rows.append((words.arena["peasants"], *_rate(result.peasants)))
    blocks.append(padded(rows, right=(1, 2, 3, 4, 5)))
    blocks.append(_ladder(report, words))
    return apart(blocks)


def _rate(rate: WinsAndPoints) -> tuple[str, ...]:
    return (f"{rate.games:,}", *percent(rate.wp), *estimate(rate.adp, "{:+.3f}".format))


def _ladder(report: Report, words: Words) -> list[str]:
    rows: list[Sequence[str]] = [("", *words.arena_ladder)]
    for rung in report.ladder:
        faults = ", ".join(words.arena["fault"].format(kind=kind, number=n) for kind, n in rung.faults.items())
        times = ["-" if ms is None else f"{ms:.3g}" for ms in (rung.median, rung.p95)]
        name = shown(report.plan.bots[rung.bot])
        rows.append((name, *estimate(rung.elo, "{:.0f}".format), *times, f"{rung.choices:,}", faults or "-"))
    return padded(rows, right=(1, 2, 3, 4, 5))
