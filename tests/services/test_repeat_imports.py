"""A record that is imported again: known by its content or by an id, and stored once."""

import random
from pathlib import Path

import pytest

from ddz.errors import Refused, Unreadable
from ddz.record import record_of, record_text
from ddz.services import loop
from ddz.services.archive import export_events, import_bytes
from ddz.services.imports import command_ids
from ddz.services.lines import fork
from ddz.services.opening import Opening
from ddz.services.table import Table

from .repeats import all_clean, all_easy, count
from .tables import (
    HUMANS,
    SPRING_RECORD,
    VOID_RECORD,
    hasty,
    play_on,
    random_game,
    say,
    table_on,
)


def spoilt(text: str, old: str, new: str) -> bytes:
    assert old in text
    return text.replace(old, new).encode()


def test_a_record_is_known_by_its_content(each_table: Table):
    first = import_bytes(each_table, SPRING_RECORD.encode(), "a.toml", by_content=True)
    stored = count(each_table.log)
    for same in (
        SPRING_RECORD.encode(),
        spoilt(SPRING_RECORD, "[[deals]]", "# a comment\n\n[[deals]]"),
        spoilt(SPRING_RECORD, '"33334444555566667"', '"76666555544443333"'),
        spoilt(SPRING_RECORD, '"0 play 333444555666 as airplane"', '"0 play 666555444333 as airplane"'),
        spoilt(SPRING_RECORD, '"0 play 34567"', '"0 play 34567 as chain"'),
    ):
        assert import_bytes(each_table, same, "b.toml", by_content=True) == first
    assert count(each_table.log) == stored
    for other in (
        spoilt(SPRING_RECORD, '"ann"', '"eve"'),
        spoilt(SPRING_RECORD, "payouts = [12, -6, -6]\n", ""),
        spoilt(SPRING_RECORD, '"0 play 22", "1 pass", "2 pass", "0 play R"', '"0 play 22", "1 pass", "2 pass"').replace(
            b"payouts = [12, -6, -6]\n", b""
        ),
        spoilt(SPRING_RECORD, '"classic"', '"pagat"'),
        SPRING_RECORD.encode() + b'\n[meta]\nid = "my own name"\n',
    ):
        made = import_bytes(each_table, other, "a.toml", by_content=True)
        assert made.game != first.game
        assert import_bytes(each_table, other, "c.toml", by_content=True) == made
    all_clean(each_table)


def test_a_record_that_was_imported_plainly_is_known_too(each_table: Table):
    """After a kill: who comes to think of it only then loses nothing. The oldest is answered."""
    first, second = (import_bytes(each_table, VOID_RECORD.encode(), "a test") for _ in range(2))
    assert first.game != second.game, "plainly, the same record is another game each time"
    say(each_table, first.game, "0 bid 2")
    stored = count(each_table.log)
    assert import_bytes(each_table, VOID_RECORD.encode(), "a test", by_content=True) == first, "as it was imported"
    assert count(each_table.log) == stored


def test_a_record_with_seeds_is_known_by_its_content(table: Table):
    for seed in (None, 5):
        game = loop.run(table, table.load(table.open(Opening(players=HUMANS, seed=seed)).game), all_easy()).game
        text = record_text(record_of(table.log.history(game))).encode()
        first = import_bytes(table, text, "a test", by_content=True)
        assert import_bytes(table, text, "another", by_content=True) == first


def test_a_record_in_another_engines_format_is_known_by_its_content(table: Table):
    folder = Path(__file__).parents[2] / "fixtures" / "foreign"
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    known = 0
    for file in files:
        try:
            first = import_bytes(table, file.read_bytes(), file.name, by_content=True)
        except Unreadable:
            continue
        known += 1
        stored = count(table.log)
        assert import_bytes(table, file.read_bytes(), "other.txt", by_content=True) == first
        assert count(table.log) == stored
    assert known >= 4


def test_logs_that_hold_the_same_record_can_still_be_merged(tmp_path: Path):
    one, other = (table_on(hasty(tmp_path / name), name) for name in ("one.db", "other.db"))
    first = import_bytes(one, SPRING_RECORD.encode(), "a test", by_content=True)
    second = import_bytes(other, SPRING_RECORD.encode(), "a test", by_content=True)
    one.log.adopt(other.log.after(0))
    assert {line.game for line in one.log.lines()} == {first.game, second.game}
    assert import_bytes(one, SPRING_RECORD.encode(), "a test", by_content=True) == first, "the oldest"
    one.log.close()
    other.log.close()


def test_an_event_that_calls_itself_a_record_is_no_import_of_it(table: Table):
    """A stranger's events may have any id: nothing is answered that is not the record."""
    honest = import_bytes(table_on(), SPRING_RECORD.encode(), "a test")
    liar = table_on()
    text = spoilt(SPRING_RECORD, '"ann"', '"eve"')
    real = import_bytes(liar, SPRING_RECORD.encode(), "a test")
    name = liar.log.rows(real.game)[0].event_id.partition("/")[0]
    import_bytes(table, text, "a test", command_id=name)
    stored = count(table.log)
    with pytest.raises(Refused) as caught:
        import_bytes(table, SPRING_RECORD.encode(), "a test", by_content=True)
    assert caught.value.code == "log/command-reused"
    assert count(table.log) == stored
    assert honest.payouts == real.payouts


def test_an_events_file_is_known_by_its_own_ids(each_table: Table):
    away = table_on(seed="away")
    line = fork(away, random_game(away, 3).game, 2).game
    play_on(away, line, random.Random(1), turns=2)
    raw = export_events(away, line).encode()
    first = import_bytes(each_table, raw, "a test")
    stored = count(each_table.log)
    for options in ({}, {"by_content": True}, {"command_id": "free"}):
        assert import_bytes(each_table, raw, "another", **options) == first
    play_on(each_table, line, random.Random(2), turns=1)
    assert import_bytes(each_table, raw, "another") == first, "also when it has gone on here"
    assert count(each_table.log) > stored


def test_each_of_several_files_has_an_id_of_its_own():
    assert command_ids(None, 3) == [None, None, None]
    assert command_ids("mine", 1) == ["mine"]
    assert command_ids("mine", 3) == ["mine", "mine.2", "mine.3"]
    assert len(command_ids("x" * 60, 999)[-1]) == 64
    for name, files in (("x" * 60, 1000), ("x" * 65, 1), ("a/b", 1), ("", 1)):
        with pytest.raises(Refused) as caught:
            command_ids(name, files)
        assert caught.value.code == "log/bad-command-id"
