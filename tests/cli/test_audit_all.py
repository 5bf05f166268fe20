"""`ddz audit --all`: one output whatever the number of processes, and a bar on a terminal alone."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from ddz.cli.progress import Bar, wants_bar

from ddz.log.stores import open_log
from ddz.words.chinese import WORDS as CHINESE
from ddz.words.english import WORDS as ENGLISH

from .stage import Ddz, forked, import_record, opened, say, stage, turn
from .test_tampered import tamper


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


class Clock:
    """Shows each of some moments in turn, in seconds."""

    def __init__(self, *moments: float) -> None:
        self._moments = list(moments)

    def __call__(self) -> float:
        return self._moments.pop(0)


@pytest.fixture
def games(db: Path) -> list[str]:
    """A few games and a fork, of which one game and with it the fork are spoilt."""
    with stage(db) as table:
        game = import_record(table, "bombs-rocket", claim=False)
        line = forked(table, game, turn(table, game, "0 play 8c"), "0 play 3")
        whole = opened(table, seed=7)
        say(table, whole, "0 bid 3")
    tamper(db, "UPDATE events SET body = replace(body, '3s', '3h') WHERE game = :game AND seq = 2", game)
    return [game, line, whole]


@pytest.mark.parametrize("how", [[], ["--json"], ["--lang", "zh"], ["--head", "3:" + "0" * 64]])
def test_the_output_is_the_same_whatever_the_number_of_processes(
    ddz: Ddz, games: list[str], how: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ddz.services.audit_log.LINES_AT_ONCE", 1)
    alone = ddz("audit", "--all", *how, code=1)
    assert alone.err == "", "no bar where no terminal is"
    assert all((game in alone.out) == (game != games[2] or "--json" in how) for game in games)
    assert "integrity/guard" in alone.out
    assert ("integrity/head" in alone.out) == ("--head" in how)
    assert ddz("audit", "--all", "-j", "2", *how, code=1) == alone


def test_what_is_no_log_is_not_called_clean(ddz: Ddz, db: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.db"
    empty.touch()
    for path in (db, empty, Path(os.devnull)):
        for command in (("audit", "--all"), ("audit", "--all", "-j", "2"), ("log", "verify"), ("log", "head")):
            done = ddz(*command, "--db", path, code=2)
            assert (done.out, done.err) == ("", f"ddz: there is no log at {path}\n")
    assert (db.exists(), empty.stat().st_size) == (False, 0)


def test_without_a_known_head_it_is_said_what_nobody_can_tell(ddz: Ddz, games: list[str]) -> None:
    assert games
    head = ddz("log", "head").out.strip()
    for command in (("audit", "--all"), ("log", "verify")):
        doubt = "no known head was given"
        assert doubt in ddz(*command, code=None).out
        assert doubt not in ddz(*command, "--head", head, code=None).out
        assert ddz(*command, "--json", code=None).json["head_known"] is False
        found = ddz(*command, "--head", head, "--json", code=None).json
        assert (found["head_known"], found["head"]) == (True, head)


def test_an_empty_log_has_a_head_and_no_lines(ddz: Ddz, db: Path) -> None:
    open_log(db, create=True).close()
    found = ddz("audit", "--all", "--json", "-j", "3").json
    assert (found["ok"], found["games"], found["findings"]) == (True, [], [])
    assert found["head"].startswith("0:")
    assert "lines audited: 0, with a fault: 0" in ddz("audit", "--all").out


def test_what_is_printed_may_be_longer_than_what_is_kept_in_memory(
    ddz: Ddz, games: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = [ddz("audit", "--all", code=1), ddz("audit", "--all", "--json", code=1)]
    monkeypatch.setattr("ddz.cli.audit._SPOOLED", 10)
    monkeypatch.setattr("ddz.cli.audit._PIECE", 7)
    assert [ddz("audit", "--all", code=1), ddz("audit", "--all", "--json", code=1)] == expected
    assert [each["game"] for each in expected[1].json["games"]] == sorted(games)


def test_processes_are_for_the_whole_log(ddz: Ddz, games: list[str]) -> None:
    assert "add --all" in ddz("audit", games[2], "-j", "2", code=2).err
    for jobs in ("0", "-1", "two"):
        ddz("audit", "--all", "-j", jobs, code=2)


# ---- the bar ----


def test_a_bar_says_how_far_it_is_how_fast_and_how_long_it_takes() -> None:
    terminal = Terminal()
    with Bar(ENGLISH, stream=terminal, clock=Clock(0, 0.1, 2, 2.05, 4)) as bar:
        bar(100, 1100)  # so soon that nothing is drawn yet
        assert terminal.getvalue() == ""
        bar(500, 1100)
        assert "500 of 1100 games, 200 a second, 0:00:03 left" in terminal.getvalue()
        drawn = len(terminal.getvalue())
        bar(510, 1100)  # so soon after the last look that it stays as it was
        assert len(terminal.getvalue()) == drawn
        bar(1100, 1100)
        assert "1100 of 1100 games, 250 a second, 0:00:00 left" in terminal.getvalue()
    assert terminal.getvalue().endswith("\x1b[2K"), "it is gone when all is done"
    assert "\x1b[?25h" in terminal.getvalue(), "and the cursor is back"


def test_a_bar_in_chinese_and_before_anything_is_done() -> None:
    terminal = Terminal()
    with Bar(CHINESE, stream=terminal, clock=Clock(0, 3, 7203)) as bar:
        bar(0, 9)
        assert "0 / 9 局，每秒 0 局，还剩 ?" in terminal.getvalue()
        bar(3, 9)
        assert "还剩 4:00:06" in terminal.getvalue()


@pytest.mark.parametrize("term", ["dumb", "", "unknown"])
def test_no_bar_on_a_terminal_that_cannot_draw_over_a_line(term: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert wants_bar(stream=Terminal())
    assert not wants_bar(plain=True, stream=Terminal())
    assert not wants_bar(stream=io.StringIO())
    monkeypatch.setenv("TERM", term)
    terminal = Terminal()
    with Bar(ENGLISH, stream=terminal, clock=Clock(0, 3, 6)) as bar:
        bar(1, 9)
        bar(9, 9)
    assert terminal.getvalue() == ""


def test_neither_bar_nor_processes_cost_an_import_where_none_are_needed(games: list[str]) -> None:
    program = f"""
import sys
from ddz.cli.app import app
sys.argv = ["ddz", "audit", "--all", "--db", {os.environ["DDZ_DB"]!r}]
try:
    app()
except SystemExit as end:
    assert end.code == 1, end.code
assert not [name for name in sys.modules if name.split(".")[0] in ("rich", "concurrent", "multiprocessing")]
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert games[0] in done.stdout
