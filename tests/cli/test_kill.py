"""kill -9 at any moment: what was shown is in the log, the game goes on, and a retry plays nothing twice."""

import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .stage import SCRIPT, Ddz, opened, say, stage

if sys.platform == "win32":
    pytest.skip("kill -9 is a way of POSIX systems", allow_module_level=True)

NAMED = ("bid_made", "bid_passed", "landlord_chosen", "cards_played", "play_passed")
KILLS = 12


def test_a_killed_game_keeps_what_it_has_shown(tmp_path: Path, ddz: Ddz) -> None:
    chance = random.Random(20240506)
    db = tmp_path / "killed.db"
    shown_at_all = 0
    for number in range(KILLS):
        with (tmp_path / f"{number}.out").open("wb") as out:
            command = [SCRIPT, "play", "--auto", "--delay", "0.004", "--rounds", "50", "--db", db]
            process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL, env=ddz.environment())
            while process.poll() is None and not out.tell() and not os.fstat(out.fileno()).st_size:
                time.sleep(0.005)
            time.sleep(chance.uniform(0, 0.35))
            process.kill()
            assert process.wait() == -9
        lines = (tmp_path / f"{number}.out").read_text(encoding="utf-8").split("\n")[:-1]  # the last may be half a line
        games: list[tuple[str, int]] = []
        for line in lines:
            if begun := re.match(r"game (\w+), round", line):
                games.append((begun[1], 0))
            elif re.match(r"normal \d: ", line):
                games[-1] = (games[-1][0], games[-1][1] + 1)
        for game, shown in games:
            events = ddz("replay", game, "--reveal", "--json", "--db", db).json["events"]
            kept = sum(event["type"] in NAMED for event in events)
            assert kept >= shown, f"{game} has shown {shown} turns and kept {kept}"
            assert kept <= shown + 3, "and at most the append that was in hand is ahead of the screen"
            shown_at_all += shown
        assert "0 findings" in ddz("log", "verify", "--db", db).out
    assert shown_at_all > 20, "the kills came in the middle of play"

    unfinished = ddz("games", "--unfinished", "--limit", "99", "--json", "--db", db).json["games"]
    assert unfinished
    for _ in unfinished:
        ddz("play", "--resume", "--auto", "--db", db)
    assert ddz("games", "--unfinished", "--json", "--db", db).json["games"] == []
    assert ddz("audit", "--all", "--db", db).code == 0


def test_a_killed_command_is_repeated_by_its_id(db: Path, ddz: Ddz) -> None:
    """A program that drives a game cannot know how far a killed command came: it says the same again."""
    chance = random.Random(7)
    with stage(db) as table:
        game = opened(table, seed=7, first=0)
        say(table, game, "0 bid 3")
    seq = 4
    stored_before = 0
    started = time.monotonic()
    ddz.apart("games")
    length = time.monotonic() - started
    for number in range(KILLS):
        before = ddz("show", game, "--json").json
        turn = before["turn"]
        legal = ddz("show", game, "--as", turn, "--json").json["legal"]
        choice = next((each for each in legal if each["type"] == "pass"), legal[0])
        words = ["pass"] if choice["type"] == "pass" else ["play", choice["cards"]]
        command = ["act", game, "--seat", str(turn), *words, "--expect", str(seq), "--id", f"command-{number}"]
        process = subprocess.Popen([SCRIPT, *command], stdout=subprocess.DEVNULL, env=ddz.environment())
        time.sleep(chance.uniform(0.4, 1.2) * length)
        process.kill()
        process.wait()
        stored_before += ddz("show", game, "--json").json["seq"] > seq
        for _ in range(2):
            assert ddz(*command).out.split() == [game, str(seq + 1)]
        seq += 1
        assert ddz("show", game, "--json").json["seq"] == seq, "once, however often it is said"
    assert ddz("audit", game).code == 0
    assert stored_before <= KILLS


def test_two_who_act_at_once(db: Path, ddz: Ddz) -> None:
    """One is first; the other is told that the log has moved on, and nothing is lost."""
    with stage(db) as table:
        game = opened(table, seed=7, first=0)
        say(table, game, "0 bid 3")
    for number in range(4):
        seq = ddz("show", game, "--json").json["seq"]
        turn = ddz("show", game, "--json").json["turn"]
        legal = ddz("show", game, "--as", turn, "--json").json["legal"]
        choice = next((each for each in legal if each["type"] == "pass"), legal[0])
        words = ["pass"] if choice["type"] == "pass" else ["play", choice["cards"]]
        command = [SCRIPT, "act", game, "--seat", str(turn), *words, "--expect", str(seq)]
        both = [
            subprocess.Popen(
                [*command, "--id", f"{number}-{who}"],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=ddz.environment(),
                text=True,
            )
            for who in ("a", "b")
        ]
        said = [process.communicate() for process in both]
        assert sorted(process.returncode for process in both) == [0, 4]
        loser = said[0] if both[0].returncode else said[1]
        assert "[log/stale]" in loser[1]
        assert ddz("show", game, "--json").json["seq"] == seq + 1
    assert ddz("audit", "--all").code == 0


def test_two_who_begin_at_once(db: Path, ddz: Ddz) -> None:
    """The log is made by one of them; both games are in it."""
    both = [
        subprocess.Popen(
            [SCRIPT, "play", "--auto", "--seed", str(seed)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=ddz.environment(),
            text=True,
        )
        for seed in (1, 2)
    ]
    said = [process.communicate() for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    assert len(ddz("games", "--json").json["games"]) == 2
    assert ddz("audit", "--all").code == 0
    assert db.exists()
