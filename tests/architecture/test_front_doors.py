"""Front doors stand side by side: none imports another, and nothing below them knows how one of them is used."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from architecture import floors

ROOT = Path(__file__).parents[2]
FRONT_DOORS = floors.FRONT_DOORS

FLAG = re.compile(
    r"(?<![\w-])--[a-z]|\bddz (?:" + "|".join(sorted(path.stem for path in (ROOT / "cli").glob("*.py"))) + r")\b"
)
"""An option of the command line, or one of its commands."""
CHINESE = re.compile(r"[\u3001-\u303f\u4e00-\u9fff\uff01-\uff60]")
TERMINAL = {"isatty", "get_terminal_size", "argv", "columns"}

PROGRAMS = {"ddz/guests/warden.py"}
"""Started as programs of their own, with arguments of their own."""


def below() -> list[Path]:
    """Every module below the front doors."""
    doors = {ROOT / "ddz" / door for door in FRONT_DOORS}
    return sorted(file for file in (ROOT / "ddz").rglob("*.py") if doors.isdisjoint(file.parents))


def texts(tree: ast.Module) -> Iterator[ast.Constant]:
    """Every text of a module that is no docstring."""
    told = {
        id(statement.value)
        for node in ast.walk(tree)
        if isinstance(
            node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.If | ast.With | ast.Try
        )
        for statement in node.body
        if isinstance(statement, ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node


def faults(name: str, source: str) -> list[str]:
    """What a module below the front doors knows and should not."""
    tree, found = ast.parse(source), []
    for text in texts(tree):
        if FLAG.search(text.value):
            found.append(f"{name}, line {text.lineno}, names what one types on the command line: {text.value[:60]!r}")
        if CHINESE.search(text.value) and not name.startswith("ddz/words/"):
            found.append(f"{name}, line {text.lineno}, speaks Chinese outside of words/: {text.value[:60]!r}")
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in TERMINAL and name not in PROGRAMS:
            found.append(f"{name}, line {node.lineno}, asks the terminal: {node.attr}")
    return found


@pytest.mark.parametrize("file", below(), ids=lambda file: str(file.relative_to(ROOT)))
def test_nothing_below_the_front_doors_knows_a_flag_a_terminal_or_a_language(file: Path) -> None:
    assert not faults(file.relative_to(ROOT).as_posix(), file.read_text("utf-8"))


@pytest.mark.parametrize(
    ("name", "source", "said"),
    [
        ("ddz/services/x.py", 'raise Unreadable("a/b", "omit --seed")', "names what one types"),
        ("ddz/services/x.py", 'HINT = f"{x}: see `ddz replay`"', "names what one types"),
        ("ddz/services/x.py", 'NAME = "地主"', "speaks Chinese"),
        ("ddz/stats/x.py", "wide = sys.stdout.isatty()", "asks the terminal"),
        ("ddz/words/x.py", 'HINT = "--reveal"', "names what one types"),
    ],
)
def test_the_check_finds_what_it_is_for(name: str, source: str, said: str) -> None:
    assert [said in fault for fault in faults(name, source)] == [True]


@pytest.mark.parametrize(
    "source", ['"""Docstrings may say --seed, `ddz play` and 地主."""', 'X = "a -- dash"', 'X = "no-such--thing"']
)
def test_the_check_leaves_alone_what_is_no_fault(source: str) -> None:
    assert faults("ddz/services/x.py", source) == []


def test_front_doors_are_the_top_floor_and_none_imports_another() -> None:
    top = max(floors.FLOORS.values())
    assert {room for room, floor in floors.FLOORS.items() if floor == top} == FRONT_DOORS
    assert not [pair for pair in floors.SAME_FLOOR if set(pair) & FRONT_DOORS], "a front door leans on its neighbour"


def test_a_second_front_door_is_held_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands in `ddz/` is walked; a new door needs its two lines in floors.py, and nothing more."""
    modules = {"ddz.pages", "ddz.pages.page", "ddz.cli", "ddz.cli.door", "ddz.words.languages"}
    below = "from ddz.words import languages"
    assert "stands on no floor" in floors.faults("ddz.pages.page", below, False, modules)[0]
    monkeypatch.setitem(floors.FLOORS, "pages", floors.FLOORS["cli"])
    monkeypatch.setattr(floors, "FRONT_DOORS", {"cli", "pages"})
    assert not floors.faults("ddz.pages.page", below, False, modules)
    for module, source in (
        ("ddz.pages.page", "from ddz.cli.door import put"),
        ("ddz.cli.play", "from ddz.pages import page"),
        ("ddz.services.table", "from ddz.pages import page"),
    ):
        (found,) = floors.faults(module, source, False, modules)
        assert "nobody outside" in found


def test_words_stand_between_the_front_doors_and_everything_else() -> None:
    floor = floors.FLOORS["words"]
    assert {room for room, at in floors.FLOORS.items() if at > floor} == FRONT_DOORS
    assert {room for room, at in floors.FLOORS.items() if at == floor} == {"words"}
