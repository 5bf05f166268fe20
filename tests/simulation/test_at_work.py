"""The folder of a simulation: one ddz at a time, no sooner than the workers of one that was killed have ended."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from ddz.errors import StorageRefused
from ddz.simulation import at_work as room
from ddz.simulation.at_work import LOCK, at_work, helping

if sys.platform == "win32":
    pytest.skip("locks that can be shared are those of POSIX systems", allow_module_level=True)

WORKER = """
import sys, time
from pathlib import Path
from ddz.simulation.at_work import helping
with helping(Path(sys.argv[1])):
    print("begun", flush=True)
    time.sleep(float(sys.argv[2]))
"""


def worker(folder: Path, seconds: float) -> "subprocess.Popen[str]":
    process = subprocess.Popen([sys.executable, "-c", WORKER, folder, str(seconds)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    return process


def test_whoever_comes_waits_for_the_workers_of_one_that_is_gone(tmp_path: Path):
    first, second = worker(tmp_path, 0.6), worker(tmp_path, 0.1)
    began = time.monotonic()
    with at_work(tmp_path):
        assert first.communicate(timeout=1) == ("", None)
        assert time.monotonic() - began > 0.3
        with helping(tmp_path), helping(tmp_path):
            pass
    assert second.communicate(timeout=1) == ("", None)
    assert (first.returncode, second.returncode) == (0, 0)


def test_it_does_not_wait_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(room, "PATIENCE", 0.1)
    process = worker(tmp_path, 60)
    try:
        with pytest.raises(StorageRefused, match="another ddz is at work in"), at_work(tmp_path):
            pass
    finally:
        process.kill()
        process.communicate()
    with at_work(tmp_path):
        pass


def test_a_worker_makes_no_folder_that_somebody_has_removed(tmp_path: Path):
    with pytest.raises(StorageRefused, match="nowhere cannot be written"), helping(tmp_path / "nowhere"):
        pass
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("ours", [True, False])
def test_a_folder_goes_with_what_was_made_in_it(tmp_path: Path, ours: bool):
    (tmp_path / "there").mkdir()
    for name, stays in (("new", False), ("there", not ours)):
        with at_work(tmp_path / name, ours):
            assert (tmp_path / name / LOCK).exists()
        assert (tmp_path / name).exists() == stays
        assert not (tmp_path / name / LOCK).exists()
    for name in ("games-000000001-000000001.db", "mine"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).touch()
        with at_work(tmp_path / name, ours=True):
            pass
        assert (tmp_path / name / LOCK).exists() == (name != "mine")


def test_a_lock_that_its_owner_takes_away_keeps_nobody_out_and_nobody_together(tmp_path: Path):
    """Several that come and go: each finds no other one there, though folder and lock go with each."""
    script = f"""
import sys, time
from pathlib import Path
from ddz.errors import StorageRefused
from ddz.simulation.at_work import at_work
folder, alone, done = Path({str(tmp_path / "s")!r}), Path({str(tmp_path / "alone")!r}), 0
while done < 60:
    try:
        with at_work(folder, ours=True):
            alone.touch(exist_ok=False)
            alone.unlink()
            done += 1
    except StorageRefused as error:
        assert "another ddz is at work" in str(error), error
"""
    running = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(3)]
    assert [each.wait(60) for each in running] == [0, 0, 0]
    assert not (tmp_path / "s").exists()
