"""Reading one game from a log in a file: its raw rows, its checked history, its replay, and its audit.

All are games a second; each game is read once a round, so that nothing but what repeats from game to game is warm.
"""

import tempfile
import time
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
        works = {
            "history": lambda: [log.history(game) for game in ids],
            "raw rows": lambda: [log.rows(game) for game in ids],
            "history and fold": lambda: [fold(log.history(game)) for game in ids],
            "replay": lambda: [replay(log, game) for game in ids],
            "audit": lambda: [audit_game(log, game) for game in ids],
            "an empty loop": lambda: [logs.steps(events)],
        }

        def read(work: object) -> float:
            work()
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
