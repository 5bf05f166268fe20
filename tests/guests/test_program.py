"""A program at the table: whatever it does, the game goes on, it is told why, and nothing of it stays behind."""

import json
import logging
import os
import re
import shlex
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest

from ddz import bots, guests
from ddz.errors import Unreadable
from ddz.frozen.events import CardsPlayed, PlayPassed
from ddz.guests import process, program
from ddz.records.botzone_shapes import TWO
from ddz.rules import CLASSIC, PRESETS, SEATS
from ddz.services.loop import whole_game

from .games import opened, play

SCRIPT = Path(sysconfig.get_path("scripts")) / "ddz"
PLAYER = Path(__file__).with_name("player.py")
RULES = PRESETS["douzero"]


def command(mode: str, seconds: float | None = None) -> str:
    limit = "" if seconds is None else f"@{seconds}"
    return f"exec{limit}:{shlex.join([sys.executable, '-S', '-E', str(PLAYER), mode])}"


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen]:
    """Every process that a program was, in the order of their start."""
    found: list[subprocess.Popen] = []

    class Noted(subprocess.Popen):
        def __init__(self, *args, **kwargs) -> None:
            super().__init__(*args, **kwargs)
            found.append(self)

    monkeypatch.setattr(process.subprocess, "Popen", Noted)
    monkeypatch.setattr(program, "GRACE", 0.4)
    monkeypatch.setattr(program, "LINGER", 0.3)
    return found


def gone(started) -> bool:
    """All have ended and were taken leave of; none is a zombie."""
    for child in started:
        if child.returncode is None:
            return False
        with pytest.raises(ProcessLookupError):
            os.kill(child.pid, 0)
    return not process._ALIVE


def game(name: str, number: int = 1, rules=RULES, others: str = "simple", voice: int = 0):
    """A game of the program at seat 0, which leads it, against bots of ours; the program, and the turns at its seat."""
    guest = guests.make(name)
    turns = []

    def look(_, turn) -> None:
        if turn.seat == 0:
            turns.append((turn, guests.fault_of(guest)))

    seated = {0: guest, 1: bots.make(others), 2: bots.make(others)}
    play(rules, number, seated, look, voice)
    guests.close([guest])
    return guest, turns


@pytest.mark.parametrize("mode", ["once", "twice", "chatty"])
def test_a_program_that_ends_after_its_answer_is_begun_for_each(mode, started) -> None:
    guest, turns = game(command(mode))
    assert guest.faults == {}
    assert len(started) == len(turns) > 2
    assert gone(started)


def test_one_that_stays_is_begun_once_a_game(started) -> None:
    alone, _ = game(command("once"))
    begun = len(started)
    guest, turns = game(command("stays"))
    assert guest.faults == alone.faults == {}
    assert len(started) == begun + 1
    assert len(turns) > 2
    assert gone(started)


def test_it_plays_the_same_whether_it_stays_or_not(started) -> None:
    assert [game(command("once"), 3)[1]] == [game(command("stays"), 3)[1]]
    assert gone(started)


def test_one_that_says_that_it_stays_and_does_not_is_a_crash_at_its_next_turn(started) -> None:
    guest, turns = game(command("stays-once"))
    assert guest.faults["crash"] >= 1
    assert turns[0][1] is None
    assert turns[1][1].kind == "crash"
    assert gone(started)


def test_one_that_reads_to_the_end_is_told_that_its_input_ends(started, monkeypatch) -> None:
    monkeypatch.setattr(program, "GRACE", 2.0)
    began = time.monotonic()
    guest, turns = game(command("to-the-end"))
    assert guest.faults == {}
    assert len(started) == len(turns) > 3
    assert time.monotonic() - began < 2.0 * len(turns) / 2, "only the first time is waited for it"
    assert gone(started)


@pytest.mark.parametrize(
    ("mode", "seconds", "kind", "why"),
    [
        ("crash", 5, "crash", r"ended without an answer \(exit code 3: it went wrong\)"),
        ("silent", 0.3, "timeout", r"no answer within 0\.3 s"),
        ("closed", 5, "crash", "ended without an answer"),
        ("garbage", 5, "garbage", r"answered 'hello', not \{"),
        ("no-response", 5, "garbage", r"not \{"),
        ("latin", 5, "garbage", r"not \{"),
        ("deep", 5, "garbage", r"not \{"),
        ("flood", 5, "garbage", "(more than an answer can be|it answered 'xxxx)"),
        ("endless", 0.5, "timeout", "no answer within"),
        ("illegal", 5, "garbage", "no card"),
        ("all", 5, "illegal", "may not play"),
    ],
)
def test_a_fault_is_named_and_the_house_moves(mode, seconds, kind, why, started, caplog) -> None:
    with caplog.at_level(logging.WARNING, "ddz"):
        guest, turns = game(command(mode, seconds))
    first, fault = turns[0]
    assert fault.kind == kind
    assert len(first.cards) == 1, "the landlord must lead, and the house leads its lowest card"
    assert guest.faults[kind] == program.STRIKES
    assert guest.faults["silenced"] == len(turns) - program.STRIKES > 0
    assert len(started) == program.STRIKES, "it is not asked again in this deal"
    said = [record.getMessage() for record in caplog.records]
    assert re.search(why, said[0]), said[0]
    assert all("at seat 0" in line and "the house" in line for line in said)
    assert len(said) == program.STRIKES
    assert gone(started)


def test_in_the_next_deal_it_is_asked_again(started) -> None:
    guest = guests.make(command("crash"))
    for number in (1, 2):
        play(RULES, number, {0: guest, 1: bots.make("simple"), 2: bots.make("simple")})
    assert guest.faults["crash"] == 2 * program.STRIKES
    assert gone(started)


def test_a_program_that_never_answers_is_given_up(started, monkeypatch) -> None:
    monkeypatch.setattr(program, "HOPELESS", 2)
    guest = guests.make(command("garbage"))
    seated = {0: guest, 1: bots.make("simple"), 2: bots.make("simple")}
    play(RULES, 1, seated)
    play(RULES, 2, seated)
    with pytest.raises(program.NoAnswers, match=r"given no valid answer in 2 deals \(garbage 6, silenced"):
        play(RULES, 3, seated)
    guests.close([guest])
    assert gone(started)


@pytest.mark.parametrize("mode", ["child", "lingers"])
def test_what_it_leaves_behind_is_ended(mode, started, monkeypatch) -> None:
    monkeypatch.setattr(program, "LINGER", 0.05)
    guest, _ = game(command(mode), number=2)
    assert guest.faults == {}
    assert gone(started)
    if sys.platform == "linux":
        groups = {child.pid for child in started}
        for status in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = status.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            assert int(fields[2]) not in groups or fields[0] == "Z"


def test_what_it_saves_is_given_back_in_the_deal_and_not_in_the_next(started, monkeypatch) -> None:
    sent: list[dict] = []
    write = process.Process.write

    def noted(self, line: bytes) -> None:
        sent.append(json.loads(line))
        write(self, line)

    monkeypatch.setattr(process.Process, "write", noted)
    guest = guests.make(command("data"))
    seated = {0: guest, 1: bots.make("simple"), 2: bots.make("simple")}
    play(RULES, 1, seated)
    first = len(sent)
    play(RULES, 2, seated)
    assert guest.faults == {}
    assert [each["data"] for each in sent[:3]] == ["", "2", "13"]
    assert [each["globaldata"] for each in sent[:3]] == ["", "g", "gg"]
    assert (sent[first]["data"], sent[first]["globaldata"]) == ("", ""), "the same games whatever was played before"
    assert gone(started)


def test_one_program_may_sit_at_two_seats(started) -> None:
    guest = guests.make(command("stays"))
    play(RULES, 4, {0: bots.make("simple"), 1: guest, 2: guest})
    guests.close([guest])
    assert guest.faults == {}
    assert len(started) == 2
    assert gone(started)


def test_a_house_move_is_told_to_a_program_that_is_begun_anew(started) -> None:
    """`forgets` stays, and plays its first card twice; begun anew with the whole conversation it plays on."""
    _, turns = game(command("forgets"))
    kinds = [fault and fault.kind for _, fault in turns]
    assert kinds[:4] == [None, "illegal", None, None]
    assert len(started) == 2
    assert gone(started)


def test_in_an_auction_the_house_passes(started) -> None:
    guest = guests.make(command("crash"))
    events = whole_game(opened(CLASSIC, 7, 0), {0: guest, 1: bots.make("simple"), 2: bots.make("simple")})
    calls = [event for event in events if getattr(event, "seat", None) == 0]
    assert type(calls[0]).__name__ == "BidPassed"
    mine = [event for event in calls if isinstance(event, CardsPlayed | PlayPassed)]
    assert all(isinstance(event, PlayPassed) or len(event.cards) == 1 for event in mine)
    guests.close([guest])
    assert gone(started)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("exec:", "needs a command"),
        ("exec:no-such-program-at-all", "there is no program 'no-such-program-at-all'"),
        ("exec:./no/such/file", "there is no program"),
        ("exec:'unfinished", "cannot be read"),
        ("exec@0:true", "the seconds of a program"),
        ("exec@nan:true", "the seconds of a program"),
        ("exec@:true", "the seconds of a program"),
        ("exec@1e9:true", "the seconds of a program"),
        ("douzero:/no/such/folder", r"landlord\.ckpt"),
        ("deep", "the bots are random, .* exec:CMD, rlcard-rule, douzero:DIR"),
    ],
)
def test_a_name_that_cannot_be_is_refused(name: str, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        guests.make(name)


def test_a_log_starts_no_program() -> None:
    for name in (command("once"), "exec@1:true", "douzero:/x"):
        with pytest.raises(Unreadable, match="a log alone starts no program"):
            guests.make_again(name)
    assert guests.make_again("simple").name == "simple"


def test_a_program_that_goes_away_is_missing(tmp_path, started) -> None:
    script = tmp_path / "bot"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    guest = guests.make(f"exec:{script}")
    script.unlink()
    play(RULES, 1, {0: guest, 1: bots.make("simple"), 2: bots.make("simple")})
    assert guest.faults["missing"] == program.STRIKES
    assert gone(started)


def test_whole_games_of_ours_through_a_process_are_move_for_move_those_in_this_one(started, monkeypatch) -> None:
    """`ddz botzone` at the other end, by botzone's rules: `simple` there does exactly what `simple` does here."""
    there = f"exec@60:{shlex.join([str(SCRIPT), 'botzone', '--bot', 'simple', '--keep-running'])}"
    monkeypatch.setattr(program, "LINGER", 5)
    guest = guests.make(there)
    moves = 0
    for number in range(4):
        played = []
        for player in (guest, bots.make("simple")):
            seated = {seat: bots.make("random") for seat in SEATS} | {number % 3: player}
            played.append(whole_game(opened(TWO, number, number % 2), seated))
        assert played[0] == played[1]
        moves += sum(getattr(event, "seat", None) == number % 3 for event in played[0])
    guests.close([guest])
    assert guest.faults == {}
    assert moves > 20
    assert len(started) <= 10
    assert gone(started)
