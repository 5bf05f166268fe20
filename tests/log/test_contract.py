"""What every log promises, promise by promise, held against each log there is."""

from collections.abc import Collection

import msgspec
import pytest

from ddz.errors import BrokenLog, Refused, StaleLog, UnknownGame
from ddz.frozen.events import BidPassed, GameForked, GameOpened, PlayPassed, SeatEscaped
from ddz.log import chain, codec
from ddz.log.base import GENESIS, EventLog, Row
from ddz.log.memory import MemoryLog

from .games import AT, family, fill, findings, fork, game, log_head, store, turn_points


class TestAppends:
    def test_what_was_appended_is_read_back(self, log: EventLog):
        batches = game("ann")
        rows = store(log, "ann", 0, batches)
        assert log.history("ann") == tuple(event for batch in batches for event in batch)
        assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
        assert {row.at for row in rows} == {AT}

    def test_append_answers_its_own_rows(self, log: EventLog):
        first, second = game("ann")[:2]
        assert log.append("ann", 0, first, "one", AT) == log.rows("ann")
        rows = log.append("ann", 1, second, "two", AT)
        assert rows == log.rows("ann")[1:] == log.find("two")
        assert [row.event_id for row in rows] == ["two/0"]

    def test_a_batch_is_linked_from_the_genesis_on(self, log: EventLog):
        rows = fill(log, "ann")
        assert rows[0].prev == GENESIS
        assert [row.prev for row in rows[1:]] == [row.hash for row in rows[:-1]]
        assert all(row.hash == chain.hash_of(row) for row in rows)

    def test_positions_are_gapless_over_all_games(self, log: EventLog):
        fill(log, "ann", turns=3)
        fill(log, "bob", turns=3)
        rows = list(log.after(0))
        assert [row.position for row in rows] == list(range(1, len(rows) + 1))
        assert {row.game for row in rows} == {"ann", "bob"}

    def test_after_goes_on_behind_a_position(self, log: EventLog):
        fill(log, "ann", turns=3)
        everything = list(log.after(0))
        for position in range(-1, len(everything) + 2):
            assert list(log.after(position)) == everything[max(position, 0) :]

    @pytest.mark.parametrize("types", [(), ("game_opened",), {"cards_played", "play_passed", "game_scored"}])
    def test_after_gives_only_the_types_that_are_asked_for(self, log: EventLog, types: Collection[str]):
        for number in range(30):
            fill(log, f"g{number}", seed=number)
        everything = list(log.after(0))
        for position in (0, 40, len(everything)):
            expected = [row for row in everything if row.position > position and row.type in types]
            assert list(log.after(position, types)) == expected
        assert expected == []
        assert len(list(log.after(0, types))) > (1000 if "play_passed" in types else -1), "more than one read"

    def test_a_long_log_is_read_whole(self, log: EventLog):
        rows = [row for number in range(30) for row in fill(log, f"g{number}", seed=number)]
        assert len(rows) > 1000
        assert list(log.after(0)) == rows

    @pytest.mark.parametrize("upto", [-1, 0, 1, 5, 10**30])
    def test_upto_cuts_what_is_read(self, log: EventLog, upto: int):
        rows = fill(log, "ann")
        assert log.rows("ann", upto) == rows[: max(upto, 0)]
        assert len(log.history("ann", upto)) == len(rows[: max(upto, 0)])


def read_all(log: EventLog, upto: int, size: int = 9) -> list[tuple[Row, ...]]:
    """The own rows of every line by spans of so many lines, up to a position."""
    return [tuple(line) for span in log.spans(size) for line in log.lines_in(span, upto)]


class TestReadingAll:
    def test_spans_hold_every_line_once_with_its_own_rows(self, log: EventLog):
        family(log)
        ids = sorted(line.game for line in log.lines())
        for size in (1, 2, 3, 100):
            spans = log.spans(size)
            assert [span.lines for span in spans[:-1]] == [size] * (len(spans) - 1)
            assert sum(span.lines for span in spans) == len(ids)
            assert read_all(log, log.last_position(), size) == [log.own(game) for game in ids]

    def test_what_comes_behind_a_position_is_not_there_yet(self, log: EventLog):
        fill(log, "bob", turns=3)
        position = log.last_position()
        before = read_all(log, position)
        fork(log, "a fork", "bob", turn_points(log, "bob")[0], turns=1)
        fill(log, "cat", turns=2)
        assert read_all(log, position) == before
        assert [row for piece in log.hashes(position) for row in piece] == [
            (row.position, row.hash) for row in log.after(0) if row.position <= position
        ]
        for upto in range(position):
            (cut,) = read_all(log, upto) if upto else ((),)
            assert cut == log.rows("bob", upto)

    def test_the_head_comes_from_the_hashes_however_many_at_a_time(self, log: EventLog):
        for number in range(3):
            fill(log, f"g{number}", seed=number)
        rows = list(log.after(0))
        hashes = [each for piece in log.hashes(log.last_position()) for each in piece]
        assert hashes == [(row.position, row.hash) for row in rows]
        for known in (None, *(log_head(rows[:number]) for number in (0, 1, 9, 10, 99, 100, len(rows)))):
            for size in (1, 7, 10**6):
                check = chain.LogCheck(known)
                for at in range(0, len(hashes), size):
                    check.add(hashes[at : at + size])
                assert (check.head, check.gaps, check.head_problems()) == (log_head(rows), [], [])

    def test_an_empty_log_has_no_spans(self, log: EventLog):
        assert log.spans(5) == []
        assert log.last_position() == 0
        assert [each for piece in log.hashes(99) for each in piece] == []


class TestOptimism:
    def test_a_stale_append_stores_nothing(self, log: EventLog):
        first, second, third = game("ann")[:3]
        log.append("ann", 0, first, "one", AT)
        log.append("ann", 1, second, "two", AT)
        before = list(log.after(0))
        for expected in (0, 1, 3, 99):
            with pytest.raises(StaleLog) as caught:
                log.append("ann", expected, third, "three", AT)
            assert caught.value.facts == {"game": "ann", "expected": expected, "actual": 2}
        assert list(log.after(0)) == before
        assert log.find("three") == ()
        log.append("ann", 2, third, "three", AT)

    def test_a_game_that_is_not_there_is_at_0(self, log: EventLog):
        with pytest.raises(StaleLog):
            log.append("ann", 3, [BidPassed(0, 1)], "one", AT)

    def test_a_game_begins_with_its_own_opening(self, log: EventLog):
        opened, dealt = game("ann")[:2]
        for name, batch in (("ann", dealt), ("bob", opened)):
            with pytest.raises(Refused) as caught:
                log.append(name, 0, batch, "one", AT)
            assert caught.value.code == "log/bad-batch"
        assert list(log.after(0)) == []

    def test_a_batch_is_stored_whole_or_not_at_all(self, log: EventLog):
        opened, dealt = game("ann")[:2]
        with pytest.raises(Refused) as caught:
            log.append("ann", 0, [*opened, *dealt, *opened], "one", AT)
        assert caught.value.code == "log/bad-batch"
        assert list(log.after(0)) == []
        assert log.find("one") == ()
        with pytest.raises(UnknownGame):
            log.history("ann")
        fill(log, "ann", turns=2)
        assert findings(log) == []

    @pytest.mark.parametrize("bad", ["", "@last", "a/b", 'a"b', "a\\b", "a\nb", "\ud800", "x" * 65])
    def test_an_id_of_a_game_must_be_fit_to_print(self, log: EventLog, bad: str):
        opened = msgspec.structs.replace(game("ann")[0][0], game=bad)
        with pytest.raises(Refused) as caught:
            log.append(bad, 0, [opened], "one", AT)
        assert caught.value.code in ("log/bad-game-id", "log/bad-text")
        assert list(log.after(0)) == []

    def test_faults_of_the_program_are_no_refusals(self, log: EventLog):
        opened = game("ann")[0]
        with pytest.raises(ValueError, match="at least one event"):
            log.append("ann", 0, [], "one", AT)
        for at in ("yesterday", "2024-05-06 07:08:09Z", "2024-05-06T07:08:09+02:00", "2024-05-06T07:08:09"):
            with pytest.raises(ValueError, match="RFC 3339"):
                log.append("ann", 0, opened, "one", at)
        assert list(log.after(0)) == []


class TestIdempotence:
    def test_a_retry_answers_the_first_rows(self, log: EventLog):
        batches = game("ann")
        rows = store(log, "ann", 0, batches)
        seq = 0
        for number, batch in enumerate(batches):
            again = log.append("ann", seq, batch, f"ann-{number}", "2030-01-01T00:00:00Z")
            assert again == rows[seq : seq + len(batch)]
            seq += len(batch)
        assert log.rows("ann") == rows

    def test_a_retry_is_known_before_it_is_stale(self, log: EventLog):
        batches = game("ann")
        rows = store(log, "ann", 0, batches)
        assert log.append("ann", 999, batches[1], "ann-1", AT) == rows[1:2]

    def test_another_command_may_not_use_the_id(self, log: EventLog):
        opened, dealt, *rest = game("ann")
        log.append("ann", 0, [*opened, *dealt], "one", AT)
        before = list(log.after(0))
        attempts = [
            ("ann", 2, rest[0]),
            ("ann", 2, opened),
            ("bob", 0, [*opened, *dealt]),
            ("ann", 0, [*dealt, *opened]),
        ]
        for name, seq, batch in attempts:
            with pytest.raises(Refused) as caught:
                log.append(name, seq, batch, "one", AT)
            assert caught.value.code == "log/command-reused"
        assert list(log.after(0)) == before

    def test_ids_that_begin_alike_are_different(self, log: EventLog):
        opened, dealt, third = game("ann")[:3]
        log.append("ann", 0, opened, "a", AT)
        log.append("ann", 1, dealt, "a0", AT)
        log.append("ann", 2, third, "a.", AT)
        assert [row.seq for row in log.find("a")] == [1]
        assert [row.seq for row in log.find("a0")] == [2]
        for unknown in ("", "a/", "a/0", "b", "A", "a%", "*"):
            assert log.find(unknown) == ()

    def test_the_events_of_a_long_command_stay_in_order(self, log: EventLog):
        batches = game("ann")
        events = [event for batch in batches for event in batch]
        rows = log.append("ann", 0, events, "all", AT)
        assert len(rows) > 11
        assert log.find("all") == rows == log.append("ann", 0, events, "all", AT)

    @pytest.mark.parametrize("bad", ["", "a/b", "/", "x" * 65, "new\nline", "\x00", "\ud800"])
    def test_an_id_must_be_fit_to_print(self, log: EventLog, bad: str):
        with pytest.raises(Refused) as caught:
            log.append("ann", 0, game("ann")[0], bad, AT)
        assert caught.value.code == "log/bad-command-id"
        assert list(log.after(0)) == []

    @pytest.mark.parametrize("good", ["x", "x" * 64, "a b", "安", "%", "it's"])
    def test_any_printable_id_is_good(self, log: EventLog, good: str):
        rows = log.append("ann", 0, game("ann")[0], good, AT)
        assert log.find(good) == rows


class TestForks:
    def test_a_fork_inherits_and_goes_on_alone(self, log: EventLog):
        parent = fill(log, "ann")
        at = turn_points(log, "ann")[5]
        rows = fork(log, "left", "ann", at)
        assert rows[:at] == parent[:at]
        assert rows[at].prev == parent[at - 1].hash
        assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
        assert {row.game for row in rows[at:]} == {"left"}
        assert log.rows("ann") == parent
        assert findings(log) == []

    def test_a_fork_may_be_forked_anywhere_in_its_lineage(self, log: EventLog):
        fill(log, "ann")
        points = turn_points(log, "ann")
        fork(log, "left", "ann", points[6])
        for number, at in enumerate(turn_points(log, "left")):
            name = f"deep{number}"
            rows = fork(log, name, "left", at, turns=1)
            assert rows[:at] == log.rows("left")[:at]
            assert rows[at].prev == rows[at - 1].hash
            assert len(log.history(name)) == len(rows)
        assert findings(log) == []

    def test_a_chain_of_forks_at_the_same_inherited_point(self, log: EventLog):
        fill(log, "ann")
        at = turn_points(log, "ann")[2]
        parent = "ann"
        for number in range(5):
            fork(log, f"f{number}", parent, at, turns=0, seed=number)
            parent = f"f{number}"
        rows = log.rows(parent)
        assert [row.game for row in rows] == ["ann"] * at + [parent] * (len(rows) - at)
        assert log.history(parent)[:at] == log.history("ann", at)
        assert findings(log) == []

    def test_upto_reaches_into_the_inherited_part(self, log: EventLog):
        family(log)
        for line in ("left", "lower", "deep"):
            rows = log.rows(line)
            for upto in range(len(rows) + 1):
                assert log.rows(line, upto) == rows[:upto]

    def test_a_fork_goes_on_from_its_own_end(self, log: EventLog):
        fill(log, "ann")
        rows = fork(log, "left", "ann", turn_points(log, "ann")[1], turns=0)
        with pytest.raises(StaleLog):
            log.append("left", rows[-1].seq - 1, [SeatEscaped(0)], "late", AT)
        log.append("left", rows[-1].seq, [SeatEscaped(0)], "on", AT)
        assert log.rows("left")[-1].seq == rows[-1].seq + 1

    def test_a_fork_must_name_what_its_parent_has(self, log: EventLog):
        family(log)
        rows = log.rows("ann")
        hash_of = {row.seq: row.hash for row in rows}
        own = log.rows("left")[-1]
        beyond = rows[-1].seq + 5
        faulty = [
            ("ann", 3, hash_of[4], 3),
            ("ann", 3, "0" * 64, 3),
            ("ann", beyond, hash_of[3], beyond),
            ("ann", 0, GENESIS, 0),
            ("ann", own.seq, own.hash, own.seq),
            ("bob", 3, hash_of[3], 3),
            ("ann", 3, hash_of[3], 4),
        ]
        before = list(log.after(0))
        for parent, at, head, expected in faulty:
            with pytest.raises(Refused) as caught:
                log.append("new", expected, [GameForked(parent, at, head, "back")], "f", AT)
            assert caught.value.code == "log/bad-fork"
        with pytest.raises(UnknownGame):
            log.append("new", 3, [GameForked("nobody", 3, hash_of[3], "back")], "f", AT)
        assert list(log.after(0)) == before

    def test_a_fork_begins_a_line_and_stands_nowhere_else(self, log: EventLog):
        rows = fill(log, "ann", turns=3)
        last = rows[-1]
        again = GameForked("ann", last.seq, last.hash, "back")
        with pytest.raises(Refused) as caught:
            log.append("ann", last.seq, [again], "f", AT)
        assert caught.value.code == "log/bad-batch"
        log.append("left", last.seq, [again], "f", AT)
        with pytest.raises(Refused):
            log.append(
                "left", last.seq + 1, [GameForked("left", last.seq + 1, log.rows("left")[-1].hash, "back")], "g", AT
            )


class TestHistory:
    def test_a_game_that_is_not_there(self, log: EventLog):
        assert log.rows("nobody") == ()
        with pytest.raises(UnknownGame):
            log.history("nobody")
        with pytest.raises(UnknownGame):
            log.history("nobody", 0)

    def test_what_has_been_read_does_not_change(self, log: EventLog):
        rows = fill(log, "ann", turns=3)
        iterator = log.after(0)
        assert next(iterator) == rows[0]
        fill(log, "bob", turns=3)
        assert len([row for row in iterator if row.game == "bob"]) == len(log.rows("bob"))


class TestLines:
    def test_an_empty_log_has_none(self, log: EventLog):
        assert list(log.lines()) == []

    def test_the_newest_event_comes_first(self, log: EventLog):
        family(log)
        lines = list(log.lines())
        assert [line.game for line in lines] == ["deep", "lower", "left", "bob", "ann"]
        assert [line.last_position for line in lines] == sorted((line.last_position for line in lines), reverse=True)

    def test_a_line_says_where_it_comes_from(self, log: EventLog):
        family(log)
        points = turn_points(log, "ann")
        lines = {line.game: line for line in log.lines()}
        ann, lower, deep = lines["ann"], lines["lower"], lines["deep"]
        assert (ann.parent, ann.forked_at, ann.reason) == (None, None, None)
        assert (lower.parent, lower.forked_at, lower.reason) == ("left", points[1], "explore")
        assert deep.parent == "left"
        last = log.rows("lower")[-1]
        assert (lower.last_seq, lower.last_type, lower.last_position) == (last.seq, last.type, last.position)

    def test_a_line_says_when(self, log: EventLog):
        opened, dealt = game("ann")[:2]
        log.append("ann", 0, opened, "one", AT)
        log.append("ann", 1, dealt, "two", "2024-05-07T00:00:00.123456+00:00")
        (line,) = log.lines()
        assert (line.opened_at, line.last_at) == (AT, "2024-05-07T00:00:00.123456+00:00")

    def test_what_was_seen_is_marked(self, log: EventLog):
        family(log)
        assert not any(line.seen for line in log.lines())
        log.mark_seen("left")
        log.mark_seen("left")
        assert {line.game for line in log.lines() if line.seen} == {"left"}
        with pytest.raises(UnknownGame):
            log.mark_seen("nobody")
        assert findings(log) == []


class TestResolve:
    @pytest.fixture
    def filled(self, log: EventLog) -> EventLog:
        for name in ("abc", "abd", "xyz", "a%c", "xy"):
            fill(log, name, turns=0)
        return log

    def test_by_unique_beginning(self, filled: EventLog):
        assert [filled.resolve(prefix) for prefix in ("abc", "abd", "xyz", "a%")] == ["abc", "abd", "xyz", "a%c"]

    def test_a_whole_id_is_itself_even_if_another_begins_so(self, filled: EventLog):
        assert filled.resolve("xy") == "xy"

    def test_several_are_named(self, filled: EventLog):
        with pytest.raises(UnknownGame, match="abc, abd"):
            filled.resolve("ab")

    def test_very_many_are_named_in_part(self, log: EventLog):
        for number in range(9):
            fill(log, f"g{number}", turns=0)
        with pytest.raises(UnknownGame, match=r"g0, g1, g2, g3, g4, \.\.\.$"):
            log.resolve("g")

    @pytest.mark.parametrize("prefix", ["", "q", "%", "_bc", "ab_", "*", "[a]bc", "ABC", "abcd", "\x00", "\ud800", "@"])
    def test_nothing_matches_but_signs_themselves(self, filled: EventLog, prefix: str):
        with pytest.raises(UnknownGame):
            filled.resolve(prefix)

    def test_last_is_the_line_with_the_newest_event(self, filled: EventLog):
        assert filled.resolve("@last") == "xy"
        fork(filled, "new", "abc", turn_points(filled, "abc")[0], turns=0)
        assert filled.resolve("@last") == "new"
        filled.append("abd", filled.rows("abd")[-1].seq, [PlayPassed(0, 1, False)], "late", AT)
        assert filled.resolve("@last") == "abd"

    def test_an_empty_log_has_no_last(self, log: EventLog):
        with pytest.raises(UnknownGame):
            log.resolve("@last")


class TestAdopt:
    @pytest.fixture
    def source(self) -> MemoryLog:
        source = MemoryLog()
        family(source)
        return source

    def test_rows_are_taken_over_byte_for_byte(self, log: EventLog, source: MemoryLog):
        fill(log, "zoe", turns=2)
        count = len(list(log.after(0)))
        log.adopt(tuple(source.after(0)))
        adopted = list(log.after(count))
        assert adopted == [chain.moved(row, row.position + count) for row in source.after(0)]
        assert log.history("deep") == source.history("deep")
        assert findings(log) == []

    def test_a_second_time_changes_nothing(self, log: EventLog, source: MemoryLog):
        log.adopt(source.rows("left"))
        log.adopt(source.rows("left"))
        assert log.rows("left") == tuple(log.after(0))
        log.adopt(tuple(source.after(0)))
        assert len(list(log.after(0))) == len(list(source.after(0)))
        assert log.history("deep") == source.history("deep")

    def test_an_adopted_game_goes_on(self, log: EventLog):
        batches = game("ann")
        source = MemoryLog()
        store(source, "ann", 0, batches[:3])
        log.adopt(source.rows("ann"))
        log.append("ann", 3, batches[3], "on", AT)
        assert log.append("ann", 2, batches[2], "ann-2", AT) == log.rows("ann")[2:3]

    def test_a_broken_row_leaves_nothing_behind(self, log: EventLog, source: MemoryLog):
        rows = list(source.after(0))
        for index in range(0, len(rows), 3):
            spoilt = [*rows[:index], with_a_blank(rows[index]), *rows[index + 1 :]]
            with pytest.raises(BrokenLog) as caught:
                log.adopt(spoilt)
            assert caught.value.code == "integrity/hash"
            assert caught.value.seq == rows[index].seq
            assert list(log.after(0)) == []

    def test_a_row_whose_predecessor_is_missing_is_refused(self, log: EventLog, source: MemoryLog):
        rows = source.rows("left")
        for index in range(len(rows) - 1):
            with pytest.raises(BrokenLog) as caught:
                log.adopt([*rows[:index], *rows[index + 1 :]])
            assert caught.value.code.startswith("integrity/")
        assert list(log.after(0)) == []

    def test_an_id_that_is_taken_is_refused(self, log: EventLog, source: MemoryLog):
        fill(log, "ann", seed=9, turns=3)
        before = list(log.after(0))
        with pytest.raises(BrokenLog) as caught:
            log.adopt(source.rows("ann"))
        assert caught.value.code == "log/id-taken"
        renamed = MemoryLog()
        renamed.append("ann", 0, game("ann", seed=3)[0], "other", AT)
        with pytest.raises(BrokenLog) as caught:
            log.adopt(renamed.rows("ann"))
        assert caught.value.code == "log/id-taken"
        assert list(log.after(0)) == before

    def test_a_body_that_is_no_event_is_refused_though_its_hash_is_right(self, log: EventLog, source: MemoryLog):
        row = source.rows("ann")[0]
        for body in ("{}", "nonsense", row.body.replace('"round":1', '"round":1,"x":2')):
            with pytest.raises(BrokenLog) as caught:
                log.adopt([resealed(row, body)])
            assert caught.value.code == "integrity/body"
        assert list(log.after(0)) == []


class TestText:
    def test_names_in_any_script_survive(self, log: EventLog):
        fill(log, "ann", turns=0)
        (opened, *_) = log.history("ann")
        assert isinstance(opened, GameOpened)
        assert opened.players[0].name == "安 Ann"

    def test_what_is_no_text_is_refused(self, log: EventLog):
        (opened,) = game("ann")[0]
        bad = msgspec.structs.replace(opened, seat_seeds=("\ud800", "", ""))
        with pytest.raises(Refused) as caught:
            log.append("ann", 0, [bad], "one", AT)
        assert caught.value.code == "log/bad-text"

    def test_the_body_is_what_the_codec_writes(self, log: EventLog):
        batches = game("ann")
        rows = store(log, "ann", 0, batches)
        events = [event for batch in batches for event in batch]
        assert [(row.type, row.version, row.body) for row in rows] == [codec.encode(event) for event in events]


def with_a_blank(row: Row) -> Row:
    return msgspec.structs.replace(row, body=row.body.replace(":", ": ", 1))


def resealed(row: Row, body: str) -> Row:
    return chain.sealed(msgspec.structs.replace(row, body=body))
