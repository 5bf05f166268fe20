"""`ddz replay --step` in a real terminal: single keys walk through the game."""

import sys
from pathlib import Path

import pytest

from .stage import SCRIPT, Ddz, opened, stage

if sys.platform == "win32":
    pytest.skip("pexpect needs a POSIX terminal", allow_module_level=True)
pexpect = pytest.importorskip("pexpect")


@pytest.mark.parametrize(
    ("keys", "seqs"),
    [
        pytest.param(["n", "\r", " ", "q"], [1, 2, 3, 4], id="on"),
        pytest.param(
            ["\x1b[C", "\x1b[B", "\x1b[D", "\x1b[A", "p", "\x04"], [1, 2, 3, 2, 1, 1], id="arrows, not before the first"
        ),
        pytest.param(["5\r", "p", "\x1b[H", "q"], [1, 5, 4, 1], id="a number, and home"),
        pytest.param(["x", "99\r", "q"], [1, 1, 1], id="no such key, no such event"),
    ],
)
def test_keys_walk_through_a_game(keys: list[str], seqs: list[int], db: Path, ddz: Ddz) -> None:
    with stage(db) as table:
        game = opened(table, seed=7)
    ddz("act", game, "--seat", 0, "escape")
    last = ddz("replay", game, "--json").json["events"][-1]["seq"]
    assert last >= 5
    child = pexpect.spawn(
        str(SCRIPT),
        ["replay", game, "--step"],
        env=ddz.environment(),
        encoding="utf-8",
        timeout=30,
        dimensions=(60, 200),
    )
    reached = []
    for key in keys:
        child.expect(rf"\[(\d+)/{last}\] ")
        reached.append(int(child.match[1]))
        child.send(key)
    child.expect(pexpect.EOF)
    child.close()
    assert reached == seqs
    assert child.exitstatus == 0
