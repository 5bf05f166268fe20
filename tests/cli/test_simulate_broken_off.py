"""A simulation that is broken off, at a terminal and by kill -9: whole games are kept, and `--resume` goes on."""

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ddz.log.sqlite import SqliteLog
from ddz.log.stores import open_log
from ddz.simulation import plan, shards
from ddz.simulation.simulate import Shard, Task, play_stretch

from .stage import SCRIPT, Ddz

if sys.platform == "win32":
    pytest.skip("signals and terminals are those of POSIX systems", allow_module_level=True)
pexpect = pytest.importorskip("pexpect")

SEED = 20261130


@pytest.fixture(scope="module")
def pace(tmp_path_factory: pytest.TempPathFactory) -> float:
    """Games of `random` that a worker plays in a second on this machine just now."""
    folder = tmp_path_factory.mktemp("pace")
    made = plan.new(plan.PlanRequest(games=20, seed=1, bots=("random",)), 0)
    done = play_stretch(Task(made, folder, 1, 21, "2026-11-30T00:00:00Z", b""))
    assert isinstance(done, Shard)
    return done.games / done.seconds


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "shards"


def kept(folder: Path) -> int:
    """The games that are in the shards by now, as another process sees them."""
    found = 0
    for path, _ in shards.shards_of(folder):
        with closing(open_log(path, create=False)) as log:
            found += sum(1 for _ in log.after(0, ["seed_revealed"]))
    return found


def audited(ddz: Ddz, folder: Path) -> int:
    """The games in the shards, each of which audits clean; a worker may have ended before it had begun its own."""
    games = 0
    for path, _ in shards.shards_of(folder):
        with closing(open_log(path, create=False)) as log:
            if not isinstance(log, SqliteLog):
                continue
        said = ddz("audit", "--all", "--db", path).out
        games += int(re.search(r"lines audited: (\d+), with a fault: 0; findings besides: 0", said)[1])
    return games


def goes_on(ddz: Ddz, folder: Path, games: int) -> None:
    """`--resume` plays what is missing, and no game is missing or there twice then."""
    before = audited(ddz, folder)
    assert 0 < before < games, "it was in the middle of it"
    found = ddz("simulate", "--resume", "--out", folder, "--json").json
    assert (found["played"], found["games"], found["given_up"]) == (games - before, games, [])
    assert shards.missing(folder, plan.read(folder)) == []
    assert audited(ddz, folder) == games


# ---- at a terminal ----


@pytest.fixture
def terminal(ddz: Ddz) -> Iterator[Callable[..., Any]]:
    """Run a command at a terminal of its own."""
    children: list[Any] = []

    def run(*args: object, **env: str) -> Any:
        children.append(
            pexpect.spawn(
                str(SCRIPT),
                [*map(str, args)],
                env=ddz.environment(env),
                encoding="utf-8",
                timeout=60,
                dimensions=(30, 110),
            )
        )
        return children[-1]

    yield run
    for child in children:
        child.close(force=True)


def ended(child: Any) -> tuple[int, str]:
    """The exit code, and what was said at the end."""
    child.expect(pexpect.EOF)
    said = child.before
    child.close()
    assert "Traceback" not in said
    return child.exitstatus, said


BAR = r"━+.* (\d+) of {games} games, (\d+) a second, (\d+:\d\d:\d\d) left"


def test_a_bar_ctrl_c_and_resume(terminal: Callable[..., Any], ddz: Ddz, folder: Path, pace: float) -> None:
    games = int(4 * pace) + 20
    child = terminal("simulate", "--games", games, "--bots", "random", "--seed", SEED, "-j", 2, "--out", folder)
    done = rate = 0
    while not (done and rate):  # until there is something to show
        child.expect(BAR.format(games=games))
        done, rate = int(child.match[1]), int(child.match[2])
    assert done < games
    child.sendintr()
    code, said = ended(child)
    assert code == 130
    told = re.search(
        rf"(\d+) of {games} games are kept in (\S+); continue with `ddz simulate --resume --out (\S+)`", said
    )
    assert told, said
    assert told[2] == told[3] == str(folder)
    assert said.split()[-1] == "interrupted"
    assert int(told[1]) >= done
    assert audited(ddz, folder) >= int(told[1]), "what was told is there, and perhaps a game more"
    goes_on(ddz, folder, games)


def test_the_same_bar_in_chinese_and_none_for_a_dumb_terminal(
    terminal: Callable[..., Any], folder: Path, tmp_path: Path, pace: float
) -> None:
    games = int(2 * pace) + 20
    child = terminal("simulate", "--games", games, "--bots", "random", "-j", 1, "--out", folder, DDZ_LANG="zh")
    child.expect(rf"(\d+) / {games} 局，每秒 (\d+) 局，还剩 ")
    assert ended(child)[0] == 0
    child = terminal("simulate", "--games", games, "--bots", "random", "-j", 1, "--out", tmp_path / "dumb", TERM="dumb")
    code, said = ended(child)
    assert code == 0
    assert "━" not in said
    assert said.splitlines()[0].startswith(f"{games} games of seed ")


def test_ctrl_c_while_workers_begin(terminal: Callable[..., Any], ddz: Ddz, folder: Path) -> None:
    """Processes that only just begin hear nothing of it, and say nothing of their own."""
    for wait in (0, 0.05, 0.15):
        child = terminal("simulate", "--games", 100_000, "--bots", "simple", "-j", 2, "--out", folder)
        while not (folder / plan.PLAN).exists():
            time.sleep(0.005)
        time.sleep(wait)
        child.sendintr()
        code, said = ended(child)
        assert code == 130
        assert re.sub(r"[\^]C", "", said).split("\n")[-2].strip() == "interrupted"
        audited(ddz, folder)
        shards.remove(folder)


# ---- kill -9 ----


def begun(ddz: Ddz, folder: Path, games: int) -> "subprocess.Popen[str]":
    """A simulation with two workers, once some games are there."""
    command = [SCRIPT, "simulate", "--games", games, "--bots", "random", "--seed", SEED, "-j", 2, "--out", folder]
    process = subprocess.Popen(
        [*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ddz.environment()
    )
    until = time.monotonic() + 60
    while kept(folder) < 5:
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.02)
    return process


def test_a_killed_parent_takes_its_workers_with_it(ddz: Ddz, folder: Path, pace: float) -> None:
    games = int(3 * pace) + 20
    process = begun(ddz, folder, games)
    process.kill()
    out, err = process.communicate(timeout=20)  # the pipes are closed when the last process has ended
    assert (process.returncode, out) == (-9, "")
    assert "Traceback" not in err  # Python itself may say that it has cleaned up behind the process
    there = kept(folder)
    time.sleep(0.1)
    assert kept(folder) == there, "nobody plays on"
    goes_on(ddz, folder, games)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are found in the way of Linux")
def test_a_killed_worker_is_told_and_ends_the_others(ddz: Ddz, folder: Path, pace: float) -> None:
    games = int(3 * pace) + 20
    process = begun(ddz, folder, games)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text("utf-8").split()
    workers = [pid for pid in children if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    assert len(workers) == 2
    subprocess.run(["kill", "-9", workers[0]], check=True)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (130, "")
    stopped, died = err.splitlines()
    command = f"ddz simulate --resume --out {folder}"
    assert re.fullmatch(rf"\d+ of {games} games are kept in {folder}; continue with `{command}`", stopped)
    assert died == "ddz: a worker process ended suddenly: it was killed, or memory ran out"
    goes_on(ddz, folder, games)


def test_a_simulation_at_work_is_left_alone(ddz: Ddz, folder: Path, pace: float) -> None:
    process = begun(ddz, folder, int(3 * pace) + 20)
    try:
        done = ddz("simulate", "--resume", "--out", folder, code=6)
        assert f"another ddz is at work in {folder}" in done.err
        assert process.poll() is None
    finally:
        process.kill()
        process.communicate(timeout=20)
