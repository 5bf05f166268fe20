"""`ddz arena` and `ddz botzone` at the command line."""

import json
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from ddz.cli.exits import INTERRUPTED

from ddz.log.stores import open_log
from ddz.rules import PRESETS
from ddz.words.columns import width
from ddz.words.languages import LANGUAGES

from .stage import SCRIPT, Ddz

PLAYER = Path(__file__).resolve().parents[1] / "guests" / "player.py"
README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")


def program(mode: str, limit: str = "") -> str:
    return f"exec{limit}:{shlex.join([sys.executable, '-S', '-E', str(PLAYER), mode])}"


def test_the_report_for_programs(ddz: Ddz, db: Path) -> None:
    done = ddz("arena", "simple", "random", "--decks", 6, "--seed", 7, "--json")
    found = done.json
    assert (found["schema"], found["decks"], found["seed"], found["rules"]) == ("ddz/arena@1", 6, 7, "douzero")
    (result,) = found["results"]
    assert {"a", "b", "decks", "wp", "wp_low", "wp_high", "adp", "adp_low", "adp_high", "by_role", "ms"} <= set(result)
    assert (result["a"], result["b"], result["decks"], result["games"]) == ("simple", "random", 6, 12)
    assert set(result["by_role"]) == {"landlord", "peasants"}
    assert result["wp_low"] <= result["wp"] <= result["wp_high"]
    assert not db.exists(), "no log is written that nobody asked for"


def without_times(text: str) -> dict:
    found = json.loads(text)
    for each in (*found["results"], *found["ladder"]):
        del each["ms"]
    return found


def test_the_same_seed_says_the_same_whatever_j_is(ddz: Ddz) -> None:
    words = ("arena", "simple", "random", "--decks", 5, "--seed", 3, "--json")
    assert without_times(ddz(*words, "-j", 2).out) == without_times(ddz(*words).out)
    assert without_times(ddz(*words[:-1], "--lang", "zh", "--json").out) == without_times(ddz(*words).out)


def test_the_readme_shows_what_is_printed(ddz: Ddz) -> None:
    shown = next(text for text in re.findall(r"```text\n(.*?)```", README, re.DOTALL) if "$ ddz arena" in text)
    command, *lines = shown.splitlines()
    assert lines.pop() == "..."
    printed = ddz(*shlex.split(command)[2:]).out.splitlines()
    assert printed[: len(lines)] == lines


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_report_for_people(ddz: Ddz, lang: str) -> None:
    done = ddz("arena", "simple", "random", "random", "--decks", 4, "--lang", lang, "--auction")
    head, pairs, ladder = done.out.strip().split("\n\n")
    assert "classic" in head
    assert len(pairs.splitlines()) == 1 + 3 * 3
    assert len(ladder.splitlines()) == 1 + 3
    assert all(line.count("%") == 1 for line in pairs.splitlines()[1:])
    for block in (pairs, ladder):
        assert len({width(line) for line in block.splitlines()}) <= 2, "columns are straight"
    assert done.err == ""


def test_the_games_are_in_the_log_if_wished(ddz: Ddz, db: Path, tmp_path: Path) -> None:
    other = tmp_path / "arena.db"
    done = ddz("arena", "simple", "random", "--decks", 3, "--db", other, "-j", 2)
    assert "6 games are in" in done.err
    assert not db.exists()
    ddz("arena", "simple", "random", "--decks", 2, "--log")
    assert len(list(open_log(db, create=False).lines())) == 4
    audited = ddz("audit", "--all", "--db", other)
    assert "lines audited: 6, with a fault: 0" in audited.out
    stats = ddz("stats", "--db", other, "--json").json
    assert stats["games"]["over"] == 6 if isinstance(stats["games"], dict) else stats["games"] == 6


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["simple"], "at least two bots"),
        (["simple", "deep"], "there is no bot called 'deep'"),
        (["simple", "exec:no-such-program"], "there is no program 'no-such-program'"),
        (["simple", "random", "--rules", "douzero", "--auction"], "assign the landlord"),
        (["simple", "random", "--rules", "nobody"], "there are no rules called"),
        (["simple", "random", "--decks", "0"], "--decks"),
        (["simple", "random", "-j", "0"], "--jobs"),
        (["simple", "random", "--lang", "xx"], "--lang takes"),
    ],
)
def test_what_cannot_be_played_is_refused(ddz: Ddz, words: list[str], why: str) -> None:
    done = ddz("arena", *words, code=2)
    assert why in done.err
    assert done.out == ""


def test_faults_are_told_and_counted(ddz: Ddz) -> None:
    done = ddz.apart("arena", "random", program("garbage"), "--decks", 1)
    assert "at seat" in done.err
    assert "not {" in done.err
    row = next(line for line in done.out.splitlines() if "garbage 9" in line or "garbage" in line.split("  ")[-1])
    assert "silenced" in row
    found = ddz.apart("arena", "random", program("garbage"), "--decks", 1, "--json").json
    faults = {rung["bot"]: rung["faults"] for rung in found["ladder"]}
    assert faults["random"] == {}
    assert faults[program("garbage")]["garbage"] == 9, "three each at the three seats that it had"


def test_a_program_that_never_answers_ends_it_with_a_sentence(ddz: Ddz) -> None:
    done = ddz.apart("arena", "random", program("crash"), "--decks", 20, code=1)
    assert "has given no valid answer" in done.err
    assert "Traceback" not in done.err


@pytest.mark.skipif(sys.platform != "linux", reason="it looks for processes in /proc")
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_tells_what_has_been_played_and_leaves_no_program(ddz: Ddz, jobs: int, tmp_path: Path) -> None:
    mark = tmp_path / "a-program-that-thinks.py"
    mark.write_text("import time\nwhile True:\n    time.sleep(0.01)\n")
    kept = tmp_path / "kept.db"
    words = ["arena", "simple", "random", "--decks", "100000", "-j", str(jobs), "--db", str(kept)]
    running = subprocess.Popen(
        [SCRIPT, *words], env=ddz.environment({}), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    wait_for(lambda: kept.exists() and len(list(open_log(kept, create=False).lines())) >= 2)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=20)
    assert running.returncode == INTERRUPTED, err
    assert "stopped after" in err
    assert "simple against random" in out
    assert "Traceback" not in err
    assert ddz("audit", "--all", "--db", kept).code == 0
    thinking = subprocess.Popen(
        [SCRIPT, "arena", "simple", f"exec@100:{sys.executable} {mark}", "--decks", "3", "-j", str(jobs)],
        env=ddz.environment({}), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    wait_for(lambda: alive(mark))
    thinking.send_signal(signal.SIGINT)
    thinking.communicate(timeout=20)
    assert thinking.returncode == INTERRUPTED
    wait_for(lambda: not alive(mark))


def wait_for(what: Callable[[], object]) -> None:
    """Until it is so, but not for ever."""
    deadline = time.monotonic() + 30
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def alive(script: Path) -> list[str]:
    """The processes that run a script."""
    found = []
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = line.read_bytes().split(b"\0")
        except OSError:
            continue
        if str(script).encode() in words and b"arena" not in words:
            found.append(line.parent.name)
    return found


def a_request(own: list[int], bids: list[int]) -> str:
    return json.dumps({"requests": [{"own": own, "bid": bids}], "responses": [], "data": "", "globaldata": ""})


def test_a_bot_of_ours_answers_once(ddz: Ddz) -> None:
    done = ddz("botzone", "--bot", "simple", input=a_request([*range(0, 34, 2)], []) + "\n")
    assert set(done.json) == {"response"}
    assert done.json["response"] in (0, 1, 2, 3)


def test_a_bot_of_ours_stays_if_asked(ddz: Ddz) -> None:
    own = [*range(0, 34, 2)]
    playing = {"own": own, "publiccard": [1, 3, 5], "landlord": 0, "pos": 0, "finalbid": 3}
    lines = [a_request(own, []), json.dumps({"history": [[], []], **playing}), json.dumps({"history": [[53], []]})]
    out = ddz("botzone", "--keep-running", input="\n\n".join(lines) + "\n").out.splitlines()
    assert out[1::2] == [">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"] * 3
    answers = [json.loads(line)["response"] for line in out[::2]]
    assert answers[0] in (0, 1, 2, 3)
    assert set(answers[1]) <= {*own, 1, 3, 5}
    assert isinstance(answers[2], list)


@pytest.mark.parametrize("line", ["hello", "[]", "{}", '{"requests": []}', '{"requests": [{"own": [1]}]}', '"\\ud800"'])
def test_what_is_no_request_is_refused(ddz: Ddz, line: str) -> None:
    done = ddz("botzone", input=line + "\n", code=2)
    assert done.out == ""
    assert done.err.startswith("ddz: ")


def test_our_bot_there_takes_only_ours(ddz: Ddz) -> None:
    assert "there is no bot called 'exec:true'" in ddz("botzone", "--bot", "exec:true", code=2).err
    assert "there are no rules" in ddz("botzone", "--rules", "nobody", code=2).err


def test_a_program_plays_in_a_game_of_the_log_and_its_faults_stand_there(ddz: Ddz, db: Path) -> None:
    ddz.apart("play", "--auto", "--seed", 7, "--bot", program("garbage"), "--bot", "simple", "--bot", "simple")
    log = open_log(db, create=False)
    rows = list(log.after(0))
    faulty = [row for row in rows if ".fault-" in row.event_id]
    assert {re.sub(r".*\.fault-(\w+)/.*", r"\1", row.event_id) for row in faulty} == {"garbage", "silenced"}
    assert all('"seat":0' in row.body for row in faulty if row.type in ("cards_played", "play_passed", "bid_passed"))
    ours = [row for row in rows if row.type in ("cards_played", "play_passed") and '"seat":0' in row.body]
    assert all(".fault-" in row.event_id for row in ours)
    assert ddz("audit", "@last").code == 0


def test_a_stored_game_starts_no_program_by_itself(ddz: Ddz, db: Path) -> None:
    bots = ("--bot", program("once"), "--bot", "simple")
    ddz.apart("play", "--seed", 7, "--seat", 1, *bots, input="")
    done = ddz("play", "--resume", code=2)
    assert "a log alone starts no program" in done.err
    assert "continues after" in ddz.apart("play", "--resume", *bots, input="").out
    opened = next(row for row in open_log(db, create=False).after(0) if row.type == "game_opened")
    assert json.loads(opened.body)["players"][0]["bot"] == program("once")
    at = 2
    done = ddz("fork", "@last", "--at", at, "--auto", "--reveal", code=2)
    assert "a log alone starts no program" in done.err
    line = ddz.apart("fork", "@last", "--at", at, "--auto", "--reveal", "--bot", program("stays")).out.strip()
    assert ddz("show", line, "--json").json["phase"] == "over"
    assert set(PRESETS) > {"classic"}
