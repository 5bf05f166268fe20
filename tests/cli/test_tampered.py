"""A log that somebody has written into: every command says so, none falls over, and replay prints what it can."""

import sqlite3
from pathlib import Path

import pytest

from .stage import Ddz, forked, import_record, opened, say, stage, turn

STATEMENTS = {
    "the opening's bytes": "UPDATE events SET body = '{}' WHERE game = :game AND seq = 1",
    "the opening is no JSON": "UPDATE events SET body = '{' WHERE game = :game AND seq = 1",
    "a card": "UPDATE events SET body = replace(body, '3s', '3h') WHERE game = :game AND seq = 2",
    "a play's type": "UPDATE events SET type = 'play_passed' WHERE game = :game AND seq = 9",
    "an unknown type": "UPDATE events SET type = 'cards_eaten' WHERE game = :game AND seq = 9",
    "a version": "UPDATE events SET version = 7 WHERE game = :game AND seq = 9",
    "a missing event": "DELETE FROM events WHERE game = :game AND seq = 9",
    "no opening": "DELETE FROM events WHERE game = :game AND seq = 1",
    "the hash": "UPDATE events SET hash = replace(hash, 'a', 'b') WHERE game = :game AND seq = 9",
    "a time": "UPDATE events SET at = '\u001b[2J' WHERE game = :game AND seq = 9",
}


def tamper(db: Path, statement: str, game: str) -> None:
    connection = sqlite3.connect(db)
    for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    changed = connection.execute(statement, {"game": game}).rowcount
    assert changed == 1
    connection.commit()
    connection.close()


@pytest.mark.parametrize("what", STATEMENTS)
def test_a_log_that_was_written_into(what: str, db: Path, ddz: Ddz) -> None:
    with stage(db) as table:
        game = import_record(table, "bombs-rocket", claim=False)
        line = forked(table, game, turn(table, game, "0 play 8c"), "0 play 3")
        whole = opened(table, seed=7)
        say(table, whole, "0 bid 3")
    tamper(db, STATEMENTS[what], game)

    audited = ddz("audit", game, "--json", code=1).json
    assert audited["checks"]["integrity"] == "fault"
    assert ddz("audit", game, code=1).out
    assert ddz("audit", "--all", code=1).out
    assert ddz("log", "verify", code=1).out
    for args in (("replay", game), ("replay", game, "--json"), ("replay", game, "--step"), ("replay", line)):
        done = ddz(*args, code=1)
        assert done.out, "it prints what it can"
        assert "\x1b" not in done.out
    for args in (
        *(("show", game), ("show", line), ("export", game), ("export", game, "--events"), ("diff", game, line)),
        *(("act", line, "--seat", "1", "pass"), ("play", line), ("fork", game, "--at", "8")),
        *(("tree", game), ("tree", line), ("match", game), ("stats",), ("stats", "--json")),
    ):
        done = ddz(*args, code=None)
        assert done.code in ((0, 3, 5) if what == "no opening" else (0, 5)), (args, done)
        assert "\x1b" not in done.out + done.err
    assert ddz("show", game, code=5).err.startswith("ddz: ")
    listed = ddz("games", "--json").json["games"]
    assert {each["game"] for each in listed} >= {line, whole}
    assert ddz("games").out
    assert ddz("games", "--lang", "zh").out
    assert ddz("audit", whole).code == 0, "another game is not touched by it"
    assert ddz("play", whole, input="").code == 0


def test_guards_that_were_taken_away_are_missed(db: Path, ddz: Ddz) -> None:
    with stage(db) as table:
        game = opened(table, seed=7)
    assert ddz("audit", "--all", code=0).out
    tamper(db, "UPDATE events SET at = at WHERE game = :game AND seq = 1", game)
    codes = [finding["code"] for finding in ddz("audit", "--all", "--json", code=1).json["findings"]]
    assert codes == ["integrity/guard"] * 3
    assert ddz("log", "verify", code=1).out.count("integrity/guard") == 3
    assert "are missing or changed" in ddz("doctor").out


def test_a_tree_stands_around_a_broken_line(db: Path, ddz: Ddz) -> None:
    with stage(db) as table:
        game = import_record(table, "bombs-rocket", claim=False)
        line = forked(table, game, turn(table, game, "0 play 8c"), "0 play 3")
    tamper(db, "UPDATE events SET body = '{}' WHERE game = :game AND type = 'cards_played'", line)
    root = ddz("tree", game, "--json").json["tree"]
    assert root["phase"] == "over"
    assert [child["phase"] for child in root["children"]] == ["broken"]
    assert ddz("tree", game).out.count(line) == 1
