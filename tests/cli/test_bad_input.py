"""What is wrong is said in one clear sentence, with the documented exit code, and nothing is stored."""

import os
import re
import resource
import shlex
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ddz.frozen.events import GameOpened
from ddz.frozen.shapes import Player
from ddz.log.memory import MemoryLog
from ddz.services.table import Table

from .stage import SCRIPT, Ddz, import_record, opened, record, say, stage

posix = pytest.mark.skipif(sys.platform == "win32", reason="a way of POSIX systems")
OVER, ON = "OVER", "ON"


def content(db: Path) -> list[Any]:
    """Everything that the log holds."""
    if not db.exists():
        return []
    from ddz.log.stores import open_log

    log = open_log(db, create=False)
    try:
        return [*log.after(0), *log.lines()]
    finally:
        log.close()


@pytest.fixture
def games(db: Path) -> dict[str, str]:
    """A log with a game that is over and one that goes on, at the turn of seat 1 to bid."""
    with stage(db) as table:
        return {OVER: import_record(table, "spring"), ON: opened(table, seed=7, first=1)}


# Each: a command, the exit code, and what its one sentence must say.
WRONG = [
    # cards and numbers
    ("melds 3X4", 2, "'X' is no rank: the ranks are 3 4 5"),
    ("melds 3c3c", 2, "the card 3c is named twice"),
    ("moves 777 --as solo", 2, "--as says how to read the cards of --top: add --top"),
    ("melds 33333", 2, "too many of rank 3"),
    ("melds BB", 2, "too many of rank B"),
    ("moves 33 --top 3Y", 2, "'Y' is no rank"),
    ("moves 33 --top 34", 2, "--top: 34 is no meld"),
    ("moves 33 --top 333444555666", 2, "can be read as .* or .* or "),
    ("moves 33 --top 44 --as glider", 2, "'glider' is no kind: the kinds are solo, pair"),
    ("moves 33 --top 44 --as 'pair Z'", 2, "is no rank"),
    ("counts --rules bridge", 2, "no rules called 'bridge': the presets are classic"),
    ("rules bridge", 2, "no rules called 'bridge'"),
    # names
    ("show nosuch", 3, "no game 'nosuch'. Type: ddz games to list"),
    ("replay nosuch", 3, "no game 'nosuch'"),
    ("audit nosuch", 3, "no game 'nosuch'"),
    ("fork nosuch --at 3", 3, "no game 'nosuch'"),
    ("tree nosuch", 3, "no game 'nosuch'"),
    ("diff @last nosuch", 3, "no game 'nosuch'"),
    ("match nosuch", 3, "no game 'nosuch'"),
    ("export nosuch", 3, "no game 'nosuch'"),
    ("act nosuch --seat 0 pass", 3, "no game 'nosuch'"),
    ("play nosuch", 3, "no game 'nosuch'"),
    # options that would otherwise be ignored
    ("play OVER --rules pagat", 2, "a stored game keeps its rules"),
    ("play --resume --my-seed x", 2, "a stored game keeps its rules and its seeds"),
    ("play --auto --seat 1", 2, "omit --seat"),
    ("show ''", 3, "no game ''"),
    # places in a game
    ("show OVER --at 0", 2, "has the events 1 to 22, not 0"),
    ("show OVER --at 99", 2, "has the events 1 to 22, not 99"),
    ("show OVER --at 99999999999999999999", 2, "has the events 1 to 22, not 9999"),
    ("replay OVER --at 23", 2, "has the events 1 to 22, not 23"),
    ("replay OVER --from 5 --to 23", 2, "has the events 1 to 22, not 23"),
    ("replay OVER --from 9 --to 4", 2, "there is nothing from event 9 to event 4"),
    ("replay OVER --at 9 --to 4", 2, "--at names one event: omit --from and --to"),
    ("replay OVER --from 9 --to 4 --step", 2, "there is nothing from event 9 to event 4"),
    ("fork OVER --at 99", 2, "has the events 1 to 22, not 99"),
    ("fork OVER --at 1", 4, "no seat is to act after event 1"),
    ("fork OVER --at 22", 4, "no seat is to act after event 22; the nearest turn before it is after event 19"),
    ("fork OVER --at 7 --bot nosuch", 2, "no bot called 'nosuch': the bots are"),
    ("fork OVER --at 7 --bot nosuch --auto", 2, "no bot called 'nosuch': the bots are"),
    # moves
    ("act ON --seat 0 pass", 4, "it is seat 1's turn, not seat 0's"),
    ("act ON --seat 3 pass", 2, "there is no seat 3, only 0, 1 and 2"),
    ("act ON --seat 1 bid 4", 4, "a bid is 1, 2 or 3 points, not 4"),
    ("act ON --seat 1 bid many", 2, "'bid many' is no action: write bid 1, pass"),
    ("act ON --seat 1 jump", 2, "'jump' is no action"),
    ("act ON --seat 1 play", 2, "'play' is no action"),
    ("act ON --seat 1 play 3", 4, "no play now: the game is in its auction"),
    ("act ON --seat 1 pass --expect 1", 4, "event 1 was expected to be its last, but it is at 2"),
    ("act ON --seat 1 pass --expect 99", 4, "event 99 was expected"),
    ("act OVER --seat 0 pass", 4, "the game is over"),
    ("play OVER", 4, "is over: fork it"),
    # options
    ("replay OVER --as 3", 2, r"--as takes a seat \(0, 1 or 2\), table or all, not '3'"),
    ("show OVER --as bob", 2, "--as takes a seat"),
    ("replay OVER --lang xx", 2, "--lang takes one of en, zh, not 'xx'"),
    ("play --lang xx", 2, "--lang takes one of en, zh"),
    ("play --lang zh --ascii", 2, "--ascii has no letters for --lang zh"),
    ("play --bot nosuch", 2, "no bot called 'nosuch': the bots are random, easy, normal, simple, hard, expert"),
    ("play --bot hard:", 2, "no bot called 'hard:'"),
    ("play --bot easy:weights.npz", 2, "no bot called 'easy:weights.npz'"),
    ("play --bot hard:nosuch.npz", 2, "nosuch.npz cannot be read as weights: No such file"),
    ("play --auto --bot expert:.", 2, ". cannot be read as weights: Is a directory"),
    (
        "play --think 100",
        2,
        "only a bot that searches can be given time to think, and none of these does: expert is one",
    ),
    (
        "play --auto --bot hard --think 100",
        2,
        "only a bot that searches can be given time to think, and none of these does: expert is one",
    ),
    ("play --bot expert --think 0", 2, "--think"),
    ("fork OVER --at 7 --think 100", 2, "--think is for the bots that play the line to its end: add --auto"),
    (
        "fork OVER --at 7 --auto --bot normal --think 100",
        2,
        "only a bot that searches can be given time to think, and none of these does: expert is one",
    ),
    (
        "simulate --games 1 --bots expert --seed 7 --think 100",
        2,
        "--think depends on the speed of the machine, a simulation only on its",
    ),
    ("simulate --games 1 --bots expert --think 100", 2, "--think depends on the speed of the machine"),
    ("play --bot simple --bot simple --bot simple", 2, "one bot for all, or 2 in seat order, not 3"),
    ("play --auto --bot simple --bot simple", 2, "one bot for all, or 3 in seat order, not 2"),
    ("play --seat 3", 2, "there is no seat 3"),
    ("play --delay -1", 2, "not in the range"),
    ("play --delay nan", 2, "--delay takes a number of seconds, not nan"),
    ("play --delay inf", 2, "not in the range"),
    ("play --rounds 0", 2, "not in the range"),
    ("play --seed x", 2, "not a valid int"),
    ("play --rules bridge", 2, "no rules called 'bridge'"),
    ("play --moves nosuch.txt", 2, "nosuch.txt: cannot be read: No such file"),
    ("new --players ann,bob", 2, "three names"),
    ("new --players ann,,cat", 2, "three names"),
    ("new --players 'ann,b\nob,cat'", 2, r"--players: a name is 'b\?ob': sign 1 is U\+000A"),
    (f"new --players ann,{'x' * 41},cat", 2, "a name has 1 to 40 columns, and this has 41"),
    ("new --players ann,a\u200db,cat", 2, "a joiner stands in a cursive script"),
    ("new --players bot:nosuch,bob,cat", 2, "no bot called 'nosuch'"),
    ("new --first 5", 2, "there is no seat 5"),
    ("new --rules bridge", 2, "no rules called 'bridge'"),
    ("audit", 2, "name one game, or use --all"),
    ("audit OVER --all", 2, "name one game, or use --all"),
    ("log verify --head foo", 2, "'foo' is no head of a log"),
    ("audit --all --head foo", 2, "'foo' is no head of a log"),
    ("games --limit 0", 2, "not in the range"),
    ("export OVER ON --reveal", 2, "several games need --out DIR"),
    ("nosuch", 2, "No such command 'nosuch'"),
    ("games --nosuch", 2, "No such option: --nosuch"),
    # what may not be seen yet
    ("show BOTS --as 1", 2, "would show hidden cards. Add --reveal"),
    ("play BOTS --seat 1", 2, "would show hidden cards. Add --reveal"),
    ("replay ON --as all", 2, "would show hidden cards. Add --reveal"),
    ("export ON", 2, "would show hidden cards. Add --reveal"),
    ("fork ON --at 2", 2, "would show hidden cards. Add --reveal"),
    # files
    ("import nosuch.toml", 2, "nosuch.toml: cannot be read: No such file"),
    ("import /dev/zero", 2, "/dev/zero: it is longer than 4 MiB: no game is"),
    ("import .", 2, "cannot be read: Is a directory"),
]


@pytest.mark.parametrize(("command", "code", "says"), WRONG, ids=[wrong[0] for wrong in WRONG])
def test_a_wrong_command(command: str, code: int, says: str, games: dict[str, str], db: Path, ddz: Ddz) -> None:
    if "BOTS" in command:
        games["BOTS"] = ddz("new", "--seed", "8", "--players", "you,bot:simple,bot:simple").out.strip()
    before = content(db)
    done = ddz(*(games.get(word, word) for word in shlex.split(command)), code=code)
    assert done.out == "", "nothing on standard output"
    assert re.search(says, done.err), done.err
    sentences = [line for line in done.err.splitlines() if line and not line.startswith(("Usage:", "Try "))]
    assert len(sentences) == 1, "one sentence"
    assert content(db) == before, "nothing is stored"


def test_an_ambiguous_beginning_names_the_games(db: Path, ddz: Ddz) -> None:
    with stage(db) as table:
        ids = [opened(table, seed=number) for number in range(40)]
    letters = [game[0] for game in ids]
    shared = next(letter for letter in letters if letters.count(letter) > 1)
    done = ddz("show", shared, code=3)
    assert f"several games begin with '{shared}'" in done.err
    assert all(game in done.err for game in ids if game[0] == shared)


# Files that are no log of ours.


def other_program(db: Path) -> None:
    with sqlite3.connect(db) as connection:
        connection.execute("CREATE TABLE notes (text)")
        connection.execute("INSERT INTO notes VALUES ('mine')")
    connection.close()


def newer(db: Path) -> None:
    with stage(db) as table:
        opened(table, seed=7)
    connection = sqlite3.connect(db)
    connection.execute("PRAGMA user_version = 99")
    connection.close()


def no_database(db: Path) -> None:
    db.write_text("dear diary, " * 1000, encoding="utf-8")


def cut(db: Path) -> None:
    with stage(db) as table:
        import_record(table, "spring")
    os.truncate(db, db.stat().st_size // 2)


FOREIGN: list[tuple[Callable[[Path], None], str]] = [
    (other_program, "no log of ddz: it is a database of another program"),
    (newer, "made by a newer ddz"),
    (no_database, "no log of ddz: it is not a SQLite database"),
    (cut, "damaged|not as ddz left it|no log"),
]


@pytest.mark.parametrize(("make", "says"), FOREIGN, ids=[make.__name__ for make, _ in FOREIGN])
@pytest.mark.parametrize("command", ["games", "replay @last", "new --seed 7", "play --auto --seed 7", "log verify"])
def test_a_file_that_is_no_log(make: Callable[[Path], None], says: str, command: str, db: Path, ddz: Ddz) -> None:
    make(db)
    bytes_before = db.read_bytes()
    done = ddz(*command.split(), code=5)
    assert done.out == ""
    assert re.search(says, done.err), done.err
    assert db.read_bytes() == bytes_before, "the file is left alone"
    assert re.search("cannot be used: .*(" + says + ")", ddz("doctor").out)


def test_a_damaged_log_is_not_the_fault_of_an_imported_file(db: Path, tmp_path: Path, ddz: Ddz) -> None:
    """It is found only while the first file is stored; no other one is tried."""
    with stage(db) as table:
        import_record(table, "spring")
    with closing(sqlite3.connect(db)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'idx_events_event_id'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with db.open("rb+") as file:
        file.seek((page - 1) * size)
        file.write(bytes(size))
    files = [tmp_path / f"{name}.toml" for name in ("airplane", "spring")]
    for file in files:
        file.write_text(record(file.stem), encoding="utf-8")
    done = ddz("import", *files, code=5)
    assert done.out == ""
    assert re.fullmatch(rf"ddz: {re.escape(str(db))} is damaged: .* \[log/damaged\]\n", done.err)


def test_a_log_that_is_a_folder(tmp_path: Path, ddz: Ddz) -> None:
    assert "is a folder" in ddz("games", "--db", tmp_path, code=6).err
    assert "is a folder" in ddz("new", "--db", tmp_path, code=6).err


def at_most(size: int) -> Callable[[], None]:
    """No file may grow beyond this: what a full disk is to a program. Permissions would say nothing to root."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@posix
@pytest.mark.parametrize("command", ["new --seed 7", "act ON --seat 1 bid 3", "show ON --reveal", "play --auto"])
def test_a_full_disk(command: str, db: Path, games: dict[str, str], ddz: Ddz) -> None:
    before = content(db)
    args = [games.get(word, word) for word in command.split()]
    done = ddz.apart(*args, code=6, preexec_fn=at_most(1024))
    assert done.out == ""
    assert "Nothing was stored" in done.err
    assert content(db) == before
    assert ddz(*args), "and with room again it goes"


@posix
def test_a_disk_that_fills_up_in_a_game(db: Path, games: dict[str, str], ddz: Ddz) -> None:
    done = ddz.apart("play", "--auto", "--seed", "7", "--rounds", "9", code=6, preexec_fn=at_most(150_000))
    assert "Nothing was stored" in done.err
    assert "0 findings" in ddz("log", "verify").out
    game = re.findall(r"^game (\w+), round", done.out, re.MULTILINE)[-1]
    told = [line for line in done.out.split(f"game {game},")[1].splitlines() if re.match(r"normal \d: ", line)]
    kept = ddz("replay", game, "--reveal", "--json").json["events"]
    named = ("bid_made", "bid_passed", "landlord_chosen", "cards_played", "play_passed")
    assert len([event for event in kept if event["type"] in named]) == len(told), "what was shown is kept, and no more"
    assert games
    assert db.exists()


@posix
def test_output_that_cannot_be_written(ddz: Ddz) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    with Path("/dev/full").open("w") as full:
        found = subprocess.run(
            [SCRIPT, "counts"], stdout=full, stderr=subprocess.PIPE, env=ddz.environment(), check=False, text=True
        )
    assert found.returncode == 6
    assert found.stderr == "ddz: output: No space left on device\n"


@posix
def test_a_read_only_place(db: Path, games: dict[str, str], ddz: Ddz) -> None:
    """A bind mount of its own, read-only, in a namespace of its own, where this machine allows one."""
    unshare, folder = shutil.which("unshare"), db.parent
    mount = f'mount --bind "{folder}" "{folder}" && mount -o remount,ro,bind "{folder}"'
    if (
        unshare is None
        or subprocess.run([unshare, "-rm", "sh", "-c", mount], capture_output=True, check=False).returncode
    ):
        pytest.skip("no read-only mount can be made here")

    def there(command: str) -> subprocess.CompletedProcess[str]:
        script = f'{mount} && exec "{SCRIPT}" {command}'
        return subprocess.run(
            [unshare, "-rm", "sh", "-c", script], capture_output=True, text=True, env=ddz.environment(), check=False
        )

    before = content(db)
    for command in (f"act {games[ON]} --seat 1 bid 3", "new", f"show {games[ON]} --reveal"):
        found = there(command)
        assert found.returncode == 6, found.stderr
        assert found.stderr.startswith("ddz: ")
        assert "Traceback" not in found.stderr
    told = there(f"replay {games[OVER]}")
    assert told.returncode == 0, told.stderr
    assert told.stdout == ddz("replay", games[OVER]).out, "reading goes on"
    assert content(db) == before


# Records.

SPRING = record("spring")
GOOD = record("airplane")
HOUSE = GOOD.replace('rules = "classic"', 'rules = {name = "\\u202e"}')
HAND = '"3s4h5d5h5s6h8h9sTdJhQdQsKsAh2cBR"'
RECORDS: list[tuple[str, bytes, str]] = [
    ("cut-short", SPRING[:400].encode(), "cut short"),
    ("utf-16", SPRING.encode("utf-16"), "not UTF-8 text: byte 0"),
    ("latin-1", SPRING.replace("ann", "Änne").encode("latin-1"), "not UTF-8 text: byte"),
    ("nothing", b"", "not a game record"),
    ("other-toml", b"[tool]\nname = 'x'\n", "not a game record"),
    ("no-deals", b'format = "ddz-record/1"\nrules = "classic"\nseats = ["a", "b", "c"]\ndeals = []\n', "no deal"),
    ("unknown-key", SPRING.replace("payouts", "points").encode(), "points"),
    ("a-hand-of-16", SPRING.replace("3s4h5d5h", "4h5d5h").encode(), "deal 0: .*16, 17, 17 and"),
    ("55-cards", SPRING.replace("7sThJd", "7sThJd3h").encode(), "deal 0: .*3h"),
    ("a-card-twice", SPRING.replace("7sThJd", "7sThJh").encode(), "deal 0: .*Jh|deal 0: .*Jd"),
    ("five-of-a-rank", GOOD.replace("QKA", "3KA").encode(), "deal 0: .*3"),
    ("no-card", SPRING.replace("7sThJd", "7sThXd").encode(), "deal 0: 'X"),
    ("no-action", SPRING.replace("0 bid 3", "0 bids 3").encode(), r'deal 0, action 0 \("0 bids 3"\)'),
    ("wrong-turn", SPRING.replace("0 bid 3", "1 bid 3").encode(), r"deal 0, action 0 .*seat 0's turn"),
    ("not-held", SPRING.replace("0 play 2c", "0 play 2h").encode(), r"deal 0, action 4 .*2h"),
    (
        "no-meld",
        SPRING.replace("0 play 5h5s", "0 play 5h").replace("0 play R", "0 play R5s").encode(),
        "deal 0, action",
    ),
    ("no-rules", SPRING.replace('"classic"', '"bridge"').encode(), "no rules called 'bridge'"),
    ("events-cut-short", b'{"format":"ddz-events/1"', "not a file of events"),
    ("events-of-nothing", b'{"format":"ddz-events/1","game":"abc","head":"0"}\n', "cut short"),
    ("binary", bytes(range(256)), "not UTF-8 text|TOML"),
    ("name-too-wide", GOOD.replace('"ann"', f'"{"张" * 21}"').encode(), "seats: the name of seat 0 is .* has 42"),
    ("name-with-escape", GOOD.replace('"ann"', r'"\u001b[2J"').encode(), r"seat 0 is .* sign 0 is U\+001B"),
    ("no-name", GOOD.replace('"ann"', '""').encode(), "seat 0 is empty"),
    ("rules-name", HOUSE.encode(), "the name of the rules is"),
]


@pytest.mark.parametrize(("name", "raw", "says"), RECORDS, ids=[name for name, _, _ in RECORDS])
def test_a_faulty_record_stores_nothing(name: str, raw: bytes, says: str, db: Path, tmp_path: Path, ddz: Ddz) -> None:
    file = tmp_path / f"{name}.toml"
    file.write_bytes(raw)
    done = ddz("import", file, code=2)
    assert done.out == ""
    assert done.err.startswith(f"ddz: {file}: "), "the file is named"
    assert re.search(says, done.err), done.err
    assert len(done.err.splitlines()) == 1
    assert content(db) == []
    piped = ddz("import", "-", input=raw, code=2)
    assert re.search(says, piped.err)
    assert content(db) == []


def test_a_faulty_file_does_not_keep_the_others_out(tmp_path: Path, ddz: Ddz) -> None:
    files = []
    for number, text in enumerate((SPRING, SPRING[:300], GOOD)):
        files.append(tmp_path / f"{number}.toml")
        files[-1].write_text(text, encoding="utf-8")
    done = ddz("import", *files, tmp_path / "nosuch.toml", code=2)
    assert [line.split()[1:3] for line in done.out.splitlines()] == [[str(files[0]), "over"], [str(files[2]), "over"]]
    assert [line.split(": ")[1] for line in done.err.splitlines()] == [str(files[1]), str(tmp_path / "nosuch.toml")]
    assert len(ddz("games", "--json").json["games"]) == 2
    assert ddz("audit", "--all").code == 0


def with_name(db: Path, name: str) -> str:
    """A log as an older ddz may have written it: seat 0 of the game in it has this name."""
    with stage(db) as table:
        elsewhere = Table(MemoryLog(), table.clock, table.entropy)
        game = import_record(elsewhere, "airplane")
        opened, *events = elsewhere.log.history(game)
        assert isinstance(opened, GameOpened)
        players = Player(name, "import"), *opened.players[1:]
        table.store(game, [msgspec.structs.replace(opened, players=players), *events])
    return game


def test_what_a_stranger_wrote_moves_no_cursor(db: Path, tmp_path: Path, ddz: Ddz) -> None:
    """Names in an old log and quoted lines may hold anything; they are printed without signs that rule a terminal."""
    evil = "\u001b[2J\u001b]0;owned\u0007\nann\u202e" + "x" * 100
    game = with_name(db, evil)
    assert ddz("audit", game).code == 0
    line = ddz("fork", game, "--at", "4").out.strip()
    commands = (
        *("games", "match @last", "tree @last", f"show {game}", f"replay {game}", f"show {line}"),
        *(f"replay {line}", f"diff {game} {line}", f"replay {game} --at 5"),
    )
    for command in commands:
        out = ddz(*command.split()).out
        assert all(char.isprintable() or char == "\n" for char in out), command
        assert "x" * 41 not in out, f"{command}: it is cut"
    counts = ddz("replay", game, "--json").json["events"]
    lines = [line for line in ddz("replay", game).out.splitlines() if re.match(r" +\d+  ", line)]
    assert len(lines) == len(counts), "an event is a line"

    file = tmp_path / "evil.toml"
    file.write_text(GOOD.replace("1 play JJJQQ", r"1 play J\u001b[31m\u202e"), encoding="utf-8")
    assert all(char.isprintable() or char == "\n" for char in ddz("import", file, code=2).err)


@posix
@pytest.mark.parametrize(
    "command",
    [
        ("melds", "\udcff"),
        ("show", "\udcff"),
        ("new", "--players", "\udcff,bob,cat"),
        ("act", "@last", "--seat", "1", "pass", "--id", "\udcff"),
        ("import", "\udcff"),
        ("replay", "@last", "--as", "\udcff"),
    ],
    ids=lambda command: command[0],
)
def test_arguments_that_are_no_text(command: tuple[str, ...], games: dict[str, str], db: Path, ddz: Ddz) -> None:
    before = content(db)
    done = ddz.apart(*command, code=None)
    assert done.code in (2, 3, 4), done.err
    assert done.err.startswith("ddz: ")
    assert content(db) == before
    assert games


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_an_output_with_few_signs(encoding: str, db: Path, ddz: Ddz) -> None:
    with stage(db) as table:
        game = opened(table, seed=7, first=1)
        say(table, game, "1 bid 3")
    for lang in ("en", "zh"):
        done = ddz.apart("show", game, "--lang", lang, env={"PYTHONIOENCODING": encoding})
        assert done.out
    line = b"p\n\xff\xfe\n"
    assert "is not understood" in ddz.apart("play", "--seed", "7", input=line, env={"PYTHONIOENCODING": encoding}).out


# Lines of play that are not typed.


@pytest.fixture
def seated(ddz: Ddz) -> str:
    """A game in which a person at seat 0 has the first voice, against two bots."""
    return ddz("new", "--seed", "7", "--first", "0", "--players", "you,bot:simple,bot:simple").out.strip()


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("4\n", 1, "a bid is 1, 2 or 3 points, not 4"),
        ("3\n\n33\n", 3, "you hold no 3"),
        ("3\nescape\nno\nfoo", 4, "'foo' is not understood"),
        ("3\np\n", 2, "you lead, so you may not pass"),
        ("3\n4 as glider\n", 2, "a reading is KIND"),
    ],
)
def test_a_refused_line_of_moves_is_named(
    text: str, line: int, says: str, seated: str, tmp_path: Path, ddz: Ddz
) -> None:
    moves = tmp_path / "moves.txt"
    moves.write_text(text, encoding="utf-8")
    done = ddz("play", seated, "--moves", moves, code=4)
    assert f"{moves} line {line}: " in done.err
    assert says in done.err
    assert "--resume" in done.err, "and how to go on"


def test_moves_that_are_no_text(tmp_path: Path, ddz: Ddz) -> None:
    moves = tmp_path / "moves.txt"
    moves.write_bytes(b"\xff\n")
    assert "is not UTF-8 text: byte 0" in ddz("play", "--moves", moves, code=2).err
    assert ddz("games", "--json").json["games"] == []


def test_the_end_of_moves_suspends(seated: str, tmp_path: Path, ddz: Ddz) -> None:
    moves = tmp_path / "moves.txt"
    moves.write_text("3\n", encoding="utf-8")
    done = ddz("play", seated, "--moves", moves)
    assert f"game {seated} is suspended; continue with `ddz play --resume`" in done.err
    assert ddz("show", seated, "--json").json["landlord"] == 0


def test_the_end_of_input_suspends(seated: str, ddz: Ddz) -> None:
    done = ddz.apart("play", seated, input="")
    assert "is suspended; continue with `ddz play --resume`" in done.err
    again = ddz.apart("play", "--resume", input="3\n")
    assert f"game {seated} continues after event 2" in again.out
    assert "you: bid 3" in again.out


def test_nothing_to_resume(ddz: Ddz) -> None:
    assert "there is no unfinished game" in ddz("play", "--resume", code=3).err


@posix
@pytest.mark.parametrize(
    "command", ["counts", "log events --reveal", "moves 33344455566677788899 --json", "play --auto", "games", "--help"]
)
def test_a_reader_that_goes_away_is_no_error(command: str, games: dict[str, str], ddz: Ddz) -> None:
    reading, writing = os.pipe()
    os.close(reading)  # gone before the first byte, so that it is no matter of luck
    try:
        found = subprocess.run(
            [SCRIPT, *command.split()], stdout=writing, stderr=subprocess.PIPE, env=ddz.environment(), check=False
        )
    finally:
        os.close(writing)
    assert (found.returncode, found.stderr) == (0, b"")
    assert games
