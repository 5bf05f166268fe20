"""Every phrase and error that is made anywhere in ddz and cli, found in the sources."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Made:
    """One place where a phrase or an error is made."""

    file: str
    line: int
    key: str | None
    """None where it is no literal."""
    template: str | None
    facts: frozenset[str]
    more: bool
    """Other facts are handed on, too (`**facts`)."""

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}"


def sources() -> dict[str, ast.Module]:
    """The sources in which errors are made."""
    files = [file for room in ("ddz", "cli") for file in sorted((ROOT / room).rglob("*.py"))]
    return {str(file.relative_to(ROOT)): ast.parse(file.read_text(encoding="utf-8")) for file in files}


def kinds(trees: dict[str, ast.Module]) -> tuple[set[str], set[str]]:
    """The names of all classes of phrases and errors, and of those that are not made with a code and a template."""
    classes = [node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    known = {"Phrase"}
    while more := {each.name for each in classes if known & set(map(ast.unparse, each.bases))} - known:
        known |= more
    own = {each.name for each in classes if each.name in known - {"Phrase", "DdzError"} and _has_init(each)}
    return known, own


def _has_init(node: ast.ClassDef) -> bool:
    return any(isinstance(each, ast.FunctionDef) and each.name == "__init__" for each in node.body)


def made() -> Iterator[Made]:
    """Every place where one is made."""
    trees = sources()
    known, own = kinds(trees)
    for file, tree in trees.items():
        names = _constants(tree)
        inits = [
            call
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef) and node.name in known
            for call in ast.walk(node)
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "super().__init__"
        ]
        for call in ast.walk(tree):
            if not isinstance(call, ast.Call):
                continue
            name = ast.unparse(call.func).rpartition(".")
            if call in inits or (name[2] in known - own and name[0] in ("", "errors", "simulate")):
                yield _made(file, call, 0, names)
            elif name[2] == "telling":
                yield _made(file, call, 1, names)
            elif isinstance(call.func, ast.Call) and ast.unparse(call.func.func) == "type":
                yield Made(file, call.lineno, None, None, frozenset(), True)


def _made(file: str, call: ast.Call, at: int, names: dict[str, str]) -> Made:
    key, template = (_literal(call.args[i], names) if i < len(call.args) else None for i in (at, at + 1))
    facts = frozenset(each.arg for each in call.keywords if each.arg) | ({"why"} if at else set())  # telling adds it
    return Made(file, call.lineno, key, template, facts, any(each.arg is None for each in call.keywords))


def _constants(tree: ast.Module) -> dict[str, str]:
    """The texts that a module has names for."""
    return {
        ast.unparse(node.target): node.value.value
        for node in tree.body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    }


def _literal(node: ast.expr, names: dict[str, str]) -> str | None:
    if isinstance(node, ast.Name):
        return names.get(node.id)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
