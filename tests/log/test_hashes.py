"""What the head of a log runs over, read as one text and row by row: the same digest, whatever somebody has written."""

import pytest

from ddz.log import chain, sql, sqlite_reading
from ddz.log.driver import sqlite3
from ddz.log.plain_hashes import PlainHashes
from ddz.log.sqlite import SqliteLog

from .games import fill

SPOILT = {
    "nothing": [],
    "one hash shorter, one longer": [
        "UPDATE events SET hash = substr(hash, 2) WHERE position = 3",
        "UPDATE events SET hash = hash || '0' WHERE position = 4",
    ],
    "a hash that looks like the next row": [
        "UPDATE events SET hash = hash || char(0, 0, 0, 2) || '99' || char(0, 0, 0) || '@' || hash WHERE position = 12"
    ],
    "a hash of other signs": ["UPDATE events SET hash = replace(hash, 'a', 'é') WHERE position = 20"],
    "a hash that ends early": ["UPDATE events SET hash = char(0) || substr(hash, 2) WHERE position = 20"],
    "no text": ["UPDATE events SET hash = CAST(x'FF' || substr(hash, 2) AS TEXT) WHERE position = 20"],
    "a gap": ["DELETE FROM events WHERE position = 50"],
    "another first position": ["DELETE FROM events WHERE position < 6"],
    "positions before the first": ["UPDATE events SET position = position - 20 WHERE position < 5"],
    "a far position": ["UPDATE events SET position = 1000000 WHERE position = (SELECT max(position) FROM events)"],
}


def taken(log: SqliteLog, upto: int = sql.BEYOND) -> tuple[list[tuple[int, str]], str, int]:
    """All (position, hash), the head, and how many gaps there are."""
    check, pairs = chain.LogCheck(), []
    for piece in log.hashes(upto):
        check.add(piece)
        pairs += list(piece)
    return pairs, check.head, len(check.gaps)


@pytest.mark.parametrize("at_once", [1, 3, 7, 64, 5000])
@pytest.mark.parametrize("what", SPOILT)
def test_one_text_says_what_the_rows_say(
    what: str, at_once: int, file_log: SqliteLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(1, 4):
        fill(file_log, f"game{seed}", seed)
    assert file_log.last_position() > 120, "positions of one, two and three digits"
    other = sqlite3.connect(str(file_log.path), isolation_level=None)
    for name in ("events_follow", "events_stay", "events_remain"):
        other.execute(f"DROP TRIGGER {name}")
    for statement in SPOILT[what]:
        assert other.execute(statement).rowcount > 0
    other.close()
    monkeypatch.setattr(sqlite_reading, "_HASHES", at_once)
    found = taken(file_log)
    texts = sum(isinstance(piece, PlainHashes) for piece in file_log.hashes(sql.BEYOND))
    assert texts > 0 or (what, at_once) != ("nothing", at_once), "a sound log is read as text"
    monkeypatch.setattr(SqliteLog, "_plain_hashes", lambda *_: None)
    assert found == taken(file_log)


def test_a_part_of_a_text_is_its_rows(file_log: SqliteLog) -> None:
    fill(file_log, "ann")
    rows = [(row.position, row.hash) for row in file_log.after(0)]
    (piece, *_) = file_log.hashes(9)
    assert isinstance(piece, PlainHashes)
    assert (list(piece), piece[2:5], piece[-1], len(piece)) == (rows[:9], rows[2:5], rows[8], 9)
    with pytest.raises(IndexError):
        piece[9]
