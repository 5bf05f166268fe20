"""However ddz ends, nothing of a guest's outlives it: real programs that fork, and every way to end."""

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ddz.guests import process

from .test_program import SCRIPT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the program's group is ended, and no more")
FAMILY = Path(__file__).with_name("family.py")
SOON = 5.0


def there(pid: int) -> bool:
    """True for a process that lives; one that nobody has taken leave of does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def until(true: Callable[[], bool]) -> bool:
    """Wait for it, not for long."""
    deadline = time.monotonic() + 2 * SOON
    while not true() and time.monotonic() < deadline:
        time.sleep(0.02)
    return true()


def family(file: Path) -> list[int]:
    """The processes that have noted themselves."""
    return [int(line) for line in file.read_text().splitlines()] if file.exists() else []


def guest(file: Path, mode: str) -> str:
    return f"exec@60:{shlex.join([sys.executable, '-S', '-E', str(FAMILY), str(file), mode])}"


def begun(tmp_path: Path, mode: str) -> tuple[subprocess.Popen[bytes], Path]:
    """A game of ddz with such a guest at every seat's turn, in a process of its own."""
    file = tmp_path / "family"
    bots = [word for name in (guest(file, mode), "simple", "simple") for word in ("--bot", name)]
    environment = os.environ | {"DDZ_DB": str(tmp_path / "games.db")}
    ddz = subprocess.Popen(
        [SCRIPT, "play", "--auto", "--rules", "douzero", "--seed", "1", *bots],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return ddz, file


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"])
def test_nothing_outlives_ddz_that_is_ended_by_a_signal(name: str, tmp_path: Path) -> None:
    ddz, file = begun(tmp_path, "stays")
    try:
        assert until(lambda: len(family(file)) == 4), ddz.poll()
        members = family(file)
        assert all(map(there, members)), "else nothing is tried"
        ddz.send_signal(getattr(signal, name))
        ddz.communicate(timeout=SOON * 2)
        assert until(lambda: not any(map(there, members))), [pid for pid in members if there(pid)]
    finally:
        put_away(ddz, family(file))


def test_nothing_outlives_a_game_that_comes_to_its_end(tmp_path: Path) -> None:
    ddz, file = begun(tmp_path, "goes")
    try:
        out, _ = ddz.communicate(timeout=60)
        assert ddz.returncode == 0, out
        assert len(family(file)) >= 3
        assert until(lambda: not any(map(there, family(file))))
    finally:
        put_away(ddz, family(file))


def put_away(ddz: subprocess.Popen[bytes], members: list[int]) -> None:
    """Leave nothing of a test that fails."""
    ddz.kill()
    ddz.communicate()
    for pid in filter(there, members):
        os.kill(pid, signal.SIGKILL)


def test_each_run_of_a_program_is_ended_with_all_that_it_left(tmp_path: Path) -> None:
    """Not only at ddz's own end: whoever begins a guest for every turn would fill the machine."""
    file = tmp_path / "family"
    running = process.Process([sys.executable, "-S", "-E", str(FAMILY), str(file), "goes"])
    assert running.line(time.monotonic() + SOON) == b"no answer"
    members = family(file)
    assert len(members) == 3
    assert all(map(there, members))
    running.end()
    assert not any(map(there, members)), "the warden has waited for them"


@pytest.mark.parametrize(
    ("script", "how"),
    [
        ("exit 7", "exit code 7"),
        ("kill -SEGV $$", "signal 11"),
        ("kill -KILL $$", "signal 9"),
        ("kill -PIPE $$; exit 3", "signal 13|exit code 141"),
        ("kill 0; sleep 9", "signal 15"),
        ("trap '' TERM; kill 0; exit 5", "exit code 5"),
    ],
)
def test_how_a_program_has_ended_is_known(script: str, how: str) -> None:
    running = process.Process(["sh", "-c", f"echo sorry >&2; {script}"])
    with pytest.raises(process.OutputEnded):
        running.line(time.monotonic() + SOON)
    assert until(lambda: running._child.poll() is not None)
    said = running.last_words()
    running.end()
    assert said.removesuffix(": sorry") in how.split("|"), said


def test_what_cannot_be_run_is_an_error_of_the_system(tmp_path: Path) -> None:
    for name, error in ((str(tmp_path / "none"), FileNotFoundError), (str(tmp_path), PermissionError)):
        with pytest.raises(error):
            process.Process([name])
    assert not process._ALIVE


def test_a_program_that_stops_its_warden_is_ended_none_the_less() -> None:
    running = process.Process(["sh", "-c", "sleep 0.3; kill -STOP $PPID; echo done; sleep 60"])
    assert running.line(time.monotonic() + SOON) == b"done"
    running.end()
    assert not there(running._program)
    assert running._child.returncode == -signal.SIGKILL
