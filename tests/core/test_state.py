"""The reducer: it never refuses, and an event without meaning in its phase is a BrokenLog."""

from itertools import product
from typing import get_args

import msgspec
import pytest
from games import Game, arranged, dealt, opening, play_randomly

from ddz.cards import EMPTY, FULL_DECK, CardSet, Rank
from ddz.commands import Deal
from ddz.decide import decide, legal
from ddz.errors import BrokenLog, Refused
from ddz.frozen.events import Event, GameForked, LandlordChosen, PlayPassed, tag_of
from ddz.frozen.shapes import Cause, Kind
from ddz.state import (
    START,
    Auction,
    Called,
    Ending,
    Opened,
    Over,
    Playing,
    State,
    Void,
    cards_in_play,
    evolve,
    fold,
    opening_of,
    turn_of,
)


def a_history():
    """A game that passes through every phase: a redeal, a bomb, an escape."""
    game = dealt(first_voice=0)
    game.say("0 pass", "1 pass", "2 pass", "deal", "1 bid 1", "2 bid 2", "0 pass")
    game.do(legal(game.state)[0])
    game.say(f"{game.state.turn} pass", "0 escape")
    return game


HISTORY = a_history()
FORKED = GameForked("parent", 3, "0" * 64, "explore")
EVENTS = {tag_of(event): event for event in (*HISTORY.events, FORKED)}
"""One event of every type."""
PHASES = {}
for each in HISTORY.states:
    PHASES.setdefault(type(each).__name__ + ("+" if getattr(each, "revealed", None) else ""), each)

MEANT = {
    "Unopened": {"game_opened"},
    "Opened": {"dealt", "seat_escaped"},
    "Auction": {"bid_made", "bid_passed", "landlord_chosen", "seat_escaped", "game_forked"},
    "Called": {"deal_voided", "landlord_chosen"},
    "Void": {"dealt", "seat_escaped", "game_scored"},
    "Playing": {"cards_played", "play_passed", "seat_escaped", "game_forked"},
    "Ending": {"game_scored"},
    "Over": {"seed_revealed"},
    "Over+": set(),
}
"""Which events have a meaning in which phase; `Over+` is over with the seed revealed."""


def test_the_table_is_complete():
    assert set(MEANT) == set(PHASES)
    assert {name.rstrip("+") for name in MEANT} == {phase.__name__ for phase in get_args(State)}
    assert set(EVENTS) == {event.__struct_config__.tag for event in get_args(Event)}


@pytest.mark.parametrize(("phase", "tag"), list(product(MEANT, EVENTS)))
def test_every_event_in_every_phase(phase, tag):
    if tag in MEANT[phase]:
        assert isinstance(evolve(PHASES[phase], EVENTS[tag]), get_args(State))
        return
    with pytest.raises(
        BrokenLog, match=rf"{tag} event has no meaning in the phase {phase.rstrip('+').lower()}"
    ) as broken:
        evolve(PHASES[phase], EVENTS[tag])
    assert not isinstance(broken.value, Refused)


def test_the_reducer_asks_for_no_rule():
    """What the law would refuse, the reducer folds: a log of another house, or of another time, still folds."""
    game = arranged(["3"])
    game.say("0 bid 3")
    state = game.state
    told = EVENTS["cards_played"]
    no_meld = msgspec.structs.replace(
        told, seat=2, kind=Kind.SOLO, rank=Rank.TWO, cards=CardSet.parse("3c4c5c"), next=1
    )
    after = evolve(state, no_meld)
    assert (after.turn, after.top.seat) == (1, 2)
    assert evolve(after, PlayPassed(0, 0, True)).top is None
    assert evolve(game.states[-3], LandlordChosen(1, 99, EMPTY)).base == 99


def test_an_event_says_who_is_next_and_what_it_does():
    state = PHASES["Playing"]
    told = msgspec.structs.replace(EVENTS["cards_played"], next=2, cause=Cause("bomb", 7))
    after = evolve(state, told)
    assert after.turn == 2
    assert after.causes == (*state.causes, Cause("bomb", 7))
    assert isinstance(evolve(state, msgspec.structs.replace(told, next=None)), Ending)


def test_folding_is_evolving_in_order():
    assert fold([]) is START
    assert fold(HISTORY.events) == HISTORY.state
    middle = len(HISTORY.events) // 2
    assert fold(HISTORY.events[middle:], HISTORY.states[middle]) == HISTORY.state


def test_a_fork_goes_on_from_the_same_state():
    for phase in ("Auction", "Playing"):
        assert evolve(PHASES[phase], FORKED) is PHASES[phase]


def test_the_opening_is_known_in_every_phase_after_it():
    opened = HISTORY.events[0]
    assert [opening_of(state) for state in PHASES.values()] == [None] + [opened] * (len(PHASES) - 1)


def test_a_seat_is_to_act_in_the_auction_and_the_play_alone():
    to_act = {name for name, state in PHASES.items() if turn_of(state) is not None}
    assert to_act == {"Auction", "Playing"}
    assert all(bool(legal(state)) == (turn_of(state) is not None) for state in PHASES.values())


def test_all_cards_are_somewhere_once_they_are_dealt():
    for name, state in PHASES.items():
        assert cards_in_play(state) == (EMPTY if name in ("Unopened", "Opened") else FULL_DECK)


def test_before_the_deal_an_ended_game_has_no_cards():
    game = Game()
    game.do(opening())
    game.say("1 escape")
    assert isinstance(game.state, Over)
    assert cards_in_play(game.state) == EMPTY


def test_phases_hold_what_they_need_and_no_more():
    assert {name: set(type(state).__struct_fields__) for name, state in PHASES.items() if name != "Over+"} == {
        "Unopened": set(),
        "Opened": {"opened", "from_record"},
        "Auction": {"opened", "from_record", "dealt", "calls", "turn"},
        "Called": {"opened", "from_record", "dealt", "calls"},
        "Void": {"opened", "from_record", "dealt", "calls", "next_voice"},
        "Playing": {
            *(
                "opened",
                "from_record",
                "dealt",
                "calls",
                "landlord",
                "base",
                "hands",
                "turn",
                "top",
                "causes",
                "history",
            ),
        },
        "Ending": {"last", "escaped"},
        "Over": {"last", "scored", "revealed"},
    }


def test_history_and_hands_played_count_melds_and_passes():
    game = arranged(["33K", "4", "5A"])
    game.say("0 bid 3")
    game.turns("3", "4", "5", "K", "-", "A", "-", "-")
    state = game.state
    assert isinstance(state, Playing)
    assert [(turn.seat, turn.meld and turn.meld.cards.ranks) for turn in state.history] == [
        *((0, "3"), (1, "4"), (2, "5"), (0, "K")),
        *((1, None), (2, "A"), (0, None), (1, None)),
    ]
    assert state.hands_played == (2, 1, 2)
    assert state.out_cards.ranks == "345KA"
    assert state.out_cards & state.hands[0] == EMPTY


def test_states_do_not_change():
    before = PHASES["Playing"]
    evolve(before, EVENTS["cards_played"])
    assert before == PHASES["Playing"]
    with pytest.raises(AttributeError):
        before.turn = 2


def test_the_types_of_the_phases_stand_in_the_order_of_a_game():
    seen = list(dict.fromkeys(type(state) for state in HISTORY.states))
    assert seen == [type(START), Opened, Auction, Called, Void, Playing, Ending, Over]
    assert play_randomly(1).states[0] is START
    assert decide(HISTORY.states[1], Deal())[0] == HISTORY.events[1]
