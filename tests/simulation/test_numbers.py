"""Which games of a simulation a log holds: the very games, whole, and nothing else, whatever else is in it."""

import os
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from services.tables import AT, table_on

from ddz.errors import BrokenLog
from ddz.frozen.shapes import Player
from ddz.log.memory import MemoryLog
from ddz.log.sqlite import SqliteLog
from ddz.log.stores import open_log
from ddz.rules import PRESETS
from ddz.services import loop, merge
from ddz.services.opening import Opening
from ddz.services.table import Table
from ddz.simulation import numbers, plan, shards, simulate
from ddz.simulation.plan import PlanRequest, Simulation
from ddz.work.engines import Here

PEOPLE = (Player("ann", "human"), Player("bob", "human"), Player("cat", "human"))


def simulation(**more: object) -> Simulation:
    request = PlanRequest(**{"games": 12, "seed": 7, "bots": ("random",), **more})
    return plan.new(request, 0)


def log_with(path: Path, *made: Simulation) -> SqliteLog:
    """A log with all games of these simulations."""
    log = open_log(path, create=True)
    assert isinstance(log, SqliteLog)
    for number, each in enumerate(made):
        folder = path.with_name(f"{path.name}.{number}")
        folder.mkdir()
        simulate.play(folder, each, Here(), 1, lambda: AT, os.urandom, lambda *_: None)
        for shard, _ in shards.shards_of(folder):
            merge.merge(log, shard)
    return log


def found(log: object, made: Simulation) -> list[int]:
    marks = numbers.marked(log, made)
    assert len(marks) == made.games + 2
    return [number for number in range(1, made.games + 1) if marks[number]]


@pytest.mark.parametrize("at_once", [1, 5, 100_000])
def test_the_games_of_a_simulation_are_found_among_others(tmp_path: Path, monkeypatch, at_once: int):
    """However many nonces are remembered at once."""
    monkeypatch.setattr(numbers, "AT_ONCE", at_once)
    others = [simulation(seed=8), simulation(bots=("simple",)), simulation(rules=PRESETS["pagat"])]
    with closing(log_with(tmp_path / "l.db", *others, simulation(games=5))) as log:
        table = Table(log, lambda: AT, os.urandom)
        for seed in (None, 7):  # the second has a nonce of ours, but people sit there
            table.open(Opening(players=PEOPLE, seed=seed))
        assert found(log, simulation()) == [1, 2, 3, 4, 5]
        assert found(log, simulation(games=3)) == [1, 2, 3]
        for other in others:
            assert found(log, other) == list(range(1, 13))
        assert found(log, simulation(seed=9)) == []
        assert found(log, simulation(bots=("random", "simple", "random"))) == []


def test_of_a_match_only_the_first_round_is_a_game_of_a_simulation():
    """A later round has the nonce of its number, but somebody else speaks first there."""
    table = table_on()
    players, seated = loop.seat_bots(("random",))
    first = None
    for number in (1, 2):
        opening = Opening(players=players, seed=7, round=number, match=first, previous=first)
        outcome = table.open(opening)
        first = first or outcome.game
        assert found(table.log, simulation()) == ([1] if number == 2 else []), "one that goes on is not whole"
        loop.run(table, outcome.moment, seated)
    assert found(table.log, simulation()) == [1]


def test_a_log_without_games(tmp_path: Path):
    with closing(open_log(tmp_path / "none.db", create=False)) as log:
        assert found(log, simulation()) == []
    assert found(MemoryLog(), simulation()) == []


def test_an_opening_that_somebody_has_changed_is_named(tmp_path: Path):
    with closing(log_with(tmp_path / "l.db", simulation(games=2))) as log:
        log.connection.execute("DROP TRIGGER events_stay")
        log.connection.execute("UPDATE events SET at = '2020' || substr(at, 5) WHERE type = 'game_opened'")
        with pytest.raises(BrokenLog, match=r"event 1 of .* is not what its hash was made of"):
            numbers.marked(log, simulation())


def test_bodies_that_nobody_can_read_are_no_games_of_ours(tmp_path: Path):
    with closing(log_with(tmp_path / "l.db", simulation(games=2))) as log:
        row = next(log.after(0))
        for body in ("", "[" * 100_000, '{"nonce": 1, "seed_chosen": true}', '{"seed_chosen": true}'):
            assert numbers._chosen_nonce(msgspec.structs.replace(row, body=body)) is None
        assert numbers._chosen_nonce(row) is not None


def test_no_nonce_is_computed_for_a_log_without_chosen_seeds(monkeypatch):
    """As when a simulation begins in a log of games that people have played."""
    table = table_on()
    table.open(Opening(players=simulation().players))
    monkeypatch.setattr(numbers, "_nonces", lambda *_: pytest.fail("computed"))
    assert found(table.log, simulation()) == []
