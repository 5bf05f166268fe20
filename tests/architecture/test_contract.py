"""Every JSON object comes from the room of the contract: nobody puts one together by hand."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
ROOM = "ddz/contract/"
MODULES = [file.relative_to(ROOT).as_posix() for room in ("cli", "ddz") for file in sorted((ROOT / room).rglob("*.py"))]
FRONT = [module for module in MODULES if module.startswith("cli/")]
SCHEMA = re.compile(r"ddz/[a-z-]+@\d")
HANDING = {
    "cli/door.py",
    "cli/tree.py",  # a tree is too deep for an encoder: the room writes its text
    "cli/audit.py",  # the audits of a whole log wait as texts in a file, each an object of the room
    "cli/schema.py",  # a JSON Schema, which the room writes
    "cli/export.py",  # records, and event files
}
"""Who may hand out a text for programs as it is; everybody else gives an object."""
BUILDING = (ast.Dict, ast.DictComp, ast.List, ast.ListComp, ast.Tuple, ast.JoinedStr, ast.Constant)
"""What is no struct."""


def by_hand(source: str) -> Iterator[tuple[int, str]]:
    """What a source puts together for programs itself, by line."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if SCHEMA.fullmatch(node.value) or '"schema":' in node.value:
                yield node.lineno, f"the text {node.value!r}"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("give", "encode"):
            (given,) = node.args
            made = ast.unparse(given.func) if isinstance(given, ast.Call) else ""
            if isinstance(given, BUILDING) or made in ("dict", "msgspec.to_builtins"):
                yield node.lineno, f"{node.func.id}({ast.unparse(given)})"
        elif isinstance(node, ast.Attribute) and ast.unparse(node) in ("json.dumps", "msgspec.json.encode"):
            yield node.lineno, ast.unparse(node)


@pytest.mark.parametrize("module", FRONT)
def test_a_front_door_puts_no_object_together(module: str) -> None:
    source = (ROOT / module).read_text("utf-8")
    found = [f"{module}, line {line}: {what}" for line, what in by_hand(source)]
    assert not found, f"give a struct of {ROOM}: " + "; ".join(found)


def test_a_text_for_programs_leaves_in_few_places() -> None:
    calls = {module: [node for node in ast.walk(_tree(module)) if isinstance(node, ast.Call)] for module in FRONT}
    hands = {module for module, found in calls.items() if any(ast.unparse(call.func) == "hand" for call in found)}
    assert hands == HANDING


@pytest.mark.parametrize("module", [module for module in MODULES if not module.startswith(ROOM)])
def test_a_schema_has_its_name_in_the_room(module: str) -> None:
    strings = [node for node in ast.walk(_tree(module)) if isinstance(node, ast.Constant)]
    found = [each.value for each in strings if isinstance(each.value, str) and SCHEMA.fullmatch(each.value)]
    assert not found, f"{module} names {found}: name them in {ROOM}"


def _tree(module: str) -> ast.Module:
    return ast.parse((ROOT / module).read_text("utf-8"))


@pytest.mark.parametrize(
    "source",
    [
        "give({'game': 1})",
        "give(dict(game=1))",
        "encode({**facts})",
        "give(msgspec.to_builtins(found))",
        "x = 'ddz/view@1'",
        "hand('{\"schema\":' + name)",
        "text = json.dumps(x)",
        "f(msgspec.json.encode(x))",
    ],
)
def test_it_is_noticed(source: str) -> None:
    assert list(by_hand(source))


def test_to_give_a_struct_is_right() -> None:
    assert not list(by_hand('"""The object `ddz/view@1`."""\ngive(games_json.shown(moment, sight))\nput("ddz/x")'))
