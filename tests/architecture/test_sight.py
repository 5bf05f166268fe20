"""Front doors show what `ddz.services.sight` gives them: none of them decides for itself who may see what."""

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

import ddz.view

ROOT = Path(__file__).resolve().parent.parent.parent
FRONT_DOORS = ("cli", "ddz/words")
"""The rooms whose modules are shown to people and programs, or say what is."""
CLOSED = {
    "ddz.view": {"redact", "seat_view", "open_view", "view_for", "visible_legal", "public_view"},
    "ddz.services.sight": {"Sight", "SeatSight"},  # whoever makes one chooses the viewer
    "ddz.decide": {"decide", "legal", "refusal"},  # what is legal, and what an escape costs, tells of hidden cards
    "ddz.log.codec": {"event_of"},  # an event as it is stored
}
"""What they never import to run it; types may be named."""
HARMLESS = {"phase_of"}
"""Functions of `ddz.view` that show nothing hidden."""


def deciding(source: str) -> Iterator[tuple[int, str]]:
    """What a source imports at run time that is closed to it, by line."""
    tree = ast.parse(source)
    for_types = {
        id(inside)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for each in node.body
        for inside in ast.walk(each)
    }
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.ImportFrom):
            for taken in node.names:
                if taken.name in CLOSED.get(node.module or "", ()) or f"{node.module}.{taken.name}" in CLOSED:
                    yield node.lineno, f"{node.module}.{taken.name}"
        elif isinstance(node, ast.Import):
            yield from ((node.lineno, taken.name) for taken in node.names if taken.name in CLOSED)


MODULES = [file.relative_to(ROOT).as_posix() for room in FRONT_DOORS for file in sorted((ROOT / room).rglob("*.py"))]


@pytest.mark.parametrize("module", MODULES)
def test_no_front_door_decides_who_may_see_what(module: str) -> None:
    found = [f"{module}, line {line}: {what}" for line, what in deciding((ROOT / module).read_text("utf-8"))]
    assert not found, "ask ddz.services.sight: " + "; ".join(found)


def test_every_front_door_is_walked() -> None:
    assert {module.rpartition("/")[0] for module in MODULES} == set(FRONT_DOORS)


def test_what_is_closed_is_there_and_is_all() -> None:
    """A new function of `ddz.view` is closed, or somebody says here that it shows nothing hidden."""
    own = {
        name
        for name, each in vars(ddz.view).items()
        if inspect.isfunction(each) and each.__module__ == "ddz.view" and not name.startswith("_")
    }
    assert own == CLOSED["ddz.view"] | HARMLESS


@pytest.mark.parametrize(
    "source",
    [
        "from ddz.view import redact",
        "from ddz.view import SeatView, visible_legal as moves",
        "def f():\n    from ddz.view import open_view",
        "from ddz import view",
        "import ddz.view as looking",
        "from ddz.services.sight import Sight",
        "from ddz.services import sight",
        "def f():\n    from ddz.decide import legal",
        "from ddz.log import codec",
    ],
)
def test_it_is_noticed(source: str) -> None:
    assert list(deciding(source))


@pytest.mark.parametrize(
    "source",
    [
        "from ddz.view import SeatView, phase_of",
        "from ddz.services.sight import TABLE, look, of_seat",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ddz.services.sight import Sight",
    ],
)
def test_types_may_be_named(source: str) -> None:
    assert not list(deciding(source))
