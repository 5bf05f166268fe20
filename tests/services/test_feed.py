"""The feed: what is behind a position, as a viewer may see it, and what comes after it."""

import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddz.errors import BrokenLog, Hidden, UnknownGame
from ddz.frozen.events import SeedRevealed
from ddz.log import codec
from ddz.log.base import EventLog
from ddz.log.memory import MemoryLog
from ddz.log.stores import open_log
from ddz.services import feed
from ddz.services.lines import fork
from ddz.services.loop import seat_bots
from ddz.services.opening import Opening
from ddz.services.sight import TABLE, Sight, hides, look, of_seat
from ddz.services.table import Table
from ddz.view import DealtView

from .tables import HUMANS, bot_game, family, play_on, random_game, table_on

VIEWERS = (0, 1, 2, "table", "all")


def played(table: Table, seed: int) -> list[str]:
    """A log of some games: over, in progress, forked."""
    lines = family(table, seed)
    return [*lines, random_game(table, seed + 1, turns=5).game, bot_game(table).game]


def opener(log: EventLog):
    @contextmanager
    def opened() -> Iterator[EventLog]:
        yield log

    return opened


# ---- the whole log ----


@settings(max_examples=10)
@given(seed=st.integers(0, 10**6), turns=st.integers(1, 20), share=st.floats(0, 1))
def test_a_feed_goes_on_where_it_was_left(busy_table: Table, seed: int, turns: int, share: float):
    random_game(busy_table, seed, turns)
    log = busy_table.log
    whole = list(feed.of_log(log, 0))
    assert [entry.position for entry in whole] == list(range(1, log.last_position() + 1))
    after = int(share * log.last_position())
    assert list(feed.of_log(log, after)) == whole[after:]


def test_each_event_is_told_as_whoever_asks_for_no_seat_sees_it(each_table: Table):
    players, _ = seat_bots(("random",), (1,))
    mine = each_table.open(Opening(players=players, seed=7)).game
    for game in (*played(each_table, 3), mine):
        sight = look(each_table.log, game, each_table.load(game).state, None)
        own = [(row.seq, codec.event_of(row)) for row in each_table.log.own(game)]
        told = [(entry.seq, entry.event) for entry in feed.of_log(each_table.log, 0) if entry.game == game]
        assert told == [(seq, sight.event(event)) for seq, event in own]
        assert not each_table.log.seen()
    (dealt,) = (entry.event for entry in feed.of_log(each_table.log, 0) if entry.game == mine and hides(entry.type))
    assert [hand is not None for hand in dealt.hands] == [False, True, False]


def test_what_stands_in_the_row_stands_in_the_feed(each_table: Table):
    played(each_table, 4)
    for row, entry in zip(each_table.log.after(0), feed.of_log(each_table.log, 0), strict=True):
        for field in ("position", "game", "seq", "at", "type", "event_id", "hash"):
            assert getattr(row, field) == getattr(entry, field)


def test_to_reveal_shows_every_hand_and_marks_what_is_not_over(each_table: Table):
    played(each_table, 5)
    going_on = {line.game for line in each_table.log.lines() if line.last_type not in ("game_scored", "seed_revealed")}
    assert going_on
    for entry in feed.of_log(each_table.log, 0, reveal=True):
        if isinstance(entry.event, DealtView):
            assert None not in (*entry.event.hands, entry.event.kitty)
    assert set(each_table.log.seen()) == going_on


def test_only_what_hides_is_seen_differently(table: Table):
    """The feed asks who looks for these events alone."""
    told = [codec.event_of(row) for game in played(table, 6) for row in table.log.rows(game)]
    different = {False: 0, True: 0}
    for event in told:
        seen = [Sight(viewer).event(event) for viewer in VIEWERS]
        kind = codec.encode(event)[0]
        assert hides(kind) or all(each == seen[0] for each in seen)
        different[hides(kind)] += any(each != seen[0] for each in seen)
    assert different[True]
    assert not different[False]


@pytest.mark.parametrize("second", [False, True])
def test_a_missing_position_is_a_broken_log(table: Table, second: bool):
    length = random_game(table, 1, turns=4).seq
    random_game(table, 2, turns=4)
    gone = length + 1 if second else 1
    rows = [row for row in table.log.after(0) if row.position != gone]
    log = MemoryLog()
    log.insert(rows)
    told = feed.of_log(log, 0)
    assert [next(told).position for _ in range(gone - 1)] == list(range(1, gone))
    with pytest.raises(BrokenLog, match=f"position {gone} of the log is missing: {gone + 1} follows"):
        next(told)


# ---- one line ----


def test_a_line_is_told_with_what_it_inherits(each_table: Table):
    for game in played(each_table, 7):
        rows = each_table.log.rows(game)
        for viewer in VIEWERS:
            told = list(feed.of_line(each_table.log, game, Sight(viewer)))
            assert [entry.seq for entry in told] == list(range(1, len(rows) + 1))
            assert [entry.position for entry in told] == [row.position for row in rows]
            assert [entry.event for entry in told] == [Sight(viewer).event(codec.event_of(row)) for row in rows]
            assert all(one.position < other.position for one, other in pairwise(told))
        middle = rows[len(rows) // 2].position
        later = list(feed.of_line(each_table.log, game, TABLE, middle))
        assert [entry.seq for entry in later] == [row.seq for row in rows if row.position > middle]


def test_a_line_that_is_not_there_is_unknown(each_table: Table):
    with pytest.raises(UnknownGame):
        next(feed.of_line(each_table.log, "nosuch", TABLE))


def test_a_line_that_was_tampered_with_is_broken(table: Table):
    game = random_game(table, 2, turns=6).game
    rows = list(table.log.rows(game))
    spoilt = msgspec.structs.replace(rows[3], at="2020-01-01T00:00:00Z")
    log = MemoryLog()
    log.insert([*rows[:3], spoilt, *rows[4:]])
    with pytest.raises(BrokenLog):
        list(feed.of_line(log, game, TABLE))


def test_a_seat_of_a_line_sees_its_own_hand_and_no_other(table: Table):
    game = table.open(Opening(players=HUMANS, seed=3)).game
    for seat in (0, 1, 2):
        (dealt,) = (entry.event for entry in feed.of_line(table.log, game, of_seat(seat)) if hides(entry.type))
        assert [hand is not None for hand in dealt.hands] == [other == seat for other in (0, 1, 2)]
        assert dealt.kitty is None
    with pytest.raises(Hidden):
        look(table.log, game, table.load(game).state, "all")


# ---- waiting ----


def test_what_comes_while_one_waits_is_told_once_and_in_order(each_table: Table):
    rng = random.Random(1)
    game = each_table.open(Opening(players=HUMANS, seed=1)).game
    looks = 0

    def wait() -> bool:
        nonlocal looks
        looks += 1
        play_on(each_table, game, rng, turns=1)
        return not isinstance(codec.event_of(each_table.log.rows(game)[-1]), SeedRevealed)

    told = list(feed.follow(opener(each_table.log), feed.of_log, 0, wait))
    # what the last wait brought is not told: it said that nobody looks again
    assert [entry.position for entry in told] == list(range(1, len(told) + 1))
    assert looks > 3
    rest = list(feed.of_log(each_table.log, len(told)))
    assert [entry.event for entry in (*told, *rest)][-1] == rest[-1].event
    assert len(told) + len(rest) == each_table.log.last_position()


def test_one_line_is_followed_past_others(each_table: Table):
    game = each_table.open(Opening(players=HUMANS, seed=2)).game
    rounds = iter(range(6))

    def wait() -> bool:
        random_game(each_table, 9, turns=1)
        play_on(each_table, game, random.Random(2), turns=1)
        return next(rounds, None) is not None

    told = list(feed.follow(opener(each_table.log), lambda log, at: feed.of_line(log, game, of_seat(0), at), 0, wait))
    assert {entry.game for entry in told} == {game}
    assert [entry.seq for entry in told] == list(range(1, len(told) + 1))
    assert len(told) >= 8


def test_a_fork_that_begins_while_one_follows_is_part_of_the_log(each_table: Table):
    game = each_table.open(Opening(players=HUMANS, seed=2)).game
    pending = [lambda: fork(each_table, game, 2)]

    def wait() -> bool:
        if not pending:
            return False
        pending.pop()()
        return True

    types = [entry.type for entry in feed.follow(opener(each_table.log), feed.of_log, 0, wait)]
    assert types[-1] == "game_forked"


def test_a_log_that_is_not_there_yet_is_waited_for(tmp_path: Path):
    path = tmp_path / "games.db"

    @contextmanager
    def opened() -> Iterator[EventLog]:
        log = open_log(path, create=False)
        try:
            yield log
        finally:
            log.close()

    waited = []

    def wait() -> bool:
        waited.append(path.exists())
        if len(waited) == 2:
            table = table_on(open_log(path, create=True))
            table.open(Opening(players=HUMANS, seed=1))
            table.log.close()
        return len(waited) < 3

    told = list(feed.follow(opened, feed.of_log, 0, wait))
    assert waited == [False, False, True]
    assert [entry.type for entry in told] == ["game_opened", "dealt"]


PLAY = """
import random, sys
from pathlib import Path
from ddz.log.stores import open_log
from ddz.services.loop import seat_bots, run
from ddz.services.opening import Opening
from ddz.services.table import Table

rng = random.Random(5)
table = Table(open_log(Path(sys.argv[1]), create=True), lambda: "2026-01-02T03:04:05Z", rng.randbytes)
players, seated = seat_bots(("normal",))
opened = table.open(Opening(players=players, seed=7))
run(table, opened.moment, seated)
"""


def test_one_process_follows_while_another_plays(tmp_path: Path):
    path = tmp_path / "games.db"
    playing = subprocess.Popen([sys.executable, "-c", PLAY, str(path)], stdout=subprocess.DEVNULL)

    @contextmanager
    def opened() -> Iterator[EventLog]:
        log = open_log(path, create=False)
        try:
            yield log
        finally:
            log.close()

    last = False

    def wait() -> bool:
        """Look again until the other process is gone, and once behind that."""
        nonlocal last
        if last:
            return False
        with suppress(subprocess.TimeoutExpired):
            playing.communicate(timeout=0.02)
            last = True
        return True

    told = list(feed.follow(opened, feed.of_log, 0, wait))
    assert playing.returncode == 0
    assert told[-1].type == "seed_revealed"
    with opened() as log:
        assert [entry.hash for entry in told] == [row.hash for row in log.rows(told[0].game)]
