"""Reading one game from a log in a file: its raw rows, its checked history, its replay, and its audit.

All are games a second; each game is read once a round, so that nothing but what repeats from game to game is warm.
"""

import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import bench
import logs

from ddz.services.audit import audit_game
from ddz.services.replay import replay
from ddz.state import fold

GAMES = 300


def main() -> None:
    """Measure and print."""
    games = logs.histories(GAMES)
    with tempfile.TemporaryDirectory() as folder, closing(logs.filled(Path(folder) / "games.db", games, GAMES)) as log:
        ids = sorted(line.game for line in log.lines())
        events = log.last_position()
        works: dict[str, Callable[[str], object]] = {
            "history": log.history,
            "raw rows": log.rows,
            "history and fold": lambda game: fold(log.history(game)),
            "replay": lambda game: replay(log, game),
            "audit": lambda game: audit_game(log, game),
            "an empty loop": lambda _: logs.steps(events // len(ids)),
        }

        def read(work: Callable[[str], object]) -> float:
            for game in ids:
                work(game)
            return len(ids)

        figures = bench.interleaved(
            {name: lambda work=work: bench.rate(lambda: read(work), time.process_time) for name, work in works.items()}
        )
    milliseconds = {name: round(1000 / bench.summary(each)["median"], 3) for name, each in figures.items()}
    bench.report(
        "reading one game", "games/s", figures, events_per_game=round(events / len(ids), 1), milliseconds=milliseconds
    )


if __name__ == "__main__":
    main()
