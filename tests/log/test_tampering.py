"""Whoever changes a byte of a log behind our back is found out."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import msgspec
import pytest

from ddz.errors import BrokenLog, Unreadable
from ddz.log import chain, codec
from ddz.log.backup import copy
from ddz.log.base import GENESIS, Row
from ddz.log.driver import Connection, sqlite3
from ddz.log.memory import MemoryLog
from ddz.log.sqlite import SqliteLog
from ddz.log.stored import StoredLine

from .games import (
    check_of,
    codes,
    family,
    fill,
    findings,
    fork,
    head_problems,
    log_head,
    raw,
    sqlite_log,
    turn_points,
)

CHANGES = {
    "position": "position + 1000",
    "game": "'zz' || game",
    "seq": "seq + 1000",
    "event_id": "'x' || event_id",
    "type": "CASE type WHEN 'bid_passed' THEN 'play_passed' ELSE 'bid_passed' END",
    "version": "version + 1",
    "at": "'2031' || substr(at, 5)",
    "body": "body || ' '",
    "prev": "substr(prev, 2) || 'f'",
    "hash": "substr(hash, 2) || 'f'",
}
"""A plausible other value for each column."""


class Intruder:
    """Somebody with a connection of his own, who has dropped the triggers."""

    def __init__(self, log: SqliteLog) -> None:
        self.connection: Connection = sqlite3.connect(str(log.path), isolation_level=None)
        self.connection.execute("PRAGMA synchronous=OFF")
        triggers = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
        self._guards: dict[str, str] = dict(self.connection.execute(triggers).fetchall())
        for name in self._guards:
            self.connection.execute(f"DROP TRIGGER {name}")
        self.log = SqliteLog(self.connection, log.path)
        """The log as it is inside `trial`."""

    def do(self, sql: str, *values: object) -> None:
        """Change something, for good or inside `trial`."""
        assert self.connection.execute(sql, values).rowcount != 0

    def put_back(self) -> None:
        """The triggers, as if nobody had been here."""
        for text in self._guards.values():
            self.connection.execute(text)

    def replace(self, rows: list[Row]) -> None:
        """Put these rows in the place of all of their game's, at positions behind all others."""
        self.do("DELETE FROM events WHERE game = ?", rows[0].game)
        for position, row in enumerate(rows, 1000):
            values = msgspec.structs.astuple(msgspec.structs.replace(row, position=position))
            self.do("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", *values)

    @contextmanager
    def trial(self) -> Iterator[None]:
        """What is changed in here is taken back."""
        self.connection.execute("BEGIN")
        yield
        self.connection.execute("ROLLBACK")


@pytest.fixture
def intruder(file_log: SqliteLog) -> Iterator[Intruder]:
    """An intruder in a log with two games and three forks."""
    family(file_log)
    made = Intruder(file_log)
    yield made
    made.connection.close()


def rewritten(rows: list[Row], change: Callable[[Row], Row]) -> list[Row]:
    """Rows that somebody has changed and then sealed again, each behind the one before."""
    done: list[Row] = []
    for row in rows:
        prev = done[-1].hash if done else GENESIS
        done.append(chain.sealed(msgspec.structs.replace(change(row), prev=prev)))
    return done


class TestEveryColumnOfEveryRow:
    @pytest.mark.parametrize("column", CHANGES)
    def test_a_change_is_found(self, intruder: Intruder, column: str):
        rows = list(raw(intruder.log))
        assert findings(intruder.log) == []
        for row in rows:
            with intruder.trial():
                intruder.do(f"UPDATE events SET {column} = {CHANGES[column]} WHERE position = ?", row.position)
                found = codes(intruder.log)
                expected = "integrity/position" if column == "position" else "integrity/hash"
                assert expected in found, f"{column} of event {row.seq} of {row.game}: {found}"
        assert findings(intruder.log) == []

    @pytest.mark.parametrize("column", [name for name in CHANGES if name not in ("position", "game", "seq")])
    def test_history_refuses_it(self, intruder: Intruder, column: str):
        for row in intruder.log.rows("deep"):
            with intruder.trial():
                intruder.do(f"UPDATE events SET {column} = {CHANGES[column]} WHERE position = ?", row.position)
                with pytest.raises(BrokenLog) as caught:
                    intruder.log.history("deep")
                assert (caught.value.code, caught.value.seq) == ("integrity/hash", row.seq)
        assert len(intruder.log.history("deep")) > 0

    def test_a_change_by_another_program_is_seen_by_a_log_that_is_open(self, file_log: SqliteLog, intruder: Intruder):
        assert codes(file_log) == set()
        intruder.do("UPDATE events SET body = replace(body, 'cat', 'dog') WHERE seq = 1 AND game = 'ann'")
        assert codes(file_log) == {"integrity/hash"}
        with pytest.raises(BrokenLog, match="not what its hash was made of"):
            file_log.history("ann")
        assert len(file_log.history("bob")) > 0
        assert file_log.missing_guards() == ["events_follow", "events_stay", "events_remain"]

    @pytest.mark.parametrize("body", ["'nonsense'", "''", "'[]'", "'{\"parent\": 7}'", "CAST(x'ff00fe' AS TEXT)"])
    def test_a_body_that_is_not_even_json_can_still_be_listed(self, file_log: SqliteLog, intruder: Intruder, body: str):
        intruder.do(f"UPDATE events SET body = {body} WHERE type = 'game_forked' OR seq = 1")
        assert {"integrity/hash", "integrity/fork"} <= codes(file_log)
        assert len(list(file_log.lines())) == 5
        for game in ("ann", "left", "deep"):
            with pytest.raises(BrokenLog):
                file_log.history(game)

    def test_an_id_that_is_no_text_is_read_with_all_the_others(self, intruder: Intruder):
        for game in ("ann", "left", "deep"):
            with intruder.trial():
                intruder.do(f"UPDATE events SET game = CAST(x'{game.encode().hex()}ff' AS TEXT) WHERE game = '{game}'")
                lines = [rows for span in intruder.log.spans(2) for rows in intruder.log.lines_in(span, 10**6)]
                assert len(lines) == 5
                faulty = [rows[0].game for rows in lines if chain.verify_rows(rows)]
                assert any("not UTF-8" in name for name in faulty)

    def test_a_row_with_the_hash_of_another_is_a_row_with_a_false_hash(self, file_log: SqliteLog):
        """No index holds hashes apart: what covers its row's game, seq and id cannot be two rows' hash."""
        rows = fill(file_log, "ann", turns=4)
        bare = sqlite3.connect(str(file_log.path), isolation_level=None)
        ours = msgspec.structs.replace(rows[-1], position=rows[-1].position + 1, seq=rows[-1].seq + 1, event_id="x/0")
        copied = msgspec.structs.replace(ours, prev=rows[-1].hash, hash=rows[2].hash)
        bare.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", msgspec.structs.astuple(copied))
        bare.close()
        assert [(problem.code, problem.seq) for problem in findings(file_log)] == [("integrity/hash", copied.seq)]

    def test_a_row_at_a_negative_position_is_missed_and_seen(self, file_log: SqliteLog, intruder: Intruder):
        intruder.do("INSERT INTO events SELECT -7, 'new', seq, 'x' || event_id, type, version, at, body, prev, 'x'"
                    " FROM events WHERE position = 1")  # fmt: skip
        check = chain.LogCheck(log_head(file_log.after(0)))
        for hashes in file_log.hashes(10**6):
            check.add(hashes)
        assert [problem.code for problem in (*check.gaps, *check.head_problems())] == [
            *["integrity/position"] * 2,
            "integrity/head",
        ]

    def test_a_ring_of_forks_comes_to_an_end(self, file_log: SqliteLog, intruder: Intruder):
        intruder.do(
            "UPDATE events SET body = replace(body, 'ann', 'deep') WHERE game = 'left' AND type = 'game_forked'"
        )
        assert "integrity/hash" in codes(file_log)
        assert [line.game for line in file_log.families(["lower"])] == ["lower"]
        assert {line.game for line in file_log.families(["ann", "bob"])} == {"ann", "bob"}

    def test_a_table_of_another_shape_is_a_broken_log(self, file_log: SqliteLog, intruder: Intruder):
        intruder.do("ALTER TABLE events RENAME COLUMN prev TO previous")
        with pytest.raises(BrokenLog):
            file_log.rows("ann")
        intruder.do("DROP TABLE events")
        with pytest.raises(BrokenLog):
            list(raw(file_log))


def plain_or_faulty(log: SqliteLog) -> None:
    """A game passes as plainly whole exactly where nobody has anything to say of its rows."""
    for span in log.spans(3):
        for line in log.lines_in(span, 10**6):
            if not isinstance(line, StoredLine):
                continue  # a fork is always looked at row by row
            rows = line.rows()
            assert (line[0], line[-1], len(line), tuple(line[1:])) == (rows[0], rows[-1], len(rows), rows[1:])
            events = []
            with suppress(BrokenLog):
                events = [codec.event_of(row) for row in line]
            sound = not chain.verify_rows(line) and bool(events)
            assert StoredLine(line.stored).plain_events() == (events if sound else None), rows


class TestPlainlyWhole:
    """The quick way to see that a game is whole, against the slow one that says what is wrong."""

    @pytest.mark.parametrize("column", CHANGES)
    def test_changed_columns(self, intruder: Intruder, column: str):
        plain_or_faulty(intruder.log)
        games = [row for row in raw(intruder.log) if row.game in ("ann", "bob")]
        for row in games:
            with intruder.trial():
                intruder.do(f"UPDATE events SET {column} = {CHANGES[column]} WHERE position = ?", row.position)
                plain_or_faulty(intruder.log)

    @pytest.mark.parametrize("change", ["X'00'", "x'ff'", "'x'", "''", "upper(hash)", "hash || ' '", "'é'"])
    @pytest.mark.parametrize("column", ["event_id", "type", "at", "body", "prev", "hash"])
    def test_odd_texts(self, intruder: Intruder, column: str, change: str):
        for seq in (1, 2, 5):
            with intruder.trial():
                intruder.do(f"UPDATE events SET {column} = CAST({change} AS TEXT) WHERE game = 'bob' AND seq = {seq}")
                plain_or_faulty(intruder.log)

    @pytest.mark.parametrize("type", ["game_forked", "game_opened", "bid_passed", "card_burnt"])
    @pytest.mark.parametrize("seq", [1, 2, 4])
    def test_a_forger_who_knows_the_hash(self, intruder: Intruder, type: str, seq: int):
        def forged(row: Row) -> Row:
            return msgspec.structs.replace(row, type=type) if row.seq == seq else row

        intruder.replace(rewritten(list(intruder.log.rows("bob")), forged))
        plain_or_faulty(intruder.log)

    def test_bodies_that_say_the_same_in_other_words(self, intruder: Intruder):
        def forged(row: Row) -> Row:
            return msgspec.structs.replace(row, body=row.body.replace(",", ", ", 1)) if row.seq == 3 else row

        intruder.replace(rewritten(list(intruder.log.rows("bob")), forged))
        plain_or_faulty(intruder.log)
        (bob,) = [
            line
            for span in intruder.log.spans(9)
            for line in intruder.log.lines_in(span, 10**6)
            if line[0].game == "bob"
        ]
        assert chain.verify_rows(bob) == []
        assert isinstance(bob, StoredLine)
        assert bob.plain_events() is None, "its hashes hold, but it is not in its canonical form"

    def test_rows_out_of_place(self, intruder: Intruder):
        rows = list(intruder.log.rows("bob"))
        for at in range(len(rows)):
            for changed in (rows[:at] + rows[at + 1 :], [*rows[:at], *reversed(rows[at : at + 2]), *rows[at + 2 :]]):
                with intruder.trial():
                    intruder.replace(changed)
                    plain_or_faulty(intruder.log)


class TestRows:
    def test_a_removed_row_is_found(self, intruder: Intruder):
        rows = list(raw(intruder.log))
        for row in rows[:-1]:
            with intruder.trial():
                intruder.do("DELETE FROM events WHERE position = ?", row.position)
                assert "integrity/position" in codes(intruder.log)

    def test_a_removed_row_is_found_though_the_positions_are_closed_up(self, intruder: Intruder):
        own_ends = {line.last_position for line in intruder.log.lines()}
        for row in list(raw(intruder.log)):
            if row.position in own_ends:
                continue  # the tail of a line: only a known head tells
            with intruder.trial():
                intruder.do("DELETE FROM events WHERE position = ?", row.position)
                intruder.connection.execute(
                    "UPDATE events SET position = -position WHERE position > ?", (row.position,)
                )
                intruder.connection.execute("UPDATE events SET position = -position - 1 WHERE position < 0")
                assert check_of(raw(intruder.log)).gaps == []
                assert codes(intruder.log) & {"integrity/gap", "integrity/fork"}

    def test_an_event_put_in_between_is_found(self, intruder: Intruder):
        rows = intruder.log.rows("bob")
        extra = chain.sealed(msgspec.structs.replace(rows[4], position=999, event_id="evil/0", prev=rows[3].hash))
        moved = [msgspec.structs.replace(row, seq=row.seq + 1, position=row.position + 1000) for row in rows[4:]]
        intruder.do("DELETE FROM events WHERE game = 'bob' AND seq > 4")
        for row in (extra, *moved):
            intruder.do("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", *msgspec.structs.astuple(row))
        assert {"integrity/hash", "integrity/prev"} <= {p.code for p in chain.verify_rows(intruder.log.rows("bob"))}

    def test_rows_that_were_exchanged_are_found(self, intruder: Intruder):
        rows = intruder.log.rows("bob")
        exchanged = [*rows[:3], rows[4], rows[3], *rows[5:]]
        found = {(problem.code, problem.seq) for problem in chain.verify_rows(exchanged)}
        assert ("integrity/gap", 5) in found
        assert ("integrity/prev", 5) in found
        assert ("integrity/position", 4) in found


class TestForks:
    def test_a_fork_that_names_another_point_is_found(self):
        log = MemoryLog()
        fill(log, "ann")
        at = turn_points(log, "ann")[3]
        rows = fork(log, "left", "ann", at)
        own = rows[at]
        other = log.rows("ann")[at]
        for change in (
            {"body": own.body.replace(f'"at":{at}', f'"at":{at - 1}')},
            {"body": own.body.replace(rows[at - 1].hash, other.hash)},
            {"body": "{}"},
            {"type": "bid_passed"},
        ):
            spoilt = chain.sealed(msgspec.structs.replace(own, **change))
            codes = {problem.code for problem in chain.link_problems(rows[at - 1], spoilt)}
            assert codes == {"integrity/fork"}

    def test_a_line_without_its_parent_is_found(self):
        log = MemoryLog()
        family(log)
        own = [row for row in log.rows("left") if row.game == "left"]
        codes = [problem.code for problem in chain.verify_rows(own)]
        assert codes == ["integrity/gap", "integrity/prev", "integrity/fork"]

    def test_a_fork_in_the_middle_of_a_line_is_found(self):
        log = MemoryLog()
        family(log)
        rows = log.rows("left")
        forked = next(row for row in rows if row.type == "game_forked")
        before = rows[forked.seq - 2]
        inside = chain.sealed(msgspec.structs.replace(forked, game=before.game))
        assert [p.code for p in chain.link_problems(before, inside)] == ["integrity/fork"]


class TestKnownHeads:
    """What the chain alone cannot show, because somebody has made the rest fit."""

    def test_the_head_of_an_empty_log(self):
        head = log_head([])
        assert head.startswith("0:")
        assert head_problems([], head) == []

    def test_a_log_that_only_grew_is_fine(self, file_log: SqliteLog):
        heads = [log_head(raw(file_log))]
        for number in range(3):
            fill(file_log, f"g{number}", seed=number, turns=2)
            heads.append(log_head(raw(file_log)))
        assert len(set(heads)) == 4
        for head in heads:
            assert head_problems(raw(file_log), head) == []
            assert head_problems(raw(file_log), f"  {head.upper()}\n") == []

    def test_a_cut_tail_shows(self, intruder: Intruder):
        head = log_head(raw(intruder.log))
        total = int(head.split(":")[0])
        for kept in range(total):
            with intruder.trial():
                intruder.do("DELETE FROM events WHERE position > ?", kept)
                assert findings(intruder.log) == []
                (problem,) = head_problems(raw(intruder.log), head)
                assert problem.code == "integrity/head"
                assert f"ends at position {kept}" in problem.detail

    def test_a_removed_game_shows(self, intruder: Intruder):
        head = log_head(raw(intruder.log))
        intruder.do("DELETE FROM events WHERE game = 'bob'")
        intruder.do("UPDATE events SET position = -position")
        left = intruder.connection.execute("SELECT position FROM events ORDER BY position DESC").fetchall()
        for number, (position,) in enumerate(left, 1):
            intruder.do("UPDATE events SET position = ? WHERE position = ?", number, position)
        assert findings(intruder.log) == []
        with pytest.raises(BrokenLog, match="is missing"):
            fill(intruder.log, "carl", seed=3, turns=9)
        intruder.put_back()
        fill(intruder.log, "carl", seed=3, turns=9)
        assert findings(intruder.log) == []
        assert codes(intruder.log, head) == {"integrity/head"}

    def test_exchanged_positions_of_two_games_show(self, file_log: SqliteLog):
        fill(file_log, "ann", seed=1, turns=2)
        fill(file_log, "bob", seed=2, turns=2)
        boundary = len(file_log.rows("ann"))
        head = log_head(raw(file_log))
        intruder = Intruder(file_log)
        for old, new in ((boundary, -1), (boundary + 1, boundary), (-1, boundary + 1)):
            intruder.do("UPDATE events SET position = ? WHERE position = ?", new, old)
        assert findings(file_log) == []
        assert codes(file_log, head) == {"integrity/head"}
        intruder.connection.close()

    def test_a_game_that_was_rewritten_and_hashed_anew_shows(self, file_log: SqliteLog):
        rows = list(fill(file_log, "ann"))
        whole_head, line_head = log_head(rows), rows[-1].hash
        forged = rewritten(rows, lambda row: msgspec.structs.replace(row, at="2030-01-01T00:00:00Z"))
        assert chain.verify_rows(forged) == []
        assert [problem.code for problem in head_problems(forged, whole_head)] == ["integrity/head"]
        assert [problem.code for problem in chain.verify_line_head(forged, line_head)] == ["integrity/head"]

    def test_a_line_that_went_on_keeps_its_head(self, file_log: SqliteLog):
        rows = fill(file_log, "ann")
        for row in rows:
            assert chain.verify_line_head(rows, row.hash) == []
        assert chain.verify_line_head(rows[:-1], rows[-1].hash) != []

    @pytest.mark.parametrize("head", ["", ":", "7", "x:" + "0" * 64, "7:abc", "-1:" + "0" * 64, "²:" + "0" * 64])
    def test_what_is_no_head(self, head: str):
        with pytest.raises(Unreadable, match="is no head"):
            head_problems([], head)


class TestHash:
    def test_no_two_splits_of_the_same_text_hash_alike(self):
        row = Row(1, "ann", 1, "x/0", "bid", 1, "", "", "", "")
        variants = [
            row,
            msgspec.structs.replace(row, game="an", event_id="nx/0"),
            msgspec.structs.replace(row, game="ann1", seq=0),
            msgspec.structs.replace(row, seq=11),
            msgspec.structs.replace(row, version=11),
            msgspec.structs.replace(row, type="bid1"),
            msgspec.structs.replace(row, at="x"),
            msgspec.structs.replace(row, body="x"),
            msgspec.structs.replace(row, prev="x"),
        ]
        assert len({chain.hash_of(variant) for variant in variants}) == len(variants)

    @pytest.mark.parametrize("field", ["game", "event_id", "type", "at", "body", "prev"])
    def test_long_fields_and_all_scripts_are_hashed_as_they_are_spelt(self, field: str):
        for text in ("", "a", "安", "a" * 127, "é" * 128, "a" * 255, "a" * 256, "安" * 999, "a" * 70000):
            row = msgspec.structs.replace(Row(1, "ann", 1, "x/0", "bid", 1, "", "", "", ""), **{field: text})
            row = msgspec.structs.replace(row, seq=len(text), version=-len(text))
            fields = (row.game, row.seq, row.event_id, row.type, row.version, row.at, row.body, row.prev)
            spelt = chain.lp("ddz-log-event-v1", *fields)
            assert chain.hash_of(row) == hashlib.sha256(spelt).hexdigest()

    @pytest.mark.parametrize("hash", ["a" * 64, "", "x" * 63, "é" * 64, "a" * 300])
    def test_the_digest_of_a_log_runs_over_whatever_stands_there(self, hash: str):
        hashes = [(number, hash) for number in (-3, 0, 1, 9, 10, 10**18)]
        check = chain.LogCheck()
        check.add(hashes)
        spelt = b"".join([chain.lp("ddz-log-head-v1"), *(chain.lp(*each) for each in hashes)])
        assert check.head == f"{10**18}:{hashlib.sha256(spelt).hexdigest()}"

    def test_the_position_and_the_hash_itself_are_not_in_it(self):
        row = Row(1, "ann", 1, "x/0", "bid", 1, "", "", "", "")
        assert chain.hash_of(row) == chain.hash_of(msgspec.structs.replace(row, position=7, hash="x"))

    def test_the_digests_are_frozen(self):
        row = Row(1, "ann", 1, "x/0", "bid_made", 1, "2024-01-01T00:00:00Z", "{}", GENESIS, "")
        assert chain.hash_of(row) == "82470b213b014c25d7b8588d50ef872ef56604176f4966cbca872b81844d4223"
        assert log_head([chain.sealed(row)]) == "1:c17ee5f75ab66ede19e3e620b6d3b772ba240d0fda15dd839686e4e66157231b"

    def test_a_copy_of_the_file_has_the_same_head(self, file_log: SqliteLog):
        family(file_log)
        target = file_log.path.with_name("copy.db")
        copy(file_log, target)
        with sqlite_log(target, create=False) as copied:
            assert head_problems(copied.after(0), log_head(file_log.after(0))) == []
