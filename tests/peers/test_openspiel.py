"""OpenSpiel's dou_dizhu and the preset `openspiel`: its actions, its auction, its points, and what it gets wrong."""

import pytest
from games import arrange

from ddz import kernel
from ddz.cards import FULL_DECK
from ddz.commands import Bid, PassBid, Play
from ddz.decide import legal
from ddz.frozen.events import GameScored
from ddz.moves import census
from ddz.rules import PRESETS
from ddz.state import Over, Playing

from .engines import FIRST_PLAY, Openspiel, openspiel_hands
from .exceptions import TOO_SHORT_TO_PRINT, UNDER_WRONG_SEATS
from .installed import peer_modules
from .lockstep import differences, play_games, play_leads, position_of, report, start
from .positions import PASS, letters, our_move, packed

(pyspiel,) = peer_modules("open_spiel", "pyspiel")
RULES = PRESETS["openspiel"]


@pytest.fixture(scope="module")
def engine() -> Openspiel:
    """The game with its table of actions."""
    return Openspiel(pyspiel)


class Both:
    """One game on both engines, in the words of `tests/core/games.py`."""

    def __init__(self, engine: Openspiel, hands=(), kitty: str = "", first_voice: int = 0) -> None:
        self.peer = engine
        self.game = start(engine, RULES, arrange(hands, kitty, first_voice))

    def turns(self, *calls: str) -> None:
        """`bid 3`, `-` for a pass, or cards to play."""
        for call in calls:
            seat = self.game.state.turn
            assert self.peer.turn() == seat
            said = "pass" if call == "-" else call if call.startswith("bid") else f"play {call}"
            turn = self.game.command(f"{seat} {said}")
            if isinstance(turn, Play):
                turn = next(each for each in legal(self.game.state) if our_move(each, by_cards=True) == packed(call))
            self.game.do(turn)
            self.peer.play(our_move(turn, by_cards=False))

    def lists(self) -> tuple[set, set]:
        """Our legal moves and theirs."""
        return {our_move(turn, by_cards=False) for turn in legal(self.game.state)}, set(self.peer.moves())

    def exceptions(self) -> list[str]:
        """What explains the difference between the lists."""
        return differences("openspiel", position_of(self.game.state, by_cards=False), *map(list, self.lists()))

    def score(self):
        """How our game ended."""
        return next(event.score for event in self.game.events if isinstance(event, GameScored))


def texts(moves: set) -> set[str]:
    """Moves as rank letters."""
    return {letters(move[3]) if move else "pass" for move in moves}


def test_the_actions_are_our_readings(engine):
    ours = set(kernel.leads(FULL_DECK.counts, RULES.kickers.code))
    assert len(engine.readings) == census(RULES).readings == 26053
    assert set(engine.readings.values()) == ours
    assert min(engine.readings) == FIRST_PLAY


def test_whole_games_side_by_side(engine):
    tallies = play_games(engine, 1000, seed=1)
    assert sum(tally.games for tally in tallies.values()) == 1000
    assert sum(tally.positions for tally in tallies.values()) >= 5000
    for tally in tallies.values():
        assert {"landlord", "peasants", "nobody"} == set(tally.winners)
        assert {"bomb", "rocket", "spring", "anti-spring"} == set(tally.causes)
        assert {"chains-from-four", "bombs-on-the-rocket", "hands-under-wrong-seats"} <= set(tally.exceptions)


def test_leads_of_every_kind_and_their_answers(engine):
    tally = play_leads(engine, 300, seed=1)
    assert tally.leads == 300
    assert tally.positions > 700
    assert tally.exceptions["chains-from-four"]


@pytest.mark.long
def test_whole_games_side_by_side_long(engine):
    tallies = play_games(engine, 5000, seed=2)
    print(report("openspiel", tallies))
    assert all(tally.exceptions["bombs-on-the-rocket"] for tally in tallies.values())


@pytest.mark.long
def test_leads_of_every_kind_and_their_answers_long(engine):
    for least_equal in (0, 3):
        tally = play_leads(engine, 5000, seed=2, least_equal=least_equal)
        print("openspiel leads", least_equal, tally)
        assert tally.leads == 5000


def test_every_auction_there_is(engine):
    """All sequences of voices: the same bids at each, the same landlord, base or void game at the end."""
    ends = []
    open_auctions: list[tuple[str, ...]] = [()]
    while open_auctions:
        calls = open_auctions.pop()
        for first_voice in range(3):
            both = Both(engine, first_voice=first_voice)
            end = end_of_auction(both, calls)
        if end is None:
            spoken = [turn for turn in legal(both.game.state) if isinstance(turn, Bid | PassBid)]
            open_auctions += [(*calls, f"bid {turn.points}" if isinstance(turn, Bid) else "-") for turn in spoken]
        else:
            ends.append(end)
    assert {end: ends.count(end) for end in ends} == {"void": 1, 1: 3, 2: 9, 3: 27}


def end_of_auction(both: Both, calls: tuple[str, ...]) -> int | str | None:
    """The base, or that the game is void, or None while the auction is open; the same on both engines."""
    both.turns(*calls)
    state = both.game.state
    assert both.peer.turn() == getattr(state, "turn", None)
    if isinstance(state, Over):
        return "void"
    if isinstance(state, Playing):
        assert state.turn == state.landlord
        assert PASS not in both.peer.moves()
        return state.base
    assert sorted(our_move(turn, by_cards=False) for turn in legal(state)) == sorted(both.peer.moves())
    return None


def test_a_void_game_pays_nothing(engine):
    both = Both(engine, first_voice=2)
    both.turns("-", "-", "-")
    assert both.peer.state.is_terminal()
    assert both.peer.state.returns() == [0, 0, 0]
    assert both.score().payouts == (0, 0, 0)
    assert both.score().winner == "nobody"


def test_the_base_is_the_last_bid_and_a_seat_that_passed_may_bid_again(engine):
    both = Both(engine, first_voice=1)
    both.turns("-", "bid 1", "-", "-")
    assert both.game.state.landlord == both.peer.turn() == 2
    both = Both(engine, first_voice=1)
    both.turns("-", "bid 1", "-", "bid 2", "-", "-")
    assert both.game.state.landlord == both.peer.turn() == 1
    assert both.game.state.base == 2


def test_one_hand_that_goes_out_is_a_spring_once(engine):
    """Rules.md B6: no anti-spring on top of it."""
    both = Both(engine, ["333444555666777" + "89"], "TJQ")
    both.turns("bid 3", "33344455566677789TJQ")
    assert both.score().payouts == tuple(both.peer.state.returns()) == (12, -6, -6)


def test_shows_chains_from_four(engine):
    both = Both(engine, ["33334567" + "88889999T"], "JQK")
    both.turns("bid 3")
    ours, theirs = both.lists()
    missing = texts(ours - theirs)
    assert "34567" in missing
    assert {text[0] for text in missing} == {"3", "8", "9"}
    assert "4567" + "8" in texts(theirs)
    assert theirs < ours
    assert both.exceptions() == ["chains-from-four"]


@pytest.mark.parametrize(
    ("held", "chain"), [("333344455566", "334455"), ("333344455566", "333444"), ("333344556677", "33445566")]
)
def test_shows_pair_chains_and_airplanes_from_four_too(engine, held, chain):
    both = Both(engine, [held], first_voice=0)
    both.turns("bid 3")
    ours, theirs = both.lists()
    assert chain in texts(ours - theirs)


def test_airplanes_with_kickers_from_four_are_found(engine):
    both = Both(engine, ["3333444" + "89TJQKA2"])
    both.turns("bid 3")
    _, theirs = both.lists()
    assert "33344489" in texts(theirs)


def test_shows_bombs_on_the_rocket(engine):
    both = Both(engine, ["BR", "5555", "4444"])
    both.turns("bid 3", "BR")
    ours, theirs = both.lists()
    assert ours == {PASS}
    assert {"pass", "5555"} <= texts(theirs)
    assert both.exceptions() == ["bombs-on-the-rocket"]
    state = both.peer.state
    both.peer.play(next(move for move in theirs if move and letters(move[3]) == "5555"))
    assert state.current_player() == 2
    assert "5555" in str(state)
    state.apply_action(0)
    state.apply_action(0)
    assert state.current_player() == 1, "the bomb won the trick against the rocket"


def test_shows_hands_under_wrong_seats(engine):
    both = Both(engine, ["", "333444555666777" + "89", "AAAA"], "TJQ", first_voice=1)
    both.turns("bid 2", "-", "-", "333")
    while not isinstance(both.game.state, Over):
        plays = [turn for turn in legal(both.game.state) if isinstance(turn, Play)]
        if both.game.state.turn != 1:
            both.turns("-")
        else:
            both.turns(max((turn.cards.ranks for turn in plays), key=len))
    shown = both.peer.printed(1, both.game)
    assert shown.hands[1] == packed("33344455566677789TJQ")
    assert shown.printed is not None
    assert shown.printed != shown.hands
    assert shown.printed[2] == shown.hands[1] - shown.kitty, "what seat 1 was dealt stands under seat 2"
    assert UNDER_WRONG_SEATS.recognises(shown)
    assert not TOO_SHORT_TO_PRINT.recognises(shown)


def test_hands_are_printed_right_where_seat_0_speaks_first_and_while_a_game_goes_on(engine):
    both = Both(engine, ["333444555666777" + "89"], "TJQ", first_voice=0)
    both.turns("bid 2", "-", "-")
    going_on = openspiel_hands(str(both.peer.state))
    assert going_on == tuple(hand.counts for hand in both.game.state.hands)
    both.turns("33344455566677789TJQ")
    shown = both.peer.printed(0, both.game)
    assert shown.printed == shown.hands


def test_shows_too_short_to_print(engine):
    both = Both(engine, ["333444555666777" + "89"], "TJQ")
    both.turns("bid 3", "33344455566677789TJQ")
    with pytest.raises(pyspiel.SpielError, match=r"history_\.size"):
        str(both.peer.state)
    shown = both.peer.printed(0, both.game)
    assert shown.printed is None
    assert TOO_SHORT_TO_PRINT.recognises(shown)
    assert not UNDER_WRONG_SEATS.recognises(shown)
