"""The audit of a whole log: tampering with the file, known heads, and the rotation of first voices over a match."""

import random
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import pytest

from ddz.commands import Escape
from ddz.errors import BrokenLog, Unreadable, UnsupportedVersion
from ddz.frozen.events import GameOpened
from ddz.frozen.versions import VERSIONS
from ddz.log import chain, codec, sql
from ddz.log.base import EventLog, Row
from ddz.log.driver import Connection, sqlite3
from ddz.log.memory import MemoryLog
from ddz.log.sqlite import SqliteLog
from ddz.services.audit import Audit, audit_game
from ddz.services.audit_log import LogAudit, audit_log, verify_log
from ddz.services.lines import fork
from ddz.services.match import match_table, next_opening
from ddz.services.opening import Opening
from ddz.services.replay import replay
from ddz.services.table import Table
from ddz.state import turn_of

from .tables import HUMANS, SPRING_RECORD, imported, pass_all, reforged, say, table_on, with_event

CHANGES = {
    "position": ("position + 1000", "-position"),
    "game": ("'zz' || game", "''"),
    "seq": ("seq + 1000", "-seq"),
    "event_id": ("'x' || event_id", "''"),
    "type": (
        "CASE type WHEN 'play_passed' THEN 'bid_passed' ELSE 'play_passed' END",
        "CASE type WHEN 'game_opened' THEN 'game_forked' ELSE 'game_opened' END",
        "'card_burnt'",
    ),
    "version": ("version + 1", "0"),
    "at": ("'2031' || substr(at, 5)", "''"),
    "body": (
        "body || ' '",
        "'{}'",
        "'nonsense'",
        "''",
        "CAST(x'ff00fe' AS TEXT)",
        "replace(replace(body, 'A', 'K'), '1', '2') || ''",
        "(SELECT body FROM events AS o WHERE o.type <> events.type LIMIT 1)",
    ),
    "prev": ("substr(prev, 2) || 'f'", "''", "hash"),
    "hash": ("substr(hash, 2) || 'f'", "''", "prev || 'x'"),
}
"""Other values for each column."""


class Intruder:
    """Somebody with a bare connection to the file, who drops the triggers for a moment and puts them back."""

    def __init__(self, log: SqliteLog) -> None:
        self.connection: Connection = sqlite3.connect(str(log.path), isolation_level=None)
        self.connection.execute("PRAGMA synchronous=OFF")
        self.connection.text_factory = log.connection.text_factory
        guards = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
        self.guards: dict[str, str] = dict(self.connection.execute(guards).fetchall())
        self.log = SqliteLog(self.connection, log.path)
        """The log as the intruder leaves it, also inside `trial`."""

    def do(self, sql: str, *values: object) -> int:
        for name in self.guards:
            self.connection.execute(f"DROP TRIGGER {name}")
        changed = self.connection.execute(sql, values).rowcount
        for text in self.guards.values():
            self.connection.execute(text)
        return changed

    @contextmanager
    def trial(self) -> Iterator[None]:
        """What is changed in here is taken back."""
        self.connection.execute("BEGIN")
        yield
        self.connection.execute("ROLLBACK")

    def close_up(self) -> None:
        """Number the positions anew, without gaps, and note the unfinished lines anew."""
        self.do("UPDATE events SET position = -position")
        kept = self.connection.execute("SELECT position FROM events ORDER BY position DESC").fetchall()
        for number, (position,) in enumerate(kept, 1):
            self.do("UPDATE events SET position = ? WHERE position = ?", number, position)
        self.note()

    def note(self) -> None:
        """Note which lines are unfinished, as whoever removes events must, or else it tells of him."""
        self.do("DELETE FROM unfinished")
        self.do(f"INSERT INTO unfinished {sql.GOING_ON}")


@pytest.fixture
def games(file_log: SqliteLog) -> dict[str, str]:
    """A spring, a game with a redeal and an escape, a fork of it, and a fork of that: every type of event."""
    table = table_on(file_log)
    spring = imported(table, SPRING_RECORD.replace("-6, -6", "-6,-6")).game
    game = table.open(Opening(players=HUMANS, seed=7)).game
    pass_all(table, game)
    say(table, game, "2 bid 1", "0 bid 3")
    line = fork(table, game, 7, "back").game
    say(table, line, "0 escape")
    lower = fork(table, line, 2).game
    table.act(game, Escape(1))
    return {"spring": spring, "game": game, "line": line, "lower": lower}


@pytest.fixture
def intruder(file_log: SqliteLog, games: dict[str, str]) -> Iterator[Intruder]:
    assert len(games) == 4
    assert {row.type for row in file_log.after(0)} == set(VERSIONS)
    made = Intruder(file_log)
    yield made
    made.connection.close()


def raw(log: SqliteLog) -> list[Row]:
    """Every row as it is stored, also one that is not what was hashed."""
    return list(log._query(f"{sql.SCAN} ORDER BY position"))


def audit_all(log: EventLog, head: str | None = None, jobs: int = 1) -> tuple[LogAudit, list[Audit]]:
    """The audit of a log and those of all its lines."""
    audits: list[Audit] = []
    whole = audit_log(log, head, audits.append, jobs)
    assert [audit.game for audit in audits] == sorted(audit.game for audit in audits)
    assert (whole.lines, whole.faulty) == (len(audits), sum(not audit.ok for audit in audits))
    return whole, audits


def codes(log: EventLog, head: str | None = None) -> set[str]:
    whole, audits = audit_all(log, head)
    every = [*whole.findings, *(finding for audit in audits for finding in audit.findings)]
    assert whole.ok == (not every)
    return {finding.code for finding in every}


# ---- the file ----


def test_an_honest_log_is_clean(file_log: SqliteLog, games: dict[str, str]):
    audit, lines = audit_all(file_log)
    assert audit.ok
    assert {line.game for line in lines} == set(games.values())
    assert audit.head == audit_log(file_log, audit.head).head
    verified = verify_log(file_log, audit.head)
    assert (verified.events, verified.findings) == (len(list(file_log.after(0))), ())
    assert audit.head == verified.head
    assert audit.head.startswith(f"{verified.events}:")


@pytest.mark.parametrize("column", CHANGES)
def test_every_column_of_every_row(intruder: Intruder, column: str):
    for row in raw(intruder.log):
        for change in CHANGES[column]:
            with intruder.trial():
                assert intruder.do(f"UPDATE events SET {column} = {change} WHERE position = ?", row.position) == 1
                if row in raw(intruder.log):
                    continue  # that left it as it was
                found = codes(intruder.log)
                assert any(code.startswith("integrity/") for code in found), f"{column} of {row}: {change}"
                verified = verify_log(intruder.log)
                assert verified.findings
                assert verified.events > 0
                for line in {other.game for other in raw(intruder.log)}:
                    replay(intruder.log, line)
    assert audit_log(intruder.log).ok


@pytest.mark.parametrize("column", ["type", "body", "hash", "prev", "at", "version", "event_id"])
def test_a_table_does_not_go_on_with_a_game_that_was_changed(intruder: Intruder, games: dict[str, str], column: str):
    game = games["lower"]
    for row in intruder.log.rows(game):
        with intruder.trial():
            intruder.do(f"UPDATE events SET {column} = {CHANGES[column][0]} WHERE position = ?", row.position)
            with pytest.raises(BrokenLog):
                table_on(intruder.log).load(game)


def test_every_row_removed(intruder: Intruder):
    head = audit_log(intruder.log).head
    for row in raw(intruder.log):
        with intruder.trial():
            intruder.do("DELETE FROM events WHERE position = ?", row.position)
            assert "integrity/head" in codes(intruder.log, head)
            if row.position < int(head.partition(":")[0]):
                assert "integrity/position" in codes(intruder.log)
                assert verify_log(intruder.log).findings


def test_every_row_removed_and_the_positions_closed_up(intruder: Intruder, games: dict[str, str]):
    head = audit_log(intruder.log).head
    unnoticed = []
    for row in raw(intruder.log):
        with intruder.trial():
            intruder.do("DELETE FROM events WHERE position = ?", row.position)
            intruder.close_up()
            assert "integrity/head" in codes(intruder.log, head)
            if not codes(intruder.log):
                unnoticed.append((row.game, row.type))
    assert unnoticed == [(games["lower"], "game_forked")], "a line of one event leaves no trace but in the head"


def test_a_whole_game_removed(intruder: Intruder, games: dict[str, str]):
    head = audit_log(intruder.log).head
    intruder.do("DELETE FROM events WHERE game = ?", games["spring"])
    intruder.close_up()
    assert codes(intruder.log) == set(), "nothing in the log itself tells"
    assert codes(intruder.log, head) == {"integrity/head"}
    assert [finding.code for finding in verify_log(intruder.log, head).findings] == ["integrity/head"]


def test_the_positions_of_two_games_exchanged(intruder: Intruder, games: dict[str, str]):
    head = audit_log(intruder.log).head
    boundary = len(intruder.log.rows(games["spring"]))
    for old, new in ((boundary, -1), (boundary + 1, boundary), (-1, boundary + 1)):
        assert intruder.do("UPDATE events SET position = ? WHERE position = ?", new, old) == 1
    assert codes(intruder.log) == set()
    assert codes(intruder.log, head) == {"integrity/head"}


def test_two_rows_of_a_game_exchanged(intruder: Intruder, games: dict[str, str]):
    first, second = (row.position for row in intruder.log.rows(games["spring"])[4:6])
    for old, new in ((first, -1), (second, first), (-1, second)):
        intruder.do("UPDATE events SET position = ? WHERE position = ?", new, old)
    assert codes(intruder.log) == {"integrity/position"}


def test_the_tail_cut_anywhere(intruder: Intruder):
    head = audit_log(intruder.log).head
    for kept in range(int(head.partition(":")[0])):
        with intruder.trial():
            intruder.do("DELETE FROM events WHERE position > ?", kept)
            intruder.note()
            assert "integrity/head" in codes(intruder.log, head)
            verified = verify_log(intruder.log, head)
            assert verified.events == kept
            assert [f"the log ends at position {kept}, but" in finding.detail for finding in verified.findings] == [
                True
            ]


def test_a_log_that_has_grown_keeps_its_head(file_log: SqliteLog, games: dict[str, str]):
    head = audit_log(file_log).head
    table = table_on(file_log, seed="later")
    say(table, games["lower"], "1 bid 1")
    imported(table, SPRING_RECORD)
    assert audit_log(file_log, head).ok
    assert verify_log(file_log, head).findings == ()
    assert audit_log(file_log).head != head


@pytest.mark.parametrize("head", ["", "12", "x:" + "0" * 64, "12:abc"])
def test_what_is_no_head(file_log: SqliteLog, head: str):
    for ask in (audit_log, verify_log):
        with pytest.raises(Unreadable, match="is no head of a log"):
            ask(file_log, head)


def test_what_a_fork_inherits_is_found_once_by_verify_log(intruder: Intruder, games: dict[str, str]):
    intruder.do("UPDATE events SET body = body || ' ' WHERE game = ? AND seq = 2", games["game"])
    found = verify_log(intruder.log).findings
    assert [(finding.code, finding.seq) for finding in found] == [("integrity/hash", 2)]
    faulty = {audit.game for audit in audit_all(intruder.log)[1] if not audit.ok}
    assert faulty == {games["game"], games["line"], games["lower"]}
    assert audit_game(intruder.log, games["spring"]).ok


def test_the_audit_of_a_game_does_not_mind_another_broken_one(intruder: Intruder, games: dict[str, str]):
    intruder.do("UPDATE events SET body = 'x' WHERE game = ?", games["spring"])
    assert audit_game(intruder.log, games["lower"]).ok
    assert not audit_game(intruder.log, games["spring"]).ok


# ---- many lines, many processes, little memory ----


def test_several_processes_find_the_same_in_the_same_order(
    intruder: Intruder, games: dict[str, str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("ddz.services.audit_log.LINES_AT_ONCE", 1)
    head = audit_log(intruder.log).head
    assert audit_all(intruder.log, head, jobs=2) == audit_all(intruder.log, head)
    intruder.do("UPDATE events SET body = replace(body, '3', '4') WHERE game = ? AND seq IN (2, 5)", games["spring"])
    intruder.do("UPDATE events SET hash = 'x' WHERE game = ? AND seq = 7", games["game"])
    intruder.do("UPDATE events SET position = position + 9 WHERE game = ?", games["lower"])
    alone, shared = audit_all(intruder.log, head), audit_all(intruder.log, head, jobs=2)
    assert shared == alone
    assert {audit.game for audit in alone[1] if not audit.ok} == {games["spring"], games["game"], games["line"]}
    assert {finding.code for finding in alone[0].findings} == {"integrity/position", "integrity/head"}


def test_a_newer_event_ends_the_audit_in_several_processes_too(
    intruder: Intruder, games: dict[str, str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("ddz.services.audit_log.LINES_AT_ONCE", 1)
    row = intruder.log.rows(games["spring"])[0]
    newer = chain.sealed(msgspec.structs.replace(row, version=9))
    intruder.do("UPDATE events SET version = 9, hash = ? WHERE position = ?", newer.hash, row.position)
    for jobs in (1, 2):
        with pytest.raises(UnsupportedVersion, match="of version 9") as caught:
            audit_log(intruder.log, jobs=jobs)
        assert (caught.value.code, caught.value.seq) == ("log/newer", 1)


def test_a_log_that_grows_meanwhile_is_audited_as_it_was(file_log: SqliteLog, games: dict[str, str]):
    before = audit_all(file_log, audit_log(file_log).head)
    table = table_on(file_log, seed="meanwhile")
    done: list[tuple[int, int]] = []

    def grow(audit: Audit) -> None:
        table.open(Opening(players=HUMANS))
        if audit.game == min(games.values()):
            say(table, games["lower"], "1 bid 1")
            fork(table, games["game"], 7)

    whole = audit_log(file_log, before[0].head, grow, progress=lambda *each: done.append(each))
    assert whole == before[0]
    assert done == [(4, 4)]
    assert audit_log(file_log).lines > 4


@pytest.mark.usefixtures("games")
def test_progress_is_told_after_each_stretch(file_log: SqliteLog, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("ddz.services.audit_log.LINES_AT_ONCE", 3)
    done: list[tuple[int, int]] = []
    audit_log(file_log, progress=lambda *each: done.append(each))
    assert done == [(3, 4), (4, 4)]


def test_a_long_log_takes_no_more_memory_than_a_short_one(file_log: SqliteLog, monkeypatch: pytest.MonkeyPatch):
    """In the long form (README of the benchmarks) a process is measured; here what Python has allocated at most."""
    monkeypatch.setattr("ddz.services.audit_log.LINES_AT_ONCE", 10)
    monkeypatch.setattr("ddz.log.sqlite_reading._HASHES", 50)
    table = table_on(file_log)

    def peak(number: int) -> int:
        for _ in range(number):
            table.act(table.open(Opening(players=HUMANS)).game, Escape(0))
        audit_log(file_log)  # whatever is imported or remembered once
        tracemalloc.start()
        try:
            assert audit_log(file_log).ok
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    short, long = peak(20), peak(180)
    # A game kept as its events, or as what its audit said, takes kilobytes; what a later round is held to, a tuple.
    assert (long - short) / 180 < 500, f"{short} bytes for 20 games, {long} for 200"


# ---- the match ----


def three_rounds() -> tuple[Table, list[str]]:
    """Three games of a match; in the second nobody bids at first."""
    table = table_on()
    game = table.open(Opening(players=HUMANS, seed=7)).game
    rounds = [game]
    for number in range(3):
        if number:
            at = table.load(rounds[-1])
            rounds.append(table.open(next_opening(at.state, rounds[-1])).game)
        if number == 1:
            pass_all(table, rounds[-1])
        seat = turn_of(table.load(rounds[-1]).state)
        say(table, rounds[-1], f"{seat} bid 1", f"{seat} escape")
    return table, rounds


def rewritten(table: Table, game: str, **fields: object) -> MemoryLog:
    """The log of `table` with the opening of one game changed, its deal with it, and its chain sealed anew."""
    log = MemoryLog()
    for name in dict.fromkeys(row.game for row in table.log.after(0)):
        rows = list(table.log.rows(name))
        if name == game:
            opened = codec.event_of(rows[0])
            assert isinstance(opened, GameOpened)
            rows[0] = with_event(rows[0], msgspec.structs.replace(opened, **fields))
        for row in reforged(rows):
            log.insert([msgspec.structs.replace(row, position=log.last_position() + 1)])
    return log


def log_codes(log: MemoryLog) -> list[tuple[str, int | None]]:
    return [(finding.code, finding.seq) for finding in audit_log(log).findings]


def test_a_match_that_rotates_is_clean():
    table, rounds = three_rounds()
    assert audit_log(table.log).ok
    assert [row.game for row in match_table(table.log, rounds[0]).rounds] == rounds
    assert audit_log(rewritten(table, rounds[1])).ok, "sealing alone changes nothing"


@pytest.mark.parametrize("source", ["rotation", "chosen"])
def test_a_first_voice_that_did_not_move_on(source: str):
    """The whole game is told with another opener, who escapes before anybody bids: every rule of the game holds."""
    table, rounds = three_rounds()
    opening = next_opening(table.load(rounds[1]).state, rounds[1])
    wrong = msgspec.structs.replace(opening, first_voice=(opening.first_voice + 1) % 3, rotated=source == "rotation")
    game = table.open(wrong).game
    table.act(game, Escape(0))
    (finding,) = audit_log(table.log).findings
    assert (finding.code, finding.seq) == ("match/rotation", 1)
    assert finding.detail == (
        f"game {game}: seat {opening.first_voice} has the first voice after {rounds[1]}, not seat {wrong.first_voice}"
    )
    assert audit_game(table.log, game).ok, "it is a fault of the match, not of the game"


@pytest.mark.parametrize("fields", [{"round": 7}, {"round": 1}, {"match": "another"}])
def test_a_round_that_does_not_follow(fields: dict):
    table, rounds = three_rounds()
    assert log_codes(rewritten(table, rounds[2], **fields)) == [("match/round", 1)]


@pytest.mark.parametrize("fields", [{"round": 2}, {"match": "another"}, {"round": 0}])
def test_a_first_game_that_is_none(fields: dict):
    table = table_on()
    game = table.open(Opening(players=HUMANS, seed=7)).game
    assert log_codes(rewritten(table, game, **fields)) == [("match/round", 1)]


def test_a_voice_that_moved_on_from_nowhere():
    table = table_on()
    game = table.open(Opening(players=HUMANS, seed=7, first_voice=1, rotated=True)).game
    assert log_codes(table.log) == [("match/rotation", 1)]
    assert audit_game(table.log, game).ok


def test_a_game_before_that_is_not_in_this_log_cannot_be_held_against_it():
    table, rounds = three_rounds()
    log = MemoryLog()
    for row in table.log.rows(rounds[2]):
        log.insert([msgspec.structs.replace(row, position=log.last_position() + 1)])
    assert audit_log(log).ok


def test_games_that_name_each_other_go_round_no_longer_than_once():
    table, rounds = three_rounds()
    log = rewritten(table, rounds[0], previous=rounds[2], round=4)
    assert {code for code, _ in log_codes(log)} == {"match/round", "match/rotation"}
    assert len(match_table(log, rounds[1]).rounds) == 3


def test_the_rotation_is_asked_of_random_matches(table: Table):
    rng = random.Random(5)
    game = table.open(Opening(players=HUMANS)).game
    for _ in range(8):
        for _ in range(rng.randrange(3)):
            pass_all(table, game)
        table.act(game, Escape(rng.randrange(3)))
        game = table.open(next_opening(table.load(game).state, game)).game
    assert audit_log(table.log).ok
