"""What nobody may know yet is in no view, no list of moves, no event as it is shown and no JSON."""

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddz.cards import CardSet, union
from ddz.contract.base import encode
from ddz.contract.events import event_json
from ddz.contract.views import view_json
from ddz.frozen.events import CardsPlayed, Dealt, Event, LandlordChosen
from ddz.services import games_json
from ddz.services.opening import Opening
from ddz.services.replay import replay
from ddz.services.sight import Sight
from ddz.services.table import Table
from ddz.state import Over, fold
from ddz.view import Viewer

from .tables import HUMANS, enthroned, family, pass_all, play_on, random_game, table_on

VIEWERS: tuple[Viewer, ...] = (0, 1, 2, "table")
SEEDS = st.integers(0, 10**6)
Places = tuple[CardSet, CardSet, CardSet, CardSet]
"""The three hands and the kitty, as they were dealt."""


def hidden(events: list[Event], viewer: Viewer) -> Places:
    """What is public nowhere after `events`: cards still held by others than `viewer`, and the kitty in an auction.

    The kitty that the landlord took is public; an older deal than the last is public nowhere at all.
    """
    nothing = CardSet()
    last = max(at for at, event in enumerate(events) if isinstance(event, Dealt))
    later = events[last:]
    played = union(event.cards for event in later if isinstance(event, CardsPlayed))
    one, two, three = (nothing if seat == viewer else hand - played for seat, hand in enumerate(later[0].hands))
    return one, two, three, nothing if any(isinstance(e, LandlordChosen) for e in later) else later[0].kitty


def exchanged(dealt: Dealt, places: Places, rng: random.Random) -> Dealt:
    """The deal with all that may be exchanged between its hidden places shuffled."""
    pool = [card for place in places for card in place]
    rng.shuffle(pool)
    parts: list[CardSet] = []
    for place, was in zip(places, (*dealt.hands, dealt.kitty), strict=True):
        drawn, pool = pool[: len(place)], pool[len(place) :]
        parts.append((was - place) | union(CardSet(1 << card) for card in drawn))
    return msgspec.structs.replace(dealt, hands=(parts[0], parts[1], parts[2]), kitty=parts[3])


def otherwise(events: list[Event], viewer: Viewer, rng: random.Random) -> list[Event]:
    """The same events with other cards wherever `viewer` cannot have seen them."""
    found = list(events)
    dealt = [at for at, event in enumerate(events) if isinstance(event, Dealt)]
    for at in dealt:
        event = events[at]
        upto = events if at == dealt[-1] else events[: at + 1]
        found[at] = exchanged(event, hidden(upto, viewer), rng)
    return found


def shown(events: list[Event], viewer: Viewer) -> tuple[object, ...]:
    """All that `viewer` is given after `events`."""
    state = fold(events)
    sight = Sight(viewer)
    view, moves = sight.view(state), sight.legal(state)
    told = [sight.event(event) for event in events]
    json = [encode(event_json(seq, event)) for seq, event in enumerate(told, 1)]
    return view, moves, told, encode(view_json(view, moves, "game", len(events))), json


@settings(max_examples=12)
@given(seed=SEEDS, silent=st.booleans(), data=st.data())
def test_nobody_sees_an_exchange_of_hidden_cards(seed: int, silent: bool, data: st.DataObject):
    table = table_on()
    rng = random.Random(seed)
    game = table.open(Opening(players=HUMANS, seed=seed)).game
    if silent:
        pass_all(table, game)
    play_on(table, game, rng, escape=0.005)
    history = list(table.log.history(game))
    for upto in data.draw(st.lists(st.integers(2, len(history)), min_size=4, max_size=8)):
        events = history[:upto]
        for viewer in VIEWERS:
            other = otherwise(events, viewer, rng)
            assert shown(other, viewer) == shown(events, viewer)


def test_the_exchange_is_a_real_one(table: Table):
    """The property above would hold for nothing at all: here it moves cards, and the kitty's while it may."""
    game = table.open(Opening(players=HUMANS, seed=7)).game
    rng = random.Random(1)
    auction = list(table.log.history(game))
    other = otherwise(auction, 0, rng)
    assert other[1].kitty != auction[1].kitty
    assert other[1].hands[0] == auction[1].hands[0]
    assert other[1].hands[1] != auction[1].hands[1]
    assert union((*other[1].hands, other[1].kitty)) == union((*auction[1].hands, auction[1].kitty))
    assert shown(other, 0) == shown(auction, 0)
    for viewer in (1, 2, "all"):
        assert shown(other, viewer) != shown(auction, viewer)
    play_on(table, game, random.Random(1), turns=6)
    playing = list(table.log.history(game))
    other = otherwise(playing, "table", rng)
    assert other[1].kitty == playing[1].kitty
    assert other[1].hands != playing[1].hands


def test_the_kitty_is_shown_to_all_once_the_landlord_is_known(table: Table):
    at = enthroned(table)
    before = table.load(at.game, at.seq - 1).state
    for viewer in VIEWERS:
        assert Sight(viewer).view(at.state).kitty == at.state.dealt.kitty
    assert all(Sight(viewer).view(table.load(at.game, 2).state).kitty is None for viewer in VIEWERS)
    assert before.dealt.kitty == at.state.dealt.kitty


def test_only_the_seat_to_act_and_all_see_what_is_legal(table: Table):
    at = enthroned(table)
    for viewer in (0, 1, 2, "table", "all"):
        assert bool(Sight(viewer).legal(at.state)) == (viewer in (at.state.turn, "all"))


@pytest.mark.parametrize("drawn", [True, False])
def test_the_server_seed_is_nowhere_before_it_is_revealed(each_table: Table, drawn: bool):
    if drawn:
        game = each_table.open(Opening(players=HUMANS)).game
        play_on(each_table, game, random.Random(1))
    else:
        game = family(each_table)[2]
    history = each_table.log.history(game)
    secret = history[0].server_seed
    assert isinstance(fold(history), Over)
    for upto in range(2, len(history)):
        state = fold(history[:upto])
        for viewer in (*VIEWERS, "all"):
            view = Sight(viewer).view(state)
            assert secret not in encode(view_json(view, Sight(viewer).legal(state), game, upto))
            assert secret not in repr(view)
    for viewer in (*VIEWERS, "all"):
        told = replay(each_table.log, game)
        before, (last,) = told.steps[:-1], told.steps[-1:]
        assert secret not in encode(games_json.replay(told, before, Sight(viewer)))
        assert secret not in repr([step.shown_to(Sight(viewer)) for step in before])
        assert last.shown_to(Sight(viewer)).server_seed == secret


def test_the_hands_of_others_are_left_out_of_a_dealt_event(table: Table):
    (dealt,) = (event for event in table.log.history(random_game(table, 5, turns=3).game) if isinstance(event, Dealt))
    for seat in (0, 1, 2):
        seen = Sight(seat).event(dealt)
        assert seen.hands[seat] == dealt.hands[seat]
        assert [hand for other, hand in enumerate(seen.hands) if other != seat] == [None, None]
        assert seen.kitty is None
    assert Sight("table").event(dealt).hands == (None, None, None)
    assert Sight("all").event(dealt).hands == dealt.hands
    assert Sight("all").event(dealt).kitty == dealt.kitty
