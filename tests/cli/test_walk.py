"""`ddz replay --step` in a real terminal: single keys walk through the game."""

import sys
from pathlib import Path

import pytest

from ddz import signs

from . import hostile
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


def test_a_hostile_log_at_a_terminal(db: Path, tmp_path: Path, ddz: Ddz) -> None:
    """All that comes out of the terminal, byte for byte: what is stored rules it nowhere, at prompts neither."""
    base = tmp_path / "base.db"
    lines = hostile.build(base)
    rows = hostile.rows_of(base)
    for path in (("players", 0, "name"), ("players", 1, "name"), ("rules", "name"), ("commitment",)):
        rows = hostile.spoil(rows, "game_opened", path, hostile.TEXT, every=True)
    hostile.write(base, db, hostile.sealed(hostile.column(rows, "at", hostile.TEXT)))
    inputrc = tmp_path / "inputrc"
    inputrc.write_text("set enable-bracketed-paste off\nset enable-meta-key off\n", encoding="utf-8")
    answers = {
        r"\[1/\d+\] ": "n",
        r"\[2/\d+\] ": "\x1b[31m",
        r"is not a key|\[\d+/\d+\] ": "q",
        r"for help\) > ": "log\rquit\r",
    }
    for command in (f"replay {lines.over} --step", f"play {lines.open}", "games", "log events", "log events --json"):
        child = pexpect.spawn(
            str(SCRIPT),
            command.split(),
            env=ddz.environment({"INPUTRC": str(inputrc)}),
            encoding="utf-8",
            timeout=30,
            dimensions=(60, 400),
        )
        said, at = "", -1
        while at != len(answers):
            at = child.expect([*answers, pexpect.EOF])
            said += child.before + (child.after if at < len(answers) else "")
            if at < len(answers):
                child.send(list(answers.values())[at])
        child.close()
        assert (child.exitstatus, child.signalstatus) == (0 if "replay" not in command else 1, None), said
        typed = said.replace("^[[31m", "")  # the terminal's own echo
        assert all(signs.harmless(line) for line in typed.replace("\r\n", "\n").split("\n")), ascii(typed)
        assert not any(line.startswith(hostile.FORGED) for line in typed.splitlines())
        assert "ann?[31m?]0;owned" in said or "ann\\u001b[31m" in said, "it is shown"
