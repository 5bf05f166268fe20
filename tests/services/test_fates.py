"""Which lines count: one rule, and the two commands that follow it."""

import random

import pytest

from ddz.log.base import EventLog
from ddz.services.fates import Fates
from ddz.services.lines import fork
from ddz.services.match import match_table, next_opening
from ddz.services.opening import Opening
from ddz.services.table import Table
from ddz.stats.counting import counted_lines
from ddz.stats.statistics import Filter, tally

from .tables import HUMANS, play_on, points


def played(table: Table, game: str, seed: int) -> str:
    play_on(table, game, random.Random(seed))
    return game


def line_of(table: Table, game: str, reason: str, seed: int) -> str:
    """A fork in the middle of a line, played to its end."""
    turns = points(table, game)
    return played(table, fork(table, game, turns[len(turns) // 2], reason).game, seed)


def next_game(table: Table, line: str, seed: int) -> str:
    return played(table, table.open(next_opening(table.load(line).state, line, seed)).game, seed)


def agree(log: EventLog, game: str, fates: dict[str, str]) -> None:
    """The table of the match shows the lines that count, and the statistics sum up the same ones."""
    told = {line.game: line.status for line in counted_lines(log)}
    assert told == fates
    found = match_table(log, game)
    assert {row.game for row in found.rounds} == {line for line, status in told.items() if status == "over"}
    sums = tally(counted_lines(log), Filter(match=found.match))
    assert tuple(seat.all.points for seat in sums.seats) == tuple(6 * total for total in found.totals)


def test_a_match_that_went_on_from_an_exploration(each_table: Table):
    """It counts: it is what was played on from. Its game, and what was taken back there, do not count any more."""
    game = played(each_table, each_table.open(Opening(players=HUMANS, seed=7, first_voice=1)).game, 1)
    back = line_of(each_table, game, "back", 2)
    explored = line_of(each_table, game, "explore", 3)
    other = line_of(each_table, game, "explore", 4)
    agree(each_table.log, game, {game: "superseded", back: "over", explored: "explored", other: "explored"})
    second = next_game(each_table, explored, 5)
    went_on = {game: "superseded", back: "superseded", explored: "over", other: "explored", second: "over"}
    agree(each_table.log, second, went_on)
    later = line_of(each_table, second, "explore", 6)
    agree(each_table.log, explored, went_on | {later: "explored"})
    third = next_game(each_table, second, 7)
    agree(each_table.log, game, went_on | {later: "explored", third: "over"})


def test_a_match_that_went_on_from_what_was_taken_back_in_an_exploration(each_table: Table):
    game = played(each_table, each_table.open(Opening(players=HUMANS, seed=8, first_voice=1)).game, 1)
    explored = line_of(each_table, game, "explore", 2)
    back = line_of(each_table, explored, "back", 3)
    agree(each_table.log, game, {game: "over", explored: "explored", back: "explored"})
    second = next_game(each_table, back, 4)
    agree(each_table.log, game, {game: "superseded", explored: "explored", back: "over", second: "over"})


@pytest.mark.parametrize("seed", range(20))
def test_the_order_in_which_lines_are_noted_does_not_matter(seed: int):
    lines = ("a", "a2", "b", "b2", "c", "d")
    notes = [
        lambda fates: fates.note_game("a", "a", 1, None),
        lambda fates: fates.note_fork("b", "a", "explore"),
        lambda fates: fates.note_fork("c", "b", "back"),
        lambda fates: fates.note_fork("d", "a", "back"),
        lambda fates: fates.note_game("a2", "a", 2, "c"),
        lambda fates: fates.note_fork("b2", "a2", "back"),
    ]
    random.Random(seed).shuffle(notes)
    fates = Fates(lines.index)
    for note in notes:
        note(fates)
    assert {line: fates.fate(line) for line in lines} == {
        "a": "superseded",
        "b": "explored",
        "c": "counts",
        "d": "superseded",
        "a2": "superseded",
        "b2": "counts",
    }
    assert list(fates.rounds("a")) == ["b2", "c"]
