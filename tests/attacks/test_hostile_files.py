"""Files that somebody hands over as logs: every command that takes one ends as documented, with a sentence, at once.

`hostile_files.py` makes them, more than the issue's 60. What a command prints is text and nothing that a terminal
would obey, `audit --all` passes none that is not in order, and nothing is written outside the folder.

The short form asks some commands of each file that is not heavy, others of the next; the long form,
`pytest -m long tests/attacks/test_hostile_files.py`, asks all of all, and takes some five minutes.
"""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cli.stage import PEOPLE, import_record, opened, record, say, stage

from ddz.services import loop
from ddz.services.table import Opening

from . import hostile_files
from .hostile_files import CORPUS, HEAVY
from .watched import Answer, Watched

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the interpreter under attack is a fork")

Command = tuple[str, ...]
READING: tuple[Command, ...] = (
    *(("games",), ("games", "--json"), ("stats",), ("stats", "--json"), ("doctor",)),
    *(("log", "events"), ("log", "events", "--json"), ("log", "head"), ("log", "backup", "copy.db")),
    *((name, "@last") for name in ("replay", "show", "tree", "match", "audit", "export")),
    *(("export", "--events", "@last"), ("diff", "@last", "@last"), ("show", "x"), ("replay", "@last", "--json")),
    *(("export", "@last", "--out", "records"), ("export", "--events", "@last", "--out", "records")),
)
WRITING: tuple[Command, ...] = (
    *(("new", "--seed", "3"), ("act", "@last", "--seat", "1", "pass"), ("fork", "@last", "--at", "3")),
    *(("import", "spring.toml"), ("play", "--auto", "--seed", "3", "--rounds", "1"), ("play", "--resume")),
    *(
        ("log", "merge", "honest.db"),
        ("simulate", "--games", "1", "-j", "1", "--bots", "easy"),
        ("show", "@last", "--reveal"),
    ),
)
ALWAYS: tuple[Command, ...] = (("log", "verify"), ("audit", "--all"))
TAKEN: tuple[Command, ...] = (("log", "merge", "FILE", "--db", "mine.db"), ("import", "FILE", "--db", "mine.db"))
"""The file as one that another log takes over."""
SHARE = 9
"""The short form asks one in so many of the other commands."""
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""What a terminal would obey, or could not show."""
ENDLESS = ("pipe",)
"""What is read as long as somebody writes it: `import` waits, as every program does."""


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an honest log whose newest game is over, and a record."""
    folder = tmp_path_factory.mktemp("hostile")
    with stage(folder / "honest.db") as table:
        say(table, opened(table, seed=5, players=PEOPLE), "0 bid 1")
        import_record(table, "bombs-rocket", claim=False)
        players, seated = loop.seat_bots(("easy",))
        begun = table.open(Opening(players=players, seed=3))
        loop.run(table, begun.moment, seated)
    (folder / "spring.toml").write_text(record("spring"), encoding="utf-8")
    return folder


class Bench:
    """Where a hostile file is laid down, anew for each command that may have changed it."""

    def __init__(self, ground: Path, folder: Path, watched: Watched) -> None:
        self.ground, self.folder, self.watched = ground, folder, watched
        self.path = folder / "hostile.db"
        for name in ("honest.db", "spring.toml"):
            (folder / name).symlink_to(ground / name)
        self._made: tuple[str, float] = ("", 0.0)

    def lay(self, name: str) -> None:
        """Lay the file down, unless it lies there as it was made."""
        if self._made == (name, self._changed()):
            return
        self.clear()
        CORPUS[name].make(self.ground / "honest.db", self.path)
        self._made = (name, self._changed())

    def clear(self) -> None:
        """Nothing is there but what every command may take."""
        self._made = ("", 0.0)
        _clear(self.folder, keep=("honest.db", "spring.toml"))

    def _changed(self) -> float:
        """When anything here was written to last."""
        found = [self.folder, *self.folder.iterdir()]
        return max(path.lstat().st_mtime_ns + path.lstat().st_size for path in found)


def _clear(folder: Path, keep: tuple[str, ...]) -> None:
    for path in folder.iterdir():
        if path.name in keep:
            continue
        if path.is_dir() and not path.is_symlink():
            _clear(path, ())
            path.rmdir()
        else:
            path.unlink()


@pytest.fixture(scope="module")
def bench(ground: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    folder = tmp_path_factory.mktemp("inside") / "folder"
    folder.mkdir()
    with Watched(folder / "hostile.db") as watched:
        yield Bench(ground, folder, watched)


def ask(bench: Bench, name: str, command: Command) -> Iterator[str]:
    """What is wrong with what a command makes of a file."""
    command = tuple(str(bench.path) if part == "FILE" else part for part in command)
    answer = bench.watched(*command, before=lambda: bench.lay(name))
    said = f"{name}: {' '.join(command).replace(str(bench.folder), '')}"
    if complaint := answer.complaint():
        yield f"{said}: {complaint}"
    for text in (answer.out, answer.err):
        if obeyed := OBEYED.search(text):
            yield f"{said}: prints {obeyed[0]!a} in {text[max(0, obeyed.start() - 40) : obeyed.end() + 20]!a}"
    if command in ALWAYS and (wrong := _misjudged(name, command, answer)):
        yield f"{said}: {wrong}"
    outside = [path.name for path in bench.folder.parent.iterdir() if path != bench.folder]
    if outside:
        yield f"{said}: writes {outside} outside the folder"


def _misjudged(name: str, command: Command, answer: Answer) -> str:
    sound = CORPUS[name].sound
    if sound and answer.code != 0:
        return f"exit {answer.code} though nothing is wrong: {answer.out + answer.err}"
    if sound is False and command == ("audit", "--all") and answer.code == 0:
        return "passes"
    return ""


def faults_of(bench: Bench, name: str, commands: tuple[Command, ...]) -> list[str]:
    waits = ("import", "FILE") if name in ENDLESS else ()
    asked = [command for command in commands if command[:2] != waits]
    return [fault for command in asked for fault in ask(bench, name, command)]


def test_the_corpus_is_larger_than_was_asked_for() -> None:
    assert len(CORPUS) >= 60


@pytest.mark.parametrize("name", [name for name in CORPUS if name not in HEAVY])
def test_a_sentence_each(name: str, bench: Bench) -> None:
    at = list(CORPUS).index(name)
    some = [*READING, *WRITING][at % SHARE :: SHARE]
    assert faults_of(bench, name, (*ALWAYS, TAKEN[at % 2], *some)) == []


@pytest.mark.long
@pytest.mark.parametrize("name", CORPUS)
def test_a_sentence_each_long(name: str, bench: Bench) -> None:
    """Every command on every file."""
    assert faults_of(bench, name, (*ALWAYS, *TAKEN, *READING, *WRITING)) == []


@contextmanager
def growing(path: Path) -> Iterator[None]:
    """Somebody goes on writing to the end of the file."""
    done = threading.Event()

    def grow() -> None:
        with path.open("ab", buffering=0) as file:
            while not done.wait(0.001):
                file.write(os.urandom(1000))

    writer = threading.Thread(target=grow)
    writer.start()
    try:
        yield
    finally:
        done.set()
        writer.join()


@pytest.mark.parametrize("begun", [b"", b"[meta]\n", b'{"format":"ddz-events/1"'])
def test_a_file_that_grows(begun: bytes, ground: Path, bench: Bench) -> None:
    bench.clear()
    bench.path.write_bytes(begun or (ground / "honest.db").read_bytes())
    bench.watched("doctor")  # the interpreter is forked before there is a thread
    with growing(bench.path):
        for command in (*ALWAYS, *TAKEN, *READING[:8]):
            answer = bench.watched(*(str(bench.path) if part == "FILE" else part for part in command))
            assert answer.complaint() == "", command


def test_the_script_makes_them_by_itself(ground: Path, tmp_path: Path) -> None:
    """It needs neither ddz nor anything that is installed. (Here only what takes no space.)"""
    program = (
        "import pathlib, sys; sys.path.insert(0, sys.argv[1]); import hostile_files as made\n"
        "small = [name for name in made.CORPUS if name.startswith(('view', 'trigger', 'forks-ring'))]\n"
        "made.CORPUS = {name: made.CORPUS[name] for name in small}\n"
        "made.main(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))\n"
    )
    where = Path(hostile_files.__file__).parent
    args = [sys.executable, "-I", "-c", program, where, ground / "honest.db", tmp_path / "made"]
    done = subprocess.run(args, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "made").glob("*.db"))) > 10
