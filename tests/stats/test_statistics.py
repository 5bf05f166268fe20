"""Every figure of the statistics, held against folded states; and what must not show in them."""

import itertools
import random
import tracemalloc
from pathlib import Path

import msgspec
import pytest

from ddz.contract.base import encode
from ddz.log.base import EventLog, Row
from ddz.log.stores import open_log
from ddz.services.table import Table
from ddz.stats.counting import LineIndex, counted_lines
from ddz.stats.statistics import EVERY, Filter, Tally, tally
from ddz.stats.summary import summarize

from . import naive
from .logs import bot_game, copied, everything, exploring_match, families, fixtures, forked, match, singles, table_on


def stats(log: EventLog, wanted: Filter = EVERY):
    return msgspec.to_builtins(summarize(tally(counted_lines(log), wanted), wanted))


@pytest.fixture(scope="module")
def full() -> Table:
    """A table over a log with games of every kind; nobody writes on it."""
    return everything(table_on())


def held(log: EventLog, wanted: Filter = EVERY, keep=bool) -> dict:
    found = stats(log, wanted)
    head = {key: found.pop(key) for key in ("schema", "filter", "confidence")}
    assert head == {
        "schema": "ddz/stats@1",
        "filter": {"rules": wanted.rules, "bot": wanted.bot},
        "confidence": 0.95,
    }
    differing = naive.same(found, naive.stats(log, keep))
    assert not differing, "\n".join(differing)
    return found


def test_a_log_of_every_kind_of_game(full: Table) -> None:
    found = held(full.log)
    assert min(found["winners"].values()) > 0, "each end is there"
    assert min(found[what] for what in ("unfinished", "explored", "superseded")) > 0
    assert min(found["escapes"]["by"].values()) > 0
    assert min(cause["times"] for cause in found["causes"].values()) > 0
    assert min(meld["plays"] for name, meld in found["melds"].items() if "quad" not in name and "airplane" not in name)
    assert {(player["kind"], player["bot"]) for player in found["players"]} == {
        ("human", None),
        ("import", None),
        ("bot", "simple"),
        ("bot", "random"),
    }
    assert any(isinstance(player["roles"]["all"]["wins"], float) for player in found["players"]), "several seats"


@pytest.mark.parametrize("make", [fixtures, exploring_match, match, families, singles], ids=lambda make: make.__name__)
def test_logs_of_one_kind(make) -> None:
    table = table_on()
    make(table) if make is fixtures else make(table, 6)
    held(table.log)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(40))
def test_matches_and_families_of_many_kinds(seed: int) -> None:
    table = table_on(seed=seed)
    for make in (match, families, exploring_match, families):
        make(table, seed)
    singles(table, 40, seed)
    held(table.log)


@pytest.mark.parametrize(
    ("wanted", "keep"),
    [
        (Filter(rules="pagat"), lambda opened: opened.rules.name == "pagat"),
        (Filter(rules="ours"), lambda opened: opened.rules.name == "ours"),
        (Filter(bot="random"), lambda opened: any(player.bot == "random" for player in opened.players)),
        (
            Filter(rules="classic", bot="simple"),
            lambda opened: opened.rules.name == "classic" and any(player.bot == "simple" for player in opened.players),
        ),
        (Filter(bot="nobody"), lambda _: False),
    ],
)
def test_games_that_are_asked_for(full: Table, wanted: Filter, keep) -> None:
    found = held(full.log, wanted, keep)
    assert found["games"] > 0 or wanted.bot == "nobody"


def test_one_match(full: Table) -> None:
    rounds: dict[str, int] = {}
    for line in full.log.lines():
        opened = full.log.history(line.game, 1)[0]
        rounds[opened.match] = max(rounds.get(opened.match, 0), opened.round)
    long = max(rounds, key=rounds.__getitem__)
    found = held(full.log, Filter(match=long), lambda opened: opened.match == long)
    assert found["games"] + found["unfinished"] == rounds[long] == 6


def test_an_empty_log() -> None:
    found = held(table_on().log)
    assert found["games"] == 0
    assert found["sides"]["landlord"]["rate"] is None


# What must not show.


def test_neither_ids_nor_times_nor_places_show(full: Table, tmp_path: Path) -> None:
    """The same games under other ids, at other times, in another kind of log."""
    log = open_log(tmp_path / "elsewhere" / "games.db", create=True)
    log.connection.execute("PRAGMA synchronous=OFF")
    again = everything(table_on(log, seed="other", at="2031-12-24T00:00:00Z"))
    ids = [{line.game for line in each.log.lines()} for each in (full, again)]
    assert len(ids[0] & ids[1]) < len(ids[0]) / 2, "they are other ids, but for those of the fixtures"
    assert encode(stats(log)) == encode(stats(full.log))
    log.close()


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_the_games_does_not_show(full: Table, seed: int) -> None:
    expected = encode(stats(full.log))
    shuffled = table_on(seed=seed)
    copied(full.log, shuffled, random.Random(seed))
    orders = [[row.game for row in log.after(0)] for log in (full.log, shuffled.log)]
    assert sorted(orders[0]) == sorted(orders[1])
    assert orders[0] != orders[1]
    assert encode(stats(shuffled.log)) == expected


def test_matches_that_were_played_side_by_side(full: Table) -> None:
    """Their events stand between each other's; those of one match keep their order, for the newest counts."""
    queues: dict[str, list[Row]] = {}
    for row in full.log.after(0):
        queues.setdefault(full.log.history(row.game, 1)[0].match, []).append(row)
    mixed = table_on()
    rng = random.Random(1)
    while queues:
        match = rng.choice(list(queues))
        mixed.log.adopt(queues[match][:2])
        del queues[match][:2]
        if not queues[match]:
            del queues[match]
    games = [row.game for row in mixed.log.after(0)]
    assert sum(one != other for one, other in itertools.pairwise(games)) > len(games) / 4
    assert encode(stats(mixed.log)) == encode(stats(full.log))


# What counting keeps in mind.


def test_what_others_append_meanwhile_is_not_looked_at(full: Table) -> None:
    """A line that is taken back while the log is read still counts, and what follows it does not yet."""
    table = table_on(seed="meanwhile")
    copied(full.log, table, None)
    before = encode(stats(table.log))
    found = Tally()
    for number, line in enumerate(counted_lines(table.log)):
        found.add_line(line)
        if number == 0:
            newest = next(other.game for other in table.log.lines() if other.parent is None)
            forked(table, newest, 0.5, "back", random.Random(1))
            bot_game(table, 77, "random")
    assert encode(summarize(found, EVERY)) == before
    assert encode(stats(table.log)) != before


def test_plain_games_leave_nothing_behind() -> None:
    """Memory must not grow with games that have no forks and no match."""
    table = table_on()
    for seed in range(3):
        bot_game(table, seed, "random")
    lines = LineIndex(table.log)
    assert lines.number == 3
    assert {lines.status(line.game) for line in table.log.lines()} == {"over"}
    fields = vars(lines) | vars(lines.fates)
    kept = [name for name, value in fields.items() if isinstance(value, dict | set | list) and value]
    assert kept == []


class Again:
    """A log in which some games stand many times over, under other ids."""

    def __init__(self, log: EventLog, times: int) -> None:
        self.rows = list(log.after(0))
        self.times = times

    def after(self, position: int, types=None):
        assert position == 0
        for time in range(self.times):
            for row in self.rows:
                if types is None or row.type in types:
                    body = row.body.replace(row.game, f"{row.game}{time}") if row.type == "game_opened" else row.body
                    yield msgspec.structs.replace(
                        row, game=f"{row.game}{time}", position=row.position + time * len(self.rows), body=body
                    )


def test_memory_does_not_grow_with_the_log() -> None:
    table = table_on()
    for seed in range(5):
        bot_game(table, seed, "random")
    peaks = []
    for times in (5, 5, 100):  # the first fills what is filled once
        tracemalloc.start()
        found = stats(Again(table.log, times))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert found["games"] == 5 * times
    assert peaks[2] < 1.2 * peaks[1], peaks
