"""Which games of a simulation a log holds. A game says its number itself: its nonce follows from seed and number.

So nothing is written down beside the games, and no crash can leave it wrong.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from ddz import dealing
from ddz.errors import BrokenLog
from ddz.frozen.events import GameOpened
from ddz.log import chain, codec
from ddz.log.base import EventLog, Row
from ddz.services.opening import Opening, chosen, open_command
from ddz.services.table import decide_all
from ddz.simulation.plan import Simulation
from ddz.state import START

AT_ONCE: Final = 100_000
"""Numbers whose nonces are remembered for one reading of a log, some 25 MB."""


def numbers_in(log: EventLog, numbers: range, simulation: Simulation) -> set[int]:
    """The numbers of the games that a shard for `numbers` holds, all of them whole.

    Raises:
        BrokenLog: the shard is damaged, or holds something else.
    """
    nonces = _nonces(simulation, numbers)
    begun: dict[str, int] = {}
    whole: set[int] = set()
    for row in log.after(0, ("game_opened", "seed_revealed")):
        event = codec.event_of(row)
        if isinstance(event, GameOpened):
            number = nonces.pop(event.nonce, 0)
            if not number or (event.players, event.rules) != (simulation.players, simulation.rules):
                raise BrokenLog("shard/foreign", "the game {game} in it is of another simulation", game=row.game)
            begun[row.game] = number
        else:
            whole.add(begun.pop(row.game, 0))
    if begun or 0 in whole:
        raise BrokenLog("shard/incomplete", "not all of its games are whole")
    return whole


def unmarked(simulation: Simulation) -> bytearray:
    """A mark for each number of a simulation, none of them set; those before the first and after the last are."""
    there = bytearray(simulation.games + 2)
    there[0] = there[-1] = 1
    return there


def marked(log: EventLog, simulation: Simulation) -> bytearray:
    """Marks for the games of a simulation that any log holds whole, among whatever else it holds.

    The log is read once, and once more for each further 100,000 games of the simulation; nothing of it is kept.

    Raises:
        BrokenLog: the log cannot be read, or the opening of such a game is not what its hash was made of.
    """
    there = unmarked(simulation)
    for first in range(1, simulation.games + 1, AT_ONCE):
        numbers = range(first, min(first + AT_ONCE, simulation.games + 1))
        for number in _whole(log, numbers, simulation):
            there[number] = 1
    return there


def _whole(log: EventLog, numbers: range, simulation: Simulation) -> Iterator[int]:
    nonces: dict[str, int] | None = None
    begun: dict[str, int] = {}
    for row in log.after(0, ("game_opened", "seed_revealed")):
        if row.type == "seed_revealed":
            if row.game in begun:
                yield begun.pop(row.game)
        elif (nonce := _chosen_nonce(row)) is not None:
            # Computed only now: most logs that a simulation begins to fill hold no game of a chosen seed.
            nonces = _nonces(simulation, numbers) if nonces is None else nonces
            if nonce in nonces and _opens(row, nonces[nonce], simulation):
                begun[row.game] = nonces[nonce]


class _Seeds(msgspec.Struct):
    """What tells most games of a log from those of a simulation, read leniently: what cannot be read is none."""

    nonce: str
    seed_chosen: bool


_SEEDS: Final = msgspec.json.Decoder(_Seeds)


def _chosen_nonce(row: Row) -> str | None:
    try:
        seeds = _SEEDS.decode(row.body)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return seeds.nonce if seeds.seed_chosen else None


def _opens(row: Row, number: int, simulation: Simulation) -> bool:
    """Whether a row is the opening of game `number`, and not of a round of a match that has its nonce, too."""
    for problem in chain.hash_problems(row):
        raise problem.error()
    opening = Opening(players=simulation.players, rules=simulation.rules)
    decided, _ = decide_all(START, (open_command(row.game, opening, chosen(simulation.seed, number)),))
    return decided[0] == codec.event_of(row)


def _nonces(simulation: Simulation, numbers: range) -> dict[str, int]:
    return {dealing.chosen_seeds(simulation.seed, number)[0].hex(): number for number in numbers}
