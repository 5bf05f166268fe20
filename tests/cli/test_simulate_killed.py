"""`ddz simulate` killed at any step: whoever repeats a command has each game in the log once, and no more.

`states` are the folder and the log as a kill leaves them, built by hand. `test_a_kill_at_any_step` finds the steps
itself: a child of this process is killed, or its system call fails, at the n-th thing that it does to a file (every
twelfth here, each with `-m long`). Last, real processes with workers are killed at random moments (3 times here, 120
times with `-m long`).
"""

import errno
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from math import inf
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ddz import dealing
from ddz.log.driver import sqlite3
from ddz.log.stores import open_log
from ddz.services import merge
from ddz.simulation import plan, shards, simulate

from .stage import SCRIPT, Ddz

SEED, GAMES = 7, 8
CHOSEN = ("simulate", "--games", GAMES, "--bots", "random", "--seed", SEED, "-j", 1)
DRAWN = ("simulate", "--games", GAMES, "--bots", "random", "-j", 1)
RESUME = ("simulate", "--resume", "-j", 1)
ANOTHER = ("simulate", "--games", 2, "--bots", "random", "--seed", SEED + 1, "-j", 1)
NONCES = {
    dealing.chosen_seeds(seed, number)[0].hex(): (seed, number) for seed in (SEED, SEED + 1) for number in range(1, 99)
}
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX systems")


def numbers_in(db: Path, seed: int = SEED) -> list[int]:
    """The numbers of the whole games of a seed in a log."""
    with closing(open_log(db, create=False)) as log:
        whole = {row.game for row in log.after(0, ["seed_revealed"])}
        opened = [json.loads(row.body)["nonce"] for row in log.after(0, ["game_opened"]) if row.game in whole]
    found = [NONCES.get(nonce, (0, 0)) for nonce in opened]
    return sorted(number for of, number in found if of == seed)


def all_once(db: Path, games: int = GAMES) -> bool:
    return numbers_in(db) == list(range(1, games + 1))


def count(db: Path) -> int:
    with closing(open_log(db, create=False)) as log:
        return sum(1 for _ in log.after(0, ["game_opened"]))


@pytest.fixture
def folder(db: Path) -> Path:
    return db.with_name(f"{db.name}.simulation")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a simulation of which all is played, in four shards or five."""
    there = tmp_path_factory.mktemp("played") / "shards"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(simulate, "LONGEST_STRETCH", 2)
        Ddz()(*CHOSEN, "--out", there)
    assert len(shards.shards_of(there)) >= 4
    return there


def beginning(path: Path) -> None:
    """A database in which there is nothing: its first page, as SQLite writes it before the tables."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version=0")
        connection.execute("VACUUM")
    assert path.stat().st_size > 0


LOCK, HALF = "simulation.lock", "simulation.json.new"
ALL = range(99)
BEFORE_THE_PLAN = {
    "nothing": None,
    "folder": ([], [], {}),
    "lock": ([], [], {LOCK: b""}),
    "half a plan": ([], [], {LOCK: b"", HALF: b'{"format": "ddz-sim'}),
}
"""A step: which shards are there, which of them the log has, and what else is there (`last` is the last shard)."""
WITH_A_PLAN = {
    "plan": ([], [], {}),
    "shard of 0 bytes": ([], [], {"last": b""}),
    "shard of 0 bytes with its journal": ([0, 1], [], {"last": b"", "last-journal": b""}),
    "shard without tables": ([0], [], {"last": beginning}),
    "shard without games": ([0], [], {"last": lambda path: open_log(path, create=True).close()}),
    "some shards": ([1, 2], [], {}),
    "all shards": (ALL, [], {}),
    "one is merged": (ALL, [0], {}),
    "all are merged": (ALL, ALL, {}),
    "one is gone": (ALL[1:], ALL, {}),
    "one is gone but what was beside it": (ALL[:-1], ALL, {"last-journal": b"left", "last-wal": b"", "last-shm": b""}),
    "one of all is there": ([1], ALL, {}),
    "all are gone": ([], ALL, {}),
}
BEHIND_THE_PLAN = {
    "the plan is gone": ([], ALL, {LOCK: b""}),
    "the lock is gone": ([], ALL, {}),
    "the plan went first": (ALL[2:], ALL, {LOCK: b""}),  # as an older ddz did it
    "the plan is spoilt": (ALL, ALL, {LOCK: b"", plan.PLAN: b""}),  # a power cut
}


def states(name: str, folder: Path, db: Path, played: Path) -> None:
    """The folder and the log as a kill at this step leaves them."""
    found = {**BEFORE_THE_PLAN, **WITH_A_PLAN, **BEHIND_THE_PLAN}[name]
    if found is None:
        return
    kept, merged, besides = found
    parts = [path for path, _ in shards.shards_of(played)]
    folder.mkdir()
    if name in WITH_A_PLAN:
        shutil.copy(played / LOCK, folder)
        shutil.copy(played / plan.PLAN, folder)
    for number, path in enumerate(parts):
        if number in kept:
            shutil.copy(path, folder)
        if number in merged:
            with closing(open_log(db, create=True)) as log:
                merge.merge(log, path)
    for other, content in besides.items():
        path = folder / other.replace("last", parts[-1].name)
        if callable(content):
            content(path)
        else:
            path.write_bytes(content)


def nothing_is_in_the_way(ddz: Ddz, db: Path, folder: Path) -> None:
    """Each game is there once, nothing is beside the log, and a new simulation begins."""
    assert all_once(db)
    assert not folder.exists()
    ddz(*ANOTHER)
    assert (numbers_in(db, SEED + 1), count(db)) == ([1, 2], GAMES + 2)
    assert [path.name for path in db.parent.iterdir()] == [db.name]


@pytest.mark.parametrize("name", [*BEFORE_THE_PLAN, *WITH_A_PLAN, *BEHIND_THE_PLAN])
def test_the_command_itself_can_be_repeated(ddz: Ddz, db: Path, folder: Path, played: Path, name: str) -> None:
    states(name, folder, db, played)
    there = len(numbers_in(db)) if db.exists() else 0
    found = ddz(*CHOSEN, "--json").json
    assert found["played"] <= GAMES - there
    assert (found["played"] + found["known"], found["seed"]) == (GAMES, SEED)
    again = ddz(*CHOSEN, "--json").json
    assert (again["played"], again["known"]) == (0, GAMES), "whenever it is asked for"
    nothing_is_in_the_way(ddz, db, folder)


@pytest.mark.parametrize("name", WITH_A_PLAN)
def test_resume_goes_on_from_every_step(ddz: Ddz, db: Path, folder: Path, played: Path, name: str) -> None:
    states(name, folder, db, played)
    found = ddz(*RESUME, "--json").json
    assert (found["played"] + found["known"], found["seed"]) == (GAMES, SEED)
    nothing_is_in_the_way(ddz, db, folder)


@pytest.mark.parametrize("name", [*BEFORE_THE_PLAN, *BEHIND_THE_PLAN])
def test_resume_says_that_there_is_nothing_and_is_in_nobodys_way(
    ddz: Ddz, db: Path, folder: Path, played: Path, name: str
) -> None:
    states(name, folder, db, played)
    done = ddz(*RESUME, code=2)
    assert "describes no simulation" in done.err or "finished games are in the log" in done.err
    if not db.exists():
        ddz(*CHOSEN)
    assert all_once(db)
    ddz(*ANOTHER)
    assert count(db) == GAMES + 2
    assert not folder.exists()


@pytest.mark.parametrize("name", ["plan", "some shards", "one is merged", "all are gone"])
def test_a_drawn_seed_is_the_one_that_was_drawn(ddz: Ddz, db: Path, folder: Path, played: Path, name: str) -> None:
    """Without a seed the same command goes on, too, if nobody had chosen that of the plan."""
    states(name, folder, db, played)
    drawn = json.loads((folder / plan.PLAN).read_text("utf-8")) | {"drawn": True}
    (folder / plan.PLAN).write_text(json.dumps(drawn), "utf-8")
    assert ddz(*DRAWN, "--json").json["seed"] == SEED
    nothing_is_in_the_way(ddz, db, folder)


@pytest.mark.parametrize("name", ["plan", "shard of 0 bytes", "all are merged", "one is gone", "all are gone"])
def test_another_one_is_not_blocked_by_what_has_nothing_to_give(
    ddz: Ddz, db: Path, folder: Path, played: Path, name: str
) -> None:
    states(name, folder, db, played)
    there = count(db) if db.exists() else 0
    ddz(*ANOTHER)
    assert (numbers_in(db, SEED + 1), count(db)) == ([1, 2], there + 2)
    assert not folder.exists()


# ---- what is refused, and that the way out leads out ----


@pytest.mark.parametrize("name", ["some shards", "all shards", "one is merged"])
@pytest.mark.parametrize(
    "command", [ANOTHER, DRAWN, (*CHOSEN[:2], GAMES - 1, *CHOSEN[3:])], ids=["other", "drawn", "fewer"]
)
def test_another_one_waits_for_resume(
    ddz: Ddz, db: Path, folder: Path, played: Path, name: str, command: tuple[object, ...]
) -> None:
    states(name, folder, db, played)
    done = ddz(*command, code=2)
    assert f"holds another simulation, {GAMES} games of seed {SEED}: continue it" in done.err
    ddz(*RESUME)
    assert all_once(db)
    ddz(*command)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize("command", [DRAWN, RESUME], ids=["drawn", "resume"])
def test_games_of_which_nobody_knows_the_seed_are_merged_by_hand(
    ddz: Ddz, db: Path, folder: Path, played: Path, command: tuple[object, ...]
) -> None:
    states("all shards", folder, db, played)
    (folder / plan.PLAN).unlink()
    done = ddz(*command, code=2)
    assert "simulation.json, which says of which one, is absent or damaged" in done.err
    assert f"Type: ddz log merge {folder / 'games-*.db'}" in done.err
    ddz("log", "merge", *sorted(folder.glob("games-*.db")))
    assert all_once(db)
    ddz(*DRAWN)
    assert count(db) == 2 * GAMES
    assert not folder.exists()


def test_games_of_another_version_are_merged_by_hand(ddz: Ddz, db: Path, folder: Path, played: Path) -> None:
    states("some shards", folder, db, played)
    text = (folder / plan.PLAN).read_text("utf-8")
    (folder / plan.PLAN).write_text(text.replace('"version": "1"', '"version": "0"'), "utf-8")
    for command in (CHOSEN, RESUME, ANOTHER):
        done = ddz(*command, code=2)
        assert "was begun with random 0, random 0, random 0, and this ddz has other versions of them" in done.err
        assert f"Type: ddz log merge {folder / 'games-*.db'}" in done.err
    ddz("log", "merge", *sorted(folder.glob("games-*.db")))
    ddz(*CHOSEN)
    assert all_once(db)
    assert not folder.exists()


def test_a_game_that_the_log_got_elsewhere_is_not_taken_over_twice(ddz: Ddz, db: Path, folder: Path) -> None:
    """Game 1 is the very game of `play --auto`: a shard with it and others is not taken over as it is."""
    made = plan.new(plan.PlanRequest(games=GAMES, seed=SEED, bots=("random",)), 0)
    folder.mkdir()
    plan.write(folder, made)
    assert simulate.play_stretch(simulate.Task(made, folder, 1, 4, "2026-11-30T00:00:00Z", b"x")).games == 3
    ddz("play", "--auto", "--bot", "random", "--seed", SEED)
    assert numbers_in(db) == [1]
    assert ddz(*RESUME, "--json").json["known"] == 1
    nothing_is_in_the_way(ddz, db, folder)


def test_a_shard_that_cannot_be_taken_over_is_named_with_what_to_do(
    ddz: Ddz, db: Path, folder: Path, played: Path
) -> None:
    """It looks well before the play: its openings do."""
    states("all shards", folder, db, played)
    path, of = shards.shards_of(folder)[1]
    with closing(sqlite3.connect(path)) as connection, connection:
        guard = connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'events_stay'").fetchone()[0]
        connection.execute("DROP TRIGGER events_stay")
        connection.execute("UPDATE events SET at = '2020' || substr(at, 5) WHERE type = 'game_scored'")
        connection.execute(guard)
    done = ddz(*RESUME, code=5)
    assert f"ddz: {path}: " in done.err
    assert "is not what its hash was made of. Remove this file, and its games are played again" in done.err
    path.unlink()
    assert ddz(*RESUME, "--json").json["played"] == len(of)
    nothing_is_in_the_way(ddz, db, folder)


@POSIX
@pytest.mark.parametrize("where", ["beside the log", "out"])
def test_what_it_leaves_is_its_owners_alone(ddz: Ddz, db: Path, folder: Path, tmp_path: Path, where: str) -> None:
    """Whoever reads the plan or a shard knows the cards of every game of that seed."""
    before = os.umask(0)
    try:
        if where == "out":
            folder = tmp_path / "out"
            ddz(*CHOSEN, "--out", folder)
        else:
            code, said = at_step((*CHOSEN, "--db", db), 20, tmp_path, kill)
            assert code == -9, said
    finally:
        os.umask(before)
    modes = {path.name: path.stat().st_mode & 0o777 for path in [folder, *folder.iterdir()]}
    assert {plan.PLAN, "simulation.lock"} < modes.keys()
    assert any(name.startswith("games-") for name in modes)
    assert {mode & 0o077 for mode in modes.values()} == {0}, modes


# ---- what was told, and what was not ----


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a file that takes nothing")
def test_a_result_that_nobody_heard_is_told_again(ddz: Ddz, db: Path, folder: Path) -> None:
    """Nobody has chosen the seed, so only what is beside the log can say that the games are there."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [SCRIPT, *map(str, DRAWN)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=ddz.environment(),
            check=False,
        )
    assert (done.returncode, count(db)) == (6, GAMES)
    assert "Traceback" not in done.stderr
    found = ddz(*DRAWN, "--json").json
    assert (found["played"], found["known"], count(db)) == (0, GAMES, GAMES)
    assert not folder.exists()
    assert ddz(*DRAWN, "--json").json["played"] == GAMES, "and whoever has heard it gets others"


def test_a_reader_that_has_gone_is_no_reason_to_leave_anything(ddz: Ddz, db: Path, folder: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [SCRIPT, *map(str, CHOSEN)],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        env=ddz.environment(),
        check=False,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")
    assert all_once(db)
    assert not folder.exists()


# ---- at every step ----

FILES = ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.listdir", "os.scandir", "sqlite3.connect", "open")


def at_step(args: tuple[object, ...], step: int, near: Path, do: Callable[[], None]) -> tuple[int, str]:
    """Run a command in a child of this process; at its `step`-th access to what is `near`, `do` something to it.

    What came of it: its exit code, or the negated number of the signal; and what it said.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        code = 99
        try:
            left = step

            def hear(event: str, facts: tuple[object, ...]) -> None:
                nonlocal left
                if event in FILES and facts and str(near) in os.fsdecode(facts[0] if facts[0] else b""):
                    left -= 1
                    if left == 0:
                        do()

            from ddz.cli.app import app

            sys.addaudithook(hear)
            found = CliRunner().invoke(app, [*map(str, args)])
            left = -1
            code = found.exit_code
            os.write(writer, (found.stderr + (repr(found.exception) if code not in (0, 6) else "")).encode())
        finally:
            os._exit(code)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as said:
        told = said.read()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), told


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fail(number: int) -> Callable[[], None]:
    def failing() -> None:
        raise OSError(number, os.strerror(number))

    return failing


STRIDE = 12


@POSIX
@pytest.mark.parametrize("again", [CHOSEN, RESUME], ids=["itself", "resume"])
@pytest.mark.parametrize("stride", [STRIDE, pytest.param(1, marks=pytest.mark.long)])
def test_a_kill_at_any_step(ddz: Ddz, tmp_path: Path, again: tuple[object, ...], stride: int) -> None:
    code, step = -9, 1 + (again is RESUME) * STRIDE // 2 * (stride > 1)
    while code == -9:
        near = tmp_path / str(step)
        db = near / "games.db"
        code, said = at_step((*CHOSEN, "--db", db), step, near, kill)
        assert code in (-9, 0), said
        done = ddz(*again, "--db", db, code=None)
        assert done.code == 0 or " simulation in " in done.err
        if done.code != 0 and not (db.exists() and count(db)):
            ddz(*CHOSEN, "--db", db)
        assert all_once(db), f"killed at step {step}"
        ddz(*ANOTHER, "--db", db)
        assert count(db) == GAMES + 2
        assert not db.with_name("games.db.simulation").exists()
        step += stride
    assert step > 40, "there are so many steps at least"


@POSIX
@pytest.mark.parametrize("stride", [STRIDE, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("number", [errno.EIO, errno.ENOSPC], ids=["EIO", "ENOSPC"])
def test_a_failing_disk_at_any_step(ddz: Ddz, tmp_path: Path, number: int, stride: int) -> None:
    """Exit 6 and a sentence; the next command goes on. Where ddz need not care, it may be done all the same."""
    step, failed, last = 1 + (number == errno.ENOSPC) * STRIDE // 2 * (stride > 1), 0, False
    while not last:
        near = tmp_path / str(step)
        db = near / "games.db"
        heard = tmp_path / f"{step}.heard"

        def failing(heard: Path = heard) -> None:
            heard.touch()
            fail(number)()

        code, said = at_step((*CHOSEN, "--db", db), step, near, failing)
        assert code in (0, 6), said
        assert "Traceback" not in said
        failed += code == 6
        last = not heard.exists()
        ddz(*CHOSEN, "--db", db)
        assert all_once(db), f"failed at step {step}"
        ddz(*ANOTHER, "--db", db)
        assert count(db) == GAMES + 2
        assert not db.with_name("games.db.simulation").exists()
        step += stride
    assert failed >= 36 // stride


# ---- at random ----


@POSIX
@pytest.mark.parametrize("wanted", [3, pytest.param(120, marks=pytest.mark.long)])
def test_random_kills_of_real_processes(ddz: Ddz, tmp_path: Path, wanted: int) -> None:
    """Two workers, killed with their parent once or more often, at any moment of a run."""
    chance = random.Random(wanted)
    whole = lasting(ddz, CHOSEN, tmp_path / "pace.db", 60.0)
    assert whole < 60
    kills = turn = 0
    while kills < wanted:
        turn += 1
        assert turn < 10 * wanted, "so few are hit"
        db = tmp_path / str(turn) / "games.db"
        command = CHOSEN
        for _ in range(chance.randint(1, 3)):
            lasted = lasting(ddz, command, db, whole * chance.uniform(0.1, 1))
            kills += lasted == inf
            whole = min(whole, lasted) if command == CHOSEN else whole  # the machine may have less to do by now
            command = chance.choice([CHOSEN, RESUME])
        done = ddz(*command, "--db", db, code=None)
        assert done.code == 0 or " simulation in " in done.err, done.err
        if done.code != 0 and not (db.exists() and count(db)):
            ddz(*CHOSEN, "--db", db)
        assert all_once(db), f"round {turn}"
        ddz(*ANOTHER, "--db", db)
        assert count(db) == GAMES + 2
        assert not db.with_name("games.db.simulation").exists()


def lasting(ddz: Ddz, command: tuple[object, ...], db: Path, limit: float) -> float:
    """Run a command with two workers; how many seconds it took, endless if it was killed at the limit."""
    began = time.monotonic()
    process = subprocess.Popen(
        [SCRIPT, *map(str, command[:-1]), "2", "--db", db],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=ddz.environment(),
    )
    try:
        process.wait(limit)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return inf
    return time.monotonic() - began
