"""Whole random games: deal, and every turn drawn evenly among the legal ones.

Compiled against OpenSpiel's rollouts in C++, which begin behind the deal and the auction; ours deal as well. The
kernel as plain Python, in a process of its own, against RLCard's and DouZero's games, which are Python too.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import bench
import dealt
import peer_engines

from ddz import playouts

DEALS = 50
ROLLOUTS = 200
GAMES = 3
INTERPRETED_GAMES = 100
CHILD = """
import sys, time
from ddz import kernel
seed = 0
for line in sys.stdin:
    games, policy = map(int, line.split())
    begin = time.process_time()
    playouts.random_games(games, seed, policy)
    seed += games
    print(games / (time.process_time() - begin), flush=True)
"""
"""Plays as many games as it is told, again and again, and says how many a second of the processor."""


def games_of(policy: int, games: int) -> dealt.Work:
    """Our games, other ones in each round."""
    seeds = iter(range(0, 1 << 60, games))

    def work() -> float:
        playouts.random_games(games, next(seeds), policy)
        return games

    return work


@contextmanager
def interpreted(policy: int) -> Iterator[dealt.Work]:
    """A contender in a process whose kernel is not compiled."""
    environment = {**os.environ, "DDZ_PURE": "1"}
    command = [sys.executable, "-c", CHILD]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        asked, told = child.stdin, child.stdout

        def contender() -> float:
            asked.write(f"{INTERPRETED_GAMES} {policy}\n")
            asked.flush()
            return float(told.readline())

        yield contender
        asked.close()


def main() -> None:
    """Measure and print."""
    peers, missing = peer_engines.installed()
    codes = dealt.CODES
    with (
        interpreted(codes["classic"]) as plain,
        interpreted(codes["rlcard"]) as plain_rlcard,
        interpreted(codes["douzero"]) as plain_douzero,
    ):
        contenders = {
            "classic": dealt.paced(games_of(codes["classic"], 1000)),
            "openspiel": dealt.paced(games_of(codes["openspiel"], 1000)),
            "classic, interpreted": plain,
            "rlcard, interpreted": plain_rlcard,
            "douzero, interpreted": plain_douzero,
        }
        if "openspiel" in peers:
            orders = dealt.hands(20, DEALS)
            contenders["by openspiel"] = dealt.paced(
                peer_engines.openspiel_rollouts(*peers["openspiel"], orders, ROLLOUTS)
            )
        if "rlcard" in peers:
            contenders["by rlcard"] = dealt.paced(peer_engines.rlcard_games(peers["rlcard"], GAMES))
        if "douzero" in peers:
            contenders["by douzero"] = dealt.paced(peer_engines.douzero_games(peers["douzero"], GAMES))
        figures = bench.interleaved(contenders)
    pairs = {"openspiel": "openspiel", "rlcard": "rlcard, interpreted", "douzero": "douzero, interpreted"}
    beside = {
        name: bench.compared("games/s", {f"ddz by {pairs[name]}": figures[pairs[name]], name: figures[f"by {name}"]})
        for name in peers
    }
    more = {
        "interpreted": bench.summary(figures["classic, interpreted"]),
        "by the rules of": beside,
        "missing": missing,
    }
    bench.report("whole random games, deal included", "games/s", {"ddz": figures["classic"]}, **more)


if __name__ == "__main__":
    main()
