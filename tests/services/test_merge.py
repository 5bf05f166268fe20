"""Merging: logs that take over others, whole, in order, and only those that are what they are said to be."""

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from ddz.errors import BrokenLog, StorageRefused, Unreadable
from ddz.log import chain, read
from ddz.log.base import Adopted, Row
from ddz.log.driver import sqlite3
from ddz.log.sqlite import SqliteLog
from ddz.log.stores import open_log
from ddz.services import archive, lines
from ddz.services.audit_log import audit_log
from ddz.services.match import match_table, next_opening
from ddz.services.merge import lines_of, merge
from ddz.services.table import Table

from .tables import bot_game, family, hasty, points, random_game, table_on


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Table]:
    """Another log: a game with forks, an unfinished game, and a match of two rounds."""
    table = table_on(hasty(tmp_path / "other.db"), seed="other")
    family(table)
    random_game(table, seed=9, turns=5)
    first = bot_game(table, "random", seed=3)
    table.open(next_opening(first.state, first.game, seed=3))
    yield table
    table.log.close()


def path_of(table: Table) -> Path:
    assert isinstance(table.log, SqliteLog)
    return table.log.path


def test_everything_is_taken_over_in_its_order(each_table: Table, other: Table):
    random_game(each_table, seed=1)
    before = each_table.log.last_position()
    rows = list(other.log.after(0))
    begun: list[int] = []
    found = merge(each_table.log, path_of(other), lambda: begun.append(1))
    assert found == Adopted(lines_of(path_of(other)), len(rows), 0)
    assert len(begun) == found.lines == 8
    assert list(each_table.log.after(before)) == [chain.moved(row, row.position + before) for row in rows]
    assert audit_log(each_table.log).ok
    assert merge(each_table.log, path_of(other)) == Adopted(0, 0, len(rows))


def test_what_was_taken_over_goes_on(each_table: Table, other: Table):
    merge(each_table.log, path_of(other))
    unfinished = next(line for line in each_table.log.lines() if line.last_type == "dealt")
    assert match_table(each_table.log, unfinished.game) == match_table(other.log, unfinished.game)
    for table in (each_table, other):
        line = lines.fork(table, unfinished.game, points(table, unfinished.game)[0])
        assert table.load(line.game).state == table.load(unfinished.game).state
    root = next(line.game for line in other.log.families([line.game]) if line.parent is None)
    assert archive.export_events(each_table, root) == archive.export_events(other, root)
    assert audit_log(each_table.log).ok


def test_two_logs_that_take_over_each_other_hold_the_same_games(tmp_path: Path, other: Table):
    here = table_on(hasty(tmp_path / "here.db"), seed="here")
    family(here, seed=4)
    with closing(here.log):
        merge(here.log, path_of(other))
        merge(other.log, path_of(here))
        games = [{line.game: log.history(line.game) for line in log.lines()} for log in (here.log, other.log)]
        assert games[0] == games[1]
        assert len(games[0]) == 8 + 5


def test_a_log_that_is_not_what_it_is_said_to_be(table: Table, other: Table):
    head = read.head(other.log)
    for wrong in (f"0:{'0' * 64}", head.replace(head[-1], "0" if head[-1] != "0" else "1")):
        with pytest.raises(BrokenLog, match=f"{path_of(other)}: it is not as its writer left it") as caught:
            merge(table.log, path_of(other), head=wrong)
        assert caught.value.code == "integrity/head"
        assert table.log.last_position() == 0
    assert merge(table.log, path_of(other), head=head).known == 0


def test_what_is_no_other_log(table: Table, other: Table, tmp_path: Path):
    with pytest.raises(Unreadable, match="there is no log at"):
        merge(table.log, tmp_path / "nowhere.db")
    with pytest.raises(Unreadable, match="is a folder, not a log"):
        merge(table.log, tmp_path)
    (tmp_path / "link.db").symlink_to(path_of(other))
    for path in (path_of(other), tmp_path / "link.db"):
        with pytest.raises(Unreadable, match="is the very log that takes over the games of others"):
            merge(other.log, path)
    assert not (tmp_path / "nowhere.db").exists()


def test_a_fault_leaves_nothing_of_its_file(each_table: Table, other: Table):
    """At any place: the last game of the file may be what contradicts."""
    rows = list(other.log.after(0))
    chance = random.Random(1)
    for _ in range(5):
        row = chance.choice(rows)
        with closing(hasty(path_of(other).with_name(f"forged-{row.position}.db"))) as spoilt:
            for trigger in ("events_follow", "events_stay", "events_remain"):
                spoilt.connection.execute(f"DROP TRIGGER {trigger}")
            for each in rows:
                spoilt.insert([each if each.position != row.position else at_another_time(row)])
        with pytest.raises(BrokenLog, match=f"forged-{row.position}.db: event {row.seq} of {row.game}"):
            merge(each_table.log, path_of(other).with_name(f"forged-{row.position}.db"))
        assert each_table.log.last_position() == 0


@pytest.mark.parametrize("at_fault", ["the log that takes over", "the other log"])
def test_a_damaged_file_is_the_one_that_is_named(tmp_path: Path, other: Table, at_fault: str):
    """It may be either of them. Its index of ids, or the table, is spoilt; the schema is whole."""
    here = tmp_path / "here.db"
    with closing(hasty(here)) as log:
        family(table_on(log, seed="here"), seed=4)
    theirs = path_of(other)
    other.log.close()
    spoilt, name = (here, "idx_events_event_id") if at_fault == "the log that takes over" else (theirs, "events")
    with closing(sqlite3.connect(spoilt)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (root,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (name,)).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    raw = bytearray(spoilt.read_bytes())
    raw[(root - 1) * size : root * size] = bytes(size)
    spoilt.write_bytes(raw)
    with closing(open_log(here, create=False)) as log, pytest.raises(BrokenLog) as caught:
        merge(log, theirs)
    assert caught.value.code == "log/damaged"
    assert [str(path) in str(caught.value) for path in (here, theirs)] == [spoilt == here, spoilt == theirs]
    assert str(caught.value).count(str(spoilt)) == 1


def at_another_time(row: Row) -> Row:
    """With the hash of before."""
    return msgspec.structs.replace(row, at="2001-01-01T00:00:00Z")


def test_a_log_that_takes_nothing(other: Table, tmp_path: Path):
    with closing(open_log(tmp_path / "nowhere.db", create=False)) as nowhere, pytest.raises(StorageRefused):
        merge(nowhere, path_of(other))
