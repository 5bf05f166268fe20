"""Forks, the tree that they make, and where two lines part."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddz.commands import Bid, Escape, PassBid
from ddz.decide import legal
from ddz.errors import Refused
from ddz.frozen.events import BidMade, BidPassed, GameForked, SeatEscaped
from ddz.services.audit import audit_game
from ddz.services.lines import Branch, diff, fork, tree
from ddz.services.opening import Opening
from ddz.services.table import Table
from ddz.state import Over, fold, turn_of
from ddz.view import open_view

from .tables import HUMANS, family, pass_all, play_on, points, random_game, say, void_game

SEEDS = st.integers(0, 10**6)


# ---- forks ----


@settings(max_examples=3)
@given(seed=SEEDS)
def test_at_every_turn_of_every_line_a_fork_may_do_what_the_line_might(busy_table: Table, seed: int):
    rng = random.Random(seed)
    for line in family(busy_table, seed):
        history = busy_table.log.history(line)
        turns = points(busy_table, line)
        for at in rng.sample(turns, min(8, len(turns))):
            forked = fork(busy_table, line, at)
            loaded = busy_table.load(forked.game)
            assert legal(forked.state) == legal(loaded.state) == legal(fold(history[:at])) != ()
            assert open_view(loaded.state) == open_view(fold(history[:at]))
            assert loaded.seq == at + 1


def test_at_every_other_event_it_is_refused_and_the_turn_before_is_named(each_table: Table):
    game = each_table.open(Opening(players=HUMANS, seed=3, first_voice=0)).game
    pass_all(each_table, game)
    play_on(each_table, game, random.Random(1))
    line = fork(each_table, game, points(each_table, game)[-2]).game
    play_on(each_table, line, random.Random(2))
    stored = len(list(each_table.log.after(0)))
    for name in (game, line):
        turns = points(each_table, name)
        refused = 0
        for at in range(1, len(each_table.log.history(name)) + 1):
            if at in turns:
                continue
            refused += 1
            with pytest.raises(Refused) as caught:
                fork(each_table, name, at)
            assert caught.value.code == "fork/no-turn-here"
            before = [turn for turn in turns if turn < at]
            assert caught.value.facts == {"at": at, "nearest": before[-1] if before else 0}
            near = f"; the nearest turn before it is after event {before[-1]}" if before else ""
            assert str(caught.value) == f"no seat is to act after event {at}{near}"
        assert refused >= 6, "the opening, the third pass and the void, the last bid, and the end"
    assert len(list(each_table.log.after(0))) == stored


@settings(max_examples=4)
@given(seed=SEEDS)
def test_the_fold_of_any_prefix_is_the_state_that_was_played(busy_table: Table, seed: int):
    for line in family(busy_table, seed)[:3]:
        history = busy_table.log.history(line)
        for upto in range(1, len(history) + 1, 5):
            at = busy_table.load(line, upto)
            assert at.seq == upto
            assert at.state == fold(history[:upto])
            assert busy_table.log.history(line, upto) == history[:upto]


def test_a_fork_leaves_its_parent_alone_and_goes_its_own_way(each_table: Table):
    game = each_table.open(Opening(players=HUMANS, seed=7)).game
    say(each_table, game, "1 bid 2", "2 pass", "0 pass")
    before = each_table.log.history(game)
    line = fork(each_table, game, 3).game
    say(each_table, line, "2 bid 3")
    assert each_table.log.history(game) == before
    assert each_table.load(line).state.landlord == 2
    assert each_table.load(game).state.landlord == 1
    assert audit_game(each_table.log, line).ok


def test_a_fork_of_an_imported_game_in_its_auction_deals_on_from_its_own_seed(each_table: Table):
    game = void_game(each_table)
    line = fork(each_table, game, 4).game
    at = pass_all_from(each_table, line)
    assert at.state.dealt.number == 1
    assert audit_game(each_table.log, line).ok


def pass_all_from(table: Table, line: str):
    """Pass until the cards are dealt again."""
    at = table.load(line)
    number = at.state.dealt.number
    while at.state.dealt.number == number:
        at = table.act(line, PassBid(turn_of(at.state)))
    return at


# ---- the tree ----


def shape(branches: Sequence[Branch]):
    return [(branch.line.game, branch.depth) for branch in branches]


def test_the_tree_is_the_same_from_every_line(each_table: Table):
    root, left, *deeper = family(each_table)
    random_game(each_table, 9)
    for line in (root, left, *deeper):
        assert shape(tree(each_table.log, line)) == [(root, 0), (left, 1), *((each, 2) for each in deeper)]


def test_the_tree_says_how_each_line_stands(each_table: Table):
    game = each_table.open(Opening(players=HUMANS, seed=7)).game
    say(each_table, game, "1 bid 2")
    line = fork(each_table, game, 3).game
    lower = fork(each_table, game, 2, "back").game
    say(each_table, line, "2 escape")
    say(each_table, lower, "1 bid 3")
    root, first, second = tree(each_table.log, lower)
    assert (root.line.reason, first.line.reason, second.line.reason) == (None, "explore", "back")
    assert (root.phase, first.phase, second.phase) == ("auction", "over", "playing")
    assert (first.line.forked_at, second.line.forked_at) == (3, 2)
    assert root.score is None
    assert first.score.payouts == (0, 0, -6)


# ---- the difference ----


def test_lines_part_at_the_first_event_that_differs(each_table: Table):
    game = each_table.open(Opening(players=HUMANS, seed=7)).game
    say(each_table, game, "1 bid 2", "2 pass", "0 escape")
    line = fork(each_table, game, 3).game
    say(each_table, line, "2 bid 3", "1 escape")
    found = diff(each_table.log, game, line)
    assert found.common == 3
    assert [type(event) for event in found.left][:2] == [BidPassed, SeatEscaped]
    assert type(found.right[0]) is BidMade
    assert turn_of(found.at_parting) == 2
    assert not any(isinstance(event, GameForked) for event in (*found.left, *found.right))
    assert found.payout_change == (6, -9, 0), "from (-6, 0, 0) to (0, -9, 0)"


def test_that_one_is_a_fork_is_no_difference(each_table: Table):
    game = each_table.open(Opening(players=HUMANS, seed=7)).game
    say(each_table, game, "1 bid 2", "2 pass")
    line = fork(each_table, game, 3).game
    say(each_table, line, "2 pass")
    lower = fork(each_table, line, 3).game
    say(each_table, lower, "2 pass")
    for left, right in ((game, line), (line, game), (line, lower), (game, game)):
        found = diff(each_table.log, left, right)
        assert (found.left, found.right) == ((), ())
        assert found.left_state == found.right_state == found.at_parting
        assert found.payout_change is None
    assert diff(each_table.log, game, line).common == 4
    assert diff(each_table.log, line, game).common == 5, "counted in the first line"


def test_a_line_that_stops_earlier_differs_by_what_follows(table: Table):
    at = random_game(table, 5)
    assert isinstance(at.state, Over)
    line = fork(table, at.game, points(table, at.game)[-1]).game
    found = diff(table.log, at.game, line)
    assert found.common == points(table, at.game)[-1]
    assert len(found.left) == at.seq - found.common
    assert found.right == ()
    assert found.payout_change is None


def test_two_games_share_nothing(table: Table):
    first, second = (table.open(Opening(players=HUMANS, seed=7)).game for _ in range(2))
    found = diff(table.log, first, second)
    assert found.common == 0
    assert found.at_parting == fold(())


@settings(max_examples=3)
@given(seed=SEEDS)
def test_a_difference_put_together_is_both_lines(busy_table: Table, seed: int):
    lines = family(busy_table, seed)
    for left in lines[:3]:
        for right in lines[2:]:
            found = diff(busy_table.log, left, right)
            for line, rest, state in ((left, found.left, found.left_state), (right, found.right, found.right_state)):
                assert fold(rest, found.at_parting) == state == busy_table.load(line).state
            if found.left and found.right:
                assert found.left[0] != found.right[0]


@pytest.mark.parametrize("move", [Bid(1, 3), Escape(0)])
def test_a_fork_takes_commands_like_any_game(each_table: Table, move):
    game = each_table.open(Opening(players=HUMANS, seed=7)).game
    line = fork(each_table, game, 2).game
    outcome = each_table.act(line, move, expect=3, command_id="mine")
    assert each_table.act(line, move, expect=3, command_id="mine") == outcome
    assert each_table.load(game).seq == 2
