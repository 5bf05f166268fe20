"""The README's first game is a real one: whoever types its lines gets what it shows."""

import re
from pathlib import Path

import pytest

from .stage import ID, Ddz

README = (Path(__file__).resolve().parent.parent.parent / "README.md").read_text(encoding="utf-8")
SEED = "94"
OPENING = ("3", "357777")
IN_THE_FORK = ("66", *("p",) * 6)
REST = re.findall(r"`([^`]+)`", README.partition("(Go on with ")[2].partition("and you win")[0])


def block(containing: str) -> list[str]:
    """The lines of the quoted output that has this text in it."""
    return next(text.splitlines() for text in re.findall(r"```text\n(.*?)```", README, re.DOTALL) if containing in text)


def without_chance(lines: list[str]) -> list[str]:
    """Lines with ids and times named the same, and what the terminal echoes of the typing left out."""
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "<time>", "\n".join(lines))
    return [ID.sub("<id>", line) for line in text.splitlines()]


def is_typing(line: str) -> bool:
    return line.startswith(("$ ", "bid 1, 2, 3", "your turn"))


def test_the_first_game_is_told_as_it_goes(ddz: Ddz, tmp_path: Path) -> None:
    moves = tmp_path / "moves.txt"
    moves.write_text("\n".join((*OPENING, *REST)), encoding="utf-8")
    played = ddz("play", "--seed", SEED, "--moves", moves).out.splitlines()
    shown = [line for line in block("first to bid: you; commitment") if not is_typing(line)]
    assert without_chance(played[: len(shown)]) == without_chance(shown)

    shown = [line for line in block("ddz replay @last --from") if not is_typing(line)]
    told = ddz("replay", "@last", "--from", shown[1].split()[0]).out.splitlines()
    assert without_chance(told) == without_chance(shown)

    shown = block("ddz fork @last")
    at = shown[0].split()[-1]
    line = ddz("fork", "@last", "--at", at).out.strip()
    command = shown[2].split()
    done = ddz("act", line, *command[command.index("--seat") :]).out
    assert done.split()[1] == shown[3].split()[1]
    moves.write_text("\n".join(IN_THE_FORK), encoding="utf-8")
    ddz("play", line, "--moves", moves)
    tree = [text for text in shown if "events" in text]
    assert without_chance(ddz("tree", line).out.splitlines()) == without_chance(tree)


def test_the_simulation_is_told_as_it_goes(ddz: Ddz, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    command, *shown = block("$ ddz simulate")
    told = ddz(*command.removeprefix("$ ddz ").split(), "-j", "1").out.splitlines()
    pace = re.compile(r"\d+ games a second")
    assert [pace.sub("", line) for line in told] == [pace.sub("", line) for line in shown]
