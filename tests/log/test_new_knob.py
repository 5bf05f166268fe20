"""The recipe of `ddz/frozen/__init__.py`, gone step by step in a copy of ddz: every frozen log stays what it is.

The copy gets a knob in `Rules` and a field in `Player`, with a version and an upcast, and reads, writes, audits, forks
and goes on with all that the versions before it have stored.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ddz
from ddz.frozen import shapes, versions

FIXTURES = Path(__file__).parents[2] / "fixtures" / "logs"
TRIAL = Path(__file__).with_name("new_knob.py")
EDITS = {
    shapes: [
        (
            "    escape_least: int = 3\n",
            '    wild: Literal["none", "one", "two"] = "none"\n    escape_least: int = 3\n',
        ),
        ("    bot: str | None = None\n", "    bot: str | None = None\n    country: str | None = None\n"),
    ],
    versions: [('    "game_opened": 1,\n', '    "game_opened": 2,\n')],
}
"""Steps 1 and 2."""
ADDED = [
    (
        "ADDED: Final[Mapping[tuple[str, int], Mapping[str, object]]] = {}",
        "ADDED: Final[Mapping[tuple[str, int], Mapping[str, object]]] = {\n"
        '    ("game_opened", 1): {"rules.wild": "none", "players.country": None},\n}',
    )
]
"""Step 3."""


def edited(copy: Path, module: object, edits: list[tuple[str, str]]) -> None:
    assert module.__file__ is not None
    file = copy / Path(module.__file__).relative_to(Path(ddz.__file__).parent)
    text = file.read_text("utf-8")
    for was, now in edits:
        assert text.count(was) == 1, was
        text = text.replace(was, now)
    file.write_text(text, "utf-8")


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A copy of ddz with the new fields, as yet without version and upcast."""
    copy = tmp_path / "house" / "ddz"
    shutil.copytree(Path(ddz.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    edited(copy, shapes, EDITS[shapes])
    return copy


def trial(copy: Path, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, TRIAL, FIXTURES, tmp_path / "games.db"],
        env={**os.environ, "PYTHONPATH": str(copy.parent), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def test_a_new_knob_leaves_every_stored_game_as_it_is(house: Path, tmp_path: Path):
    edited(house, versions, EDITS[versions] + ADDED)
    done = trial(house, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith(f"{house}: "), "the copy was not what ran"


def test_a_field_without_a_version_makes_them_unreadable(house: Path, tmp_path: Path):
    """Why there is a recipe."""
    done = trial(house, tmp_path)
    assert done.returncode != 0
    assert "not in its canonical form" in done.stderr
