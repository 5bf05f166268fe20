"""One meaning a name: no two classes or type aliases of the house are called alike."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

SHARED = {
    "Base": "the contract describes the number that `frozen.shapes` bounds",
    "Factor": "the contract describes the number that `frozen.shapes` bounds",
    "GameId": "a field of the contract, and the argument of the command line that names the same thing",
    "RulesName": "a field of the contract, and the option of the command line that names the same thing",
}
"""Names that stand for one thing in two places, each with the reason."""


def definitions(source: str) -> Iterator[tuple[str, str]]:
    """Each class and type alias of a module, wherever it stands: its name, and what tells equal ones from others."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef):
            yield node.name, f"class, line {node.lineno}"
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript | ast.BinOp):
            target = node.targets[0]
            if isinstance(target, ast.Name) and is_type(target.id):
                yield target.id, ast.unparse(node.value)
        elif isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation).endswith("TypeAlias"):
            yield ast.unparse(node.target), ast.unparse(node.value) if node.value else ""


def is_type(name: str) -> bool:
    """True for a name in capitals and small letters, as types have; constants have capitals alone."""
    bare = name.strip("_")
    return bare[:1].isupper() and not bare.isupper()


def shared(sources: dict[str, str]) -> dict[str, set[str]]:
    """The names with several meanings, each with where they are defined. Equal aliases are one meaning."""
    meanings: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for module, source in sources.items():
        for name, what in definitions(source):
            meaning = f"{module}: {what}" if what.startswith("class") else what
            meanings[name][meaning].add(module)
    return {name: set().union(*found.values()) for name, found in meanings.items() if len(found) > 1}


def test_no_two_meanings_share_a_name() -> None:
    files = [file for room in ("ddz", "cli") for file in sorted((ROOT / room).rglob("*.py"))]
    assert len(files) > 150, "the house is walked"
    found = shared({str(file.relative_to(ROOT)): file.read_text("utf-8") for file in files})
    unlisted = {name: sorted(where) for name, where in found.items() if name not in SHARED}
    assert not unlisted, f"give one of each a name of its own, or a reason in SHARED: {unlisted}"
    assert set(SHARED) <= set(found), "SHARED lists names that have one meaning: take them out"


def test_what_is_a_second_meaning() -> None:
    one = "class Table:\n    pass\nShape = dict[str, int]\nMOST = 1 + 2\n"
    assert shared({"a": one, "b": "Shape = dict[str, int]\nMOST = 3 + 4\n"}) == {}
    assert shared({"a": one, "b": "Shape = list[int]\n"}) == {"Shape": {"a", "b"}}
    assert shared({"a": one, "b": "def f():\n    class Table:\n        pass\n"}) == {"Table": {"a", "b"}}
    assert shared({"a": one, "b": "from typing import TypeAlias\nTable: TypeAlias = int\n"}) == {"Table": {"a", "b"}}
    assert shared({"a": one + "if MOST:\n    Shape = int | str\n"}) == {"Shape": {"a"}}
