"""Commands that are said again under their id: one by one, several at once, and after a kill.

The long form is 1,000 rounds of each race: `pytest -m long tests/cli/test_repeat.py`; it takes some minutes.
"""

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from .stage import SCRIPT, Ddz, opened, record, stage

TWINS = 3
HEADSTART = 0.004
"""Seconds between the word and the moment at which all begin."""


class Twins:
    """Processes that are told the same, and begin together."""

    def __init__(self, ddz: Ddz, stack: ExitStack, chance: random.Random) -> None:
        self.chance = chance
        self.processes = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, Path(__file__).with_name("twin.py")],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    env=ddz.environment(),
                    text=True,
                )
            )
            for _ in range(TWINS)
        ]

    def say(self, *words: object) -> list[tuple[int, str, str]]:
        """What each answers to the same words; they begin within a few milliseconds, or at once."""
        begin = time.monotonic() + HEADSTART
        apart = self.chance.choice([0, 0.0005, 0.002, 0.005])
        for number, process in enumerate(self.processes):
            assert process.stdin is not None
            process.stdin.write(json.dumps([begin + number * apart, list(map(str, words))]) + "\n")
            process.stdin.flush()
        answers = []
        for process in self.processes:
            assert process.stdout is not None
            answers.append(tuple(json.loads(process.stdout.readline())))
        return answers

    def end(self) -> None:
        for process in self.processes:
            assert process.stdin is not None
            process.stdin.close()


@pytest.fixture
def twins(ddz: Ddz, db: Path) -> Iterator[Twins]:
    with stage(db) as table:
        opened(table, seed=7)
    with ExitStack() as stack:
        made = Twins(ddz, stack, random.Random(8))
        try:
            yield made
        finally:
            made.end()


# ---- what is said in a round: its words, and how many events it stores ----

Words = tuple[object, ...]
Kind = Callable[[Ddz, int, Path], Words]


def new(ddz: Ddz, number: int, folder: Path) -> Words:  # noqa: ARG001
    return ("new", "--json", "--rules", random.Random(number).choice(["classic", "rlcard"]))


def act(ddz: Ddz, number: int, folder: Path) -> Words:  # noqa: ARG001
    """The seat to act does what it may, with and without an expectation."""
    game = next((each["game"] for each in ddz("games", "--unfinished", "--json").json["games"]), None)
    if game is None:
        game = ddz("new").out.strip()
    view = ddz("show", game, "--json").json
    moves = ddz("show", game, "--as", view["turn"], "--json").json["legal"]
    move = next((each for each in moves if each["type"] == "pass"), moves[0])
    if view["phase"] == "auction":
        move = moves[0]
    words = {"bid": ["bid", move.get("bid")], "play": ["play", move.get("cards")], "pass": ["pass"]}[move["type"]]
    expect = ["--expect", view["seq"]] if number % 2 else []
    return ("act", game, "--seat", view["turn"], *words, *expect, "--json")


def fork_of_the_last(ddz: Ddz, number: int, folder: Path) -> Words:  # noqa: ARG001
    """Whoever comes second finds that the fork itself is the last line by now."""
    ddz("new")
    return ("fork", "@last", "--at", 2, "--reveal", "--json")


def import_by_id(ddz: Ddz, number: int, folder: Path) -> Words:  # noqa: ARG001
    return ("import", "--json", a_record(folder, "by id"))


def import_once(ddz: Ddz, number: int, folder: Path) -> Words:  # noqa: ARG001
    return ("import", "--once", "--json", a_record(folder, f"player {number}"))


def a_record(folder: Path, name: str) -> Path:
    text = record("spring")
    file = folder / "a record.toml"
    seats = text.partition("seats = [")[2].partition(",")[0].strip()
    file.write_text(text.replace(seats, f'"{name}"', 1), encoding="utf-8")
    return file


def stored_by(told: Any) -> int:
    return {"ddz/new@1": lambda: told["seq"], "ddz/act@1": lambda: len(told["events"]), "ddz/fork@1": lambda: 1}.get(
        told["schema"], lambda: told["seq"]
    )()


def races(ddz: Ddz, twins: Twins, db: Path, kinds: Sequence[Kind], rounds: int) -> None:
    for number in range(rounds):
        kind = kinds[number % len(kinds)]
        words = kind(ddz, number, db.parent)
        if kind is not import_once:
            words = (*words, "--id", f"{kind.__name__}-{number}")
        before = length(ddz)
        answers = twins.say(*words)
        assert {code for code, _, _ in answers} == {0}, f"round {number}, {words}: {answers}"
        assert len({out for _, out, _ in answers}) == 1, f"round {number}, {words}: {answers}"
        assert length(ddz) == before + stored_by(json.loads(answers[0][1])), f"round {number}, {words}: stored once"
        assert ddz(*words).out == answers[0][1], "and said once more"
        assert length(ddz) == before + stored_by(json.loads(answers[0][1]))
    assert ddz("audit", "--all").code == 0


def length(ddz: Ddz) -> int:
    return int(ddz("log", "head").out.partition(":")[0].split()[-1])


KINDS = (new, act, fork_of_the_last, import_by_id, import_once)


def test_several_who_say_the_same_at_once(ddz: Ddz, db: Path, twins: Twins) -> None:
    races(ddz, twins, db, KINDS, 3 * len(KINDS))


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_several_who_say_the_same_at_once_long(kind: Kind, ddz: Ddz, db: Path, twins: Twins) -> None:
    """1,000 rounds of three processes."""
    races(ddz, twins, db, (kind,), 1000)


# ---- one by one ----


def test_new_says_the_same_game_again(ddz: Ddz) -> None:
    for words in (("new", "--id", "a"), ("new", "--id", "b", "--seed", "7", "--first", "1", "--rules", "rlcard")):
        first, told = ddz(*words).out, ddz(*words, "--json").json
        ddz("new")
        assert ddz(*words).out == first
        assert told["game"] == first.strip()
        assert ddz(*words, "--json").json == told
    for other in (["--seed", "7"], ["--players", "a,b,c"], ["--first", "0"], ["--rules", "pagat"]):
        done = ddz("new", "--id", "a", *other, "--json", code=4)
        assert "[log/command-reused]" in done.err
        assert done.json["code"] == "log/command-reused"
    assert len(ddz("games", "--json").json["games"]) == 4


def test_a_fork_of_the_last_line_is_said_again_though_it_is_the_last_line_now(ddz: Ddz) -> None:
    ddz("play", "--auto", "--bot", "easy", "--seed", "5", "--rules", "rlcard")
    words = ("fork", "@last", "--at", "3", "--id", "mine")
    line = ddz(*words).out
    parent = ddz(*words, "--json").json["parent"]
    assert ddz(*words).out == line
    assert parent != line.strip()
    assert ddz(*words, "--auto", "--bot", "easy").out == line, "the same line, and the bots play it out"
    length = ddz("log", "head").out
    assert ddz(*words, "--auto", "--bot", "easy").out == line
    assert ddz("log", "head").out == length
    assert ddz("show", line.strip(), "--json").json["phase"] == "over"
    for at in ("4", "999", "0"):
        assert "[log/command-reused]" in ddz("fork", parent, "--at", at, "--id", "mine", code=4).err
    assert "[log/command-reused]" in ddz("fork", line.strip(), "--at", "3", "--id", "mine", code=4).err


def test_an_act_on_the_last_line_is_said_again_though_another_is_the_last_line_now(ddz: Ddz) -> None:
    game = ddz("new", "--seed", "7", "--first", "1").out.strip()
    words = ("act", "@last", "--seat", "1", "bid", "2", "--id", "mine")
    told = ddz(*words, "--json").json
    ddz("new")
    assert ddz(*words, "--json").json == told
    assert told["game"] == game


def test_several_files_are_known_by_their_places(ddz: Ddz, tmp_path: Path) -> None:
    files = [a_record(tmp_path, f"player {number}").rename(tmp_path / f"{number}.toml") for number in range(3)]
    first = ddz("import", "--id", "mine", *files).out
    assert ddz("import", "--id", "mine", *files).out == first
    assert ddz("import", "--id", "mine", files[0]).out == first.splitlines(keepends=True)[0]
    assert ddz("import", "--id", "mine.3", files[2]).out == first.splitlines(keepends=True)[2]
    done = ddz("import", "--id", "mine", files[1], files[0], files[2], code=4)
    assert done.out == first.splitlines(keepends=True)[2], "the third is still the third"
    assert done.err.count("[log/command-reused]") == 2
    stored = ddz("log", "head").out
    assert "[log/bad-command-id]" in ddz("import", "--id", "x" * 63, *files, code=4).err
    assert "use one of the two" in ddz("import", "--id", "a", "--once", *files, code=2).err
    assert ddz("log", "head").out == stored, "nothing is stored where one of the ids is none"


def test_once_knows_a_record_that_has_another_name_and_another_form(ddz: Ddz, tmp_path: Path) -> None:
    file = a_record(tmp_path, "ann")
    first = ddz("import", file).out.split()[0]
    other = tmp_path / "other.toml"
    other.write_text("# a comment\n" + file.read_text(encoding="utf-8").replace(" = ", "=  "), encoding="utf-8")
    told = ddz("import", "--once", file, other, "-", input=file.read_bytes()).out.splitlines()
    assert [line.split()[0] for line in told] == [first] * 3
    assert len(ddz("games", "--json").json["games"]) == 1
    assert ddz("import", file).out.split()[0] != first, "without it, the same record is one more game"


# ---- killed ----


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is a way of POSIX systems")
@pytest.mark.parametrize("how", [["--once"], ["--id", "mine"]], ids=" ".join)
def test_an_import_that_is_killed_and_given_again_stores_each_record_once(
    how: list[str], ddz: Ddz, tmp_path: Path
) -> None:
    files = [a_record(tmp_path, f"player {number}").rename(tmp_path / f"{number}.toml") for number in range(40)]
    acknowledged: dict[str, str] = {}
    chance = random.Random(3)
    kills = 0
    for _ in range(4):
        process = subprocess.Popen(
            [SCRIPT, "import", *how, *files], stdout=subprocess.PIPE, env=ddz.environment(), text=True
        )
        assert process.stdout is not None
        heard = [process.stdout.readline() for _ in range(chance.randrange(1, 12))]
        process.kill()
        kills += process.wait() == -9
        for line in [*heard, *process.stdout.read().split("\n")[:-1]]:
            game, name, *_ = line.split()
            assert acknowledged.setdefault(name, game) == game
        process.stdout.close()
    assert kills > 1, "they came in the middle"
    for line in ddz("import", *how, *files).out.splitlines():
        game, name, *_ = line.split()
        assert acknowledged.setdefault(name, game) == game
    assert len(acknowledged) == 40
    assert sorted(each["game"] for each in ddz("games", "--limit", "999", "--json").json["games"]) == sorted(
        acknowledged.values()
    )


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is a way of POSIX systems")
def test_a_fork_that_is_killed_while_bots_play_it_out_is_given_again(ddz: Ddz) -> None:
    ddz("play", "--auto", "--bot", "easy", "--seed", "5", "--rules", "rlcard")
    parent = ddz("games", "--json").json["games"][0]["game"]
    command = ["fork", parent, "--at", "3", "--auto", "--bot", "normal", "--id", "mine"]
    stopped = set()
    for _ in range(4):
        process = subprocess.Popen([SCRIPT, *command], stdout=subprocess.DEVNULL, env=ddz.environment())
        before = length(ddz)
        while process.poll() is None and length(ddz) < before + 3:
            time.sleep(0.002)
        process.kill()
        process.wait()
        stopped.add(length(ddz))
    line = ddz(*command).out.strip()
    assert len(stopped) > 1, "they came in the middle"
    assert [each["game"] for each in ddz("games", "--json").json["games"] if each["game"] != parent] == [line]
    assert ddz("show", line, "--json").json["phase"] == "over"
    assert ddz("audit", "--all").code == 0
