"""Bots at the table: until a person must act, until the game is over, or until nobody will ever bid."""

import random

import pytest

from ddz import bots
from ddz.commands import Turn
from ddz.decide import legal
from ddz.errors import Unreadable
from ddz.frozen.events import Dealt, GameOpened
from ddz.frozen.shapes import Player
from ddz.rules import SEATS
from ddz.services import loop
from ddz.services.audit import audit_game
from ddz.services.lines import fork
from ddz.services.loop import NobodyBids, bots_of, run, seat_bots, steps
from ddz.services.opening import Opening
from ddz.services.table import Outcome, Table
from ddz.state import Auction, Over, Playing, Void, turn_of
from ddz.view import SeatView, seat_view

from .tables import PassingBot, bot_game, hasty, imported, points, say, table_on, void_game

NAMES = bots.names()


def seated(table: Table, *names: str, humans: tuple[int, ...] = (), seed: int = 7):
    players, chosen = seat_bots(names or ("random",), humans)
    opened = table.open(Opening(players=players, seed=seed))
    return opened.moment, chosen


# ---- who sits where ----


def test_one_name_serves_all_seats_and_more_go_in_seat_order():
    players, chosen = seat_bots(("random",))
    assert [player.bot for player in players] == ["random"] * 3
    assert [player.name for player in players] == ["random 0", "random 1", "random 2"]
    assert list(chosen) == [0, 1, 2]
    players, chosen = seat_bots(("simple", "random"), humans=(1,))
    assert [player.bot for player in players] == ["simple", None, "random"]
    assert players[1] == Player("you", "human")
    assert list(chosen) == [0, 2]
    assert [player.version for player in players] == [chosen[0].version, None, chosen[2].version]


@pytest.mark.parametrize(
    ("names", "humans"), [((), ()), (("random",) * 2, ()), (("random",) * 3, (0,)), (("random",) * 4, ())]
)
def test_a_wrong_number_of_bots(names: tuple[str, ...], humans: tuple[int, ...]):
    with pytest.raises(Unreadable, match=f"name one bot for all, or {3 - len(humans)} in seat order, not {len(names)}"):
        seat_bots(names, humans)


def test_a_bot_that_does_not_exist():
    with pytest.raises(Unreadable, match=f"there is no bot called 'deep': the bots are {', '.join(NAMES)}"):
        seat_bots(("deep",))


def test_a_stored_game_is_gone_on_with_by_those_who_played_it():
    players = (Player("ann", "human"), Player("random", "bot", "random", "1"), Player("cat", "import"))
    again = bots_of(players, humans=(0,))
    assert {seat: bot.name for seat, bot in again.items()} == {1: "random", 2: "normal"}
    assert bots_of(players, (0, 1, 2)) == {}


def test_who_is_named_takes_the_seats_of_those_who_played():
    players = (Player("ann", "human"), Player("random", "bot", "random", "1"), Player("cat", "import"))

    def seated(*names: str) -> dict[int, str]:
        return {seat: bot.name for seat, bot in bots_of(players, (0,), names).items()}

    assert seated("simple") == {1: "simple", 2: "simple"}
    assert seated("simple", "random") == {1: "simple", 2: "random"}
    with pytest.raises(Unreadable, match="name one bot for all, or 2 in seat order, not 3"):
        seated("simple", "random", "simple")


# ---- turns ----


class Watcher:
    """Plays the first legal turn and keeps what it was given."""

    name = "watcher"
    version = "1"

    def __init__(self) -> None:
        self.seen: list[tuple[SeatView, tuple[Turn, ...]]] = []

    def choose(self, view: SeatView, legal: tuple[Turn, ...], rng: random.Random) -> Turn:  # noqa: ARG002
        self.seen.append((view, legal))
        return legal[0]


def test_a_bot_is_given_the_view_of_its_seat_and_what_is_legal(table: Table):
    at, _ = seated(table)
    watcher = Watcher()
    for _ in range(5):
        before = at.state
        outcome = next(steps(table, at, dict.fromkeys(SEATS, watcher)))
        view, turns = watcher.seen[-1]
        assert view == seat_view(before, turn_of(before))
        assert type(view) is SeatView
        assert turns == legal(before)
        at = outcome.moment


def test_every_append_is_answered_once_it_is_stored(table: Table):
    at, chosen = seated(table)
    found: list[Outcome] = []
    for outcome in steps(table, at, chosen):
        found.append(outcome)
        assert table.load(at.game).seq == outcome.seq
    assert isinstance(found[-1].state, Over)
    history = table.log.history(at.game)
    assert [event for outcome in found for event in outcome.events] == list(history[2:])
    assert found[-1].seq == len(history)


@pytest.mark.parametrize("human", [0, 1, 2])
def test_the_loop_stops_where_a_person_is_to_act(each_table: Table, human: int):
    at, chosen = seated(each_table, humans=(human,))
    turns = 0
    at = run(each_table, at, chosen)
    while not isinstance(at.state, Over):
        assert isinstance(at.state, Auction | Playing)
        assert at.state.turn == human
        assert run(each_table, at, chosen) == at, "the loop waits"
        done = each_table.act(at.game, legal(at.state)[-1], at.seq)
        at = run(each_table, done.moment, chosen)
        turns += 1
    assert turns > 1
    assert audit_game(each_table.log, at.game).ok


def test_a_game_that_is_over_stays_as_it_is(table: Table):
    end = bot_game(table)
    assert run(table, end, bots_of(end.state.last.opened.players, ())) == end


def test_an_imported_game_that_is_void_is_dealt_again(table: Table):
    game = void_game(table)
    at = table.load(game)
    assert isinstance(at.state, Void)
    end = run(table, at, seat_bots(("random",))[1])
    assert isinstance(end.state, Over)
    assert audit_game(table.log, game).ok


def test_bots_play_a_fork_out(table: Table):
    game = bot_game(table).game
    line = fork(table, game, points(table, game)[5])
    end = run(table, line.moment, seat_bots(("simple",))[1])
    assert isinstance(end.state, Over)
    assert audit_game(table.log, line.game).ok


# ---- nobody bids ----


def test_it_gives_up_after_100_redeals(table: Table):
    at, _ = seated(table)
    passing = dict.fromkeys((0, 1, 2), PassingBot())
    with pytest.raises(NobodyBids, match=f"nobody has bid in 100 deals of game {at.game}"):
        run(table, at, passing)
    dealt = [event for event in table.log.history(at.game) if isinstance(event, Dealt)]
    assert len(dealt) == 101, "the first deal and 100 more"
    assert len({event.hands for event in dealt}) == 101
    assert loop.MOST_REDEALS == 100
    assert audit_game(table.log, at.game).ok


@pytest.mark.parametrize(("limit", "gives_up"), [(3, True), (4, False)])
def test_a_bid_after_the_last_redeal_comes_too_late(
    table: Table, monkeypatch: pytest.MonkeyPatch, limit: int, gives_up: bool
):
    monkeypatch.setattr(loop, "MOST_REDEALS", limit)
    at, _ = seated(table)
    chosen = dict.fromkeys((0, 1, 2), Watcher())
    for _ in range(3 * 3):
        at = next(steps(table, at, dict.fromkeys(SEATS, PassingBot()))).moment
    assert at.state.dealt.number == 3
    if gives_up:
        with pytest.raises(NobodyBids):
            run(table, at, chosen)
    else:
        assert isinstance(run(table, at, chosen).state, Over)


# ---- chance ----


def events_of(table: Table, game: str):
    return [event for event in table.log.history(game) if not isinstance(event, GameOpened)]


@pytest.mark.parametrize("bot", NAMES)
def test_the_same_seed_and_the_same_bots_play_the_same_game(bot: str):
    first, second = table_on(seed=1), table_on(seed=2)
    for seed in (1, 2, 3):
        one, two = bot_game(first, bot, seed=seed).game, bot_game(second, bot, seed=seed).game
        assert one != two
        assert events_of(first, one) == events_of(second, two)


def test_another_seed_is_another_game(table: Table):
    assert events_of(table, bot_game(table, seed=1).game) != events_of(table, bot_game(table, seed=2).game)


def test_a_game_that_was_suspended_goes_on_as_if_it_had_not_been(tmp_path):
    whole = table_on()
    expected = events_of(whole, bot_game(whole, seed=4).game)
    with hasty(tmp_path / "games.db") as log:
        table = table_on(log)
        at, chosen = seated(table, seed=4)
        for _ in range(7):
            at = next(steps(table, at, chosen)).moment
    with hasty(tmp_path / "games.db") as log:
        table = table_on(log, seed="later")
        run(table, table.load(at.game), seat_bots(("random",))[1])
        assert events_of(table, at.game) == expected


def test_bots_go_on_in_an_imported_game(table: Table):
    from ddz.services.archive import export_record

    game = say(table, seated(table, humans=(0, 1, 2))[0].game, "1 bid 2").game
    again = imported(table, export_record(table, game)).game
    opened = table.log.history(again)[0]
    end = run(table, table.load(again), bots_of(opened.players, ()))
    assert isinstance(end.state, Over)
    assert audit_game(table.log, again).ok
