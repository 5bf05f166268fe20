"""What each command asked at a table takes on a short log and on a long one: it must not grow with the log.

    python tests/benchmarks/tables.py --games 40,40000
    python tests/benchmarks/tables.py --logs small.db big.db --ddz .venv/bin/ddz

Of each command: the median of five runs, in milliseconds of the processor and of the clock on the wall, and the
greatest resident memory in MB, as the system counts it. The logs take turns. They are simulated, or copies of those
named; each is migrated first by whoever plays a match into it, with a fork. Measure what `pip install .` installed.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import bench

RUNS: Final = 5
MORE_AT_MOST: Final = 1.3
"""Times as long on the long log as on the short one; a report names what is above it, and asserts nothing."""

COMMANDS: Final = (
    "show {game}", "new --players ann,bob,cat", "replay {game}", "act {open} --seat 0 pass", "fork {game} --at 3",
    "play --auto --seed 5 --rounds 1", "games", "games --unfinished", "tree {game}", "tree {fork}", "match {game}",
    "moves 334444678TTQK2", "audit {game}", "audit {fork}", "diff {game} {fork}", "import {record}", "export {game}",
    "path", "doctor", "log head",
)  # fmt: skip


class Log:
    """A log that commands are run on."""

    def __init__(self, ddz: str, path: Path, folder: Path) -> None:
        self.ddz = ddz
        self.path = path
        self._environment = {**os.environ, "DDZ_DB": str(path)}
        self.say("play --auto --seed 7 --rounds 2")
        later, first = (each["game"] for each in self.told("games --limit 2")["games"])
        self.names = {"game": first, "later": later, "fork": self.told(f"fork {first} --at 3")["game"]}
        record = folder / f"{path.stem}.toml"
        record.write_text(self.say(f"export {later}"), encoding="utf-8")
        self.names["record"] = str(record)

    def say(self, command: str) -> str:
        """Run a command that is not measured; what it prints."""
        done = subprocess.run(
            [self.ddz, *command.split()], env=self._environment, capture_output=True, encoding="utf-8", check=True
        )
        return done.stdout

    def told(self, command: str) -> Any:  # whatever the command says
        """What a command says to programs."""
        return json.loads(self.say(f"{command} --json"))

    def measured(self, command: str) -> dict[str, float]:
        """Run a command: processor and wall in ms, memory in MB."""
        if "{open}" in command:
            self.names["open"] = self.told("new --players ann,bob,cat --first 0")["game"]
        begin = time.perf_counter()
        process = subprocess.Popen(
            [self.ddz, *command.format(**self.names).split()], env=self._environment, stdout=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{command}: exit code {process.returncode}")
        peak = usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
        return {"cpu_ms": 1000 * (usage.ru_utime + usage.ru_stime), "wall_ms": 1000 * wall, "peak_mb": peak}


def simulated(ddz: str, path: Path, games: int) -> Path:
    """A new log with so many games."""
    command = [ddz, "simulate", "--games", str(games), "--bots", "random", "--seed", "3", "--db", str(path)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return path


def median(runs: list[dict[str, float]]) -> dict[str, float]:
    """The medians; of memory the greatest."""
    found = {name: round(statistics.median(run[name] for run in runs), 1) for name in ("cpu_ms", "wall_ms")}
    return {**found, "peak_mb": round(max(run["peak_mb"] for run in runs), 1)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", default="40,40000", help="of the short log and of the long one, which are simulated")
    parser.add_argument("--logs", nargs=2, type=Path, help="logs that are there; they are copied")
    parser.add_argument("--ddz", default=str(Path(sysconfig.get_path("scripts")) / "ddz"), help="which ddz is measured")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if asked.logs:
            paths = [Path(shutil.copyfile(path, folder / f"{n}.db")) for n, path in enumerate(asked.logs)]
        else:
            paths = [simulated(asked.ddz, folder / f"{n}.db", int(n)) for n in asked.games.split(",")]
        logs = [Log(asked.ddz, path, folder) for path in paths]
        report: dict[str, object] = {}
        for command in COMMANDS:
            runs: list[list[dict[str, float]]] = [[], []]
            for number in range(RUNS + 1):
                for log, of in zip(logs, runs, strict=True):
                    run = log.measured(command)
                    if number:  # one warms
                        of.append(run)
            short, long = median(runs[0]), median(runs[1])
            ratio = round(long["cpu_ms"] / short["cpu_ms"], 2)
            report[command] = {"short": short, "long": long, "ratio": ratio, "grows": ratio > MORE_AT_MOST}
            print(command, report[command], file=sys.stderr)
        print(json.dumps({"name": "commands at a table", "runs": RUNS, "commands": report, "machine": bench.machine()}))


if __name__ == "__main__":
    main()
