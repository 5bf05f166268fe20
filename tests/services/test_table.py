"""Commands at the table: known by their ids, held against what was expected, all or nothing."""

import msgspec
import pytest

from ddz.actions import Action
from ddz.commands import Bid, Escape, Pass, PassBid, Play
from ddz.decide import legal
from ddz.errors import OutOfRange, Refused, StaleLog, UnknownGame, Unreadable
from ddz.frozen.events import Dealt, DealVoided, GameScored, SeatEscaped, SeedRevealed, tag_of
from ddz.frozen.shapes import Kind
from ddz.services.lines import fork
from ddz.services.opening import Opening
from ddz.services.table import Table
from ddz.state import Auction, Over, Playing, Void, fold, opening_of, turn_of

from .tables import AT, HUMANS, action, enthroned, first_lead, pass_all, play_on, say, table_on, void_game


def tags(events):
    return [tag_of(event) for event in events]


def rows(table: Table):
    return list(table.log.after(0))


def opened(table: Table, **fields: object) -> str:
    return table.open(Opening(players=HUMANS, seed=7, **fields)).game


# ---- opening ----


def test_a_game_is_opened_and_dealt_in_one_append(each_table: Table):
    outcome = each_table.open(Opening(players=HUMANS))
    assert tags(outcome.events) == ["game_opened", "dealt"]
    stored = rows(each_table)
    assert [row.event_id.partition("/")[2] for row in stored] == ["0", "1"]
    assert len({row.event_id.partition("/")[0] for row in stored}) == 1
    assert {row.at for row in stored} == {AT}
    assert each_table.load(outcome.game).state == outcome.state


def test_the_first_voice_says_where_it_comes_from(table: Table):
    for fields, source in (
        ({}, "seed"),
        ({"first_voice": 2}, "chosen"),
        ({"first_voice": 2, "rotated": True}, "rotation"),
    ):
        event = opening_of(table.load(opened(table, **fields)).state)
        assert event.voice_from == source
        assert event.first_voice == fields.get("first_voice", event.first_voice)


def test_a_chosen_seed_deals_the_same_cards_again_and_says_so(table: Table):
    first, second = (table.load(opened(table)).state for _ in range(2))
    assert first.dealt == second.dealt
    assert first.opened.seed_chosen
    other = table.open(Opening(players=HUMANS, seed=7, round=2, match="x", previous="x")).state
    assert other.dealt.hands != first.dealt.hands


def test_seeds_that_are_drawn_differ_and_are_nobodys_choice(table: Table):
    first, second = (table.open(Opening(players=HUMANS)).state for _ in range(2))
    assert first.opened.server_seed != second.opened.server_seed
    assert first.dealt.hands != second.dealt.hands
    assert not first.opened.seed_chosen


def test_the_seeds_of_the_seats_take_part_in_the_deal(table: Table):
    seeds = table.draw_seeds()
    mine = table.draw_seeds(("", "my words", ""))
    assert mine.seat_seeds == ("", "my words", "")
    plain = table.open(Opening(players=HUMANS), seeds).state
    with_words = Opening(players=HUMANS, seed=7, seat_seeds=("", "my words", ""))
    assert table.open(with_words).state.dealt.hands != table.load(opened(table)).state.dealt.hands
    assert plain.opened.server_seed == seeds.server_seed


# ---- a command that is known by its id ----


@pytest.mark.parametrize(
    ("told", "again"),
    [(Bid(1, 2), Bid(1, 2)), (action("1 bid 2"), Bid(1, 2)), (Bid(1, 2), action("1 bid 2"))],
    ids=["command", "words then command", "command then words"],
)
def test_a_command_that_is_given_twice_is_done_once(each_table: Table, told, again):
    game = opened(each_table)
    first = each_table.act(game, told, command_id="mine")
    before = rows(each_table)
    assert each_table.act(game, again, command_id="mine") == first
    assert rows(each_table) == before


def test_it_answers_what_it_did_though_the_game_has_moved_on(each_table: Table):
    game = opened(each_table)
    first = each_table.act(game, action("1 bid 3"), expect=2, command_id="mine")
    play = each_table.act(game, first_lead(first.state), command_id="my lead")
    say(each_table, game, "2 pass", "0 pass")
    before = rows(each_table)
    assert each_table.act(game, action("1 bid 3"), expect=2, command_id="mine") == first, "known before it is stale"
    assert each_table.act(game, first_lead(first.state), command_id="my lead") == play
    each_table.act(game, action("0 escape"), command_id="gone")
    assert each_table.act(game, action("0 escape"), command_id="gone").state.scored.score.payouts == (-9, 0, 0)
    assert isinstance(each_table.load(game).state, Over)
    assert each_table.act(game, action("1 bid 3"), command_id="mine") == first
    assert len(rows(each_table)) == len(before) + 3


def test_a_play_is_the_same_however_it_is_told(table: Table):
    at = enthroned(table)
    seat = at.state.turn
    play = next(turn for turn in legal(at.state) if turn.kind is Kind.SOLO)
    first = table.act(at.game, play, command_id="mine")
    for told in (
        Play(seat, play.cards),
        Play(seat, play.cards, play.kind),
        Play(seat, play.cards, play.kind, play.rank),
        Action(seat, "play", cards=play.cards.ranks),
        Action(seat, "play", cards=str(play.cards), kind=play.kind),
    ):
        assert table.act(at.game, told, command_id="mine") == first
    assert table.load(at.game).seq == first.seq


def test_a_third_pass_that_is_given_twice_deals_once(each_table: Table):
    game = opened(each_table)
    say(each_table, game, "1 pass", "2 pass")
    first = each_table.act(game, PassBid(0), command_id="mine")
    assert tags(first.events) == ["bid_passed", "deal_voided", "dealt"]
    say(each_table, game, "2 bid 1")
    assert each_table.act(game, PassBid(0), command_id="mine") == first
    assert each_table.load(game).seq == first.seq + 1


@pytest.mark.parametrize(
    "other",
    [
        Bid(1, 1),
        Bid(0, 2),
        PassBid(1),
        Escape(1),
        Pass(1),
        action("1 bid 3"),
        action("2 bid 2"),
        action("1 pass"),
        action("1 escape"),
        action("1 play 3"),
    ],
    ids=str,
)
def test_an_id_serves_one_command_only(each_table: Table, other):
    game = opened(each_table)
    each_table.act(game, Bid(1, 2), command_id="mine")
    before = rows(each_table)
    with pytest.raises(Refused) as caught:
        each_table.act(game, other, command_id="mine")
    assert caught.value.code == "log/command-reused"
    assert rows(each_table) == before


def test_an_id_serves_one_play_only(table: Table):
    at = enthroned(table)
    first, second, *_ = legal(at.state)
    table.act(at.game, first, command_id="mine")
    with pytest.raises(Refused, match="already been used for another command"):
        table.act(at.game, second, command_id="mine")


def test_an_id_serves_one_line_only(each_table: Table):
    game = opened(each_table)
    other = opened(each_table)
    each_table.act(game, Bid(1, 2), command_id="mine")
    line = fork(each_table, game, 2).game
    before = rows(each_table)
    for elsewhere in (other, line):
        with pytest.raises(Refused) as caught:
            each_table.act(elsewhere, Bid(1, 2), command_id="mine")
        assert caught.value.code == "log/command-reused"
    assert rows(each_table) == before


def test_the_ids_under_which_games_begin_serve_no_command(each_table: Table):
    game = opened(each_table)
    line = fork(each_table, game, 2).game
    for stored in (each_table.log.rows(game)[0], each_table.log.rows(line)[-1]):
        with pytest.raises(Refused) as caught:
            each_table.act(stored.game, Bid(1, 2), command_id=stored.event_id.partition("/")[0])
        assert caught.value.code == "log/command-reused"


def test_a_command_that_was_refused_leaves_its_id_free(each_table: Table):
    game = opened(each_table)
    with pytest.raises(Refused, match="turn"):
        each_table.act(game, Bid(2, 1), command_id="mine")
    assert each_table.act(game, Bid(1, 1), command_id="mine").seq == 3


@pytest.mark.parametrize("name", ["", "a/b", "x" * 65, "a\nb"])
def test_what_is_no_id(table: Table, name: str):
    game = opened(table)
    with pytest.raises(Refused) as caught:
        table.act(game, Bid(1, 1), command_id=name)
    assert caught.value.code == "log/bad-command-id"
    assert table.load(game).seq == 2


# ---- what was expected ----


@pytest.mark.parametrize("expect", [0, 1, 3, -1, 10**30])
def test_a_command_for_another_moment_is_stale(each_table: Table, expect: int):
    game = opened(each_table)
    with pytest.raises(StaleLog) as caught:
        each_table.act(game, Bid(1, 1), expect)
    assert caught.value.code == "log/stale"
    assert (caught.value.facts["expected"], caught.value.facts["actual"]) == (expect, 2)
    assert each_table.load(game).seq == 2


def test_staleness_comes_before_the_law(table: Table):
    game = opened(table)
    with pytest.raises(StaleLog):
        table.act(game, Bid(2, 7), 1)


def test_two_tables_at_one_log_are_told_apart_by_what_they_expect(each_table: Table):
    game = opened(each_table)
    each_table.act(game, Bid(1, 1), expect=2, command_id="ann")
    with pytest.raises(StaleLog):
        each_table.act(game, Bid(1, 2), expect=2, command_id="bob")
    assert each_table.load(game).state.calls[0].points == 1


# ---- refused ----


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("0 bid 1", "turn/not-yours"),
        ("1 bid 4", "bid/no-such-bid"),
        ("1 play 3", "phase/wrong"),
    ],
)
def test_what_the_law_refuses_is_not_stored(each_table: Table, words: str, code: str):
    game = opened(each_table)
    before = rows(each_table)
    with pytest.raises(Refused) as caught:
        each_table.act(game, action(words))
    assert caught.value.code == code
    assert rows(each_table) == before


def test_words_that_name_no_cards_are_unreadable(table: Table):
    at = enthroned(table)
    with pytest.raises(Unreadable, match="'X' is no rank"):
        table.act(at.game, Action(at.state.turn, "play", cards="xyz"))
    assert table.load(at.game).seq == at.seq


def test_a_game_that_does_not_exist(table: Table):
    for attempt in (
        lambda: table.act("nowhere", Bid(0, 1)),
        lambda: table.load("nowhere"),
        lambda: fork(table, "nowhere", 2),
    ):
        with pytest.raises(UnknownGame, match="there is no game 'nowhere'"):
            attempt()


# ---- nobody bids ----


def test_a_third_pass_deals_again_in_the_same_append(each_table: Table):
    game = opened(each_table)
    say(each_table, game, "1 pass", "2 pass")
    outcome = each_table.act(game, PassBid(0))
    assert tags(outcome.events) == ["bid_passed", "deal_voided", "dealt"]
    assert isinstance(outcome.state, Auction)
    assert outcome.state.dealt.number == 1
    assert outcome.state.turn == outcome.state.dealt.first_voice == 2, "the first voice moves on by one seat"
    last = each_table.log.rows(game)[-3:]
    assert [row.event_id.partition("/")[2] for row in last] == ["0", "1", "2"]


def test_the_first_voice_moves_on_with_every_deal(table: Table):
    game = opened(table, first_voice=1)
    for expected in (2, 0, 1, 2):
        assert pass_all(table, game).state.turn == expected


def test_an_imported_game_that_is_void_is_dealt_again_before_the_next_act(each_table: Table):
    game = void_game(each_table)
    at = each_table.load(game)
    assert isinstance(at.state, Void)
    outcome = each_table.act(game, action("0 bid 2"), expect=at.seq, command_id="mine")
    assert tags(outcome.events) == ["bid_made"]
    history = each_table.log.history(game)
    assert tags(history[at.seq :]) == ["dealt", "bid_made"]
    assert history[at.seq].number == 1
    assert history[at.seq].first_voice == 0, "one on from seat 2, which the record gave the first voice"
    assert each_table.act(game, action("0 bid 2"), command_id="mine") == outcome


def test_the_new_deal_of_a_void_game_stays_though_the_act_is_refused(table: Table):
    game = void_game(table)
    before = table.load(game).seq
    with pytest.raises(Refused) as caught:
        table.act(game, action("1 bid 2"))
    assert caught.value.code == "turn/not-yours"
    at = table.load(game)
    assert at.seq == before + 1
    assert isinstance(at.state, Auction)


def test_a_command_that_died_behind_the_new_deal_is_given_again_as_it_was(each_table: Table):
    """The deal is stored by itself, so a kill may come between the two appends."""
    game = void_game(each_table)
    seq = each_table.load(game).seq
    times = iter([AT])  # the table looks at the clock at each append, and dies of it at the second
    dying = msgspec.structs.replace(each_table, clock=times.__next__)
    with pytest.raises(StopIteration):
        dying.act(game, action("0 bid 2"), seq, "x" * 64)
    assert each_table.load(game).seq == seq + 1
    with pytest.raises(StaleLog):
        each_table.act(game, action("0 bid 2"), seq, "another")
    for _ in range(2):
        assert each_table.act(game, action("0 bid 2"), seq, "x" * 64).seq == seq + 2


def test_who_leaves_a_void_game_needs_no_new_deal(table: Table):
    game = void_game(table)
    outcome = table.act(game, action("1 escape"))
    assert tags(outcome.events) == ["seat_escaped", "game_scored", "seed_revealed"]
    assert outcome.state.scored.score.payouts == (0, -3, 0)


def test_only_a_void_game_is_dealt_again(table: Table):
    at = enthroned(table)
    with pytest.raises(Refused) as caught:
        table.redeal(at)
    assert caught.value.code == "phase/wrong"


# ---- the end ----


def test_the_end_of_a_game_is_one_append(table: Table):
    at = enthroned(table)
    outcome = table.act(at.game, action(f"{at.state.turn} escape"))
    assert [type(event) for event in outcome.events] == [SeatEscaped, GameScored, SeedRevealed]
    assert outcome.state.revealed == at.state.opened.server_seed
    ids = {row.event_id.partition("/")[0] for row in table.log.rows(at.game)[-3:]}
    assert len(ids) == 1
    with pytest.raises(Refused) as caught:
        table.act(at.game, action("0 pass"))
    assert caught.value.code == "game/over"


def test_a_table_on_the_same_file_goes_on_where_the_other_stopped(file_log):
    game = opened(table_on(file_log))
    say(table_on(file_log, seed=2), game, "1 bid 3")
    assert isinstance(table_on(file_log, seed=3).load(game).state, Playing)


# ---- forks at the table ----


def test_a_fork_is_an_append_to_a_line_of_its_own(each_table: Table):
    at = enthroned(each_table)
    outcome = fork(each_table, at.game, at.seq)
    assert outcome.seq == at.seq + 1
    assert outcome.game != at.game
    assert each_table.load(at.game) == at
    assert each_table.load(outcome.game).state == at.state
    (event,) = outcome.events
    assert (event.parent, event.at, event.reason) == (at.game, at.seq, "explore")


@pytest.mark.parametrize("at", [0, -1, 10**6])
def test_a_fork_behind_the_end_is_out_of_range(table: Table, at: int):
    game = opened(table)
    with pytest.raises(OutOfRange, match="has the events 1 to 2"):
        fork(table, game, at)


def test_a_void_deal_is_no_place_to_fork(table: Table):
    game = void_game(table)
    with pytest.raises(Refused, match="the nearest turn before it is after event 4") as caught:
        fork(table, game, 6)
    assert caught.value.facts["nearest"] == 4


def test_a_loaded_line_is_the_fold_of_its_events(each_table: Table):
    import random

    game = enthroned(each_table).game
    at = play_on(each_table, game, random.Random(3), turns=9)
    history = each_table.log.history(game)
    assert at.state == fold(history)
    assert turn_of(at.state) is not None
    assert any(isinstance(event, Dealt) for event in history)
    assert not any(isinstance(event, DealVoided) for event in history)


@pytest.mark.parametrize("expect", [None, 2])
def test_who_expects_nothing_is_never_too_late(table: Table, monkeypatch: pytest.MonkeyPatch, expect: int | None):
    """Somebody else moves between the look and the append: an escape is legal behind that as well."""
    game = table.open(Opening(players=HUMANS, seed=7, first_voice=0)).game
    other = Table(table.log, table.clock, table.entropy)
    append = Table._append

    def overtaken(self: Table, *given: object) -> object:
        if self is table and table.log.last_position() == 2:
            say(other, game, "0 pass")
        return append(self, *given)

    monkeypatch.setattr(Table, "_append", overtaken)
    if expect is None:
        assert table.act(game, Escape(2)).seq == 6
        return
    with pytest.raises(StaleLog):
        table.act(game, Escape(2), expect)
    assert table.log.last_position() == 3
