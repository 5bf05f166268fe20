"""Whole games through `decide`, events and `evolve`, in memory, from the commands of real games.

Listing what is legal and choosing from it are no part of it. The loop of the comparison does as many steps as there
are events and nothing in them: what a slower or a faster Python makes of both is in the ratio.
"""

import time

import bench
import corpus

from ddz.decide import decide
from ddz.state import START, Over, State, evolve, fold


def main() -> None:
    """Measure and print."""
    games = corpus.games()
    histories = [corpus.events(game) for game in games]
    total = sum(len(history) for history in histories)

    def decided() -> float:
        for game in games:
            state: State = START
            for command in game:
                for event in decide(state, command):
                    state = evolve(state, event)
            assert isinstance(state, Over)
        return len(games)

    def folded() -> float:
        for history in histories:
            fold(history)
        return len(games)

    def loop() -> float:
        value = 0
        for number in range(total):
            value = (value * 31 + number) & 0xFFFF
        return len(games)

    contenders = {"decide and evolve": decided, "fold": folded, "an empty loop": loop}
    figures = bench.interleaved(
        {name: lambda work=work: bench.rate(work, time.process_time) for name, work in contenders.items()}
    )
    bench.report("whole games through decide and evolve", "games/s", figures, events_per_game=total / len(games))


if __name__ == "__main__":
    main()
