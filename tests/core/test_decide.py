"""Every refusal of the decider with its code, its sentence and its facts; and `refusal` against `decide`."""

import msgspec
import pytest
from games import Game, arrange, arranged, dealt, imported, opening, play_randomly

from ddz.cards import DECK, EMPTY, FULL_DECK, CardSet
from ddz.commands import Bid, Deal, Escape, Fork, OpenGame, Pass, PassBid, Play
from ddz.decide import decide, legal, refusal
from ddz.errors import Refused
from ddz.frozen.events import GameForked, LandlordChosen
from ddz.frozen.shapes import Rules
from ddz.rules import PRESETS
from ddz.state import START, Called, Ending, Over

FORK = Fork("parent", 4, "0" * 64, "explore")


def phases():
    """A state of every phase."""
    opened = Game()
    opened.do(opening())
    auction = dealt(first_voice=0)
    void = dealt(first_voice=0)
    void.say("0 pass", "1 pass", "2 pass")
    playing = dealt(first_voice=0)
    playing.say("0 bid 3")
    over = dealt(first_voice=0)
    over.say("0 escape")
    followed = dealt(first_voice=0)
    followed.say("0 bid 3")
    followed.do(legal(followed.state)[0])
    return {
        "unopened": START,
        "opened": opened.state,
        "auction": auction.state,
        "called": next(state for state in void.states if isinstance(state, Called)),
        "void": void.state,
        "playing": playing.state,
        "following": followed.state,
        "ending": next(state for state in over.states if isinstance(state, Ending)),
        "over": over.state,
    }


PHASES = phases()
COMMANDS = {
    "open": opening(),
    "deal": Deal(),
    "bid": Bid(0, 1),
    "pass bid": PassBid(0),
    "play": Play(0, PHASES["playing"].hands[0].take(0)),
    "pass": Pass(0),
    "escape": Escape(0),
    "fork": FORK,
}
# Which code each command meets in each phase; None where it is taken up.
WRONG = "phase/wrong"
OVER = "game/over"
NO_TURN = "fork/no-turn-here"
CODES = {
    #             open, deal, bid, pass bid, play, pass, escape, fork
    "unopened": (None, WRONG, WRONG, WRONG, WRONG, WRONG, WRONG, NO_TURN),
    "opened": (WRONG, None, WRONG, WRONG, WRONG, WRONG, None, NO_TURN),
    "auction": (WRONG, WRONG, None, None, WRONG, WRONG, None, None),
    "called": (WRONG, WRONG, WRONG, WRONG, WRONG, WRONG, WRONG, NO_TURN),
    "void": (WRONG, None, WRONG, WRONG, WRONG, WRONG, None, NO_TURN),
    "playing": (WRONG, WRONG, WRONG, WRONG, "play/not-a-meld", "pass/must-lead", None, None),
    "following": (WRONG, WRONG, WRONG, WRONG, "turn/not-yours", "turn/not-yours", None, None),
    "ending": (WRONG, WRONG, WRONG, WRONG, WRONG, WRONG, WRONG, NO_TURN),
    "over": (WRONG, OVER, OVER, OVER, OVER, OVER, OVER, NO_TURN),
}


@pytest.mark.parametrize("phase", CODES)
@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_in_every_phase(phase, name):
    state, command = PHASES[phase], COMMANDS[name]
    code = CODES[phase][list(COMMANDS).index(name)]
    found = refusal(state, command)
    assert (found and found.code) == code
    if code is None:
        assert decide(state, command)
    else:
        with pytest.raises(Refused) as refused:
            decide(state, command)
        assert (refused.value.code, refused.value.facts) == (code, found.facts)
        assert str(refused.value) == str(found)


def refused(state, command):
    found = refusal(state, command)
    assert found is not None, f"{command} was not refused"
    return found


@pytest.mark.parametrize("seat", [3, -1, 17])
def test_there_are_three_seats(seat):
    """A whole kind of fault: a seat out of 0 to 2 would leave a game that nobody pays for or nobody can go on with."""
    assigned = Game()
    assigned.do(opening(PRESETS["douzero"], first_voice=0, origin=imported()))
    given = msgspec.structs.replace(arrange(()), landlord=seat, base=1)
    found = [
        refused(START, opening(first_voice=seat)),
        refused(assigned.state, Deal(given)),
        *(refused(PHASES[phase], Escape(seat)) for phase in ("opened", "auction", "void", "playing", "following")),
    ]
    assert {fault.code for fault in found} == {"seat/unknown"}
    assert {fault.facts["seat"] for fault in found} == {seat}
    for phase, command in [("auction", Bid(seat, 1)), ("auction", PassBid(seat)), ("following", Pass(seat))]:
        assert refused(PHASES[phase], command).code == "turn/not-yours"


def opened_import(rules=None, deals=1):
    game = Game()
    game.do(opening(rules or Rules(), first_voice=0, origin=imported(deals)))
    return game


def given_deal(**changes):
    return Deal(msgspec.structs.replace(arrange(()), **changes))


def moved(deal, card, source, target):
    """The deal with one card taken from a place and put into another; 3 is the kitty."""
    places = [*deal.given.hands, deal.given.kitty]
    places[source] -= card
    places[target] |= card
    return Deal(msgspec.structs.replace(deal.given, hands=tuple(places[:3]), kitty=places[3]))


def test_only_an_imported_game_brings_its_own_hands():
    assert refused(PHASES["opened"], given_deal()).code == "deal/not-from-seed"
    assert refusal(opened_import().state, given_deal()) is None


def test_a_record_brings_as_many_deals_as_it_says():
    game = opened_import(deals=2)
    assert refused(game.state, Deal()).code == "deal/from-record"
    game.do(given_deal())
    game.say("0 pass", "1 pass", "2 pass")
    assert refused(game.state, Deal()).code == "deal/from-record"
    game.do(given_deal(first_voice=1))
    game.say("1 pass", "2 pass", "0 pass")
    assert refused(game.state, given_deal(first_voice=2)).code == "deal/not-from-seed"
    game.say("deal")
    assert game.state.turn == 2


@pytest.mark.parametrize(("source", "target"), [(0, 1), (2, 3), (3, 0)])
def test_hands_of_another_size(source, target):
    deal = given_deal()
    places = [*deal.given.hands, deal.given.kitty]
    card = CardSet(places[source].bits & -places[source].bits)
    fault = refused(opened_import().state, moved(deal, card, source, target))
    assert fault.code == "deal/wrong-size"
    sizes = [17, 17, 17, 3]
    sizes[source] -= 1
    sizes[target] += 1
    assert "{}, {}, {} and the kitty {}".format(*sizes) in str(fault)


@pytest.mark.parametrize("lost", range(0, 54, 7))
def test_a_card_that_is_there_twice(lost):
    """B7: 54 distinct cards; the refusal names the card that is nowhere."""
    deal = given_deal()
    places = [*deal.given.hands, deal.given.kitty]
    place = next(at for at, cards in enumerate(places) if cards.bits >> lost & 1)
    other = next(cards for at, cards in enumerate(places) if at != place)
    places[place] = (places[place] - CardSet(1 << lost)) | CardSet(other.bits & -other.bits)
    twice = Deal(msgspec.structs.replace(deal.given, hands=tuple(places[:3]), kitty=places[3]))
    fault = refused(opened_import().state, twice)
    assert (fault.code, fault.facts["card"]) == ("deal/not-54", DECK[lost])
    assert DECK[lost] in str(fault)


@pytest.mark.parametrize("voice", [1, 2])
def test_another_first_voice_than_the_opening_says(voice):
    fault = refused(opened_import().state, given_deal(first_voice=voice))
    assert (fault.code, fault.facts) == ("deal/wrong-voice", {"expected": 0, "seat": voice})


@pytest.mark.parametrize(
    ("preset", "landlord", "base", "code"),
    [
        ("classic", None, None, None),
        ("classic", 0, 1, "deal/assigned"),
        ("classic", 0, None, "deal/assigned"),
        ("classic", None, 3, "deal/assigned"),
        ("douzero", None, None, "deal/assigned"),
        ("douzero", None, 1, "deal/assigned"),
        ("douzero", 2, 0, "deal/assigned"),
        ("douzero", 2, -1, "deal/assigned"),
        ("douzero", 2, 1, None),
        ("rlcard", 1, 3, None),
    ],
)
def test_a_landlord_and_a_base_are_given_exactly_where_the_rules_assign_them(preset, landlord, base, code):
    game = opened_import(PRESETS[preset])
    deal = given_deal(landlord=landlord, base=base)
    found = refusal(game.state, deal)
    assert (found and found.code) == code
    if code is None and landlord is not None:
        assert game.do(deal)[1] == LandlordChosen(landlord, base, deal.given.kitty)


@pytest.mark.parametrize("points", [0, -1, 4])
def test_no_such_bid(points):
    fault = refused(PHASES["auction"], Bid(0, points))
    assert (fault.code, fault.facts) == ("bid/no-such-bid", {"points": points})


def test_a_bid_too_low_names_the_bid_to_pass_over():
    game = arranged()
    game.say("0 bid 2", "1 pass")
    fault = refused(game.state, Bid(2, 1))
    assert (fault.code, fault.facts) == ("bid/too-low", {"points": 1, "best": 2, "seat": 0})


def test_the_turn_comes_before_the_rules_of_the_move():
    assert refused(PHASES["auction"], Bid(1, 99)).code == "turn/not-yours"
    assert refused(PHASES["playing"], Play(1, EMPTY)).code == "turn/not-yours"
    assert refused(PHASES["playing"], Pass(2)).facts == {"turn": 0, "seat": 2}


def test_the_phase_comes_before_the_turn():
    assert refused(PHASES["auction"], Play(2, FULL_DECK)).code == "phase/wrong"


def test_what_is_held_comes_before_what_it_is():
    game = arranged(["33"])
    game.say("0 bid 3")
    fault = refused(game.state, Play(0, CardSet.parse("2c2d2h2s3c")))
    assert (fault.code, fault.facts["rank"]) == ("play/not-held", "2")


def test_no_cards_are_no_meld():
    assert refused(PHASES["playing"], Play(0, EMPTY)).code == "play/not-a-meld"


@pytest.mark.parametrize("phase", ["auction", "playing", "following"])
@pytest.mark.parametrize("reason", ["explore", "back"])
def test_a_fork_changes_nothing_but_says_whence_it_comes(phase, reason):
    (event,) = decide(PHASES[phase], Fork("parent", 4, "0" * 64, reason))
    assert event == GameForked("parent", 4, "0" * 64, reason)


def test_a_refusal_tells_program_and_person():
    for phase, state in PHASES.items():
        for name, command in COMMANDS.items():
            fault = refusal(state, command)
            if fault is None:
                continue
            assert fault.code.count("/") == 1, (phase, name)
            assert len(str(fault)) > 10
            for key, value in fault.facts.items():
                assert key in ("what", "cards") or str(value) in str(fault), (phase, name, key)


def test_asking_changes_nothing():
    before = {name: msgspec.structs.asdict(state) for name, state in PHASES.items()}
    for state in PHASES.values():
        for command in COMMANDS.values():
            refusal(state, command)
    assert {name: msgspec.structs.asdict(state) for name, state in PHASES.items()} == before


def test_the_batch_of_the_last_command_holds_score_and_seed():
    game = play_randomly(3)
    assert isinstance(game.state, Over)
    assert game.state.revealed == game.events[0].server_seed
    assert isinstance(opening(), OpenGame)
    assert opening().seeds.server_seed == game.state.revealed or game.events[0].server_seed != ""
