"""A match: who speaks first in each game, which line of a game counts, and what it all comes to."""

import random

import pytest

from ddz.errors import UnknownGame
from ddz.frozen.events import Dealt
from ddz.frozen.shapes import Player
from ddz.rules import CLASSIC, next_seat
from ddz.services.audit_log import audit_log
from ddz.services.lines import fork
from ddz.services.match import match_so_far, match_table, next_opening
from ddz.services.opening import Opening
from ddz.services.table import Table
from ddz.state import Over, opening_of, turn_of

from .tables import HUMANS, action, pass_all, play_on, points, random_game, say, table_on


def first_game(table: Table, first_voice: int = 1) -> str:
    return table.open(Opening(players=HUMANS, seed=7, first_voice=first_voice)).game


def end(table: Table, game: str, points: int = 1) -> None:
    """The first voice bids, and escapes: seat 1 loses 3 times its bid."""
    seat = turn_of(table.load(game).state)
    say(table, game, f"{seat} bid {points}", f"{seat} escape")


def next_game(table: Table, before: str, seed: int | None = None) -> str:
    return table.open(next_opening(table.load(before).state, before, seed)).game


def opened(table: Table, game: str):
    return opening_of(table.load(game).state)


# ---- the next game ----


def test_the_first_voice_moves_on_from_game_to_game(each_table: Table):
    game = first_game(each_table)
    expected = 1
    for round_number in range(1, 6):
        event = opened(each_table, game)
        assert (event.round, event.first_voice) == (round_number, expected)
        assert turn_of(each_table.load(game).state) == expected
        play_on(each_table, game, random.Random(round_number), escape=0.05)
        last = [event for event in each_table.log.history(game) if isinstance(event, Dealt)][-1]
        expected = next_seat(last.first_voice)
        game = next_game(each_table, game)
    assert audit_log(each_table.log).ok


def test_it_moves_on_over_redeals_too(each_table: Table):
    """Seat 1, redealt with seat 2 and seat 0, so seat 1 opens the next game."""
    game = first_game(each_table)
    pass_all(each_table, game)
    pass_all(each_table, game)
    end(each_table, game)
    following = next_game(each_table, game)
    assert opened(each_table, following).first_voice == 1
    assert audit_log(each_table.log).ok


@pytest.mark.parametrize("words", [["1 escape"], ["1 bid 1", "0 escape"], ["1 bid 3", "2 escape"]])
def test_a_match_goes_on_after_an_escape(table: Table, words: list[str]):
    game = first_game(table)
    say(table, game, *words)
    following = next_game(table, game)
    assert opened(table, following).first_voice == 2
    assert opened(table, following).previous == game
    assert audit_log(table.log).ok


def test_the_next_game_has_the_same_seats_and_rules_and_says_what_it_follows(table: Table):
    players = (Player("ann", "human"), Player("bob", "bot", "random", "1"), Player("cat", "human"))
    opening = Opening(players=players, seed=7, seat_seeds=("a", "b", "c"), first_voice=0)
    game = table.open(opening).game
    end(table, game)
    following = next_game(table, game, seed=7)
    event = opened(table, following)
    assert (event.match, event.round, event.previous, event.voice_from) == (game, 2, game, "rotation")
    assert (event.players, event.rules, event.seat_seeds) == (players, CLASSIC, ("a", "b", "c"))
    assert event.seed_chosen
    assert event.nonce != opened(table, game).nonce, "a chosen seed deals other cards in another round"
    end(table, following)
    third = opened(table, next_game(table, following))
    assert (third.match, third.round, third.previous) == (game, 3, following)
    assert not third.seed_chosen


# ---- the table of scores ----


def test_a_match_of_one_game(each_table: Table):
    game = first_game(each_table)
    found = match_table(each_table.log, game)
    assert (found.match, found.names) == (game, ("ann", "bob", "cat"))
    assert [(row.round, row.game, row.score) for row in found.rounds] == [(1, game, None)]
    assert found.totals == (0, 0, 0)


def test_the_totals_are_the_sums_over_the_games_that_are_over(each_table: Table):
    game = first_game(each_table)
    end(each_table, game, 1)
    second = next_game(each_table, game)
    end(each_table, second, 2)
    third = next_game(each_table, second)
    say(each_table, third, "0 bid 1")
    for named in (game, second, third):
        found = match_table(each_table.log, named)
        assert [row.game for row in found.rounds] == [game, second, third]
        assert [row.score and row.score.payouts for row in found.rounds] == [(0, -3, 0), (0, 0, -6), None]
        assert found.totals == (0, -3, -6)
    assert [row.game for row in match_so_far(each_table.log, second).rounds] == [game, second]


def test_totals_of_whole_games_sum_to_zero(table: Table):
    game = random_game(table, 1).game
    for number in range(4):
        game = next_game(table, game)
        play_on(table, game, random.Random(number))
    found = match_table(table.log, game)
    assert len(found.rounds) == 5
    assert sum(found.totals) == 0
    assert found.totals != (0, 0, 0)
    assert found.totals == tuple(sum(row.score.payouts[seat] for row in found.rounds) for seat in range(3))


def test_the_line_that_back_went_on_in_counts(each_table: Table):
    game = first_game(each_table)
    end(each_table, game, 1)
    line = fork(each_table, game, 2, "back").game
    end(each_table, line, 2)
    lower = fork(each_table, line, 2, "back").game
    end(each_table, lower, 3)
    for named in (game, line, lower):
        found = match_table(each_table.log, named)
        assert [(row.game, row.score.payouts) for row in found.rounds] == [(lower, (0, -9, 0))]


def test_an_exploration_never_counts(each_table: Table):
    game = first_game(each_table)
    end(each_table, game, 1)
    line = fork(each_table, game, 2).game
    end(each_table, line, 3)
    back_in_the_exploration = fork(each_table, line, 2, "back").game
    end(each_table, back_in_the_exploration, 2)
    for named in (game, line, back_in_the_exploration):
        assert match_table(each_table.log, named).totals == (0, -3, 0)


def test_the_next_game_follows_the_line_that_counts(each_table: Table):
    game = first_game(each_table)
    end(each_table, game, 1)
    line = fork(each_table, game, 2, "back").game
    end(each_table, line, 2)
    second = next_game(each_table, line)
    end(each_table, second, 1)
    fork(each_table, game, 3, "back")  # too late: the match has gone on from the other line
    found = match_table(each_table.log, game)
    assert [row.game for row in found.rounds] == [line, second]
    assert found.totals == (0, -6, -3)
    assert audit_log(each_table.log).ok


def test_back_to_before_a_redeal_changes_who_opens_the_next_game(table: Table):
    game = first_game(table)
    pass_all(table, game)
    end(table, game)
    line = fork(table, game, 2, "back").game
    end(table, line)
    assert opened(table, next_game(table, game)).first_voice == 0
    assert opened(table, next_game(table, line)).first_voice == 2
    assert audit_log(table.log).ok


def test_of_two_next_games_the_newer_counts(each_table: Table):
    game = first_game(each_table)
    end(each_table, game)
    older, newer = next_game(each_table, game), next_game(each_table, game)
    assert [row.game for row in match_table(each_table.log, older).rounds] == [game, newer]
    say(each_table, older, "2 pass")
    assert [row.game for row in match_table(each_table.log, newer).rounds] == [game, older]


def test_games_of_other_matches_are_other_matches(each_table: Table):
    game, other = first_game(each_table), first_game(each_table)
    end(each_table, other, 3)
    assert [row.game for row in match_table(each_table.log, game).rounds] == [game]


def test_a_match_whose_first_game_is_in_another_log(table: Table):
    from ddz.services.archive import export_events, import_bytes

    game = first_game(table)
    end(table, game)
    second = next_game(table, game)
    end(table, second)
    other = table_on(seed="other")
    import_bytes(other, export_events(table, second).encode(), "a file")
    found = match_table(other.log, second)
    assert [(row.round, row.game) for row in found.rounds] == [(2, second)]
    assert audit_log(other.log).ok


def test_there_is_no_match_of_a_game_that_is_not_there(table: Table):
    for ask in (match_table, match_so_far):
        with pytest.raises(UnknownGame):
            ask(table.log, "nowhere")


def test_every_line_of_a_round_is_offered_its_own_past(each_table: Table):
    """A fork of a game of round 2 has the rounds before it, and its own score once it counts."""
    game = first_game(each_table)
    end(each_table, game)
    second = next_game(each_table, game)
    end(each_table, second)
    line = fork(each_table, second, points(each_table, second)[-1], "back").game
    assert [row.score for row in match_table(each_table.log, line).rounds][1] is None
    each_table.act(line, action("0 escape"))
    assert isinstance(each_table.load(line).state, Over)
    assert match_table(each_table.log, line).totals == (-3, -3, 0)
