"""One of several processes that act in one game at once, and write down what they asked and what they were told.

Reads tasks as JSON, a line each: {"db", "game", "seed", "operations", "journal", "ids"}. Each operation is written to
the journal before it begins and after it has ended, with the time, so that a kill leaves what was in hand.
"""

import json
import os
import random
import sys
import time
from contextlib import closing
from pathlib import Path

from ddz.commands import Play
from ddz.decide import legal
from ddz.errors import Refused, StaleLog
from ddz.log import codec
from ddz.log.stores import existing_log
from ddz.services.table import Table
from ddz.state import turn_of

AT = "2024-05-06T07:08:09Z"


def work(task: dict[str, object]) -> None:
    chance = random.Random(int(str(task["seed"])))
    game, ids = str(task["game"]), list(map(str, task["ids"]))  # type: ignore[call-overload]
    journal = os.open(str(task["journal"]), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    with closing(existing_log(Path(str(task["db"])))) as log:
        table = Table(log, lambda: AT, os.urandom)
        repeated: list[tuple[str, object, int | None]] = []
        for number in range(int(str(task["operations"]))):
            at = table.load(game)
            if turn_of(at.state) is None:
                return
            if repeated and chance.random() < 0.2:
                command_id, move, expect = chance.choice(repeated)  # a retry, as by somebody who heard no answer
            else:
                command_id = chance.choice(ids) if chance.random() < 0.4 else f"{task['seed']}-{number}"
                turns = legal(at.state)
                plays = [turn for turn in turns if not isinstance(turn, Play) or len(turn.cards) < 3] or list(turns)
                move = chance.choice(plays)
                expect = None if chance.random() < 0.2 else at.seq - (chance.random() < 0.1)
                repeated.append((command_id, move, expect))
            if chance.random() < 0.5:
                time.sleep(chance.random() * 0.002)
            words = {"kind": type(move).__name__, "move": codec.plain(move)}
            asked = {"id": command_id, "expect": expect, **words, "began": time.monotonic_ns()}
            os.write(journal, json.dumps(asked).encode() + b"\n")
            answer: dict[str, object]
            try:
                outcome = table.act(game, move, expect, command_id)  # type: ignore[arg-type]
                answer = {"ok": outcome.seq}
            except StaleLog as stale:
                answer = {"stale": stale.facts["actual"]}
            except Refused as refused:
                answer = {"refused": refused.code}
            os.write(journal, json.dumps({**answer, "ended": time.monotonic_ns()}).encode() + b"\n")
    os.close(journal)


for line in sys.stdin:
    work(json.loads(line))
    print("done", flush=True)
