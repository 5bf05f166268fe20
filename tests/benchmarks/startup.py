"""How long a command takes from the shell's call to its end: a hello-world of Typer, `ddz --help`, `ddz replay`.

The replay is of a finished game in a log of its own. Milliseconds of the processor, user and system together; beside
them those of the clock on the wall, which are what one feels, and which whatever else runs makes longer.

Measure what was installed by `pip install .`: an editable installation looks for its files at every start.
"""

import os
import resource
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import bench

ROUNDS = 20
HELLO = """
import typer
app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)
@app.command()
def hello():
    "Say hello."
    typer.echo("hello")
app()
"""
SCRIPT = Path(sysconfig.get_path("scripts")) / "ddz"


class Start:
    """One command, started again and again."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self.command = command
        self.environment = {**os.environ, **environment}
        self.on_the_wall: list[float] = []

    def __call__(self) -> float:
        """Milliseconds of the processor."""
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(self.command, env=self.environment, stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.on_the_wall.append(1000 * (time.perf_counter() - begin))
        return 1000 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def contenders(folder: Path) -> dict[str, Start]:
    """The commands by name."""
    log = {"DDZ_DB": str(folder / "games.db")}
    pure = {**log, "DDZ_PURE": "1"}
    hello = folder / "hello.py"
    hello.write_text(HELLO, encoding="utf-8")
    subprocess.run(
        [SCRIPT, "play", "--auto", "--seed", "10"], env={**os.environ, **log}, stdout=subprocess.DEVNULL, check=True
    )
    ddz, replay = str(SCRIPT), ["replay", "@last"]
    return {
        "ddz --help": Start([ddz, "--help"], log),
        "ddz --help, interpreted": Start([ddz, "--help"], pure),
        "ddz replay": Start([ddz, *replay], log),
        "ddz replay, interpreted": Start([ddz, *replay], pure),
        "hello-world of Typer": Start([sys.executable, str(hello)], {}),
        "python -c pass": Start([sys.executable, "-c", "pass"], {}),
    }


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        starts = contenders(Path(folder))
        rounds: dict[str, Callable[[], float]] = {**starts}
        figures = bench.interleaved(rounds, ROUNDS)
    walls = {name: bench.summary(start.on_the_wall[1:]) for name, start in starts.items()}
    bench.report("start-up", "ms of the processor, less is better", figures, wall_ms=walls)


if __name__ == "__main__":
    main()
