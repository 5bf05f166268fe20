"""Simulations: the same games whoever plays them, in shards that are logs, and no game twice."""

import os
import random
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from services.tables import AT, PassingBot, table_on

from ddz import bots
from ddz.errors import BrokenLog, StorageRefused, Unreadable
from ddz.frozen.events import Event, GameOpened, SeedRevealed
from ddz.log import codec
from ddz.log.sqlite import SqliteLog
from ddz.log.stores import open_log
from ddz.rules import PRESETS
from ddz.services import loop
from ddz.services.audit import audit_game
from ddz.services.audit_log import audit_log
from ddz.services.opening import Opening
from ddz.simulation import folder as at_folder
from ddz.simulation import plan, shards, simulate
from ddz.simulation.at_work import at_work
from ddz.simulation.numbers import numbers_in
from ddz.simulation.plan import PlanRequest, Simulation
from ddz.simulation.simulate import Failure, Stretches, Task, WorkerFailed, play_stretch
from ddz.work.engines import Engine, Here, Processes


def simulation(folder: Path, games: int = 12, seed: int = 7, names: tuple[str, ...] = ("random",), **more: Any):
    """A new one, written down in its folder."""
    made = plan.new(PlanRequest(games=games, seed=seed, bots=names, **more), 0)
    folder.mkdir(exist_ok=True)
    plan.write(folder, made)
    return made


def play(
    folder: Path, made: Simulation, engine: Engine | None = None, jobs: int = 1, report=lambda _done, _total: None
):
    return simulate.play(folder, made, engine or Here(), jobs, lambda: AT, os.urandom, report)


def games_in(path: Path) -> dict[str, tuple[Event, ...]]:
    """The games of a log by their nonces, all events but the opening."""
    found = {}
    with closing(open_log(path, create=False)) as log:
        for line in log.lines():
            opened, *others = log.history(line.game)
            assert isinstance(opened, GameOpened)
            found[opened.nonce] = (opened.players, opened.rules, opened.first_voice, *others)
    return found


def games_of(folder: Path) -> dict[str, tuple[Event, ...]]:
    found: dict[str, tuple[Event, ...]] = {}
    for path, _ in shards.shards_of(folder):
        more = games_in(path)
        assert not found.keys() & more.keys()
        found |= more
    return found


class Cut:
    """An engine that stops after some answers, as if somebody had pressed Ctrl-C."""

    def __init__(self, answers: int) -> None:
        self.answers = answers

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def unordered(self, work, tasks):
        for number, task in enumerate(tasks):
            if number == self.answers:
                raise KeyboardInterrupt
            yield work(task)


# ---- what is played ----


def test_every_shard_is_a_log_that_audits_clean(tmp_path: Path):
    made = simulation(tmp_path / "s")
    tally = play(tmp_path / "s", made)
    events = 0
    for path, numbers in shards.shards_of(tmp_path / "s"):
        with closing(open_log(path, create=False)) as log:
            found = audit_log(log)
            assert found.ok
            assert found.lines == len(numbers)
            assert found.head == tally.heads[path]
            events += log.last_position()
            assert numbers_in(log, numbers, made) == set(numbers)
    assert (tally.games, tally.events, tally.given_up) == (12, events, ())


def test_the_same_seed_plays_the_same_games_however_they_are_shared_out(tmp_path: Path):
    names = ("simple", "random", "simple")
    alone = simulation(tmp_path / "alone", names=names)
    play(tmp_path / "alone", alone)
    shared = simulation(tmp_path / "shared", names=names)
    with_others = play(tmp_path / "shared", shared, Processes(3), 3)
    games = games_of(tmp_path / "alone")
    assert len(games) == 12
    assert with_others.games == 12
    assert games_of(tmp_path / "shared") == games
    assert [numbers for _, numbers in shards.shards_of(tmp_path / "alone")] != [
        numbers for _, numbers in shards.shards_of(tmp_path / "shared")
    ], "they were shared out in another way"


def test_ids_and_times_alone_differ(tmp_path: Path):
    for name, at in (("one", "2026-01-01T00:00:00Z"), ("two", "2027-01-01T00:00:00Z")):
        made = simulation(tmp_path / name, games=1)
        simulate.play(tmp_path / name, made, Here(), 1, lambda at=at: at, os.urandom, lambda *_: None)
    rows = []
    for name in ("one", "two"):
        ((path, _),) = shards.shards_of(tmp_path / name)
        with closing(open_log(path, create=False)) as log:
            rows.append(list(log.after(0)))
    assert len(rows[0]) == len(rows[1])
    for one, two in zip(*rows, strict=True):
        assert one.game != two.game
        assert one.event_id != two.event_id
        assert one.at != two.at
        assert (one.position, one.seq, one.type, one.version) == (two.position, two.seq, two.type, two.version)
        assert one.body.replace(one.game, "ID") == two.body.replace(two.game, "ID")


def test_other_seeds_and_other_numbers_are_other_games(tmp_path: Path):
    deals = set()
    for seed in (1, 2):
        play(tmp_path / str(seed), simulation(tmp_path / str(seed), games=5, seed=seed))
        deals |= {events[3] for events in games_of(tmp_path / str(seed)).values()}
    assert len(deals) == 10


SLOW = ("expert",)
BOTS = [pytest.param(bot, marks=[pytest.mark.long] if bot in SLOW else []) for bot in bots.names()]


@pytest.mark.parametrize("bot", BOTS)
def test_a_game_knows_nothing_of_those_before(tmp_path: Path, bot: str):
    """A bot that remembers would play otherwise where the games are shared out otherwise."""
    together, alone = (simulation(tmp_path / name, games=4, names=(bot,)) for name in ("together", "alone"))
    assert play_stretch(Task(together, tmp_path / "together", 1, 5, AT, b"x")).games == 4
    for number in (4, 2, 1, 3):
        assert play_stretch(Task(alone, tmp_path / "alone", number, number + 1, AT, b"x")).games == 1
    assert games_of(tmp_path / "together") == games_of(tmp_path / "alone")


@pytest.mark.parametrize("bot", BOTS)
def test_the_first_game_is_that_which_play_deals_from_the_seed(tmp_path: Path, bot: str):
    """And game n deals what round n does; only the first voice of a later round is another rule's."""
    play(tmp_path / "s", simulation(tmp_path / "s", games=2, names=(bot,)))
    games = games_of(tmp_path / "s")
    table = table_on()
    players, seated = loop.seat_bots((bot,))
    for number in (1, 2):
        outcome = table.open(Opening(players=players, seed=7, round=number))
        at = loop.run(table, outcome.moment, seated)
        opened, *others = table.log.history(at.game)
        assert isinstance(opened, GameOpened)
        assert games[opened.nonce] == (opened.players, opened.rules, opened.first_voice, *others)


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_games_by_any_rules(tmp_path: Path, rules):
    made = simulation(tmp_path / "s", games=4, rules=rules)
    assert play(tmp_path / "s", made).games == 4
    for path, _ in shards.shards_of(tmp_path / "s"):
        with closing(open_log(path, create=False)) as log:
            assert audit_log(log).ok
            assert {codec.event_of(row).rules for row in log.after(0, ["game_opened"])} == {rules}


def test_a_game_of_the_simulation_is_a_match_of_its_own(tmp_path: Path):
    play(tmp_path / "s", simulation(tmp_path / "s", games=3))
    for path, _ in shards.shards_of(tmp_path / "s"):
        with closing(open_log(path, create=False)) as log:
            for line in log.lines():
                opened = log.history(line.game)[0]
                assert (opened.match, opened.round, opened.previous) == (line.game, 1, None)
                assert opened.seed_chosen
                assert audit_game(log, line.game).checks["fairness"] == "chosen"


# ---- nobody bids ----


def test_a_game_that_is_given_up_is_left_out_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(loop, "MOST_REDEALS", 1)
    made = simulation(tmp_path / "s", games=30, seed=1)
    tally = play(tmp_path / "s", made)
    assert 0 < len(tally.given_up) < 30
    assert tally.games == 30 - len(tally.given_up) == len(games_of(tmp_path / "s"))
    missing = [number for stretch in shards.missing(tmp_path / "s", made) for number in stretch]
    assert missing == list(tally.given_up)
    again = play(tmp_path / "s", made)
    assert (again.games, again.given_up) == (0, tally.given_up), "it ends so each time"


def test_bots_that_never_bid_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bots, "make", lambda _name: PassingBot())
    made = simulation(tmp_path / "s", games=2)
    assert play(tmp_path / "s", made).given_up == (1, 2)


# ---- going on ----


@pytest.mark.parametrize("answers", [0, 1, 3])
def test_what_was_broken_off_is_gone_on_with(tmp_path: Path, answers: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(simulate, "LONGEST_STRETCH", 2)
    whole, folder = tmp_path / "whole", tmp_path / "s"
    play(whole, simulation(whole))
    made = simulation(folder)
    with pytest.raises(KeyboardInterrupt):
        play(folder, made, Cut(answers))
    before = games_of(folder)
    assert len(before) < 12
    seen: list[tuple[int, int]] = []
    tally = play(
        folder, at_folder.resumed(folder, PlanRequest(), None), report=lambda done, total: seen.append((done, total))
    )
    assert tally.games == 12 - len(before)
    assert seen[0] == (len(before), 12)
    assert seen[-1] == (12, 12)
    assert games_of(folder) == games_of(whole)
    assert play(folder, made).games == 0, "there is nothing left to do"


def test_a_shard_that_is_there_in_part_is_completed_by_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """As after a kill: the games that were committed are there, and no part of the next one."""
    folder = tmp_path / "s"
    made = simulation(folder)
    played: list[int] = []
    whole_game = simulate.whole_game

    def killed_at_the_fourth(command, seated):
        played.append(1)
        if len(played) == 4:
            raise KeyboardInterrupt
        return whole_game(command, seated)

    monkeypatch.setattr(simulate, "whole_game", killed_at_the_fourth)
    task = Task(made, folder, 1, 13, AT, b"entropy")
    with pytest.raises(KeyboardInterrupt):
        play_stretch(task)
    monkeypatch.undo()
    assert shards.missing(folder, made) == [range(4, 13)]
    assert play(folder, made).games == 9
    play(tmp_path / "whole", simulation(tmp_path / "whole"))
    assert games_of(folder) == games_of(tmp_path / "whole")


def test_a_stretch_that_is_given_out_twice_plays_no_game_twice(tmp_path: Path):
    folder = tmp_path / "s"
    made = simulation(folder, games=5)
    first = play_stretch(Task(made, folder, 1, 6, AT, b"one"))
    second = play_stretch(Task(made, folder, 1, 6, AT, b"two"))
    assert (first.games, second.games, second.events) == (5, 0, 0)
    assert first.head == second.head
    assert len(games_of(folder)) == 5


def test_a_shard_that_was_only_begun_is_used(tmp_path: Path):
    folder = tmp_path / "s"
    made = simulation(folder, games=5)
    shards.path_of(folder, range(1, 6)).touch()  # killed before the first table was there
    assert shards.missing(folder, made) == [range(1, 6)]
    assert play_stretch(Task(made, folder, 1, 6, AT, b"one")).games == 5


def test_more_games_may_be_requested_later(tmp_path: Path):
    folder = tmp_path / "s"
    play(folder, simulation(folder, games=5))
    longer = at_folder.resumed(folder, PlanRequest(games=9), None)
    assert play(folder, longer).games == 4
    play(tmp_path / "whole", simulation(tmp_path / "whole", games=9))
    assert games_of(folder) == games_of(tmp_path / "whole")


# ---- what does not belong together ----


def test_a_new_simulation_overwrites_none(tmp_path: Path):
    other = PlanRequest(games=3, seed=1)
    simulation(tmp_path)  # without a game, nothing is lost
    assert at_folder.settle(tmp_path, other, plan.new(other, 1), None) == plan.new(other, 1)
    play(tmp_path, simulation(tmp_path))
    with pytest.raises(Unreadable, match="another simulation, 12 games of seed 7: continue it"):
        at_folder.settle(tmp_path, other, plan.new(other, 1), None)


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (PlanRequest(seed=8), "has other seed"),
        (PlanRequest(bots=("simple",)), "has other bots"),
        (PlanRequest(rules=PRESETS["pagat"]), "has other rules"),
        (PlanRequest(games=11), "has 12 games: it cannot be continued with fewer"),
    ],
)
def test_another_simulation_is_not_gone_on_with(tmp_path: Path, request_: PlanRequest, words: str):
    made = simulation(tmp_path)
    assert at_folder.resumed(tmp_path, PlanRequest(seed=7, games=12, bots=("random",), rules=made.rules), None) == made
    with pytest.raises(Unreadable, match=words):
        at_folder.resumed(tmp_path, request_, None)


def test_bots_that_have_changed_do_not_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    simulation(tmp_path, names=("simple",))
    from ddz.bots.simple import SimpleBot

    monkeypatch.setattr(SimpleBot, "version", "0")
    with pytest.raises(Unreadable, match=r"was begun with simple \d+, .*, and this ddz has other versions"):
        at_folder.resumed(tmp_path, PlanRequest(), None)


@pytest.mark.parametrize("names", [("deep",), ("random", "exec:true", "random"), ("",)])
def test_only_our_own_bots_are_simulated(names: tuple[str, ...]):
    with pytest.raises(Unreadable, match="there is no bot called"):
        plan.new(PlanRequest(games=1, bots=names), 1)


def test_a_plan_names_no_program_to_run(tmp_path: Path):
    made = simulation(tmp_path)
    player = msgspec.structs.replace(made.players[0], bot="exec:true")
    plan.write(tmp_path, msgspec.structs.replace(made, players=(player, *made.players[1:])))
    with pytest.raises(Unreadable, match="there is no bot called 'exec:true'"):
        at_folder.resumed(tmp_path, PlanRequest(), None)


@pytest.mark.parametrize("raw", [b"", b"{}", b'{"format": "ddz-simulation/2"}', b"\xff"])
def test_a_plan_that_is_none(tmp_path: Path, raw: bytes):
    (tmp_path / plan.PLAN).write_bytes(raw)
    with pytest.raises(Unreadable, match="describes no simulation"):
        plan.read(tmp_path)


def test_no_plan_at_all(tmp_path: Path):
    with pytest.raises(Unreadable, match=r"there is no simulation in .* to continue"):
        at_folder.resumed(tmp_path / "nowhere", PlanRequest(), None)


def test_two_do_not_work_on_one_simulation(tmp_path: Path):
    with at_work(tmp_path / "s"):
        with pytest.raises(StorageRefused, match="another ddz is at work in"), at_work(tmp_path / "s"):
            pass
        simulation(tmp_path / "s")
    with at_work(tmp_path / "s"):
        pass


def test_a_damaged_shard_is_named_with_what_to_do(tmp_path: Path):
    made = simulation(tmp_path)
    play(tmp_path, made)
    (path, numbers), *_ = shards.shards_of(tmp_path)
    path.write_bytes(b"no database at all, but long enough to be looked at" * 20)
    with pytest.raises(BrokenLog, match=f"{path.name}: .* Remove this file, and its games are played again"):
        play(tmp_path, made)
    path.unlink()
    assert play(tmp_path, made).games == len(numbers)


def test_games_that_do_not_belong_are_found(tmp_path: Path):
    made = simulation(tmp_path / "s", games=3)
    other = simulation(tmp_path / "other", games=3, seed=8)
    play_stretch(Task(other, tmp_path / "s", 1, 4, AT, b"x"))
    with pytest.raises(BrokenLog, match=r"is of another simulation\. Remove this file"):
        shards.missing(tmp_path / "s", made)
    assert isinstance(play_stretch(Task(made, tmp_path / "s", 1, 4, AT, b"x")), Failure)


def test_a_game_in_two_shards_is_found(tmp_path: Path):
    made = simulation(tmp_path, games=5)
    play_stretch(Task(made, tmp_path, 1, 4, AT, b"x"))
    play_stretch(Task(made, tmp_path, 3, 6, AT, b"y"))
    with pytest.raises(BrokenLog, match="game 3 is in another file, too"):
        shards.missing(tmp_path, made)


def test_a_game_without_its_end_is_found(tmp_path: Path):
    made = simulation(tmp_path, games=1)
    play_stretch(Task(made, tmp_path, 1, 2, AT, b"x"))
    path = shards.path_of(tmp_path, range(1, 2))
    with closing(open_log(path, create=False)) as log:
        rows = list(log.after(0))
    path.unlink()
    with closing(open_log(path, create=True)) as log:
        log.adopt(rows[:-1])
    with pytest.raises(BrokenLog, match="not all of its games are whole"):
        shards.missing(tmp_path, made)


# ---- faults of workers ----


class FaultyBot:
    name, version = "random", "1"

    def choose(self, view, legal, rng: random.Random):  # noqa: ARG002
        raise ZeroDivisionError("one by nothing")


def test_a_fault_of_a_bot_is_told_with_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    made = simulation(tmp_path)
    monkeypatch.setattr(bots, "make", lambda _name: FaultyBot())
    with pytest.raises(
        WorkerFailed, match=r"game 1 of seed 7: ZeroDivisionError: one by nothing \(test_simulate.py, line \d+\)"
    ):
        play(tmp_path, made)


def test_a_full_disk_is_told_as_such(tmp_path: Path):
    made = simulation(tmp_path)
    (tmp_path / "away").mkdir()
    shards.path_of(tmp_path, range(1, 2)).mkdir()
    with pytest.raises(StorageRefused, match="is a folder, not a log"):
        simulate.play(tmp_path, made, Here(), 1, lambda: AT, os.urandom, lambda *_: None)


# ---- stretches ----


@pytest.mark.parametrize("jobs", [1, 2, 7])
@pytest.mark.parametrize("pace", [0.01, 3, 100, 1_000_000])
def test_stretches_cover_every_game_once(jobs: int, pace: float):
    gaps = [range(1, 400), range(500, 501), range(777, 5000)]
    stretches = Stretches(gaps, jobs)
    covered: list[int] = []
    for stretch in stretches:
        assert 1 <= len(stretch) <= simulate.LONGEST_STRETCH
        covered += stretch
        stretches.learn(len(stretch), len(stretch) / pace)
    assert covered == [number for gap in gaps for number in gap]
    assert stretches.left == 0


def test_a_stretch_takes_about_a_second():
    stretches = Stretches([range(1, 10_001)], 2)
    lengths = []
    for stretch in stretches:
        lengths.append(len(stretch))
        stretches.learn(len(stretch), len(stretch) / 150)
    assert lengths[0] == 1
    assert set(lengths[1:60]) == {150}
    assert all(15 <= length <= 150 for length in lengths[1:-1]), "the end is shared out, but not in crumbs"


def test_what_a_simulation_leaves_is_taken_away_and_nothing_else(tmp_path: Path):
    play(tmp_path / "s", simulation(tmp_path / "s"))
    kept = tmp_path / "s" / "notes.txt"
    kept.write_text("mine", "utf-8")
    shards.remove(tmp_path / "s")
    assert list((tmp_path / "s").iterdir()) == [kept]
    kept.unlink()
    play(tmp_path / "s", simulation(tmp_path / "s"))
    shards.remove(tmp_path / "s")
    assert not (tmp_path / "s").exists()


def test_every_game_is_stored_in_one_transaction(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """So a half-written game never counts: the end of a game is in the very batch that begins it."""
    batches: list[list[str]] = []
    append = SqliteLog.append

    def noted(self, game, expected_seq, events, *more):
        batches.append([type(event).__name__ for event in events])
        return append(self, game, expected_seq, events, *more)

    monkeypatch.setattr(SqliteLog, "append", noted)
    assert play(tmp_path, simulation(tmp_path, games=3)).games == 3
    assert len(batches) == 3
    for batch in batches:
        assert (batch[0], batch[-1]) == (GameOpened.__name__, SeedRevealed.__name__)
        assert batch.count(GameOpened.__name__) == batch.count(SeedRevealed.__name__) == 1
