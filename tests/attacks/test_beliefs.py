"""What a log once believed of its own file, each with the attack that used it: indexes, triggers, types, one's memory.

(a) to (h) are those by which `log verify --head` and `audit --all --head` were passed, commands hung, or stored nothing
and said that they had.
"""

import functools
import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli.stage import PEOPLE, Ddz, import_record, opened, say, stage

from ddz.log.driver import Connection, sqlite3

from . import forge
from .damage import Damage, Files
from .judge import Judge, put
from .pages import Pages
from .standing import build
from .watched import Watched

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the interpreter under attack is a fork")

IMPATIENT = 8.0
"""Seconds of the clock: here everything either hangs or is done at once."""


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    folder = tmp_path_factory.mktemp("believed")
    with Watched(folder / "damaged.db", IMPATIENT) as watched:
        yield Judge(build(folder / "whole.db"), watched)


def hold(judge: Judge, what: str, files: Files) -> None:
    """The attack is found out, and nothing else goes wrong."""
    verdict = judge.judge(Damage("attack", what, files))
    assert verdict.faults == []
    assert verdict.found


# ---- (a) to (c): indexes are believed ----


def flipped_dividers(data: bytes) -> Iterator[tuple[str, bytes]]:
    """In the inner page of the index of games, a bit of the type of a divider's game: no text, it sorts behind all."""
    pages = Pages(data)
    inner = pages.of_types((2,))[0]
    for cell in pages.cells(inner):
        at = cell + 6  # behind the page on its left, the size of it all, and that of the list of types
        yield f"bit 0 of byte {at}", data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def test_a_flipped_index_does_not_shorten_a_finished_game(judge: Judge) -> None:
    """A game of 49 events was replayed as one of 33 that goes on, others were gone, and both checks passed."""
    for what, data in flipped_dividers(judge.files[""]):
        hold(judge, what, {"": data})


def test_b_an_index_that_was_detached_does_not_hide_a_rewritten_game(judge: Judge, tmp_path: Path) -> None:
    """Whoever asks for (position, hash) alone was answered by the index, which still had the old hashes."""

    def rewrite(path: Path) -> None:
        with forge.forging(path) as connection:
            connection.execute("CREATE INDEX more ON events (position, hash)")
            with forge.without(connection, "more"):
                forge.rewrite(connection, judge.standing.lines[0], forge.renamed)

    files = forge.forged(judge.files, tmp_path, rewrite)
    assert b'"name":"evil' in files[""]
    hold(judge, "a detached index", files)


def lacking(connection: Connection, game: str) -> None:
    """Put an index in the place of the honest one, and under its text, that does not know the game."""
    honest = connection.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (forge.HONEST_INDEX,)).fetchone()[0]
    connection.execute(f"DROP INDEX {forge.HONEST_INDEX}")
    partial = f"{honest} WHERE game <> '{game}'"
    connection.execute(partial)
    with forge.open_schema(connection):
        connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (honest, forge.HONEST_INDEX))


def test_c_an_index_that_lacks_a_game_does_not_hide_its_forged_score(judge: Judge, tmp_path: Path) -> None:
    """The game was gone from every list, no check came by, and `stats` summed up what somebody had written there."""

    def vanish(path: Path) -> None:
        with forge.forging(path) as connection:
            game = judge.standing.lines[0]
            connection.execute(
                "UPDATE events SET body = replace(body, '\"payouts\":[', '\"payouts\":[9')"
                " WHERE game = ? AND type = 'game_scored'",
                (game,),
            )
            lacking(connection, game)

    hold(judge, "an index that lacks a game", forge.forged(judge.files, tmp_path, vanish))


def test_an_index_that_lacks_an_honest_game_is_found(judge: Judge, tmp_path: Path) -> None:
    def vanish(path: Path) -> None:
        with forge.forging(path) as connection:
            lacking(connection, judge.standing.lines[0])

    hold(judge, "an index that lacks a game", forge.forged(judge.files, tmp_path, vanish))


# ---- (d): triggers are believed ----

TRIGGERS = {
    "ignores": "CREATE TRIGGER more BEFORE INSERT ON events BEGIN SELECT RAISE(IGNORE); END",
    "ignores some": "CREATE TRIGGER more BEFORE INSERT ON events WHEN NEW.seq > 1 BEGIN SELECT RAISE(IGNORE); END",
    "ignores what was seen": "CREATE TRIGGER more BEFORE INSERT ON seen BEGIN SELECT RAISE(IGNORE); END",
    "forgets what was seen": "CREATE TRIGGER more AFTER INSERT ON seen BEGIN DELETE FROM seen; END",
    "under a guard's name": "CREATE TRIGGER events_stay BEFORE INSERT ON events BEGIN SELECT RAISE(IGNORE); END",
}


@pytest.fixture
def small(db: Path, tmp_path: Path) -> str:
    """A log with one game that waits for seat 1, and another log beside it; the game's id."""
    with stage(tmp_path / "other.db") as table:
        opened(table, seed=9, players=PEOPLE)
        import_record(table, "spring")
    (tmp_path / "game.toml").write_text("", encoding="utf-8")
    with stage(db) as table:
        import_record(table, "bombs-rocket")
        game = opened(table, seed=5, players=PEOPLE)
        say(table, game, "0 bid 1")
    return game


@pytest.fixture
def watched(db: Path) -> Iterator[Watched]:
    with Watched(db, IMPATIENT) as watched:
        yield watched


def count(path: Path) -> tuple[int, int]:
    """How many events and notes there are, by a bare connection."""
    connection = sqlite3.connect(path)
    try:
        found = connection.execute("SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM seen)").fetchone()
        return int(found[0]), int(found[1])
    finally:
        connection.close()


@pytest.mark.parametrize("trigger", TRIGGERS)
def test_d_what_says_that_it_has_stored_has_stored(
    trigger: str, db: Path, small: str, watched: Watched, tmp_path: Path
) -> None:
    (tmp_path / "game.toml").write_text(
        Ddz({"DDZ_DB": str(tmp_path / "other.db")})("export", "@last").out, encoding="utf-8"
    )
    storing = (
        ("act", small, "--seat", "1", "bid", "2"),
        ("new", "--seed", "3"),
        ("log", "merge", tmp_path / "other.db"),
        ("import", tmp_path / "game.toml"),
        ("fork", small, "--at", "2", "--reveal"),
        ("play", "--auto", "--seed", "4", "--rounds", "1"),
        ("simulate", "--games", "2", "-j", "1", "--bots", "easy"),
        ("show", small, "--as", "all", "--reveal"),
    )
    connection = sqlite3.connect(db)
    if "events_stay" in TRIGGERS[trigger]:
        connection.execute("DROP TRIGGER events_stay")
    connection.execute(TRIGGERS[trigger])
    connection.commit()
    connection.close()
    files = {"": db.read_bytes()}
    before = count(db)

    def anew() -> None:
        put(db, files)
        shutil.rmtree(f"{db}.simulation", ignore_errors=True)  # of a run that was too slow, on a busy machine

    for command in storing:
        answer = watched(*command, before=anew)
        assert answer.complaint() == "", command
        assert answer.code != 0 or count(db) > before, f"{command} has stored nothing: {answer.out}"
        assert answer.code in (0, 5), answer
    assert watched("log", "verify").code == 1
    assert watched("audit", "--all").code == 1


# ---- (e): a table is believed to be one ----


def test_e_an_endless_view_in_the_place_of_the_events_hangs_nothing(db: Path, small: str, watched: Watched) -> None:
    connection = sqlite3.connect(db)
    connection.execute("DROP TABLE events")
    connection.execute(
        "CREATE VIEW events AS WITH RECURSIVE more(position) AS (SELECT 1 UNION ALL SELECT position + 1 FROM more)"
        " SELECT position, 'endless' AS game, position AS seq, 'c/' || position AS event_id, 'dealt' AS type,"
        " 1 AS version, '2024-05-06T07:00:00Z' AS at, '{}' AS body, '' AS prev, '' AS hash FROM more"
    )
    connection.commit()
    connection.close()
    for command in (
        *(("log", "verify"), ("log", "head"), ("log", "events"), ("games",), ("show", "@last"), ("show", small)),
        *(("audit", "--all"), ("stats",), ("replay", "@last"), ("new",), ("doctor",), ("tree", "@last")),
        *(("log", "merge", db, "--db", db.with_name("mine.db")), ("export", "@last"), ("log", "backup", "copy.db")),
    ):
        answer = watched(*command)
        assert answer.complaint() == "", command
        assert answer.code in (1, 5) or command == ("doctor",), (command, answer)


def test_a_schema_that_is_no_text_is_damage(judge: Judge) -> None:
    """SQLite quotes it in what it says, and the driver could not hand that on."""
    data = judge.files[""]
    for word in (b"CREATE TABLE", b"CREATE TRIGGER", b"position", b"STRICT"):
        changed = bytearray(data)
        for found in re.finditer(re.escape(word), data):  # SQLite leaves old texts where they once were
            changed[found.start()] ^= 0x80
        hold(judge, f"no text in {word!r}", {"": bytes(changed)})


# ---- (f): the types of columns are believed ----

VALUES = {"null": None, "float": 1.5, "blob": b"\x00\xff", "text": "x", "no text": b"\xff\xfe", "huge": 2**63 - 1}


@pytest.fixture
def loose(db: Path, small: str) -> Files:
    """The log with a table that takes whatever comes, under the text of the honest one."""
    assert small
    with forge.forging(db) as connection:
        text = connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'events'").fetchone()[0]
        lax = re.sub(r" (TEXT|INTEGER) NOT NULL", "", text).replace("STRICT", "")
        assert lax != text
        with forge.open_schema(connection):
            connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = 'events'", (lax,))
    return {"": db.read_bytes(), "text": text.encode()}


@pytest.mark.parametrize("kind", VALUES)
def test_f_a_value_of_another_type_is_a_finding_and_no_traceback(
    kind: str, db: Path, small: str, loose: Files, watched: Watched
) -> None:
    commands = (
        *(("log", "verify"), ("audit", "--all"), ("log", "events"), ("games",), ("stats",), ("log", "head")),
        *(("replay", small), ("show", small), ("act", small, "--seat", "1", "bid", "2"), ("tree", small)),
        ("log", "merge", db, "--db", db.with_name("mine.db")),
    )
    columns = ("position", "game", "seq", "event_id", "type", "version", "at", "body", "prev", "hash")
    for at, column in enumerate(columns[1:]):
        put(db, {"": loose[""]})
        with forge.forging(db) as connection:
            value = "CAST(? AS TEXT)" if kind == "no text" else "?"
            last = "(SELECT max(position) FROM events)"
            connection.execute(f"UPDATE events SET {column} = {value} WHERE position = {last}", (VALUES[kind],))
            with forge.open_schema(connection):
                connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = 'events'", (loose["text"].decode(),))
        files = {"": db.read_bytes()}
        anew = functools.partial(put, db, files)
        for command in (*commands[:2], *commands[2 + at % 3 :: 3]):
            answer = watched(*command, before=anew)
            assert answer.complaint() == "", (column, command)
            assert answer.code in (1, 5) or command not in commands[:2], (column, command, answer)


# ---- (g): the order of pages is believed ----


def test_g_a_page_over_another_makes_nothing_endless(judge: Judge) -> None:
    """Where a read of some rows ends in rows that come earlier, the next read began there again, for ever."""
    pages = Pages(judge.files[""])
    leaves = [page for page in pages.tree(pages.roots()[0]) if pages.type_of(page) == 13]
    for page in leaves[-4:]:
        data = bytearray(judge.files[""])
        source, target = pages.bytes_of(leaves[0]), pages.bytes_of(page)
        data[target.start : target.stop] = data[source.start : source.stop]
        hold(judge, f"page {leaves[0]} over page {page}", {"": bytes(data)})


def test_a_position_that_was_changed_ends_no_sum_before_its_time(judge: Judge) -> None:
    """No hash says where an event stands: `stats` took what came behind a huge position for appended since."""
    pages = Pages(judge.files[""])
    leaves = [page for page in pages.tree(pages.roots()[0]) if pages.type_of(page) == 13]
    for page in leaves[20 : len(leaves) : 12]:
        at = pages.rowid(list(pages.cells(page))[-3])[0]
        for bit in (3, 5):
            data = judge.files[""]
            hold(judge, f"bit {bit} of byte {at}", {"": data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]})


# ---- (h): what is not there is believed to be in order ----


@pytest.mark.usefixtures("small")
def test_h_a_verification_without_a_head_says_what_it_cannot_exclude(ddz: Ddz) -> None:
    for command in (("log", "verify"), ("audit", "--all")):
        assert "no known head was given" in ddz(*command).out
        assert ddz(*command, "--json").json["head_known"] is False
        head = ddz("log", "head").out.strip()
        assert "--head" not in ddz(*command, "--head", head).out
        assert ddz(*command, "--head", head, "--json").json["head_known"] is True


@pytest.mark.parametrize("what", ["missing", "empty", "/dev/null"])
@pytest.mark.parametrize("command", [("log", "verify"), ("audit", "--all"), ("log", "head")])
def test_h_what_is_no_log_is_not_in_order(what: str, command: tuple[str, ...], tmp_path: Path, ddz: Ddz) -> None:
    path = Path(what) if what == "/dev/null" else tmp_path / what
    if what == "empty":
        path.touch()
    for more in ((), ("--json",), ("--head", "3:" + "0" * 64)):
        if command == ("log", "head") and "--head" in more:
            continue
        done = ddz(*command, *more, "--db", path, code=None)
        assert done.code not in (0, 1), done
        assert str(path) in done.err
        assert "0 findings" not in done.out
        assert not done.out or not json.loads(done.out).get("ok")


def test_a_log_that_ddz_has_just_made_is_in_order_and_empty(db: Path, ddz: Ddz) -> None:
    with stage(db):
        pass
    assert ddz("log", "verify").out.startswith("0 events, 0 findings")
    assert ddz("audit", "--all").code == 0
