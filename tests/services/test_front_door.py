"""A front door of a few lines has all that a terminal has, and needs nothing of the terminal's."""

import ast
import subprocess
import sys
from pathlib import Path

from ddz.log.stores import open_log
from ddz.services.replay import replay
from ddz.state import Over

DOOR = Path(__file__).with_name("front_door.py")
MOST_LINES = 16
"""How many statements' lines a front door may need; a few more than ten."""


def test_a_front_door_plays_retells_in_both_languages_and_audits(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    done = subprocess.run(
        [sys.executable, "-X", "utf8", str(DOOR), str(path)], capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    with open_log(path, create=False) as log:
        (line,) = log.lines()
        told = replay(log, line.game)
    assert isinstance(told.state, Over)
    english = [line for line in done.stdout.splitlines() if line.isascii()]
    chinese = [line for line in done.stdout.splitlines() if not line.isascii()]
    for lines in (english, chinese):
        assert sum(line.lstrip()[:3].strip().isdigit() for line in lines) >= len(told.steps), "a line an event"
    assert "地主" in "".join(chinese)
    assert "landlord" in "".join(english)


def test_it_is_short_and_stands_on_the_house_alone() -> None:
    tree = ast.parse(DOOR.read_text("utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and node not in imports]
    assert len(statements) <= MOST_LINES + 2, "the docstring and the last check do not count"
    assert not [node for node in imports if "cli" in ast.unparse(node)]
