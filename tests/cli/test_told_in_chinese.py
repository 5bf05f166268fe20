"""What is wrong is told in Chinese where Chinese is meant: every exit code, and findings of forged logs."""

import re
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from ddz.cli import exits
from ddz.cli.app import COMMANDS

from ddz.log.sqlite import SqliteLog
from ddz.log.stores import open_log
from ddz.rules import PRESETS

from .stage import SCRIPT, Ddz, opened, say, stage

ZH = {"DDZ_LANG": "zh"}
NAMES = {
    *("ddz", "UTF", "JSON", "SQLite", "GAME", "KIND", "RANK", "bid", "pass", "play", "escape"),
    *COMMANDS,
    *PRESETS,
    "nosuch",
}
"""What stands in a Chinese sentence as it is: names, commands, and what is typed."""


def english(told: str) -> list[str]:
    """The English words of a sentence, without paths, codes, ids, options and quoted names."""
    bare = re.sub(r"\[[a-z]+(?:/[a-z-]+)?\]|(?<!\w)/[\w./-]+|--?[a-z-]+|“[^”]*”|'[^']*'|\b[a-z0-9]{12}\b", " ", told)
    return [word for word in re.findall(r"[A-Za-z]{2,}", bare) if word not in NAMES]


def chinese(told: str) -> bool:
    return bool(re.search("[\u4e00-\u9fff]", told)) and not english(told)


@pytest.fixture
def game(db: Path) -> str:
    """A game of the log in which a hand is being played."""
    with stage(db) as table:
        game = opened(table, seed=7)
        say(table, game, "0 bid 3")
        return game


WRONG = [
    (exits.USAGE, "melds 3x", ""),
    (exits.USAGE, "melds 3333344444", ""),
    (exits.USAGE, "show GAME --as 1 --at 99", ""),
    (exits.USAGE, "import ABSENT", "没有这个文件或文件夹"),
    (exits.USAGE, "nosuch", "没有命令"),
    (exits.USAGE, "replay", "缺少参数"),
    (exits.USAGE, "moves 345 --rules nosuch", "没有叫"),
    (exits.USAGE, "new --bot nosuch", ""),
    (exits.USAGE, "export GAME", "还没有结束"),
    (exits.UNKNOWN, "replay nosuch", "没有牌局“nosuch”"),
    (exits.UNKNOWN, "tree nosuch", "没有牌局“nosuch”"),
    (exits.REFUSED, "act GAME --seat 1 pass", "现在轮到座位 0"),
    (exits.REFUSED, "act GAME --seat 0 pass", "不能不出"),
    (exits.REFUSED, "log backup DB", "已经存在"),
    (exits.BROKEN, "games --db TEXT", "不是 ddz 的日志"),
    (exits.STORAGE, "games --db FOLDER", "是文件夹，不是日志"),
]


@pytest.mark.parametrize(("code", "line", "part"), WRONG, ids=[line for _, line, _ in WRONG])
def test_an_error_is_told_in_chinese(code: int, line: str, part: str, game: str, db: Path, ddz: Ddz, tmp_path: Path):
    (tmp_path / "text.db").write_text("no log\n" * 100)
    places = {
        "GAME": game,
        "DB": str(db),
        "TEXT": str(tmp_path / "text.db"),
        "FOLDER": str(tmp_path),
        "ABSENT": str(tmp_path / "absent.json"),
    }
    words = [places.get(word, word) for word in line.split()]
    told = ddz(*words, env=ZH, code=code).err
    assert chinese(told), (told, english(told))
    assert part in told
    in_english = ddz(*words, env={"DDZ_LANG": "en"}, code=code).err
    assert english(in_english), "the check would notice English"


def test_the_option_counts_more_than_the_surroundings(ddz: Ddz, game: str):
    assert chinese(ddz("replay", "nosuch", "--lang", "zh", env={"DDZ_LANG": "en"}, code=exits.UNKNOWN).err)
    told = ddz("replay", "nosuch", "--lang", "en", env=ZH, code=exits.UNKNOWN).err
    assert told.startswith("ddz: there is no game")
    told = ddz("replay", game, "--lang", "xx", env=ZH, code=exits.USAGE).err
    assert told == "ddz: --lang 可以是 en, zh，不能是“xx”\n", "a language that there is not is told in the one there is"


def test_what_to_type_is_told_too(ddz: Ddz, game: str):
    assert ddz("export", game, env=ZH, code=exits.USAGE).err.endswith("。仍要这样做，请加上 --reveal\n")
    assert ddz("export", game, code=exits.USAGE).err.endswith(". Add --reveal to do it all the same\n")


@pytest.mark.usefixtures("game")
def test_a_real_process_tells_it_by_its_locale(ddz: Ddz):
    env = {"DDZ_LANG": "", "LANG": "zh_CN.UTF-8"}
    assert chinese(ddz.apart("replay", "nosuch", env=env, code=exits.UNKNOWN).err)


def test_english_errors_import_no_catalogue(ddz: Ddz):
    args = [sys.executable, "-X", "importtime", str(SCRIPT), "melds", "3x"]
    done = subprocess.run(args, env=ddz.environment(), capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == exits.USAGE
    assert "ddz.words.languages" in done.stderr
    assert re.findall(r"ddz\.words\.(?:chinese|english)\w*|ddz\.cli\.\w+_zh\w*", done.stderr) == []


@pytest.mark.usefixtures("game")
def test_an_interruption_is_told_in_chinese(ddz: Ddz):
    args = [str(SCRIPT), "log", "events", "--follow"]
    following = subprocess.Popen(
        args, env=ddz.environment(ZH), stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )
    assert following.stdout is not None
    following.stdout.readline()  # it has begun to follow
    following.send_signal(signal.SIGINT)
    _, told = following.communicate(timeout=20)
    assert (following.returncode, told) == (exits.INTERRUPTED, "已中断\n")


FORGED = [
    ("UPDATE events SET at = '2024-01-01T00:00:00.000Z' WHERE seq = 2", "integrity/hash"),
    ("UPDATE events SET position = position + 5 WHERE seq = (SELECT MAX(seq) FROM events)", "integrity/position"),
    ("DELETE FROM events WHERE seq = 2", "integrity/gap"),
]


@pytest.mark.usefixtures("game")
@pytest.mark.parametrize(("statement", "code"), FORGED, ids=[code for _, code in FORGED])
def test_findings_are_told_in_chinese(statement: str, code: str, db: Path, ddz: Ddz):
    with closing(open_log(db, create=False)) as log:
        assert isinstance(log, SqliteLog)
        for (name,) in log.connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            log.connection.execute(f"DROP TRIGGER {name}")
        log.connection.execute(statement)
    of_log = ddz("log", "verify", env=ZH, code=exits.FAULT).out
    of_game = ddz("audit", "--all", env=ZH, code=exits.FAULT).out
    for told in (of_log, of_game):
        findings = [line for line in told.splitlines() if line.strip().startswith(("integrity/", "legality/"))]
        assert any(line.strip().startswith(code) for line in findings), told
        assert [
            line for line in findings if not chinese(re.sub(r"\w+/[a-z-]+|触发器 \w+|\b[a-z]+_[a-z]+\b", "", line))
        ] == []
    assert code in {each["code"] for each in ddz("log", "verify", "--json", code=exits.FAULT).json["findings"]}


@pytest.mark.parametrize(
    ("typed", "why"), [("3x", "“X”不是点数"), ("33333", "3 太多了：一副牌只有 4 张"), ("3c3c", "3c 写了两次")]
)
def test_cards_that_cannot_be_read_at_the_table(ddz: Ddz, tmp_path: Path, typed: str, why: str) -> None:
    moves = tmp_path / "moves"
    moves.write_text(f"3\n{typed}\n")
    said = ddz("play", "--seed", "3", "--moves", moves, "--lang", "zh", code=4).err.splitlines()[-1]
    assert why in said
    assert chinese(said.partition("：")[2].replace(typed, ""))
