"""Taking over another log, of any length: as the rows come, in batches, with lines that are forgotten meanwhile."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from ddz.errors import BrokenLog
from ddz.log import adopt, chain, sqlite_reading
from ddz.log.base import Adopted, EventLog, Row
from ddz.log.memory import MemoryLog

from .games import family, fill, findings, fork, game, sqlite_log, store, turn_points


@pytest.fixture(params=["roomy", "narrow"])
def limits(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches and memories as they are, and so small that every border is met."""
    if request.param == "narrow":
        monkeypatch.setattr(adopt, "BATCH", 3)
        monkeypatch.setattr(adopt, "MOST_LINES", 2)


pytestmark = pytest.mark.usefixtures("limits")


def interleaved(names: list[str], turns: int = 3) -> MemoryLog:
    """Games that were played at the same time."""
    log = MemoryLog()
    batches = {name: game(name, seed, turns) for seed, name in enumerate(names)}
    seqs = dict.fromkeys(names, 0)
    rng = random.Random(1)
    while left := [name for name in names if batches[name]]:
        name = rng.choice(left)
        batch = batches[name].pop(0)
        log.append(name, seqs[name], batch, f"{name}-{seqs[name]}", "2024-05-06T07:08:09Z")
        seqs[name] += len(batch)
    return log


def test_rows_are_drawn_one_by_one_and_counted(log: EventLog):
    source = interleaved(["ann", "bob", "cat", "dan"])
    family(source_of_forks := MemoryLog())
    drawn = iter(source.after(0))
    rows = list(source.after(0))
    assert log.adopt(drawn) == Adopted(4, len(rows), 0)
    assert next(drawn, None) is None
    assert list(log.after(0)) == rows
    assert findings(log) == []
    with pytest.raises(BrokenLog):
        log.adopt(source_of_forks.after(0))  # another game is called ann there
    assert list(log.after(0)) == rows


def test_every_beginning_of_a_log_grows_to_the_whole(log: EventLog):
    source = MemoryLog()
    family(source)
    rows = list(source.after(0))
    for end in range(0, len(rows), 7):
        known = log.last_position()
        assert log.adopt(rows[:end]) == Adopted(
            sum(row.type in ("game_opened", "game_forked") for row in rows[known:end]), end - known, known
        )
    log.adopt(rows)
    assert list(log.after(0)) == rows
    assert findings(log) == []


def test_known_and_new_rows_may_alternate(log: EventLog):
    source = interleaved(["ann", "bob", "cat", "dan"])
    log.adopt(source.rows("bob"))
    log.adopt(source.rows("dan")[:5])
    total = len(list(source.after(0)))
    known = log.last_position()
    assert log.adopt(source.after(0)) == Adopted(2, total - known, known)
    assert {line.game for line in log.lines()} == {"ann", "bob", "cat", "dan"}
    for name in ("ann", "bob", "cat", "dan"):
        assert log.history(name) == source.history(name)
    assert findings(log) == []


def test_a_row_that_stands_twice_in_the_other_log_is_taken_once(log: EventLog):
    rows = fill(MemoryLog(), "ann", turns=3)
    twice = [row for row in rows for _ in range(2)]
    assert log.adopt(twice) == Adopted(1, len(rows), len(rows))
    assert log.rows("ann") == rows


def resealed(rows: list[Row], index: int, **fields: str) -> list[Row]:
    """A forger changes a row, and seals it and those behind it anew."""
    done = rows[:index]
    for row in rows[index:]:
        changed = msgspec.structs.replace(row, **fields, prev=done[-1].hash if done else row.prev)
        fields = {}
        done.append(chain.sealed(changed))
    return done


def test_an_id_that_two_events_of_the_other_log_have_is_refused(log: EventLog):
    rows = list(fill(MemoryLog(), "ann", turns=4))
    for index in range(1, len(rows)):
        forged = resealed(rows, index, event_id=rows[index - 1].event_id)
        with pytest.raises(BrokenLog) as caught:
            log.adopt(forged)
        assert caught.value.code == "log/id-taken"
        assert list(log.after(0)) == []


def test_an_id_of_another_game_here_is_refused(log: EventLog):
    here = fill(log, "bob", seed=2, turns=3)
    rows = list(fill(MemoryLog(), "ann", turns=4))
    forged = resealed(rows, len(rows) - 1, event_id=here[-1].event_id)
    with pytest.raises(BrokenLog, match=f"the id {here[-1].event_id} belongs to another event here") as caught:
        log.adopt(forged)
    assert (caught.value.code, caught.value.seq) == ("log/id-taken", len(rows))
    assert list(log.after(0)) == list(here)


def test_two_that_went_on_differently_contradict_each_other(log: EventLog):
    batches, others = game("ann", seed=1, turns=6), game("ann", seed=1, turns=2)
    store(log, "ann", 0, batches)
    other = MemoryLog()
    store(other, "ann", 0, others[:-1])
    assert log.adopt(other.after(0)).events == 0, "what both have in common is no contradiction"
    seq = len(other.rows("ann"))
    other.append("ann", seq, others[-1], "another", "2024-05-06T07:08:09Z")
    before = list(log.after(0))
    with pytest.raises(BrokenLog, match=f"event {seq + 1} of ann is another one here") as caught:
        log.adopt(other.after(0))
    assert caught.value.code == "log/id-taken"
    assert list(log.after(0)) == before


def test_what_was_seen_elsewhere_is_seen_here(log: EventLog):
    source = interleaved(["ann", "bob", "cat"])
    source.mark_seen("bob")
    source.mark_seen("cat")
    at = source.seen()
    assert at == {"bob": source.rows("bob")[-1].seq, "cat": source.rows("cat")[-1].seq}
    log.adopt(source.rows("cat")[:4])
    log.mark_seen("cat")
    log.adopt(source.after(0), source.seen())
    assert log.seen() == {"bob": at["bob"], "cat": 4}, "the earlier note stays"
    assert {line.game: line.seen for line in log.lines()} == {"ann": False, "bob": True, "cat": True}


@pytest.mark.parametrize("at", [-(2**63), 0, 10**6])
def test_a_note_of_no_event_is_one_of_the_nearest_and_one_of_no_line_is_none(log: EventLog, at: int):
    rows = fill(MemoryLog(), "ann", turns=3)
    log.adopt(rows, {"ann": at, "nobody": 1})
    assert log.seen() == {"ann": 1 if at < 1 else rows[-1].seq}


def test_an_error_of_whoever_brings_the_rows_leaves_nothing_behind(log: EventLog):
    rows = fill(MemoryLog(), "ann", turns=4)

    def broken_off() -> Iterator[Row]:
        yield from rows[:-1]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        log.adopt(broken_off(), {"ann": 1})
    assert list(log.after(0)) == []
    assert log.seen() == {}
    log.adopt(rows)
    assert log.rows("ann") == rows


# ---- the judge ----


class Shown:
    """A judge who remembers what he was shown, and may object to one line."""

    def __init__(self, objects_to: str | None = None) -> None:
        self.lines: dict[str, tuple[Row, ...]] = {}
        self.objects_to = objects_to

    def __call__(self, rows: Sequence[Row]) -> None:
        game = rows[-1].game
        assert game not in self.lines, "once a line"
        self.lines[game] = tuple(rows)
        if game == self.objects_to:
            raise BrokenLog("log/broken", "objection")


def test_the_judge_is_shown_each_line_that_is_new_or_has_grown_as_it_stands(log: EventLog):
    source = interleaved(["ann", "bob", "cat", "dan"])
    fork(source, "left", "ann", turn_points(source, "ann")[2])
    log.adopt(source.rows("bob"))
    log.adopt(source.rows("dan")[:5])
    log.adopt(source.after(0), judge=(shown := Shown()))
    assert shown.lines == {name: log.own(name) for name in ("ann", "cat", "dan", "left")}
    log.adopt(source.after(0), judge=(again := Shown()))
    assert again.lines == {}


@pytest.mark.parametrize("objects_to", ["ann", "bob", "left", "lower", "deep"])
def test_an_objection_to_any_line_takes_all_back(log: EventLog, objects_to: str):
    source = MemoryLog()
    family(source)
    source.mark_seen("ann")
    fill(log, "zoe", seed=9, turns=2)
    before = list(log.after(0))
    with pytest.raises(BrokenLog, match="objection"):
        log.adopt(source.after(0), source.seen(), Shown(objects_to))
    assert list(log.after(0)) == before
    assert log.seen() == {}
    log.adopt(source.after(0), source.seen(), Shown())
    assert len(list(log.after(0))) == len(before) + source.last_position()


def test_more_lines_than_are_read_at_once_are_all_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sqlite_reading, "_CHUNK", 3)
    source = interleaved([f"game{number}" for number in range(8)])
    with sqlite_log(tmp_path / "games.db") as log:
        log.adopt(source.after(0), judge=(shown := Shown()))
    assert len(shown.lines) == 8
