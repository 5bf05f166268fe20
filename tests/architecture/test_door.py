"""Whatever a command prints leaves through one door, `cli/door.py`: nobody else writes to a terminal."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
DOOR = "cli/door.py"
LOOKS = {"isatty", "encoding", "fileno", "flush"}
"""What anybody may ask an output for: it prints nothing."""
STREAMS = {"stdout", "stderr", "__stdout__", "__stderr__"}
PRINTING = {"echo", "secho", "echo_via_pager", "launch", "edit", "pause", "prompt", "confirm", "progressbar", "clear"}
"""Functions of Typer and Click that print."""
ALLOWED = {
    "cli/terminal.py": {"input", "typer.getchar"},  # its prompt is made harmless; getchar prints nothing
    "cli/progress.py": {"rich"},  # draws the bar; its one text is made harmless
    "ddz/compiled.py": {"warnings.warn"},  # a sentence of ours alone
    "ddz/guests/program.py": {"logging"},  # of a guest's faults, made harmless
    "ddz/work/on_ray.py": {"sys.stderr", "logging"},  # where Ray shall print, and how much
}


def printing(source: str) -> Iterator[tuple[int, str]]:
    """What a source prints by, by line: `print`, `typer.echo`, `sys.stdout`, `rich`, ..."""
    tree = ast.parse(source)
    looks = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr in LOOKS}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in ("print", "input", "breakpoint"):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            name = f"{node.value.id}.{node.attr}"
            if (
                (node.value.id == "sys" and node.attr in STREAMS and id(node) not in looks)
                or name
                in (
                    "os.write",
                    "typer.getchar",
                    "warnings.warn",
                )
                or (node.value.id == "typer" and node.attr in PRINTING)
            ):
                yield node.lineno, name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            module = "" if isinstance(node, ast.Import) else node.module or ""
            for taken in node.names:
                whole = f"{module}.{taken.name}" if module else taken.name
                top = whole.split(".")[0]
                if top in ("rich", "click", "logging", "curses", "getpass"):
                    yield node.lineno, top
                elif (top == "sys" and taken.name in STREAMS) or (top == "typer" and taken.name in PRINTING):
                    yield node.lineno, whole


MODULES = [file.relative_to(ROOT).as_posix() for room in ("cli", "ddz") for file in sorted((ROOT / room).rglob("*.py"))]


@pytest.mark.parametrize("module", [module for module in MODULES if module != DOOR])
def test_nobody_prints_but_the_door(module: str) -> None:
    found = printing((ROOT / module).read_text("utf-8"))
    wrong = [f"{module}, line {line}: {what}" for line, what in found if what not in ALLOWED.get(module, set())]
    assert not wrong, f"print through {DOOR} (put, say, give, hand): " + "; ".join(wrong)


def test_the_door_is_there_and_prints() -> None:
    assert DOOR in MODULES
    assert "sys.stdout" in {what for _, what in printing((ROOT / DOOR).read_text("utf-8"))}
    assert set(ALLOWED) <= set(MODULES)
    for module, allowed in ALLOWED.items():
        assert allowed <= {what for _, what in printing((ROOT / module).read_text("utf-8"))}, "no more than is needed"


@pytest.mark.parametrize(
    "source",
    [
        "print('a')",
        "say = print",
        "import typer\ntyper.echo('a')",
        "from typer import secho as say",
        "import sys\nsys.stdout.write('a')",
        "import sys\nsys.stderr.buffer.write(b'a')",
        "import sys\nfor stream in (sys.stdout,): stream.write('a')",
        "from sys import stderr",
        "import os\nos.write(1, b'a')",
        "def f():\n    import click",
        "def f():\n    from rich.console import Console",
        "import logging",
    ],
)
def test_it_is_noticed(source: str) -> None:
    assert list(printing(source))


def test_to_look_is_not_to_print() -> None:
    assert not list(printing("import sys\nsys.stdout.isatty()\nsys.stdout.flush()\nprint_it = sys.stderr.encoding"))
