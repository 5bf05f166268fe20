"""A sitting: what one person at a table may ask and do, with no front door at all."""

import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddz.actions import Action
from ddz.bots.base import Thinking
from ddz.cards import CardSet, union
from ddz.commands import Bid, Escape, Play
from ddz.decide import decide, legal
from ddz.errors import Hidden, Refused, StaleLog, UnknownGame, Unreadable
from ddz.frozen.events import CardsPlayed, GameScored
from ddz.log.base import EventLog
from ddz.services import feed, lines, seating
from ddz.services.audit import audit_game
from ddz.services.match import match_so_far
from ddz.services.opening import Opening
from ddz.services.sight import look, of_seat
from ddz.services.sitting import Sitting
from ddz.services.table import Table
from ddz.state import Over, Playing, turn_of
from ddz.view import DealtView, OpenedView

from .tables import HUMANS, bot_game, hasty, random_game, table_on

SEEDS = st.integers(0, 10**6)


def seated(table: Table, seed: int, seat: int | None = 0, bot: str = "easy") -> Sitting:
    return seating.begin(table, seating.plan(seat, (bot,), seed=seed))


def to_turn(sitting: Sitting) -> Sitting:
    """Let the bots move until the person must."""
    for _ in sitting.bots_move():
        pass
    return sitting


def at_play(table: Table, seed: int = 7, seat: int = 0) -> Sitting:
    """At the person's turn in the play, as the landlord."""
    for number in range(seed, seed + 50):
        sitting = to_turn(seated(table, number, seat))
        if not sitting.bids:
            continue
        sitting.act(Bid(seat, sitting.bids[-1]))
        if to_turn(sitting).view.phase == "playing" and sitting.view.landlord == seat:
            return sitting
    raise AssertionError("nobody may bid in 50 games")


# ---- a front door in ten lines ----


def whole_game(table: Table, seat: int, adviser: str, seed: int) -> Sitting:
    """A front door: it asks for hints, does what they say, and hears of everything once."""
    sitting = seating.begin(table, seating.plan(seat, ("normal",), seed=seed))
    heard = list(sitting.news().events)
    while not sitting.is_over:
        for news in sitting.bots_move():
            heard += news.events
        if sitting.my_turn:
            heard += sitting.act(sitting.hints(adviser)[0].turn).events
    assert heard == [entry.event for entry in sitting.story()]
    return sitting


@pytest.mark.parametrize(("seat", "adviser"), [(0, "easy"), (1, "normal"), (2, "hard")])
def test_a_whole_game_is_played_by_asking_for_hints(each_table: Table, seat: int, adviser: str):
    sitting = whole_game(each_table, seat, adviser, seed=11)
    assert sitting.view.score is not None
    assert sitting.view.hand is not None
    assert audit_game(each_table.log, sitting.game).ok
    assert not sitting.legal
    assert not sitting.my_turn
    assert [player.kind for player in sitting.players] == ["human" if at == seat else "bot" for at in range(3)]


# ---- what is asked ----


@settings(max_examples=8)
@given(seed=SEEDS, seat=st.integers(0, 2))
def test_what_is_answered_agrees_with_the_law_at_every_turn(busy_table: Table, seed: int, seat: int):
    rng = random.Random(seed)
    sitting = seated(busy_table, seed, seat)
    while not to_turn(sitting).is_over:
        state = busy_table.load(sitting.game).state
        view = sitting.view
        assert turn_of(state) == seat
        assert sitting.my_turn
        assert sitting.legal == legal(state)
        assert sitting.bids == tuple(turn.points for turn in legal(state) if isinstance(turn, Bid))
        plays = [turn for turn in legal(state) if isinstance(turn, Play)]
        by_kind = sitting.moves_by_kind
        assert sorted(map(repr, plays)) == sorted(repr(play) for kind in by_kind for play in by_kind[kind])
        assert all(play.kind is kind for kind in by_kind for play in by_kind[kind])
        assert sitting.may_pass == any(not isinstance(turn, Bid | Play) for turn in legal(state))
        assert sitting.nothing_beats == (isinstance(state, Playing) and not plays)
        hands = [hand for at, hand in enumerate(state.hands) if at != seat]
        kitty = CardSet() if isinstance(state, Playing) else state.dealt.kitty
        assert sitting.unseen == union((*hands, kitty)), "the others' hands, and the kitty while it lies there"
        assert view == of_seat(seat).view(state)
        events = decide(state, Escape(seat))
        assert sitting.escape_price == next(-e.score.payouts[seat] for e in events if isinstance(e, GameScored)) > 0
        for bot in ("easy", "normal", "hard"):
            hints = sitting.hints(bot)
            assert hints == sitting.hints(bot), "equal questions, equal answers"
            assert {hint.turn for hint in hints} <= set(legal(state))
            assert len(hints) == (len(legal(state)) if bot == "hard" else 1)
            assert (hints[0].worth is None) == (bot != "hard")
        sitting.act(rng.choice(sitting.legal))
    assert sitting.view.score == busy_table.load(sitting.game).state.scored.score


def test_what_others_hold_is_in_no_answer(table: Table):
    """Everything that is answered stays the same when the cards that the person cannot see are exchanged."""
    sitting = at_play(table)
    at = table.load(sitting.game)
    mine, one, two = at.state.hands
    assert one != two
    exchanged = msgspec.structs.replace(at, state=msgspec.structs.replace(at.state, hands=(mine, two, one)))
    other = Sitting(table, exchanged, 0, {})
    for name in ("view", "legal", "bids", "moves_by_kind", "may_pass", "nothing_beats", "unseen", "escape_price"):
        assert getattr(sitting, name) == getattr(other, name), name
    for bot in ("easy", "normal", "hard"):
        assert sitting.hints(bot) == other.hints(bot)


def test_the_story_is_what_the_seat_may_see(each_table: Table):
    sitting = at_play(each_table)
    story = list(sitting.story())
    history = each_table.log.history(sitting.game)
    assert [entry.event for entry in story] == [of_seat(0).event(event) for event in history]
    assert [entry.seq for entry in story] == list(range(1, sitting.seq + 1))
    opened, dealt = story[0].event, story[1].event
    assert isinstance(opened, OpenedView)
    assert isinstance(dealt, DealtView)
    assert [hand is None for hand in dealt.hands] == [False, True, True]


def test_no_hint_is_given_out_of_turn_nor_without_a_seat(table: Table):
    sitting = to_turn(seated(table, 3, seat=None))
    for ask in (sitting.hints, lambda: sitting.unseen, lambda: sitting.escape_price, sitting.back):
        with pytest.raises(Refused) as caught:
            ask()
        assert caught.value.code == "seat/none"
    people = table.open(Opening(players=HUMANS, seed=1))
    other = next(seat for seat in range(3) if seat != turn_of(people.state))
    waiting = seating.resume(table, people.game, other)
    assert not waiting.my_turn
    assert not waiting.legal
    assert not waiting.nothing_beats
    with pytest.raises(Refused) as caught:
        waiting.hints("easy")
    assert caught.value.code == "hint/not-your-turn"


def test_an_adviser_that_does_not_exist_is_named(table: Table):
    with pytest.raises(Unreadable, match="nobody"):
        to_turn(seated(table, 3)).hints("nobody")


def test_a_hint_thinks_by_the_clock_that_comes_from_outside(table: Table):
    ticks = iter(range(10**9))
    thinking = Thinking(3000, lambda: float(next(ticks)))
    planned = seating.plan(0, ("expert",), seed=5, thinking=thinking)
    assert [player.version for player in planned.opening.players[1:]] == ["2+3000ms", "2+3000ms"]
    sitting = seating.resume(table, at_play(table).game, names=("expert",), thinking=thinking)
    assert next(ticks) == 0, "nobody has thought yet"
    assert sitting.hints("normal")
    assert next(ticks) == 1, "this one does not look at the clock"
    assert sitting.hints("expert")
    assert next(ticks) > 3


# ---- what is done ----


def test_a_command_for_another_seat_is_refused(table: Table):
    sitting = at_play(table)
    with pytest.raises(Refused) as caught:
        sitting.act(Action(1, "pass"))
    assert caught.value.code == "seat/not-yours"
    before = table.log.last_position()
    with pytest.raises(Refused):
        sitting.act(Action(0, "pass"))
    with pytest.raises(Unreadable):
        sitting.act(Action(0, "play", cards="3x"))
    assert table.log.last_position() == before


def test_to_escape_costs_what_was_said(each_table: Table):
    sitting = at_play(each_table)
    price = sitting.escape_price
    sitting.escape()
    assert sitting.is_over
    assert sitting.view.score.payouts[0] == -price
    assert sitting.view.score.escaped == 0


def test_who_was_overtaken_sees_how_the_game_stands(each_table: Table):
    """The same person at two screens: the slower one is refused, nothing is stored, and it hears what happened."""
    quick = at_play(each_table)
    slow = seating.resume(each_table, quick.game)
    lead = quick.hints("normal")[0].turn
    quick.act(lead)
    to_turn(quick)
    position = each_table.log.last_position()
    with pytest.raises(StaleLog):
        slow.act(slow.legal[0])
    assert each_table.log.last_position() == position
    assert (slow.seq, slow.view, slow.legal) == (quick.seq, quick.view, quick.legal)
    news = slow.news()
    assert isinstance(news.events[0], CardsPlayed)
    assert news.events[0].seat == 0
    assert news.first + len(news.events) - 1 == quick.seq
    assert slow.news().events == (), "each thing is told once"
    if not slow.is_over:
        slow.act(slow.legal[-1])


def test_what_was_missed_is_told_before_what_follows(table: Table):
    quick = at_play(table)
    slow = seating.resume(table, quick.game)
    quick.act(quick.hints("normal")[0].turn)
    to_turn(quick)
    with pytest.raises(StaleLog):
        slow.act(slow.legal[0])
    if slow.is_over:
        pytest.fail("take another seed: the bots have won")
    told = slow.act(slow.legal[-1])
    assert told.first + len(told.events) - 1 == slow.seq
    assert len(told.events) > 1, "what the others did stands before it"


@pytest.mark.parametrize("watchers", [2, 3])
def test_several_let_the_bots_of_one_game_move(each_table: Table, watchers: int):
    """Whoever was slower takes a fresh look and goes on; each hears of every event once."""
    game = seated(each_table, 9, seat=None).game
    sittings = [seating.resume(each_table, game, watching=True, names=("normal",)) for _ in range(watchers)]
    going = [(sitting, sitting.bots_move(), []) for sitting in sittings]
    start = sittings[0].seq
    running = list(going)
    while running:
        for each in list(running):
            news = next(each[1], None)
            if news is None:
                running.remove(each)
            else:
                each[2].extend(zip(range(news.first, news.first + len(news.events)), news.events, strict=True))
    whole = [(entry.seq, entry.event) for entry in sittings[0].story() if entry.seq > start]
    assert [told for _, _, told in going] == [whole] * watchers
    assert all(sitting.is_over for sitting in sittings)


# ---- back ----


@settings(max_examples=8)
@given(seed=SEEDS)
def test_back_goes_on_before_the_last_own_turn_in_a_fork(busy_table: Table, seed: int):
    rng = random.Random(seed)
    sitting = to_turn(seated(busy_table, seed))
    left, before = sitting.game, []
    for _ in range(rng.randrange(1, 6)):
        if to_turn(sitting).is_over:
            break
        before.append((sitting.seq, sitting.view, sitting.legal))
        sitting.act(rng.choice(sitting.legal))
    to_turn(sitting)
    length = sitting.seq
    assert sitting.last_own_turn == before[-1][0] + 1
    news = sitting.back()
    assert news.game == sitting.game != left
    seq, view, turns = before[-1]
    assert (sitting.view, sitting.legal) == (view, turns)
    assert sitting.seq == seq + 1, "the fork's own first event"
    (line,) = (line for line in busy_table.log.lines() if line.game == sitting.game)
    assert (line.parent, line.forked_at, line.reason) == (left, seq, "back")
    assert len(busy_table.log.rows(left)) == length, "the line that is left stays"
    sitting.act(rng.choice(sitting.legal))
    assert to_turn(sitting).seq > seq + 1


def test_back_and_back_again(table: Table):
    sitting = at_play(table)
    for _ in range(2):
        sitting.act(sitting.hints("normal")[0].turn)
        to_turn(sitting)
    first = next(entry.seq for entry in sitting.story() if getattr(entry.event, "seat", None) == 0)
    while sitting.last_own_turn is not None:
        sitting.back()
    assert sitting.view.phase == "auction"
    assert first == table.log.rows(sitting.game)[-1].seq
    with pytest.raises(Refused) as caught:
        sitting.back()
    assert caught.value.code == "back/no-turn"


def test_to_escape_out_of_turn_is_no_turn_to_take_back(table: Table):
    sitting = at_play(table)
    sitting.act(sitting.hints("normal")[0].turn)
    own = sitting.last_own_turn
    assert not sitting.my_turn
    sitting.escape()
    assert sitting.last_own_turn == own


def test_a_game_that_was_lost_is_gone_on_with_before_the_last_turn(table: Table):
    sitting = whole_game(table, 0, "easy", 4)
    sitting.back()
    assert not sitting.is_over
    assert sitting.my_turn
    assert audit_game(table.log, sitting.game).ok


# ---- a match ----


def test_the_next_round_is_of_the_same_match(each_table: Table):
    sitting = whole_game(each_table, 0, "normal", 21)
    first, first_voice = sitting.game, sitting.view.first_voice
    news = sitting.next_round(seed=21)
    assert news.game == sitting.game != first
    assert news.first == 1
    assert isinstance(news.events[0], OpenedView)
    assert (news.events[0].previous, news.events[0].round) == (first, 2)
    assert sitting.view.first_voice == (first_voice + 1) % 3
    assert sitting.match() == match_so_far(each_table.log, sitting.game)
    assert [row.game for row in sitting.match().rounds] == [first, sitting.game]
    with pytest.raises(Refused) as caught:
        sitting.next_round()
    assert caught.value.code == "round/not-over"


def test_what_back_went_on_in_counts_for_its_round(table: Table):
    sitting = whole_game(table, 0, "normal", 22)
    sitting.back()
    while not to_turn(sitting).is_over:
        sitting.act(sitting.hints("normal")[0].turn)
    counted = sitting.game
    sitting.next_round()
    assert [row.game for row in sitting.match().rounds] == [counted, sitting.game]


# ---- who sits where ----


def test_a_game_is_taken_up_at_its_humans_seat(each_table: Table):
    for seat in range(3):
        game = seated(each_table, 5, seat).game
        again = seating.resume(each_table, game)
        assert again.seat == seat
        assert again.news().events == (), "what was before is not news"
        assert seating.resume(each_table, game, watching=True).seat is None
    bots_only = seated(each_table, 5, None).game
    assert seating.resume(each_table, bots_only).seat == seating.FIRST_SEAT
    assert seating.resume(each_table, bots_only, 2).seat == 2


def left(table: Table, seat: int) -> str:
    """A game that is over because its one human has left it."""
    sitting = to_turn(seated(table, 5, seat))
    sitting.escape()
    return sitting.game


@pytest.mark.parametrize(
    "kind", ["one human", "three humans", "bots", "over", "left by its human", "fork of a game that is over"]
)
def test_whoever_may_sit_down_sees_nothing_that_is_hidden_from_him(each_table: Table, kind: str):
    game = {
        "one human": lambda: seated(each_table, 5, 1).game,
        "three humans": lambda: random_game(each_table, 5, turns=2).game,
        "bots": lambda: seated(each_table, 5, None).game,
        "over": lambda: bot_game(each_table).game,
        "left by its human": lambda: left(each_table, 1),
        "fork of a game that is over": lambda: lines.fork(each_table, left(each_table, 1), 2).game,
    }[kind]()
    state = each_table.load(game).state
    open_to_him = seating.seats(each_table, game)
    assert open_to_him == {"one human": (1,)}.get(kind, (0, 1, 2))
    for seat in range(3):
        if isinstance(state, Over):
            with pytest.raises(Refused) as caught:
                seating.resume(each_table, game, seat)
            assert caught.value.code == "game/over"
            assert caught.value.facts["game"] == game
        elif seat in open_to_him:
            assert seating.resume(each_table, game, seat).seat == seat
        else:
            with pytest.raises(Hidden):
                seating.resume(each_table, game, seat)
            with pytest.raises(Hidden):
                look(each_table.log, game, state, seat)
    assert not each_table.log.seen()


def test_to_sit_down_at_a_bots_seat_on_purpose_is_noted(each_table: Table):
    game = seated(each_table, 5, 1).game
    assert seating.resume(each_table, game, 2, reveal=True).seat == 2
    assert set(each_table.log.seen()) == {game}


def test_the_newest_unfinished_game_is_found(each_table: Table):
    with pytest.raises(UnknownGame):
        seating.newest_unfinished(each_table.log)
    bot_game(each_table)
    with pytest.raises(UnknownGame):
        seating.newest_unfinished(each_table.log)
    older, newer = (seated(each_table, seed).game for seed in (1, 2))
    bot_game(each_table)
    assert seating.newest_unfinished(each_table.log) == newer
    to_turn(seating.resume(each_table, older)).escape()
    assert seating.newest_unfinished(each_table.log) == newer
    sitting = to_turn(seating.resume(each_table, newer))
    sitting.act(sitting.legal[-1])
    fork = lines.fork(each_table, newer, 2).game
    assert seating.newest_unfinished(each_table.log) == fork


def test_the_words_of_the_person_enter_a_deal_that_is_committed_to(table: Table):
    planned = seating.plan(1, ("easy",))
    assert planned.commitment is None
    committed = seating.committed(table, planned)
    sitting = seating.begin(table, committed.saying("mine"))
    opened = sitting.news().events[0]
    assert (opened.commitment, opened.seat_seeds) == (committed.commitment, ("", "mine", ""))
    assert audit_game(table.log, sitting.game).ok
    to_turn(sitting).escape()
    assert sitting.next_round().events[0].seat_seeds == ("", "mine", "")


@pytest.mark.parametrize("words", ["", "mine"])
def test_a_chosen_seed_is_committed_to_as_well(table: Table, words: str):
    planned = seating.plan(0, ("easy",), seed=7).saying(words)
    at_once = seating.begin(table, planned)
    shown = seating.committed(table, planned)
    later = seating.begin(table, shown)
    assert later.news().events[1] == at_once.news().events[1], "the same cards"
    assert later.view.hand == at_once.view.hand


def test_bots_that_are_named_sit_down(table: Table):
    sitting = seated(table, 5, 0, "easy")
    again = seating.resume(table, sitting.game, names=("normal", "hard"))
    to_turn(again).escape()
    again.next_round()
    assert [player.bot for player in again.players] == [None, "normal", "hard"]
    with pytest.raises(Unreadable):
        seating.plan(0, ("easy", "easy", "easy"))
    with pytest.raises(Unreadable):
        seating.plan(0, ("easy",), thinking=Thinking(5, lambda: 0.0))


# ---- two processes ----

OTHER = """
import random, sys
from pathlib import Path
from ddz.log.stores import open_log
from ddz.services import seating
from ddz.services.table import Table

log = open_log(sys.argv[1], create=False)
table = Table(log, lambda: "2026-01-02T03:04:05Z", random.Random(5).randbytes)
sitting = seating.resume(table, seating.newest_unfinished(log))
while not sitting.is_over:
    for _ in sitting.bots_move():
        pass
    if sitting.my_turn:
        sitting.act(sitting.hints("normal")[0].turn)
"""


def test_a_game_goes_on_in_another_process_and_is_followed_here(tmp_path: Path):
    path = tmp_path / "games.db"
    table = table_on(hasty(path))
    sitting = to_turn(seated(table, 13))
    other = subprocess.Popen([sys.executable, "-c", OTHER, str(path)])
    last = False

    def wait() -> bool:
        """Look again until the other process is gone, and once behind that."""
        nonlocal last
        if last:
            return False
        with suppress(subprocess.TimeoutExpired):
            other.wait(0.02)
            last = True
        return True

    def behind(log: EventLog, position: int) -> Iterator[feed.FeedEntry]:
        return feed.of_line(log, sitting.game, of_seat(0), position)

    heard = list(feed.follow(lambda: nullcontext(table.log), behind, 0, wait))
    assert other.returncode == 0
    assert heard == list(sitting.story())
    assert heard[-1].type == "seed_revealed"
    with pytest.raises(StaleLog):
        sitting.act(sitting.legal[0])
    assert sitting.is_over
    assert sitting.news().events[-1] == heard[-1].event
    table.log.close()
