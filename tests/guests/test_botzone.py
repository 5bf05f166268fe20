"""The conversation with a program of Botzone's: the judge's own, with nothing hidden in it, and there and back."""

import json
import random

import msgspec
import pytest

from ddz import bots
from ddz.commands import Bid, Pass, PassBid, Play
from ddz.decide import legal
from ddz.errors import Unreadable
from ddz.guests.botzone import Conversation, WrongAnswer, answer_of, conversation, turn_of_answer
from ddz.guests.botzone_view import decision
from ddz.records import botzone_out
from ddz.records.botzone_shapes import ONE, TWO, Request, numbers_of
from ddz.rules import CLASSIC, PRESETS, SEATS
from ddz.services.loop import whole_game
from ddz.state import Auction, Playing, turn_of
from ddz.view import seat_view

from .games import exchanged, opened, play, positions

GAMES = 12


def bytes_of(said: Conversation) -> bytes:
    return msgspec.json.encode(said)


@pytest.mark.parametrize("rules", [TWO, ONE, CLASSIC, PRESETS["douzero"]], ids=lambda rules: rules.name + rules.auction)
def test_the_bytes_do_not_hang_on_hidden_cards(rules) -> None:
    rng = random.Random(7)
    changed = 0
    for state, _ in positions(rules, GAMES, voice=None):
        other = exchanged(state, rng)
        changed += other != state
        assert bytes_of(conversation(seat_view(state, state.turn))) == bytes_of(
            conversation(seat_view(other, state.turn))
        )
    assert changed > 200


def test_the_requests_are_those_of_the_judges_log() -> None:
    """The log that we export is held against botzone's own judge elsewhere; what each player was told stands in it."""
    compared = 0
    for number in range(GAMES):
        first = number % 3
        seated = {seat: bots.make("simple" if seat else "random") for seat in SEATS}
        events = whole_game(opened(TWO, number, first), seated)
        if sum(hasattr(event, "next_voice") for event in events):
            continue  # dealt again, which botzone does not do
        said: dict[int, Conversation] = {}
        replayed = {seat: Scripted(events, said, first) for seat in SEATS}
        play(TWO, number, replayed, voice=first)
        asked: dict[int, list] = {0: [], 1: [], 2: []}
        for entry in json.loads(botzone_out.write(events)):
            if entry.get("output", {}).get("command") == "request":
                for player, request in entry["output"]["content"].items():
                    asked[int(player)].append(request)
        for player in SEATS:
            assert said[player].requests == asked[player]
            assert [list(request) for request in said[player].requests] == [
                sorted(request, key=["own", "bid"].index)
                if "bid" in request
                else sorted(request, key=["history", "own", "publiccard", "landlord", "pos", "finalbid"].index)
                for request in asked[player]
            ]
            compared += len(asked[player])
    assert compared > 200


class Scripted:
    """Does at its seat what was done there before, and keeps what a program would have been told last."""

    name = version = "script"

    def __init__(self, events, said, first) -> None:
        self.turns = {seat: [event for event in events if getattr(event, "seat", None) == seat] for seat in SEATS}
        self.said = said
        self.first = first

    def choose(self, view, legal, rng):  # noqa: ARG002
        self.said[(view.seat - self.first) % 3] = conversation(view)
        event = self.turns[view.seat].pop(0)
        match type(event).__name__:
            case "BidMade":
                return Bid(view.seat, event.points)
            case "BidPassed":
                return PassBid(view.seat)
            case "PlayPassed":
                return Pass(view.seat)
            case _:
                return Play(view.seat, event.cards, event.kind, event.rank)


def test_each_answer_goes_there_and_back() -> None:
    for rules in (TWO, PRESETS["douzero"], PRESETS["rlcard"]):
        for state, turn in positions(rules, GAMES):
            view = seat_view(state, state.turn)
            back = turn_of_answer(json.loads(json.dumps(answer_of(turn))), view, legal(state))
            same = [other for other in legal(state) if getattr(other, "cards", 0) == getattr(turn, "cards", 0)]
            assert back == turn or len(same) > 1, "only a reading can be lost, as a list of cards does not name it"


def requests_of(said: Conversation) -> list[Request]:
    return msgspec.convert(said.requests, list[Request])


LOST = {"players", "round", "deal_number"}
"""What botzone tells nobody."""


def test_a_player_there_sees_what_the_seat_sees_here() -> None:
    """All but the bids that nobody tells it: those after its own, or all if it was not asked."""
    seen = {"auction": 0, "playing": 0}
    for state, _ in positions(TWO, 3 * GAMES):
        view = seat_view(state, turn_of(state))
        said = conversation(view)
        there = decision(requests_of(said), said.responses, TWO)
        mine, theirs = (
            {k: v for k, v in msgspec.structs.asdict(each).items() if k not in LOST} for each in (view, there.view)
        )
        if view.phase == "playing" and len(view.calls) != view.seat + 1:
            assert len(mine.pop("calls")) == len(theirs.pop("calls"))
        assert theirs == mine
        assert there.legal == legal(state)
        seen[view.phase] += 1
    assert seen["auction"] > 20
    assert seen["playing"] > 200


def test_where_the_landlord_is_assigned_nobody_has_bid() -> None:
    for state, _ in positions(PRESETS["douzero"], GAMES, voice=2):
        view = seat_view(state, state.turn)
        said = conversation(view)
        player = (view.seat - 2) % 3
        assert said.requests[0] == {"own": said.requests[0]["own"], "bid": [0] * player}
        assert said.responses[0] == 0
        assert [said.requests[1][name] for name in ("landlord", "pos", "finalbid")] == [0, player, 1]
        there = decision(requests_of(said), said.responses, PRESETS["douzero"])
        assert (there.view.hand, there.view.calls, there.view.landlord) == (view.hand, (), 0)


def test_another_auction_is_refused() -> None:
    state, _ = next(positions(PRESETS["openspiel"], 1))
    with pytest.raises(Unreadable, match="speaks once"):
        conversation(seat_view(state, state.turn))


def a_lead():
    return next(state for state, _ in positions(TWO, 3) if isinstance(state, Playing) and state.top is None)


def a_bid():
    return next(state for state, _ in positions(TWO, 1) if isinstance(state, Auction))


@pytest.mark.parametrize("answer", [None, 1.5, True, "three", [1], {"bid": 1}])
def test_what_is_no_bid_is_garbage(answer) -> None:
    state = a_bid()
    with pytest.raises(WrongAnswer) as wrong:
        turn_of_answer(answer, seat_view(state, state.turn), legal(state))
    assert wrong.value.fault.kind == "garbage"


def test_a_bid_may_be_a_text_as_in_botzones_sample() -> None:
    state = a_bid()
    view = seat_view(state, state.turn)
    assert turn_of_answer("2", view, legal(state)) == turn_of_answer(2, view, legal(state)) == Bid(0, 2)
    assert turn_of_answer("0", view, legal(state)) == PassBid(0)
    for answer in (4, -1):
        with pytest.raises(WrongAnswer) as wrong:
            turn_of_answer(answer, view, legal(state))
        assert wrong.value.fault.kind == "illegal"


@pytest.mark.parametrize("answer", [None, 0, "3", {}, [54], [-1], ["3"], [1.0], [True], [None]])
def test_what_are_no_cards_is_garbage(answer) -> None:
    state = a_lead()
    with pytest.raises(WrongAnswer) as wrong:
        turn_of_answer(answer, seat_view(state, state.turn), legal(state))
    assert wrong.value.fault.kind == "garbage"


def test_what_may_not_be_played_is_illegal() -> None:
    state = a_lead()
    view = seat_view(state, state.turn)
    own = numbers_of(view.hand)
    strange = next(number for number in range(54) if number not in own)
    for answer in ([], [own[0], own[0]], [strange], own):
        with pytest.raises(WrongAnswer) as wrong:
            turn_of_answer(answer, view, legal(state))
        assert wrong.value.fault.kind == "illegal"


def test_the_suits_are_the_programs_own() -> None:
    """It may have played another suit than we would: what it is told later must be what it has done."""
    for state, _ in positions(TWO, 4):
        if not isinstance(state, Playing) or state.top is not None:
            continue
        view = seat_view(state, state.turn)
        for number in numbers_of(view.hand):
            turn = turn_of_answer([number], view, legal(state))
            assert isinstance(turn, Play)
            assert numbers_of(turn.cards) == [number]


def test_a_meld_that_only_botzone_knows_is_beaten_by_bombs_alone() -> None:
    """Botzone's space shuttle: two fours of consecutive ranks."""
    hand = [*range(24, 28), 52, 53, *range(40, 51)]  # a bomb of 9s, the rocket, and eleven cards from the Ks on
    requests = [
        {"own": hand, "bid": [0]},
        {
            "history": [[], list(range(8))],
            "own": hand,
            "publiccard": [0, 1, 2],
            "landlord": 0,
            "pos": 1,
            "finalbid": 3,
        },
    ]
    at = decision(msgspec.convert(requests, list[Request]), [0], TWO)
    assert at.view.counts == (12, 17, 17)
    kinds = {str(turn.kind) for turn in at.legal if isinstance(turn, Play)}
    assert kinds == {"bomb", "rocket"}
    assert Pass(1) in at.legal


@pytest.mark.parametrize(
    ("requests", "responses", "why"),
    [
        ([], [], "0 requests and 0 responses"),
        ([{"own": [*range(17)], "bid": []}], [1], "1 requests and 1 responses"),
        ([{"own": [*range(16)], "bid": []}], [], "17 different cards"),
        ([{"own": [*range(16), 15], "bid": []}], [], "17 different cards"),
        ([{"own": [*range(16), 60], "bid": []}], [], "list of cards"),
        ([{"bid": []}], [], "list of cards"),
        ([{"own": [*range(17)], "bid": [4]}], [], "numbers from 0 to 3"),
        ([{"own": [*range(17)], "history": [[], []]}], [], "landlord and pos"),
        ([{"own": [*range(17)], "bid": []}, {"history": [[], []]}], [1], "landlord and pos"),
        (
            [{"own": [*range(17)], "history": [[], []], "landlord": 0, "pos": 0, "finalbid": 1, "publiccard": [50]}],
            [],
            "3 different cards",
        ),
        (
            [
                {"own": [*range(17)], "history": [[], []], "landlord": 0, "pos": 0, "finalbid": 1}
                | {"publiccard": [50, 51, 52]},
                {"history": [[], []]},
            ],
            [[30]],
            "do not fit",
        ),
    ],
)
def test_what_is_no_conversation_is_named(requests, responses, why) -> None:
    with pytest.raises(Unreadable, match=why):
        decision(msgspec.convert(requests, list[Request]), responses, TWO)
