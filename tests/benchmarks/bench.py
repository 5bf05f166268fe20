"""What every benchmark shares: interleaved rounds, medians, facts of the machine, one JSON object on stdout.

    rates = bench.interleaved({"ddz": ours, "peer": theirs})
    bench.report("what was measured", "games/s", rates)

A contender does one round and answers its figure: `bench.rate(work)` times `work`, which answers how much it did.
No benchmark asserts a time.
"""

import gc
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Mapping

from ddz import compiled
from ddz.log import driver

ROUNDS = 7


def rate(work: Callable[[], float], clock: Callable[[], float] = time.perf_counter) -> float:
    """How much `work` does in a second; it answers how much it did. For what only computes take `time.process_time`."""
    gc.collect()
    begin = clock()
    done = work()
    return done / (clock() - begin)


def interleaved(contenders: Mapping[str, Callable[[], float]], rounds: int = ROUNDS) -> dict[str, list[float]]:
    """The figures of each contender, a round each in turn, so that all of them see the same noise; one round warms."""
    figures: dict[str, list[float]] = {name: [] for name in contenders}
    for number in range(rounds + 1):
        for name, contender in contenders.items():
            figure = contender()
            if number:
                figures[name].append(figure)
    return figures


def summary(figures: list[float]) -> dict[str, float]:
    """The median, the least and the greatest."""
    return {"median": _short(statistics.median(figures)), "min": _short(min(figures)), "max": _short(max(figures))}


def machine() -> dict[str, object]:
    """What a figure depends on and does not say."""
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cpus": os.cpu_count(),
        "kernel": "compiled" if compiled.find()[0] else "interpreted",
        "sqlite": driver.sqlite_version,
    }


def compared(unit: str, figures: Mapping[str, list[float]]) -> dict[str, object]:
    """The first contender is ours; a ratio is the median of ours over the other's, round by round."""
    ours, *others = figures
    beside = {}
    for other in others:
        ratios = [mine / theirs for mine, theirs in zip(figures[ours], figures[other], strict=True)]
        beside[other] = {**summary(figures[other]), "ratio": _short(statistics.median(ratios))}
    return {"unit": unit, **summary(figures[ours]), "rounds": len(figures[ours]), "compared": beside}


def report(name: str, unit: str, figures: Mapping[str, list[float]], **more: object) -> None:
    """Print one JSON object."""
    json.dump({"name": name, **compared(unit, figures), **more, "machine": machine()}, sys.stdout, indent=2)
    print()


def _short(figure: float) -> float:
    return float(f"{figure:.4g}")
