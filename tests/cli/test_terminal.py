"""`ddz play` in a real terminal, by typing."""

import re
import signal
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from words.catalogue import sentences

from ddz.frozen.shapes import Player
from ddz.services import loop
from ddz.view import public_view
from ddz.words.base import Words
from ddz.words.english import WORDS as ENGLISH
from ddz.words.languages import LANGUAGES, language
from ddz.words.table import table_lines

from .stage import HASH, ID, SCRIPT, TIME, Ddz, opened, say, stage

if sys.platform == "win32":
    pytest.skip("pexpect needs a POSIX terminal", allow_module_level=True)
pexpect = pytest.importorskip("pexpect")

BID = r"(?:or p to pass \(\? for help\)|p 不叫 \(\? 帮助\)) > "
TURN = r"(?:your turn \(\? for help\)|轮到你 \(\? 帮助\)) > "
NEXT = r"(?:next game\?|再来一局\?) \(.*?\) > "
LEAVE = r"type yes to leave the game > "
SEED = r"your words for the deal \(.*?\) > "
PROMPTS = {"bid": BID, "turn": TURN, "next": NEXT, "leave": LEAVE, "seed": SEED}


class Person:
    """Somebody at a terminal: reads until he is asked, and types a line."""

    def __init__(self, ddz: Ddz, *args: object, folder: Path, env: dict[str, str] | None = None) -> None:
        inputrc = folder / "inputrc"
        inputrc.write_text("set enable-bracketed-paste off\n", encoding="utf-8")
        surroundings = ddz.environment({"INPUTRC": str(inputrc), **(env or {})})
        self.child = pexpect.spawn(
            str(SCRIPT),
            [*map(str, args)],
            env=surroundings,
            encoding="utf-8",
            timeout=30,
            dimensions=(60, 200),
            # a test run that outlives its own terminal (nohup) ignores this signal, and its children would
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
        )
        self.asked = ""
        """What the last prompt asks; `end` when the command is over."""
        self.everything = ""
        self.text = self._listen()
        """What stood before the last prompt."""

    def _listen(self) -> str:
        at = self.child.expect([*PROMPTS.values(), pexpect.EOF])
        self.asked = [*PROMPTS, "end"][at]
        said = self.child.before.replace("\r\n", "\n")
        self.everything += said + (self.child.after if self.asked != "end" else "")
        assert "Traceback" not in said
        return said

    def type(self, line: str) -> str:
        """Type a line; what is said until the next prompt."""
        self.child.sendline(line)
        said = self._listen()
        self.text = said.split("\n", 1)[1] if "\n" in said else said  # without the echo
        return self.text

    def hint(self) -> str:
        return re.search(r"(?:hint by \w+: |提示（\w+）：)(.*)", self.type("hint"))[1]

    def play_on(self, turns: int = 1000) -> int:
        """Play by hints, so many turns or until the game is over; the number of turns."""
        taken = 0
        while taken < turns and self.asked in ("bid", "turn"):
            self.type(self.hint())
            taken += 1
        return taken

    def over(self) -> int:
        """The exit code, once the command has ended."""
        if self.asked != "end":
            self._listen()
        self.child.close()
        return self.child.exitstatus if self.child.exitstatus is not None else -self.child.signalstatus


@pytest.fixture
def sit(ddz: Ddz, tmp_path: Path):
    """Sit down at a terminal; everybody is made to leave at the end."""
    seated: list[Person] = []

    def sit(*args: object, env: dict[str, str] | None = None) -> Person:
        seated.append(Person(ddz, *args, folder=tmp_path, env=env))
        return seated[-1]

    yield sit
    for person in seated:
        person.child.close(force=True)


def view(ddz: Ddz, *args: object) -> Any:
    return ddz("show", "@last", *args, "--json").json


BOTS = (Player("you", "human"), Player("simple 1", "bot", "simple", "1"), Player("simple 2", "bot", "simple", "1"))


def leading(db: Path) -> str:
    """A game in which you are the landlord and lead."""
    with stage(db) as table:
        game = opened(table, seed=7, first=0, players=BOTS)
        say(table, game, "0 bid 3")
    return game


def following(db: Path) -> str:
    """A game in which an ace lies before you."""
    with stage(db) as table:
        game = opened(table, seed=7, first=1, players=BOTS)
        say(table, game, "1 bid 3", "1 play A", "2 pass")
    return game


def test_a_whole_game_typed_by_its_hints(sit, ddz: Ddz) -> None:
    me = sit("play", "--seed", "7")
    assert "commitment f527b49d" in me.text
    turns = 0
    while me.asked in ("bid", "turn"):
        table = view(ddz)
        unseen = (
            re.search(r"not seen yet: (.*)", me.type("count"))[1].replace("black joker", "B").replace("red joker", "R")
        )
        cards = unseen.replace("10", "T").replace(" ", "")
        played = 54 - sum(table["counts"]) - (3 if table["landlord"] is None else 0)
        assert len(cards) == 54 - len(table["hand"]) - played
        assert view(ddz)["seq"] == table["seq"], "counting costs nothing"
        move = me.hint()
        assert view(ddz)["seq"] == table["seq"], "a hint costs nothing"
        me.type(move)
        assert "score" in me.text or view(ddz)["seq"] > table["seq"]
        turns += 1
    assert me.asked == "next"
    assert turns > 2
    end = view(ddz)
    assert end["phase"] == "over"
    score = dict(re.findall(r"^  (you|normal \d) +([+-]\d+)$", me.text, re.MULTILINE))
    assert [int(points) for points in score.values()] == end["result"]["payouts"]
    assert me.type("q") == ""
    assert me.over() == 0
    assert ddz("audit", "@last").code == 0


@pytest.mark.parametrize(
    ("make", "wrongs"),
    [
        (
            leading,
            {
                "33": "you hold no 3",
                "2": "you hold no 2",
                "45": "45 is no meld",
                "445": "445 is no meld",
                "44556": "44556 is no meld",
                "44 as solo": "44 cannot be read as solo",
                "44 as glider": "'44 as glider' is not understood: a reading is KIND or KIND RANK",
                "p": "you lead, so you may not pass: play anything you like",
                "foo": "'foo' is not understood: 'F' is no rank: the ranks are 3 4 5",
                "44444": "'44444' is not understood: there are too many of rank 4",
                "10 10": "you hold 1 of 10, not 2",
                "-": "is not understood",
                "play": "is not understood",
            },
        ),
        (
            following,
            {
                "K": "K does not beat A",
                "44": "44 does not beat A",
                "45678": "45678 does not beat A",
                "2": "you hold no 2",
                "44 5": "445 is no meld",
                "王": "is not understood",
            },
        ),
    ],
)
def test_a_wrong_line_says_why_and_costs_nothing(make, wrongs: dict[str, str], db: Path, sit, ddz: Ddz) -> None:
    game = make(db)
    me = sit("play", game)
    before = ddz("replay", game, "--json").json["head"]
    for line, sentence in wrongs.items():
        answer = me.type(line)
        assert sentence in answer, f"{line}: {answer}"
        assert len(answer.strip().splitlines()) == 1, f"{line}: one sentence"
        assert me.asked == "turn"
    assert me.type("") == "", "an empty line is none"
    assert ddz("replay", game, "--json").json["head"] == before


def test_wrong_bids_cost_nothing(db: Path, sit, ddz: Ddz) -> None:
    with stage(db) as table:
        game = opened(table, seed=7, first=2, players=BOTS)
        say(table, game, "2 bid 2")
    me = sit("play", game)
    for line, sentence in {
        "1": "a bid of 1 is not higher than the bid of 2",
        "2": "a bid of 2 is not higher than the bid of 2",
        "4": "a bid is 1, 2 or 3 points, not 4",
        "0": "a bid is 1, 2 or 3 points, not 0",
        "many": "say a number of points, or p to pass",
        "JJ": "say a number of points, or p to pass",
    }.items():
        assert sentence in me.type(line)
        assert me.asked == "bid"
    assert view(ddz)["seq"] == 3
    assert "you: bid 3" in me.type("bid 3")


def test_what_may_be_asked(db: Path, sit, ddz: Ddz) -> None:
    game = following(db)
    me = sit("play", game)
    listed = me.type("?")
    assert "Type the ranks you play" in listed
    assert "  solo: B R\n  rocket: BR\n  p\n" in listed
    told = me.type("log").splitlines()
    assert len(told) == view(ddz)["seq"]
    assert told[-1].split() == [str(len(told)), "simple", "2", "pass"]
    dealt = ddz("replay", game, "--reveal", "--json").json["events"][1]
    assert dealt["hands"][0] in told[1]
    assert dealt["hands"][1] not in "".join(told)
    assert "not seen yet: " in me.type("count")


def test_the_counter_does_not_betray_who_has_what(db: Path, sit) -> None:
    """Before the landlord is known and after: the same cards are unseen, whoever holds the kitty."""
    seen = []
    for landlord in (1, 2):
        with stage(db.with_name(f"{landlord}.db")) as table:
            game = opened(table, seed=7, first=landlord, players=BOTS)
            say(table, game, f"{landlord} bid 3")
            say(table, game, f"{landlord} play K", *(["2 pass"] if landlord == 1 else []))
        me = sit("play", game, "--db", db.with_name(f"{landlord}.db"))
        seen.append(re.search(r"not seen yet: (.*)", me.type("count"))[1])
        assert me.type("quit")
    assert seen[0] == seen[1]


def test_taking_a_move_back_goes_on_in_a_fork(db: Path, sit, ddz: Ddz) -> None:
    game = leading(db)
    me = sit("play", game)
    me.type("44")
    moved = view(ddz)["seq"]
    said = me.type("back")
    line = re.search(r"in a new line: (\w+)", said)[1]
    assert line != game
    assert me.asked == "turn"
    me.type("55")
    assert "took" not in me.text
    assert "your last move is taken back" in me.type("back")
    assert "your last move is taken back" in me.type("back"), "further back: the bid, which the fork inherits"
    assert me.asked == "bid"
    assert "you have not moved yet" in me.type("back")
    me.type("quit")
    assert me.over() == 0
    lines = ddz("tree", game).out.splitlines()
    assert len(lines) == 4
    assert all("(back)" in line for line in lines[1:])
    assert ddz("show", game, "--json").json["seq"] >= moved, "the old line stays"
    assert ddz("audit", "--all").code == 0
    assert ddz("show", line, "--json").json["last_plays"][0]["cards"] == "55"


def test_quit_suspends_and_resume_goes_on(sit, ddz: Ddz) -> None:
    me = sit("play", "--seed", "7")
    me.play_on(2)
    stood = view(ddz)
    me.type("quit")
    assert "is suspended; continue with `ddz play --resume`" in me.everything
    assert me.over() == 0
    again = sit("play", "--resume")
    assert f"game {stood['game']} continues after event {stood['seq']}" in again.text
    again.play_on()
    assert again.asked == "next"
    assert ddz("audit", stood["game"]).code == 0


def test_escape_asks_first(db: Path, sit, ddz: Ddz) -> None:
    game = leading(db)
    me = sit("play", game)
    for answer in ("no", "", "y", "YES!"):
        me.type("escape")
        assert me.asked == "leave"
        me.type(answer)
        assert me.asked == "turn"
    assert ddz("show", game, "--json").json["seq"] == 4
    me.type("escape")
    assert "escape costs you 9 points" in me.everything
    said = me.type("yes")
    assert "a seat escaped" in said
    assert re.search(r"you +-9\n +simple 1 +\+0\n +simple 2 +\+0", said)
    assert ddz("show", game, "--json").json["result"]["winner"] == "escape"


def test_a_closed_terminal_loses_nothing(sit, ddz: Ddz) -> None:
    me = sit("play", "--seed", "7")
    me.play_on(2)
    stood = view(ddz)
    me.child.kill(signal.SIGHUP)
    me.child.expect(pexpect.EOF)
    me.child.close()
    assert view(ddz) == stood
    again = sit("play", "--resume")
    assert f"continues after event {stood['seq']}" in again.text
    assert again.play_on(1) == 1


def test_interrupting_suspends_with_130(sit, ddz: Ddz) -> None:
    me = sit("play", "--seed", "7")
    for _ in range(20):  # Python misses a signal that comes in the instant before it waits for a key
        me.child.sendintr()
        if me.child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=1) == 0:
            break
    me.everything += me.child.before
    me.child.close()
    assert me.child.exitstatus == 130
    assert "is suspended; continue with `ddz play --resume`" in me.everything
    assert view(ddz)["phase"] in ("auction", "playing")
    again = sit("play", "--resume")
    again.child.sendeof()
    assert again.over() == 0, "the end of input is a way to leave"


def test_the_next_game_of_a_match(sit, ddz: Ddz) -> None:
    """The first voice moves on by one seat, and the table of the match is shown."""
    me = sit("play", "--seed", "7")
    voices = []
    for number in (1, 2, 3):
        opening = ddz("replay", "@last", "--json").json["events"][0]
        voices.append(opening["first_voice"])
        assert opening["round"] == number
        me.type("escape")
        said = me.type("yes")
        assert me.asked == "next"
        assert ("total" in said) == (number > 1)
        if number == 3:
            rows = [line.split() for line in said.splitlines() if line.startswith(("round", "total"))]
            assert [row[0] for row in rows] == ["round", "round", "round", "total"]
            assert int(rows[-1][1]) == sum(int(row[3]) for row in rows[:-1]) < 0
        said = me.type({1: "", 2: "yes", 3: "what"}[number])
    assert "'what' is not understood" in me.text
    assert me.asked == "next"
    assert [(voice - voices[0]) % 3 for voice in voices] == [0, 1, 2]
    assert "your last move is taken back" in me.type("b"), "even what is over can be taken back"
    assert me.asked in ("bid", "turn")
    me.type("quit")
    assert me.over() == 0
    assert ddz("audit", "--all").code == 0


def test_another_who_moves_in_the_same_game_is_noticed(db: Path, sit, ddz: Ddz) -> None:
    game = leading(db)
    me = sit("play", game)
    ddz("act", game, "--seat", "0", "play", "44")
    said = me.type("55")
    assert "somebody else has moved in this game" in said
    assert "to beat" in said or "you lead" in said, "the table as it is now"
    assert me.asked == "turn"
    assert ddz("audit", game).code == 0


def test_a_session_in_chinese(db: Path, sit) -> None:
    me = sit("play", following(db), "--lang", "zh")
    for line in ("?", "帮助", "提示", "记录", "记牌", "记牌器", "foo", "44", "45", "33", "44 as solo", "悔棋", "悔牌"):
        me.type(line)
    me.type("王炸")
    me.type("退出")
    assert me.over() == 0
    for path, sentence in sentences(ENGLISH).items():
        for fragment in re.split(r"\{.*?\}", sentence):
            if len(fragment) > 7 and not path.startswith("kinds/"):
                assert fragment not in me.everything, path
    assert "看不懂“foo”" in me.everything
    for word in ("记牌器", "悔棋", "悔牌"):
        assert f"看不懂“{word}”" not in me.everything
    assert "王炸 [BR]" in me.everything


def test_ascii_only(db: Path, sit) -> None:
    me = sit("play", following(db), "--ascii", env={"DDZ_LANG": "zh"})
    for line in ("?", "hint", "log", "count", "K"):
        me.type(line)
    me.type("BR")
    me.type("escape")
    me.type("yes")
    me.type("q")
    assert me.over() == 0
    assert me.everything.isascii()
    assert "x2" in me.everything


def test_for_a_screen_reader(db: Path, sit) -> None:
    me = sit("play", following(db), "--screen-reader")
    assert "▶" not in me.text
    table = me.text.split("round 1")[1].split("\n", 1)[1]
    assert not re.search(r"^ ", table, re.MULTILINE), "no columns and no indents"
    assert "seat 1 simple 1, landlord, 19 cards" in table
    assert "to beat: solo A (A) by simple 1" in table
    assert me.type("quit")


def test_own_words_for_the_deal_come_after_the_commitment(sit, ddz: Ddz) -> None:
    me = sit("play", "--my-seed", "-")
    assert me.asked == "seed"
    commitment = re.search(r"commitment ([0-9a-f]{64})", me.text)[1]
    assert ddz("games", "--json").json["games"] == [], "no card is dealt yet"
    me.type("my own words")
    opening = ddz("replay", "@last", "--json").json["events"][0]
    assert opening["commitment"] == commitment
    assert opening["seat_seeds"] == ["my own words", "", ""]
    me.type("escape")
    me.type("yes")
    assert ddz("audit", "@last", "--json").json["checks"]["fairness"] == "ok"


def test_own_words_with_a_chosen_seed(sit, ddz: Ddz) -> None:
    me = sit("play", "--my-seed", "-", "--seed", "7", "--seat", "1")
    assert me.asked == "seed"
    assert "commitment f527b49d" in me.text
    me.type("words")
    opening = ddz("replay", "@last", "--json").json["events"][0]
    assert opening["commitment"].startswith("f527b49d")
    assert opening["seat_seeds"] == ["", "words", ""]
    dealt = view(ddz)["hand"]
    me.type("quit")
    ddz("play", "--my-seed", "words", "--seed", "7", "--seat", "1", input="")
    assert view(ddz)["hand"] == dealt, "given on the command line they are the same words"


@pytest.mark.parametrize("words", [language(name) for name in LANGUAGES], ids=LANGUAGES)
def test_a_call_at_two_cards_and_at_one(words: Words, db: Path) -> None:
    with stage(db) as table:
        state = table.load(opened(table, seed=7, first=0)).state
    at_play = msgspec.structs.replace(public_view(state), phase="playing", counts=(2, 1, 3))
    lines = table_lines(at_play, words)
    assert words.call_two in lines[1]
    assert words.call_one in lines[2]
    assert not any(call in lines[3] for call in (words.call_one, words.call_two))


# Without a terminal.


def test_seats_and_bots(ddz: Ddz) -> None:
    ddz("play", "--seat", "2", "--bot", "random", "--bot", "simple", "--seed", "3", input="")
    shown = view(ddz)
    assert [player["name"] for player in shown["players"]] == ["random 0", "simple 1", "you"]
    assert shown["seat"] == 2
    ddz("play", "--bot", "random", "--seed", "3", input="")
    assert [player["bot"] for player in view(ddz)["players"]] == [None, "random", "random"]
    ddz("play", "--auto", "--bot", "random", "--bot", "simple", "--bot", "random", "--seed", "4")
    assert [player["bot"] for player in view(ddz)["players"]] == ["random", "simple", "random"]


def test_a_chosen_seed_plays_the_same_game(tmp_path: Path, ddz: Ddz) -> None:
    told = []
    for number in (1, 2):
        db = tmp_path / f"{number}.db"
        shown = ddz("play", "--auto", "--seed", "11", "--bot", "random", "--db", db)
        retold = ddz("replay", "@last", "--json", "--db", db)
        told.append([TIME.sub("", HASH.sub("", ID.sub("", text))) for text in (shown.out, retold.out)])
    assert told[0] == told[1]


def test_three_rounds(ddz: Ddz) -> None:
    done = ddz("play", "--auto", "--seed", "5", "--rounds", "3")
    assert re.findall(r"^game \w+, round (\d)", done.out, re.MULTILINE) == ["1", "2", "3"]
    found = ddz("match", "@last", "--json").json
    assert [each["round"] for each in found["rounds"]] == [1, 2, 3]
    assert sum(found["totals"]) == 0
    assert done.out.endswith("\n".join(ddz("match", "@last").out.splitlines()) + "\n"), "the table at the end"
    assert ddz("audit", "--all").code == 0


def test_giving_up_after_too_many_redeals(ddz: Ddz, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "MOST_REDEALS", 0)
    done = ddz("play", "--auto", "--seed", "9", code=1)
    assert re.fullmatch(r"ddz: nobody has bid in 0 deals of game \w+\n", done.err)


def test_what_the_log_holds_is_never_behind_the_screen(ddz: Ddz) -> None:
    done = ddz("play", "--auto", "--seed", "9")
    shown = [line for line in done.out.splitlines() if re.match(r"normal \d: ", line)]
    events = ddz("replay", "@last", "--json").json["events"]
    assert len(shown) == sum(event["type"] in NAMED for event in events)


NAMED = ("bid_made", "bid_passed", "landlord_chosen", "cards_played", "play_passed")
