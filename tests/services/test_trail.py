"""A fork audited from where it leaves its parent, against its rows audited as one line, whatever was done to it."""

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from ddz.errors import UnsupportedVersion
from ddz.frozen.events import GameForked
from ddz.log import chain, codec
from ddz.log.base import GENESIS, EventLog, Row
from ddz.log.memory import MemoryLog
from ddz.log.sqlite import SqliteLog
from ddz.services import archive
from ddz.services.audit import Audit, audit_rows, audit_trail
from ddz.services.judge import Lawless, judge_for
from ddz.services.judge import findings as spoken_against
from ddz.services.opening import Opening
from ddz.services.trail import Trails, extend

from .tables import HUMANS, imported, pass_all, play_on, random_game, table_on
from .test_audit_log import CHANGES, Intruder, audit_all, games, intruder, raw

__all__ = ["games", "intruder"]
FIXTURES = Path(__file__).parents[2] / "fixtures"
replaced = msgspec.structs.replace


# ---- a file that somebody has changed without knowing the hash ----


@pytest.mark.parametrize("column", CHANGES)
def test_every_column_of_every_row_that_forks_inherit(intruder: Intruder, games: dict[str, str], column: str):
    log, family = intruder.log, ("game", "line", "lower")
    last = log.last_position()
    forks = 0
    for row in raw(log):
        if row.game not in {games[name] for name in family}:
            continue
        for change in CHANGES[column]:
            with intruder.trial():
                intruder.do(f"UPDATE events SET {column} = {change} WHERE position = ?", row.position)
                forks += same_as_whole(log) + same_as_whole(log, last)
    assert forks > 50


def test_rows_removed_and_the_log_as_it_was_before(intruder: Intruder):
    log = intruder.log
    last = log.last_position()
    for row in raw(log):
        same_as_whole(log, row.position)
        with intruder.trial():
            intruder.do("DELETE FROM events WHERE position = ?", row.position)
            same_as_whole(log, last)
            same_as_whole(log, row.position + 3)


def same_as_whole(log: EventLog, upto: int = 10**9) -> int:
    """Audit all lines both ways; how many of them inherit something."""
    trails, forks = Trails(log, upto), 0
    for span in log.spans(2):
        for own in log.lines_in(span, upto):
            line = log.rows(own[0].game) if own[0].type == "game_forked" else own
            rows = [row for row in line if row.position <= upto] or own
            before = trails.before(own[0])
            assert (before is None) == (len(rows) == len(own))
            assert audit_trail(extend(before, own)) == audit_rows(rows)
            forks += before is not None
    return forks


# ---- a log of somebody who knows it ----

Tamper = Callable[[list[Row], int, random.Random], list[Row]]
TAMPERS: dict[str, Tamper] = {
    "nothing": lambda rows, _at, _rng: rows,
    "an event left out": lambda rows, at, _: [*rows[:at], *rows[at + 1 :]],
    "an event twice": lambda rows, at, _: [*rows[: at + 1], *rows[at:]],
    "two events exchanged": lambda rows, at, _: [*rows[:at], *reversed(rows[at : at + 2]), *rows[at + 2 :]],
    "another event": lambda rows, at, rng: [*rows[:at], told_as(rows[at], rng.choice(rows)), *rows[at + 1 :]],
    "the first deal again": lambda rows, _at, _rng: [
        told_as(row, dealt(rows)) if row.type == "dealt" else row for row in rows
    ],
    "no event": lambda rows, at, _: [*rows[:at], replaced(rows[at], body="{}"), *rows[at + 1 :]],
    "an event of no version": lambda rows, at, _: [*rows[:at], replaced(rows[at], version=0), *rows[at + 1 :]],
    "a newer event": lambda rows, at, _: [*rows[:at], replaced(rows[at], version=9), *rows[at + 1 :]],
}

UNREAD = ("no event", "an event of no version", "a newer event")
"""A log in memory does not even begin with these; one in a file is above."""


def dealt(rows: Sequence[Row]) -> Row:
    return next(row for row in rows if row.type == "dealt")


def told_as(row: Row, other: Row) -> Row:
    return replaced(row, type=other.type, version=other.version, body=other.body)


def whole_games() -> Iterator[list[Row]]:
    """A drawn game with a redeal, the same brought by a record, and one whose record assigns the landlord."""
    table = table_on(seed="trails")
    opened = table.open(Opening(players=HUMANS, seed=5))
    pass_all(table, opened.game)
    play_on(table, opened.game, random.Random(1))
    yield list(table.log.rows(opened.game))
    text = archive.export_record(table, opened.game)
    assert "[fairness]" in text
    yield list(table.log.rows(imported(table, text).game))
    escaped = random_game(table, 8, turns=20, escape=0.1).game
    yield list(table.log.rows(escaped))
    name = "douzero-26.json"
    assigned = archive.import_bytes(table, (FIXTURES / "foreign" / name).read_bytes(), name).game
    yield list(table.log.rows(assigned))


@pytest.fixture(scope="module")
def material() -> list[list[Row]]:
    return list(whole_games())


@pytest.mark.parametrize("which", range(4))
@pytest.mark.parametrize("tamper", TAMPERS)
def test_forks_of_forks_of_a_forged_game(material: list[list[Row]], which: int, tamper: str):
    rng = random.Random(f"{tamper} {which}")
    rows = material[which]
    begin = 1 if tamper in UNREAD else 0
    few = [
        *range(begin, min(8, len(rows) - 2)),
        *(rng.randrange(begin, len(rows) - 1) for _ in range(6)),
        len(rows) - 2,
    ]
    for at in few if tamper != "nothing" else [0]:
        changed = TAMPERS[tamper](list(rows), at, rng)
        cuts = sorted({*(rng.randrange(1, len(changed)) for _ in range(3)), *(at + n for n in (1, 2, 3))})
        log = branched(changed, [cut for cut in cuts if cut < len(changed)])
        assert compared(log, rng) > 0
        judged_alike(log)


def branched(rows: Sequence[Row], cuts: Sequence[int]) -> MemoryLog:
    """A log with a game, a fork of it, a fork of that and so on: one each that goes on as the game, and one that ends.

    Every hash and every link holds.
    """
    log = MemoryLog()
    sealed(log, rows[0].game, rows, None)
    parent = rows[0].game
    for number, cut in enumerate(cuts):
        point = log.rows(parent)[cut + number - 1]
        kind, version, body = codec.encode(GameForked(parent, point.seq, point.hash, "back"))
        begin = replaced(rows[0], type=kind, version=version, body=body)
        sealed(log, f"short{number}", [begin], point)
        parent = f"fork{number}"
        sealed(log, parent, [begin, *rows[cut:]], point)
    return log


def sealed(log: MemoryLog, game: str, rows: Sequence[Row], before: Row | None) -> None:
    for number, row in enumerate(rows):
        seq, prev = (before.seq + 1, before.hash) if before else (1, GENESIS)
        place = log.last_position() + 1
        moved = replaced(row, position=place, game=game, seq=seq, event_id=f"{game}{number}/0", prev=prev)
        before = chain.sealed(moved)
        log.insert([before])


def compared(log: MemoryLog, rng: random.Random) -> int:
    """Audit all lines both ways, in any order; how many of them are forks."""
    trails = Trails(log)
    lines = sorted({row.game for row in log.after(0)})
    rng.shuffle(lines)
    for game in lines:
        own = log.own(game)
        whole = outcome(lambda game=game: audit_rows(log.rows(game))[0])
        assert outcome(lambda own=own: audit_trail(extend(trails.before(own[0]), own))[0]) == whole
    return len(lines) - 1


def outcome(audit: Callable[[], Audit]) -> Audit | tuple[str, int | None, str]:
    try:
        return audit()
    except UnsupportedVersion as newer:
        return newer.code, newer.seq, str(newer)


def judged_alike(log: MemoryLog) -> None:
    """The judge objects to a line for what speaks against it as a whole first."""
    judge = judge_for(log)
    for own in log.grown(0):
        try:
            first = next(spoken_against(log, log.rows(own[0].game)), None)
        except UnsupportedVersion:
            with pytest.raises(UnsupportedVersion):
                judge(own)
            continue
        if first is None:
            judge(own)
            continue
        with pytest.raises(Lawless) as refused:
            judge(own)
        assert (refused.value.code, refused.value.seq) == (first.code, first.seq)


def test_a_fault_in_what_is_inherited_is_a_finding_of_every_line_however_many_processes(
    intruder: Intruder, games: dict[str, str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("ddz.services.audit_log.LINES_AT_ONCE", 1)
    assert isinstance(intruder.log, SqliteLog)
    intruder.do("UPDATE events SET at = '2031' || substr(at, 5) WHERE game = ? AND seq = 3", games["game"])
    for jobs in (1, 2):
        audits = {audit.game: audit for audit in audit_all(intruder.log, jobs=jobs)[1]}
        for name in ("game", "line", "lower"):
            fork = audits[games[name]]
            assert fork == audit_rows(intruder.log.rows(games[name]))[0]
            wanted = [] if name == "lower" else ["integrity/hash"]
            assert [finding.code for finding in fork.findings] == wanted, "`lower` leaves before the fault"
