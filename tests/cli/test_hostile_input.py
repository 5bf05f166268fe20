"""Whatever is handed in as a file or on standard input is answered with a sentence, and soon: nothing hangs."""

import os
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from .stage import SCRIPT, Ddz, import_record, stage

posix = pytest.mark.skipif(sys.platform == "win32", reason="a way of POSIX systems")
SOON = 3.0
"""Seconds; an answer takes at most 2 where nothing else runs."""

WAYS = {
    "import": ("import", "FILE"),
    "rules": ("new", "--rules", "FILE"),
    "moves": ("play", "--moves", "FILE"),
    "weights": ("play", "--auto", "--bot", "hard:FILE"),
    "weights of botzone": ("botzone", "--bot", "expert:FILE"),
}
ENDS = {"rules": ".toml"}
KINDS = {
    "folder": "cannot be read: Is a directory",
    "pipe": "it is no file, and it did not end within 1.5 s",
    "silent pipe": "it is no file, and it did not end within 1.5 s",
    "endless pipe": "longer than",
    "zeros": "longer than",
    "sparse": "longer than",
    "loop": "cannot be read: Too many levels of symbolic links",
    "long name": "cannot be read: File name too long",
    "below a file": "cannot be read: Not a directory",
}


@pytest.fixture
def made(tmp_path: Path) -> Iterator[dict[str, Path]]:
    """Where each kind lies; who writes to the pipes is let go at the end."""
    there = {kind: tmp_path / (kind.replace(" ", "-") + ".toml") for kind in KINDS}
    there["folder"].mkdir()
    os.mkfifo(there["pipe"])
    there["zeros"].symlink_to("/dev/zero")
    there["loop"].symlink_to(there["loop"])
    with there["sparse"].open("wb") as file:
        file.truncate(1 << 40)
    there["long name"] = tmp_path / ("x" * 300 + ".toml")
    there["below a file"] = there["sparse"] / "x.toml"
    writers = []
    for kind, command in (("silent pipe", "sleep 60"), ("endless pipe", "exec yes")):
        os.mkfifo(there[kind])
        writers.append(subprocess.Popen(["sh", "-c", f"exec >'{there[kind]}'; {command}"], start_new_session=True))
    yield there
    for writer in writers:
        os.killpg(writer.pid, 9)
        writer.wait()


@posix
@pytest.mark.parametrize("way", WAYS)
def test_whatever_is_no_file_is_answered_soon(way: str, made: dict[str, Path], ddz: Ddz) -> None:
    for kind, sentence in KINDS.items():
        if kind.endswith("pipe") and way not in ("import", "rules"):
            continue  # they all read by the same door, and each pipe is waited for
        began = time.monotonic()
        done = ddz(*(word.replace("FILE", str(made[kind])) for word in WAYS[way]), code=2)
        assert time.monotonic() - began < SOON, kind
        says = sentence.removeprefix("cannot be read: ") if way.startswith("weights") else sentence
        assert says in done.err, f"{kind}: {done.err}"
        assert done.out == ""
        assert len(done.err.splitlines()) == 1


@posix
def test_a_pipe_whose_writer_comes_to_an_end_is_read(tmp_path: Path, db: Path, ddz: Ddz) -> None:
    from .stage import record

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write() -> None:
        time.sleep(0.2)
        with pipe.open("w", encoding="utf-8") as file:
            file.write(record("spring")[:300])
            file.flush()
            time.sleep(0.2)
            file.write(record("spring")[300:])

    writer = threading.Thread(target=write)
    writer.start()
    done = ddz("import", pipe)
    writer.join()
    assert " over " in done.out
    assert db.exists()


@posix
@pytest.mark.parametrize(
    "command", ["import -", "import /dev/stdin", "play", "play --screen-reader", "botzone", "STEP"]
)
@pytest.mark.parametrize("fed", ["zeros", "blank lines", "letters"])
def test_an_input_without_end_is_left_soon(command: str, fed: str, db: Path, ddz: Ddz) -> None:
    if command == "STEP":
        with stage(db) as table:
            command = f"replay {import_record(table, 'spring')} --step"
    feeding = {"zeros": ["cat", "/dev/zero"], "blank lines": ["yes", ""], "letters": ["yes", "letters " * 10]}[fed]
    feeder = subprocess.Popen(feeding, stdout=subprocess.PIPE)
    try:
        began = time.monotonic()
        found = subprocess.run(
            [SCRIPT, *command.split()],
            stdin=feeder.stdout,
            capture_output=True,
            env=ddz.environment(),
            timeout=30,
            check=False,
        )
        took = time.monotonic() - began
    finally:
        feeder.kill()
        feeder.wait()
        assert feeder.stdout is not None
        feeder.stdout.close()
    assert took < SOON + 2, "its start included"
    assert b"Traceback" not in found.stderr
    ended = fed == "blank lines" and command.startswith("replay")
    assert found.returncode == (0 if ended else 2), found.stderr
    assert len(found.stderr.splitlines()) == (0 if ended else 1), found.stderr
    assert len(found.stdout) < 1_000_000


def test_a_line_that_is_too_long_is_no_move(tmp_path: Path, ddz: Ddz) -> None:
    assert "a line has more than 2000 signs" in ddz("play", input="3" * 3000 + "\n", code=2).err
    assert "standard input: 1000 lines for one turn" in ddz("play", input="x\n" * 3000, code=2).err
    moves = tmp_path / "moves"
    moves.write_text("3" * 2_000_000, encoding="utf-8")
    assert "longer than 1 MiB: no file of moves is" in ddz("play", "--moves", moves, code=2).err


def test_weights_that_grow_when_they_are_unpacked(tmp_path: Path, ddz: Ddz) -> None:
    bomb = tmp_path / "bomb.npz"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("landlord.state.npy", bytes(40_000_000))
    assert bomb.stat().st_size < 1_000_000
    began = time.monotonic()
    assert "longer than 16 MiB: no file of weights is" in ddz("play", "--auto", "--bot", f"hard:{bomb}", code=2).err
    assert time.monotonic() - began < SOON
