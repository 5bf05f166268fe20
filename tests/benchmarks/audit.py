"""The audit of a whole log in a file: games a second with all four checks, and the memory that it takes.

    python tests/benchmarks/audit.py                             a small log, made for it
    python tests/benchmarks/audit.py --db games.db               another log
    python tests/benchmarks/audit.py --memory 1000 10000 100000  the peaks of logs of so many games; it takes minutes

`audit` runs in this process, on one core. What it is compared with has the same games: the hashes and chains alone,
the law alone (decide and evolve, in memory), and an empty loop of as many steps as there are events. With several
processes, and for the peaks, `ddz audit --all` runs as a program, start-up and all.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import bench
import logs

from ddz.decide import decide
from ddz.log.base import EventLog
from ddz.log.stores import open_log
from ddz.services.audit_log import audit_log, verify_log
from ddz.services.retrace import command_that_gave
from ddz.state import START, State, evolve

GAMES = 300
LONG = 3000
"""The games of the log that several processes share out: so many that their start does not count for much."""
DDZ = "from ddz.cli import main; main()"
MEASURED = """
import json, resource, subprocess, sys, time
begin = time.perf_counter()
code = subprocess.run([sys.executable, *sys.argv[1:]], stdout=subprocess.DEVNULL).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({"code": code, "seconds": time.perf_counter() - begin, "peak": used.ru_maxrss}))
"""
"""Runs a program in a process that has no other children; the peak is that of its greatest process, in KiB."""


def audited(log: EventLog) -> float:
    """All four checks."""
    whole = audit_log(log)
    assert whole.ok
    return whole.lines


def contenders(log: EventLog) -> tuple[dict[str, Callable[[], float]], int]:
    """What is compared in this process, and how many events the log has."""
    upto = log.last_position()
    lines = [log.rows(own[0].game) for span in log.spans(1000) for own in log.lines_in(span, upto)]
    histories = [log.history(rows[-1].game) for rows in lines]
    commands = []
    for rows, history in zip(lines, histories, strict=True):
        state: State = START
        at = 0
        commands.append([])
        while at < len(history):
            command = command_that_gave(history, at, state, rows)
            assert command is not None
            commands[-1].append(command)
            for _ in decide(state, command):
                state = evolve(state, history[at])
                at += 1

    def decided() -> float:
        for game in commands:
            state: State = START
            for command in game:
                for event in decide(state, command):
                    state = evolve(state, event)
        return len(commands)

    def verified() -> float:
        assert not verify_log(log).findings
        return len(lines)

    def stepped() -> float:
        logs.steps(upto)
        return len(lines)

    named = {
        "audit": lambda: audited(log),
        "hashes and chains": verified,
        "decide and evolve": decided,
        "an empty loop": stepped,
    }
    return named, upto


def program(path: Path, jobs: int) -> dict[str, float]:
    """`ddz audit --all -j JOBS` as a program: its seconds and its peak in KiB."""
    command = ["-c", MEASURED, "-c", DDZ, "audit", "--all", "-j", str(jobs), "--db", str(path)]
    told: dict[str, float] = json.loads(
        subprocess.run([sys.executable, *command], check=True, capture_output=True).stdout
    )
    assert told["code"] == 0
    return told


def peaks(folder: Path, sizes: list[int]) -> dict[str, dict[str, float]]:
    """The peak of each process in MB, for logs of so many games."""
    games = logs.histories(GAMES)
    found = {}
    for size in sizes:
        path = folder / f"{size}.db"
        logs.filled(path, games, size).close()
        found[str(size)] = {f"-j {jobs}": round(program(path, jobs)["peak"] / 1024, 1) for jobs in (1, 2)}
        path.unlink()
    return found


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--db", type=Path, help="a log that audits clean")
    options.add_argument("--memory", type=int, nargs="+", default=[500, 2000], help="sizes of the logs for the peaks")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = chosen.db or Path(folder) / "games.db"
        if chosen.db is None:
            logs.filled(path, logs.histories(GAMES), GAMES).close()
        with closing(open_log(path, create=False)) as log:
            works, events = contenders(log)
            timed = {name: lambda work=work: bench.rate(work, time.process_time) for name, work in works.items()}
            figures = bench.interleaved(timed)
            lines = audit_log(log).lines
        cores = os.cpu_count() or 1
        if chosen.db is None:
            path, lines = Path(folder) / "long.db", LONG
            logs.filled(path, logs.histories(GAMES), LONG).close()
        shared = bench.interleaved(
            {f"-j {jobs}": lambda jobs=jobs: lines / program(path, jobs)["seconds"] for jobs in (cores, 1)}, 5
        )
        bench.report(
            "audit of a whole log",
            "games/s",
            figures,
            events_per_game=round(events / lines, 1),
            as_a_program=bench.compared("games/s", shared),
            peak_mb=peaks(Path(folder), chosen.memory),
        )


if __name__ == "__main__":
    main()
