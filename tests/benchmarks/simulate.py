"""Simulations with two workers against one, and merging against playing: games a second.

    python tests/benchmarks/simulate.py [--seconds 5] [--rounds 5] [random simple ...]

Each figure is of a whole run into an empty folder, the start of the workers included. How many games a run has is
measured first: those that one worker plays in so many seconds. The shards of the last run with two workers are merged
into a new log, with the synchronous=FULL of any log.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import bench

from ddz.log.stores import open_log
from ddz.services.merge import merge
from ddz.simulation import plan, shards, simulate
from ddz.work.engines import engine_named

AT = "2026-01-01T00:00:00Z"


class Runs:
    """Runs of games of one bot, each in a folder of its own."""

    def __init__(self, bot: str, root: Path) -> None:
        self.bot = bot
        self.root = root
        self.games = 10
        self.rows_a_second: list[float] = []
        self.last: Path
        """The shards of the last run."""

    def play(self, jobs: int) -> float:
        """Games a second of a whole run."""
        self.last = Path(tempfile.mkdtemp(dir=self.root))
        made = plan.new(plan.PlanRequest(games=self.games, seed=1, bots=(self.bot,)), 0)

        def work() -> int:
            engine = engine_named("process", jobs)
            return simulate.play(self.last, made, engine, jobs, lambda: AT, os.urandom, lambda *_: None).games

        return bench.rate(work)

    def merge(self) -> float:
        """Games a second of merging the shards of the last run."""
        with closing(open_log(self.last / "merged.db", create=True)) as log:
            begin = time.perf_counter()
            taken = [merge(log, path) for path, _ in shards.shards_of(self.last)]
            seconds = time.perf_counter() - begin
        self.rows_a_second.append(sum(each.events for each in taken) / seconds)
        return sum(each.lines for each in taken) / seconds


def measured(bot: str, seconds: float, rounds: int) -> dict[str, object]:
    """The figures of one bot."""
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(bot, Path(folder))
        for part in (0.1, 0.3, 1):  # the first runs are slow, for they import what is needed
            runs.games = max(10, round(runs.play(1) * seconds * part))
        figures = bench.interleaved(
            {"-j 2": lambda: runs.play(2), "merge": runs.merge, "-j 1": lambda: runs.play(1)}, rounds
        )
        merged = bench.summary(runs.rows_a_second[1:])
        return {**bench.compared("games/s", figures), "games": runs.games, "merge rows/s": merged}


def main() -> None:
    """Measure, and print one JSON object."""
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("bots", nargs="*", default=["random", "simple"])
    options.add_argument("--seconds", type=float, default=5, help="of playing by one worker, in each round")
    options.add_argument("--rounds", type=int, default=5)
    asked = options.parse_args()
    found = {bot: measured(bot, asked.seconds, asked.rounds) for bot in asked.bots}
    json.dump(
        {"name": "simulate -j 2 against -j 1, and merge", "bots": found, "machine": bench.machine()},
        sys.stdout,
        indent=2,
    )
    print()


if __name__ == "__main__":
    main()
