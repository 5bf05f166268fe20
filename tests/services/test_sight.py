"""Who may see what, who must say so on purpose, and what is then marked as seen."""

import pytest

from ddz.errors import Hidden, Phrase
from ddz.log.base import EventLog
from ddz.services.lines import fork
from ddz.services.opening import Opening
from ddz.services.sight import human_seats, is_open, look, need_open
from ddz.services.table import Table

from .tables import HUMANS, bot_game, imported, random_game, say

EXPORT = Phrase("what/export", "the export")


def seen(log: EventLog, game: str) -> bool:
    return next(line.seen for line in log.lines() if line.game == game)


def ask(table: Table, game: str, asked=None, reveal: bool = False):
    return look(table.log, game, table.load(game).state, asked, reveal).viewer


def one_human(table: Table, seat: int = 0) -> str:
    from ddz.services.loop import seat_bots

    players, _ = seat_bots(("random",), (seat,))
    return table.open(Opening(players=players, seed=7)).game


def only_bots(table: Table) -> str:
    from ddz.services.loop import seat_bots

    return table.open(Opening(players=seat_bots(("random",))[0], seed=7)).game


# ---- by default ----


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_one_human_sees_with_his_own_eyes(table: Table, seat: int):
    game = one_human(table, seat)
    assert human_seats(table.load(game).state) == (seat,)
    assert ask(table, game) == seat
    assert not seen(table.log, game)


def test_where_no_human_or_several_play_one_stands_at_the_table(table: Table):
    for game in (only_bots(table), table.open(Opening(players=HUMANS)).game):
        assert ask(table, game) == "table"
        assert not seen(table.log, game)


def test_a_game_that_is_over_is_open_to_all(each_table: Table):
    game = bot_game(each_table).game
    assert is_open(each_table.log, game, each_table.load(game).state)
    assert ask(each_table, game) == "all"
    for viewer in (0, 1, 2, "table", "all"):
        assert ask(each_table, game, viewer) == viewer
        assert ask(each_table, game, viewer, reveal=True) == viewer
    assert not seen(each_table.log, game), "there is nothing left to be shown too early"


# ---- asked for ----


def test_a_human_hand_and_the_table_may_be_asked_for(table: Table):
    game = table.open(Opening(players=HUMANS)).game
    for viewer in (0, 1, 2, "table"):
        assert ask(table, game, viewer) == viewer
    assert not seen(table.log, game)


@pytest.mark.parametrize("viewer", [1, 2, "all"])
def test_a_bots_hand_and_all_hands_need_to_be_asked_for_on_purpose(each_table: Table, viewer):
    game = one_human(each_table)
    with pytest.raises(Hidden, match=f"game {game} is not over, and that would show hidden cards"):
        ask(each_table, game, viewer)
    assert not seen(each_table.log, game)
    assert ask(each_table, game, viewer, reveal=True) == viewer
    assert seen(each_table.log, game)


def test_to_reveal_without_a_viewer_shows_all(each_table: Table):
    game = one_human(each_table)
    assert ask(each_table, game, reveal=True) == "all"
    assert seen(each_table.log, game)
    assert ask(each_table, game) == 0, "the next time is asked anew"


def test_an_imported_game_in_progress_is_seen_from_the_table(table: Table):
    from ddz.services.archive import export_record

    game = imported(table, export_record(table, random_game(table, 5, turns=4).game)).game
    assert ask(table, game) == "table"
    with pytest.raises(Hidden):
        ask(table, game, "all")


# ---- what would show hidden cards ----


def test_what_shows_hidden_cards_needs_to_be_done_on_purpose(each_table: Table):
    game = one_human(each_table)
    state = each_table.load(game).state
    with pytest.raises(Hidden, match="and the export would show hidden cards"):
        need_open(each_table.log, game, state, reveal=False, what=EXPORT)
    assert not seen(each_table.log, game)
    need_open(each_table.log, game, state, reveal=True, what=EXPORT)
    assert seen(each_table.log, game)


def test_nothing_needs_a_purpose_once_the_game_is_over(each_table: Table):
    game = bot_game(each_table).game
    need_open(each_table.log, game, each_table.load(game).state, reveal=False, what=EXPORT)
    need_open(each_table.log, game, each_table.load(game).state, reveal=True, what=EXPORT)
    assert not seen(each_table.log, game)


# ---- forks ----


def test_a_fork_of_a_game_that_is_over_hides_nothing(each_table: Table):
    game = one_human(each_table)
    say(each_table, game, "1 bid 1", "0 escape")
    line = fork(each_table, game, 2).game
    lower = fork(each_table, line, 2, "back").game
    for name in (line, lower):
        assert is_open(each_table.log, name, each_table.load(name).state)
        assert ask(each_table, name) == "all"
        assert not seen(each_table.log, name)


def test_a_fork_of_a_game_in_progress_hides_what_the_game_hides(each_table: Table):
    game = one_human(each_table)
    say(each_table, game, "1 bid 1")
    line = fork(each_table, game, 2).game
    lower = fork(each_table, line, 2, "back").game
    for name in (line, lower):
        assert not is_open(each_table.log, name, each_table.load(name).state)
        assert ask(each_table, name) == 0
        with pytest.raises(Hidden):
            ask(each_table, name, "all")
        assert ask(each_table, name, "all", reveal=True) == "all"
        assert seen(each_table.log, name)
    assert not seen(each_table.log, game), "each line is marked by itself"


def test_a_sibling_that_is_over_opens_nothing(each_table: Table):
    game = one_human(each_table)
    say(each_table, game, "1 bid 1")
    one, other = (fork(each_table, game, 2, "back").game for _ in range(2))
    say(each_table, one, "1 escape")
    assert is_open(each_table.log, one, each_table.load(one).state)
    for name in (game, other):
        assert not is_open(each_table.log, name, each_table.load(name).state)


def test_nobody_lists_a_whole_log_to_see_a_fork(each_table: Table, monkeypatch: pytest.MonkeyPatch):
    game = one_human(each_table)
    say(each_table, game, "1 bid 1")
    lower = fork(each_table, fork(each_table, game, 2).game, 2).game
    monkeypatch.setattr(type(each_table.log), "lines", None)
    assert ask(each_table, lower) == 0
