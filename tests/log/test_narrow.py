"""What is asked of a few lines: answered alike by every store, by logs of before, and without reading the whole log."""

import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from msgspec.structs import astuple

from ddz.commands import OpenGame, Seeds
from ddz.decide import decide
from ddz.log import chain, schema, sql
from ddz.log.base import EventLog, Line
from ddz.log.memory import MemoryLog
from ddz.log.sqlite import SqliteLog
from ddz.rules import CLASSIC
from ddz.services.audit_log import audit_log, verify_log
from ddz.state import START, fold

from .games import AT, PLAYERS, family, fill, fork, game, play, raw, sqlite_log, store, turn_points


def round_of(log: EventLog, name: str, match: str, number: int, previous: str | None, turns: int | None = 2) -> None:
    """A game of a match; `turns=None` leaves it after its opening."""
    opened = decide(
        START, OpenGame(name, match, number, previous, PLAYERS, CLASSIC, Seeds("1" * 64, "2" * 64), None, "seed")
    )
    more = [] if turns is None else [*play(fold(opened), random.Random(number), turns)]
    store(log, name, 0, [opened, *more])


def grown(log: EventLog) -> None:
    """Lines of every kind: two families, a match with a fork in it, and games that go on."""
    family(log)
    for number, previous in ((1, None), (2, "m-1"), (3, "m-2")):
        round_of(log, f"m-{number}", "m-1", number, previous)
    fork(log, "m-2-again", "m-2", turn_points(log, "m-2")[0], turns=1)
    round_of(log, "going", "going", 1, None, None)
    log.append("begun", 0, game("begun", 9)[0], "begun", AT)
    later = game("alone", 8, turns=1)
    store(log, "alone", 0, later)
    log.append("begun", 1, game("begun", 9)[1], "begun-1", AT)


def ids(lines: Iterator[Line] | list[Line]) -> list[str]:
    return [line.game for line in lines]


class TestEveryStore:
    def test_what_is_unfinished(self, log: EventLog):
        assert ids(log.unfinished()) == []
        grown(log)
        assert ids(log.unfinished()) == ["begun", "going"]
        assert list(log.unfinished()) == [line for line in log.lines() if not line.is_over]
        store(log, "begun", len(log.rows("begun")), game("begun", 9, turns=0)[2:])
        assert ids(log.unfinished()) == ["going"]
        assert log.unnoted() == []

    def test_families(self, log: EventLog):
        grown(log)
        lines = {line.game: line for line in log.lines()}
        for asked in ("ann", "left", "lower", "deep"):
            found = log.families([asked])
            assert sorted(ids(found)) == ["ann", "deep", "left", "lower"]
            assert all(line == lines[line.game] for line in found)
        assert ids(log.families(["bob", "bob"])) == ["bob"]
        assert sorted(ids(log.families(["deep", "m-2", "lower"]))) == [
            "ann",
            "deep",
            "left",
            "lower",
            "m-2",
            "m-2-again",
        ]
        assert log.families(["nobody"]) == log.families([]) == []

    def test_the_games_of_a_match(self, log: EventLog):
        grown(log)
        assert log.games_in("m-1") == ["m-2", "m-3"]
        assert [log.games_in(name) for name in ("ann", "going", "nobody", "", '"')] == [[]] * 5

    def test_lines_whose_ids_begin_alike(self, log: EventLog):
        grown(log)
        assert log.games("m-", 9) == ["m-1", "m-2", "m-2-again", "m-3"]
        assert log.games("m-", 2) == ["m-1", "m-2"]
        assert log.games("", 3) == ["alone", "ann", "begun"]
        assert log.games("%", 3) == []

    def test_lines_are_those_of_one_moment(self, log: EventLog):
        grown(log)
        before = list(log.lines())
        going = log.lines()
        assert next(going) == before[0]
        fill(log, "later", seed=4, turns=1)
        log.append("going", 1, game("going", 9)[1], "going-1", AT)
        assert list(going) == before[1:]

    def test_lines_whose_events_stand_between_each_other(self, log: EventLog):
        batches = {name: game(name, seed, turns=9) for seed, name in enumerate("abcdefg")}
        seqs = dict.fromkeys(batches, 0)
        last: dict[str, int] = {}
        for number in range(max(map(len, batches.values()))):
            for name, of in batches.items():
                if number < len(of):
                    log.append(name, seqs[name], of[number], f"{name}-{number}", AT)
                    seqs[name] += len(of[number])
                    last[name] = log.last_position()
            if number == 1:
                fill(log, "whole", seed=8, turns=2)
                last["whole"] = log.last_position()
        assert [(line.game, line.last_position) for line in log.lines()] == sorted(
            last.items(), key=lambda each: -each[1]
        )


@pytest.fixture
def log_of_before(path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[SqliteLog, MemoryLog]]:
    """A log as the last release made it, without what says where to look; and its twin in memory."""
    twin = MemoryLog()
    grown(twin)
    with monkeypatch.context() as older:
        older.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:3])
        older.setattr(schema, "VERSION", 3)
        with sqlite_log(path) as log:
            log.connection.executemany(sql.INSERT, map(astuple, twin.after(0)))
    with sqlite_log(path, create=False) as log:
        yield log, twin


class TestLogsOfBefore:
    def test_they_answer_alike_and_stay_as_they_are(self, log_of_before: tuple[SqliteLog, MemoryLog]):
        log, twin = log_of_before
        before = log.path.read_bytes()
        self.alike(log, twin)
        assert schema.version_of(log.connection) == 3
        assert log.path.read_bytes() == before

    def test_their_next_writer_makes_what_says_where_to_look(self, log_of_before: tuple[SqliteLog, MemoryLog]):
        log, twin = log_of_before
        for each in (log, twin):
            fill(each, "new", seed=3, turns=1)
        assert schema.version_of(log.connection) == schema.VERSION
        assert {each for (each,) in log.connection.execute("SELECT game FROM unfinished")} == {"begun", "going"}
        self.alike(log, twin)
        assert verify_log(log).findings == ()

    @staticmethod
    def alike(log: EventLog, twin: EventLog) -> None:
        assert raw(log) == raw(twin)
        assert list(log.lines()) == list(twin.lines())
        assert list(log.unfinished()) == list(twin.unfinished())
        assert log.games_in("m-1") == twin.games_in("m-1")
        assert log.unnoted() == []
        for name in ("deep", "m-2"):
            by_id = [sorted(each.families([name]), key=lambda line: line.game) for each in (log, twin)]
            assert by_id[0] == by_id[1] != []


class TestNotesThatLie:
    """What says where to look is under no hash: what it leads to is read and checked, and what it hides is found."""

    @pytest.mark.parametrize(
        ("change", "listed", "amiss"),
        [
            ("DELETE FROM unfinished WHERE game = 'going'", ["begun"], ["going"]),
            ("DELETE FROM unfinished", [], ["begun", "going"]),
            ("INSERT INTO unfinished VALUES ('ann')", ["begun", "going"], ["ann"]),
            ("INSERT INTO unfinished VALUES ('nobody')", ["begun", "going"], ["nobody"]),
        ],
    )
    def test_of_what_goes_on(self, file_log: SqliteLog, change: str, listed: list[str], amiss: list[str]):
        grown(file_log)
        others = audit_log(file_log).findings
        assert verify_log(file_log).findings == ()
        file_log.connection.execute(change)
        assert ids(file_log.unfinished()) == listed
        assert file_log.unnoted() == amiss
        for found in (
            verify_log(file_log).findings,
            [each for each in audit_log(file_log).findings if each not in others],
        ):
            assert [each.code for each in found] == ["integrity/unfinished"] * len(amiss)
            assert all(name in each.detail for name, each in zip(amiss, found, strict=True))

    def test_a_fork_that_names_another_parent_than_its_body_does_is_in_no_family(self, file_log: SqliteLog):
        """As an index finds it: the text up to a quote, which is no text of the field as it is decoded."""
        grown(file_log)
        file_log.connection.execute("DROP TRIGGER events_stay")
        spoilt = """'{"parent":"bob","a":' || substr(body, 6)"""
        file_log.connection.execute(f"UPDATE events SET body = {spoilt} WHERE game = 'left' AND type = 'game_forked'")
        assert "left" in file_log._forks("bob")
        assert "left" not in ids(file_log.families(["bob"]))

    def test_notes_are_taken_back_with_the_rows(self, file_log: SqliteLog):
        grown(file_log)

        def refuse(_: object) -> None:
            raise ZeroDivisionError

        source = MemoryLog()
        source.append("new", 0, game("new", 3)[0], "new", AT)
        with pytest.raises(ZeroDivisionError):
            file_log.adopt(source.after(0), judge=refuse)
        assert ids(file_log.unfinished()) == ["begun", "going"]
        assert file_log.unnoted() == []


def test_the_newest_lines_are_found_by_a_few_rows(file_log: SqliteLog):
    for number in range(12):
        fill(file_log, f"g{number}", seed=number, turns=3)
    asked: list[str] = []
    file_log.connection.set_trace_callback(asked.append)
    assert len(list(islice(file_log.lines(), 3))) == 3
    first = len(asked)
    assert first < 25
    for number in range(12, 40):
        fill(file_log, f"g{number}", seed=number, turns=3)
    asked.clear()
    assert len(list(islice(file_log.lines(), 3))) == 3
    assert len(asked) == first


def test_a_row_of_another_line_is_not_walked_past(file_log: SqliteLog):
    """Where a line's events seem to stand together, and somebody has moved another one's between them."""
    fill(file_log, "hidden", seed=1, turns=0)
    hidden = file_log.last_position()
    rows = fill(file_log, "ann", seed=2, turns=5)
    for trigger in ("events_stay", "events_remain"):
        file_log.connection.execute(f"DROP TRIGGER {trigger}")
    file_log.connection.execute("DELETE FROM events WHERE game = 'hidden' AND position > 1")
    file_log.connection.execute("UPDATE events SET position = 9999 WHERE position = ?", (rows[2].position,))
    file_log.connection.execute("UPDATE events SET position = ? WHERE position = 1", (rows[2].position,))
    assert hidden > 1
    assert {line.game for line in file_log.lines()} == {"ann", "hidden"}
    assert any(problem.code == "integrity/position" for problem in chain.verify_rows(file_log.rows("ann")))
