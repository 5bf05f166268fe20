"""The levels at the command line: where they sit, what the log says of them, and who hints."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ddz import bots
from ddz.bots.network import WEIGHTS

from .stage import Ddz

EASY, HARD, EXPERT = (bots.make(name).version for name in ("easy", "hard", "expert"))


def players(ddz: Ddz, game: str = "@last") -> Any:
    return ddz("replay", game, "--json", "--reveal").json["events"][0]["players"]


@pytest.mark.parametrize("level", bots.LEVELS)
def test_every_level_sits_wherever_a_bot_is_named(level: str, ddz: Ddz) -> None:
    ddz("play", "--seed", "3", "--bot", level, input="")
    assert [player["bot"] for player in players(ddz)] == [None, level, level]
    ddz("fork", "@last", "--at", "2", "--auto", "--bot", level, "--reveal")
    assert ddz("show", "@last", "--json").json["phase"] == "over"
    ddz("new", "--players", f"you,bot:{level},bot:random")
    assert players(ddz)[1]["bot"] == level
    ddz("simulate", "--games", "1", "--bots", f"{level},random,random", "--seed", "7", "-j", "1")
    assert ddz("audit", "--all").code == 0
    result = ddz("arena", level, "random", "--decks", "1", "--json").json["results"][0]
    assert (result["a"], result["games"]) == (level, 2)


def test_whom_one_plays_if_one_names_nobody(ddz: Ddz) -> None:
    ddz("play", "--seed", "3", input="")
    assert [player["bot"] for player in players(ddz)] == [None, "normal", "normal"]


def test_a_hint_is_by_expert_or_by_the_level_that_is_asked(ddz: Ddz) -> None:
    lines = ["hint", "hint easy", "HINT normal", "提示 hard", "hint simple", "hint 33", "3", "hint", "hint easy"]
    said = ddz("play", "--seed", "7", "--seat", "1", "--bot", "random", input="\n".join(lines)).out
    hints = re.findall(r"^hint by (\w+): (\S+)", said, re.MULTILINE)
    assert [level for level, _ in hints] == ["expert", "easy", "normal", "hard", "expert", "easy"]
    assert all(move in ("1", "2", "3", "p") for _, move in hints[:4])
    assert re.fullmatch("[3-9TJQKA2BR]+", hints[4][1])
    for line in ("hint simple", "hint 33"):
        assert f"'{line}' is not understood: a hint is by one of the levels easy, normal, hard, expert" in said
    assert "33 is no" not in said


def test_a_hint_in_chinese(ddz: Ddz) -> None:
    said = ddz("play", "--seed", "7", "--lang", "zh", input="提示\n提示 easy\n提示 5\n").out
    assert re.search(r"提示（expert）：\S+\n提示（easy）：\S+\n", said)
    assert "可以提示的级别有 easy, normal, hard, expert" in said


def test_the_same_hint_twice(ddz: Ddz) -> None:
    said = ddz("play", "--seed", "7", "--seat", "1", input="3\nhint\nhint\n").out
    one, other = re.findall(r"^hint by expert: (\S+)", said, re.MULTILINE)
    assert one == other


def test_thinking_by_the_clock_stands_in_the_log(ddz: Ddz) -> None:
    ddz("play", "--seed", "7", "--bot", "expert", "--bot", "easy", "--think", "20", input="3\nhint\n")
    assert [player["version"] for player in players(ddz)] == [None, f"{EXPERT}+20ms", EASY]
    ddz("play", "--auto", "--bot", "expert", "--think", "15", "--rounds", "2", "--seed", "9")
    assert [player["version"] for player in players(ddz)] == [f"{EXPERT}+15ms"] * 3, "in the second game too"
    game = ddz("games", "--json").json["games"][0]["game"]
    ddz("fork", game, "--at", "2", "--auto", "--bot", "expert", "--think", "10")
    assert ddz("audit", "--all").code == 0


def test_who_goes_on_in_a_game_is_named_in_the_next(ddz: Ddz) -> None:
    ddz("play", "--seed", "7", "--bot", "random", input="3\n")
    ddz("play", "--resume", "--auto", "--bot", "easy", "--bot", "simple", "--bot", "easy", "--rounds", "2")
    assert [player["name"] for player in players(ddz)] == ["easy 0", "simple 1", "easy 2"]
    rounds = ddz("match", "@last", "--json").json["rounds"]
    assert [player["bot"] for player in players(ddz, rounds[0]["game"])] == [None, "random", "random"]


def test_a_game_by_a_file_of_weights_outlives_the_file(ddz: Ddz, tmp_path: Path) -> None:
    file = tmp_path / "my weights.npz"
    file.write_bytes(WEIGHTS.read_bytes())
    name = f"hard:{file}"
    ddz("play", "--seed", "7", "--bot", name, input="3\n")
    assert [player["bot"] for player in players(ddz)] == [None, name, name]
    assert re.fullmatch(re.escape(HARD) + r"\+[0-9a-f]{8}", players(ddz)[1]["version"])
    file.unlink()
    done = ddz("play", "--resume", code=2)
    assert done.err == (
        f"ddz: '{name}' played here, and a log alone starts no program and reads no file: "
        "name the bot that goes on. Type: --bot BOT\n"
    )
    assert ddz("play", "--resume", "--bot", name, code=2).err == (
        f"ddz: {file} cannot be read as weights: No such file or directory\n"
    )
    ddz("fork", "@last", "--at", "2", "--auto", "--reveal", code=2)
    for command in ("replay @last", "show @last", "audit @last", "tree @last", "games", "stats"):
        assert ddz(*command.split()).out
    ddz("play", "--resume", "--bot", "easy", input="")
    ddz("play", "--resume", "--auto", "--bot", "easy")
    assert ddz("show", "@last", "--json").json["phase"] == "over"


IMPORTS = """
import sys
sys.argv = ["ddz", *{words}]
from ddz.cli import main
try:
    main()
except SystemExit as done:
    assert not done.code, done
print(*[name for name in ("numpy", "torch", "rich") if name in sys.modules], file=sys.stderr)
"""


@pytest.mark.parametrize(
    "command",
    [
        "--help",
        "play --help",
        "train --help",
        "replay @last",
        "audit @last",
        "show @last",
        "games",
        "moves 3344",
        "tree @last",
    ],
)
def test_what_needs_no_numpy_imports_none(command: str, ddz: Ddz) -> None:
    ddz("play", "--auto", "--seed", "7", "--bot", "random")
    asked = [sys.executable, "-c", IMPORTS.format(words=command.split())]
    found = subprocess.run(asked, capture_output=True, text=True, check=True, env=ddz.environment())
    assert found.stderr.strip() == ""
    assert found.stdout
