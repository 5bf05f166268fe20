"""What the benchmarks of the kernel deal: hands, deals and tops from fixed seeds, and rounds of an even length."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

import bench

from ddz import kernel
from ddz.cards import DECK, parse_ranks
from ddz.rules import PRESETS

CODES = {name: rules.kickers.code for name, rules in PRESETS.items()}
LETTERS = [name[0] for name in DECK]
ROUND = 0.06
"""About how many seconds a round takes."""

Work = Callable[[], float]


@dataclass(frozen=True)
class Response:
    """A deal in which seat 0 has led and seat 1, with 17 cards, is to answer."""

    order: tuple[int, ...]
    """The cards by number: seat 0's 20, seat 1's 17, seat 2's 17."""
    hand: int
    top: kernel.PackedMeld


def hands(size: int, number: int) -> list[tuple[int, ...]]:
    """Orders of the whole deck whose first `size` cards are the hand."""
    rng = random.Random(size)
    return [tuple(rng.sample(range(54), 54)) for _ in range(number)]


def packed(cards: tuple[int, ...]) -> int:
    """The packed counts of cards by number."""
    return parse_ranks("".join(LETTERS[card] for card in cards))


def responses(number: int, policy: int) -> list[Response]:
    """Random deals, and a random top: of the kinds that seat 0 may lead one, of its melds one."""
    rng = random.Random(17)
    found = []
    while len(found) < number:
        order = tuple(rng.sample(range(54), 54))
        leads = kernel.leads(packed(order[:20]), policy)
        kind = rng.choice(sorted({lead[0] for lead in leads}))
        found.append(Response(order, packed(order[20:37]), rng.choice([lead for lead in leads if lead[0] == kind])))
    return found


def paced(work: Work) -> Work:
    """A contender: `work` so often that a round takes about ROUND seconds, whoever works.

    Its figure is in seconds of the processor: all that is measured so only computes, and others may be at work beside.
    """
    begin = time.process_time()
    work()
    times = max(1, round(ROUND / (time.process_time() - begin)))
    return lambda: bench.rate(lambda: sum(work() for _ in range(times)), time.process_time)
