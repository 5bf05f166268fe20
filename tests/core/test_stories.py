"""Rules.md A and B as stories at the table: given a deal, when the seats act, then this happens.

The actions are those of the game record: `1 bid 3`, `0 pass`, `2 play 334455 as pair-chain`, `1 escape`.
"""

from types import SimpleNamespace

import pytest
from games import Game, arrange, arranged, dealt, imported, opening

from ddz import dealing
from ddz.cards import FULL_DECK, CardSet, union
from ddz.commands import Deal
from ddz.decide import legal
from ddz.errors import Refused
from ddz.frozen.events import (
    BidMade,
    BidPassed,
    CardsPlayed,
    Dealt,
    DealVoided,
    GameOpened,
    GameScored,
    LandlordChosen,
    PlayPassed,
    SeatEscaped,
    SeedRevealed,
    tag_of,
)
from ddz.frozen.shapes import Cause, Rules
from ddz.rules import CLASSIC, PRESETS
from ddz.state import Auction, Opened, Over, Playing, Void, opening_of, turn_of


def tags(events):
    return [tag_of(event) for event in events]


def score_of(game):
    assert isinstance(game.state, Over)
    return game.state.scored.score


def causes_of(game):
    return [cause.name for cause in score_of(game).causes]


# ---- the deal ----


def test_a_game_is_opened_and_dealt():
    game = Game()
    assert tags(game.do(opening())) == ["game_opened"]
    assert isinstance(game.state, Opened)
    assert turn_of(game.state) is None
    (dealt_event,) = game.do(Deal())
    assert [len(hand) for hand in dealt_event.hands] == [17, 17, 17]
    assert len(dealt_event.kitty) == 3
    assert union((*dealt_event.hands, dealt_event.kitty)) == FULL_DECK
    assert dealt_event.number == 0
    assert isinstance(game.state, Auction)


def test_the_system_chooses_the_first_voice_from_the_seed():
    game = dealt(seed=7)
    assert game.events[0].first_voice == game.events[1].first_voice == 1  # design.md 5, the vector of --seed 7
    assert game.state.turn == 1


@pytest.mark.parametrize("voice", [0, 1, 2])
def test_the_first_voice_may_be_given(voice):
    game = dealt(first_voice=voice)
    assert game.events[0].voice_from == "chosen"
    assert game.state.turn == voice


def test_the_cards_do_not_depend_on_who_speaks_first():
    assert dealt(first_voice=0).state.hands == dealt(first_voice=2).state.hands


def test_the_opening_binds_the_server_to_its_seed():
    opened = dealt().events[0]
    assert isinstance(opened, GameOpened)
    assert len(opened.commitment) == 64
    assert opened.commitment not in (opened.nonce, opened.server_seed)


# ---- the auction ----


def test_seats_speak_in_order_of_play_once_each():
    game = arranged(first_voice=1)
    assert game.say("1 pass") == (BidPassed(1, 2),)
    assert game.say("2 bid 1") == (BidMade(2, 1, 0),)
    kitty = game.state.dealt.kitty
    assert game.say("0 pass") == (BidPassed(0, None), LandlordChosen(2, 1, kitty))
    assert isinstance(game.state, Playing)


def test_a_bid_must_be_higher_than_every_bid_before_it():
    game = arranged()
    assert game.legal_texts() == ["bid 1", "bid 2", "bid 3", "pass"]
    game.say("0 bid 2")
    assert game.legal_texts() == ["bid 3", "pass"]
    assert game.refusal("1 bid 1") == "bid/too-low"
    assert game.refusal("1 bid 2") == "bid/too-low"
    game.say("1 pass")
    assert game.refusal("2 bid 2") == "bid/too-low"  # a pass in between changes nothing
    game.say("2 bid 3")
    assert (game.state.landlord, game.state.base) == (2, 3)


@pytest.mark.parametrize("before", [[], ["0 pass"], ["0 bid 1", "1 pass"], ["0 bid 1", "1 bid 2"]])
def test_a_bid_of_three_ends_the_auction_at_once(before):
    game = arranged()
    game.say(*before)
    seat = game.state.turn
    assert tags(game.say(f"{seat} bid 3")) == ["bid_made", "landlord_chosen"]
    assert (game.state.landlord, game.state.base) == (seat, 3)


@pytest.mark.parametrize(
    ("calls", "landlord", "base"),
    [
        (["0 bid 1", "1 pass", "2 pass"], 0, 1),
        (["0 bid 1", "1 bid 2", "2 pass"], 1, 2),
        (["0 pass", "1 pass", "2 bid 2"], 2, 2),
        (["0 bid 2", "1 pass", "2 pass"], 0, 2),
    ],
)
def test_the_highest_bidder_is_the_landlord_and_his_bid_the_base(calls, landlord, base):
    game = arranged()
    game.say(*calls)
    assert (game.state.landlord, game.state.base) == (landlord, base)


@pytest.mark.parametrize("points", [0, 4, -1, 100])
def test_there_are_three_bids(points):
    assert arranged().refusal(f"0 bid {points}") == "bid/no-such-bid"


def test_only_the_voice_speaks():
    game = arranged(first_voice=1)
    assert game.refusal("0 bid 1") == "turn/not-yours"
    assert game.refusal("2 pass") == "turn/not-yours"


def test_nobody_plays_before_the_landlord_is_known():
    game = arranged()
    assert game.refusal("0 play 3") == "phase/wrong"


def test_a_house_that_asks_again_until_two_passes():
    game = arranged(rules=PRESETS["openspiel"])
    game.say("0 pass", "1 bid 1", "2 pass", "0 bid 2", "1 pass")
    assert game.say("2 pass")[-1] == LandlordChosen(0, 2, game.events[1].kitty)


# ---- redeal: B3 ----


def test_when_all_pass_the_cards_are_dealt_again_and_the_first_voice_moves_on():
    game = dealt(first_voice=1)
    assert game.say("1 pass", "2 pass", "0 pass") == (BidPassed(0, None), DealVoided(2))
    assert isinstance(game.state, Void)
    assert legal(game.state) == ()
    first_hands = game.state.hands
    (again,) = game.say("deal")
    assert isinstance(again, Dealt)
    assert (again.number, again.first_voice) == (1, 2)
    assert again.hands != first_hands
    assert game.state.turn == 2
    assert game.legal_texts() == ["bid 1", "bid 2", "bid 3", "pass"]  # the old calls are forgotten


def test_redeals_are_not_limited_and_the_voice_goes_round():
    game = dealt(first_voice=2)
    voices = []
    for _ in range(7):
        voices.append(game.state.dealt.first_voice)
        for _ in range(3):
            game.say(f"{game.state.turn} pass")
        game.say("deal")
    assert voices == [2, 0, 1, 2, 0, 1, 2]
    hands = [event.hands for event in game.events if isinstance(event, Dealt)]
    assert len(set(hands)) == 8


def test_a_bid_before_a_redeal_leaves_nothing_behind():
    game = dealt(first_voice=0)
    game.say("0 pass", "1 pass", "2 pass", "deal", "1 bid 1", "2 pass", "0 pass")
    assert (game.state.landlord, game.state.base) == (1, 1)


def test_where_all_pass_is_void_the_game_ends_for_nothing():
    game = dealt(rules=PRESETS["openspiel"], first_voice=0)
    batch = game.say("0 pass", "1 pass", "2 pass")
    assert tags(batch) == ["bid_passed", "deal_voided", "game_scored", "seed_revealed"]
    assert (score_of(game).winner, score_of(game).payouts) == ("nobody", (0, 0, 0))
    assert game.refusal("deal") == "game/over"


def test_a_record_whose_later_deal_starts_with_another_seat_is_refused():
    game = arranged(first_voice=0, deals=2)
    game.say("0 pass", "1 pass", "2 pass")
    for wrong in (0, 2):
        with pytest.raises(Refused) as refused:
            game.do(Deal(arrange((), first_voice=wrong)))
        assert refused.value.code == "deal/wrong-voice"
    game.do(Deal(arrange((), first_voice=1)))
    assert game.state.turn == 1


def test_a_record_that_ends_after_three_passes_goes_on_from_the_seed():
    game = arranged(first_voice=0, deals=1)
    game.say("0 pass", "1 pass", "2 pass")
    (again,) = game.say("deal")
    assert again.hands == dealing.deal(*(bytes.fromhex(text) for text in seeds_of(game)), ("",) * 3, 1).hands


def seeds_of(game):
    return game.events[0].nonce, game.events[0].server_seed


# ---- the kitty and the lead ----


def test_the_kitty_goes_to_the_landlord_who_leads():
    game = arranged(kitty="3BR", first_voice=1)
    seventeen = game.state.hands
    game.say("1 pass", "2 bid 3")
    assert game.state.hands == (seventeen[0], seventeen[1], seventeen[2] | game.state.dealt.kitty)
    assert [len(hand) for hand in game.state.hands] == [17, 17, 20]
    assert (game.state.turn, game.state.top) == (2, None)


def test_a_leader_may_not_pass():
    game = arranged()
    game.say("0 bid 3")
    assert game.refusal("0 pass") == "pass/must-lead"
    assert "pass" not in game.legal_texts()
    game.say("0 play 3", "1 pass", "2 pass")
    assert game.refusal("0 pass") == "pass/must-lead"


def test_an_assigned_landlord_leads_at_once():
    rules = PRESETS["douzero"]
    game = dealt(rules=rules, first_voice=2)
    assert tags(game.events) == ["game_opened", "dealt", "landlord_chosen"]
    assert (game.state.landlord, game.state.base, game.state.turn) == (2, 1, 2)
    assert len(game.state.hands[2]) == 20


# ---- the play ----


def playing(*hands, kitty="", rules=CLASSIC, bid=3):
    game = arranged(hands, kitty, rules=rules)
    calls = {3: ["0 bid 3"], 2: ["0 bid 2", "1 pass", "2 pass"], 1: ["0 bid 1", "1 pass", "2 pass"]}
    game.say(*calls[bid])
    return game


def test_play_goes_round_in_order_of_seats():
    game = playing("3", "4", "5")
    for seat, play in enumerate(["3", "4", "5"]):
        assert game.state.turn == seat
        assert game.refusal(f"{(seat + 1) % 3} play 3") == "turn/not-yours"
        assert game.refusal(f"{(seat + 2) % 3} pass") == "turn/not-yours"
        game.say(f"{seat} play {play}")
    assert game.state.turn == 0


def test_a_play_says_what_it_is_and_who_is_next():
    game = playing("334455")
    (event,) = game.say("0 play 334455")
    assert isinstance(event, CardsPlayed)
    assert (event.seat, event.kind.value, event.rank.value, event.length) == (0, "pair-chain", "3", 3)
    assert (event.cards.ranks, event.cause, event.next) == ("334455", None, 1)


def test_after_two_passes_the_last_to_have_played_leads_anything():
    game = playing("3K", "4A", "")
    game.say("0 play 3", "1 play A")
    assert game.say("2 pass") == (PlayPassed(2, 0, False),)
    assert game.say("0 pass") == (PlayPassed(0, 1, True),)
    assert game.state.top is None
    assert game.state.turn == 1
    game.say("1 play 4")  # lower than the ace, and why not


def test_a_pass_does_not_bind_a_seat_for_the_rest_of_the_trick():
    game = playing("3K", "4A", "52")
    game.say("0 play 3", "1 pass", "2 play 5", "0 play K", "1 play A", "2 play 2")
    assert (game.state.top.seat, game.state.top.meld.name) == (2, "solo 2")


def test_one_pass_between_two_plays_clears_nothing():
    game = playing("3K", "4A", "52")
    game.say("0 play 3", "1 pass", "2 play 5", "0 pass")
    assert game.state.top.meld.name == "solo 5"
    assert game.refusal("1 play 4") == "play/does-not-beat"


@pytest.mark.parametrize(
    ("lead", "answer", "code"),
    [
        ("4", "3", "play/does-not-beat"),
        ("4", "4", "play/does-not-beat"),
        ("4", "55", "play/does-not-beat"),
        ("44", "55", None),
        ("4", "2", None),
        ("4", "B", None),
        ("4", "9999", None),
        ("4", "BR", None),
        ("45678", "56789", None),
        ("45678", "56789T", "play/does-not-beat"),
        ("4", "57", "play/not-a-meld"),
        ("4", "K", "play/not-held"),
        ("4", "555", "play/not-held"),
    ],
)
def test_what_may_be_played_on_what(lead, answer, code):
    game = playing("445678", "34556789999T2BR")
    game.say(f"0 play {lead}")
    if code:
        assert game.refusal(f"1 play {answer}") == code
    else:
        game.say(f"1 play {answer}")
        assert game.state.top.meld.cards.ranks == answer


def test_bombs_and_the_rocket():
    game = playing("33334AAA", "5555", "22226BR", kitty="A")
    game.say("0 play 4", "1 play 5555")  # a bomb beats everything ...
    assert game.refusal("2 play 2") == "play/does-not-beat"
    game.say("2 pass")
    assert game.refusal("0 play 3333") == "play/does-not-beat"  # ... but higher bombs ...
    game.say("0 play AAAA", "1 pass", "2 play 2222", "0 pass", "1 pass", "2 play 6")
    game.say("0 pass", "1 pass", "2 play BR")
    assert game.legal_texts() == ["pass"]  # ... and the rocket, which nothing beats
    assert game.refusal("0 play 3333") == "play/does-not-beat"
    assert game.state.causes == (*[Cause("bomb", 2)] * 3, Cause("rocket", 2))


def test_a_quad_with_kickers_is_no_bomb():
    game = playing("4", "555567", "")
    game.say("0 play 4")
    assert game.refusal("1 play 555567") == "play/does-not-beat"
    game = playing("3333TJ", "55556A", "777789")
    game.say("0 play 3333TJ", "1 play 55556A", "2 play 777789")
    assert game.state.causes == ()


def test_ranks_without_suits_take_the_lowest_suits_held():
    game = playing("3333")
    (event,) = game.say("0 play 33")
    assert event.cards == CardSet.parse("3c3d")


def test_a_player_may_choose_his_suits():
    game = playing("3333")
    play = legal(game.state)[0]
    own = type(play)(0, CardSet.parse("3h3s"))
    (event,) = game.do(own)
    assert event.cards == CardSet.parse("3h3s")


def test_a_card_of_another_suit_is_not_held():
    game = arranged(("3", "333"))
    game.say("0 bid 3")
    play = legal(game.state)[0]
    with pytest.raises(Refused, match="3d") as refused:
        game.do(type(play)(0, CardSet.parse("3d")))
    assert (refused.value.code, refused.value.facts["rank"]) == ("play/not-held", "3d")


# ---- readings: B2 ----


def test_an_ambiguous_lead_is_refused_with_its_choices_until_it_is_named():
    game = playing("333444555666")
    assert game.refusal("0 play 333444555666") == "play/ambiguous"
    for name, meant in [
        ("airplane", ("airplane", "3", 4)),
        ("airplane+solos", ("airplane+solos", "4", 3)),
        ("airplane+solos 3", ("airplane+solos", "3", 3)),
    ]:
        told = playing("333444555666")
        (event,) = told.say(f"0 play 333444555666 as {name}")
        assert (event.kind.value, event.rank.value, event.length) == meant


def test_two_quads_mean_the_higher_one_unless_the_other_is_named():
    game = playing("33334444")
    assert game.say("0 play 33334444")[0].rank.value == "4"
    game = playing("33334444")
    assert game.say("0 play 33334444 as quad+pairs 3")[0].rank.value == "3"


def test_when_following_only_what_beats_counts():
    game = playing("333444555789", "666777888999", "")
    game.say("0 play 333444555789")
    event = game.say("1 play 666777888999")[0]  # as an airplane of four it would beat nothing here
    assert (event.kind.value, event.rank.value, event.length) == ("airplane+solos", "7", 3)


def test_the_reading_that_was_named_is_the_one_to_beat():
    def top_of(name):
        game = playing("333444555666", "777888999TJQ", "")
        game.say(f"0 play 333444555666 as {name}")
        return game

    assert top_of("airplane").refusal("1 play 777888999TJQ") == "play/does-not-beat"
    assert tags(top_of("airplane+solos").say("1 play 777888999TJQ")) == ["cards_played"]


def test_a_name_that_the_cards_do_not_bear_is_refused():
    game = playing("333444")
    assert game.refusal("0 play 333444 as pair-chain") == "play/not-a-meld"


# ---- the end and the score ----

LAST_HAND = "33344455566677789TJQ"  # an airplane of five trios with five solos: twenty cards at once


def test_the_landlord_who_goes_out_with_his_first_hand_makes_a_spring_only():
    game = arranged([LAST_HAND[:17]], kitty=LAST_HAND[17:])
    game.say("0 bid 3")
    batch = game.say(f"0 play {LAST_HAND}")
    assert tags(batch) == ["cards_played", "game_scored", "seed_revealed"]
    assert batch[0].next is None
    assert causes_of(game) == ["spring"]  # B6
    assert score_of(game).payouts == (12, -6, -6)
    assert score_of(game).winner == "landlord"


def test_the_command_that_ends_a_game_reveals_the_seed():
    game = arranged([LAST_HAND[:17]], kitty=LAST_HAND[17:])
    game.say("0 bid 3", f"0 play {LAST_HAND}")
    assert game.events[-1] == SeedRevealed(game.events[0].server_seed)
    assert game.state.revealed == opening_of(game.state).server_seed


def test_nothing_goes_on_after_the_end():
    game = arranged([LAST_HAND[:17]], kitty=LAST_HAND[17:])
    game.say("0 bid 3", f"0 play {LAST_HAND}")
    assert legal(game.state) == ()
    for action in ("deal", "0 bid 1", "1 play 3", "0 escape", "2 escape"):
        assert game.refusal(action) == "game/over", action


# Seat 1 goes out in two hands: an ace, then eight pairs in a row.
EIGHT_PAIRS = "445566778899TTJJ"


def test_a_peasant_goes_out_against_the_landlords_one_hand():
    game = playing("3", "A" + EIGHT_PAIRS, "", bid=2)
    game.turns("3", "A", "-", "-")
    batch = game.turns(EIGHT_PAIRS)
    assert tags(batch) == ["cards_played", "game_scored", "seed_revealed"]
    assert causes_of(game) == ["anti-spring"]
    assert score_of(game).winner == "peasants"
    assert score_of(game).payouts == (-8, 4, 4)  # 2 base x 2, both peasants win


def test_two_hands_of_the_landlord_are_no_anti_spring():
    seven_pairs = EIGHT_PAIRS[2:]
    game = playing("3K", "Q2A" + seven_pairs, bid=2)
    game.turns("3", "Q", "-", "K", "A", "-", "-", "2", "-", "-", seven_pairs)
    assert score_of(game).winner == "peasants"
    assert causes_of(game) == []
    assert score_of(game).payouts == (-4, 2, 2)


def test_the_landlords_passes_are_no_hands():
    game = playing("3", "A" + EIGHT_PAIRS, "45", bid=1)
    game.turns("3", "-", "4", "-", "-", "5", "-", "A", "-", "-", EIGHT_PAIRS)
    assert causes_of(game) == ["anti-spring"]  # the landlord passed three times, but played one hand


def test_passes_are_no_answer_to_a_spring():
    assert causes_of(game_in_which_seat_2_answers("-")) == ["rocket", "spring"]


def test_one_card_of_one_peasant_is_no_spring():
    game = game_in_which_seat_2_answers("2")
    assert causes_of(game) == ["rocket"]
    assert score_of(game).payouts == (4, -2, -2)


def game_in_which_seat_2_answers(answer):
    """The landlord leads a king, takes the lead back with the rocket, and goes out."""
    game = playing("K33344455566678TA", "", "2", kitty="9BR", bid=1)
    game.turns("K", "-", answer, "BR", "-", "-", "A", "-", "-", "333444555666789T")
    return game


def finish(game):
    """The landlord has the lead and keeps it: he leads his last listed meld, the others pass."""
    while not isinstance(game.state, Over):
        game.do(legal(game.state)[-1])
    return game


def test_the_multiplier_doubles_for_every_bomb_and_rocket_that_was_played():
    game = playing("33334567BR", "8888", "9999", kitty="A", bid=2)
    game.turns("4", "8888", "9999", "BR", "-", "-", "3333", "-", "-")
    assert [cause.name for cause in game.state.causes] == ["bomb", "bomb", "rocket", "bomb"]
    finish(game)
    score = score_of(game)
    assert score.multiplier == 2 ** len(score.causes)
    assert score.payouts == (4 * score.multiplier, -2 * score.multiplier, -2 * score.multiplier)


def test_bombs_left_in_hand_do_not_count():
    game = playing("3", "A" + EIGHT_PAIRS, "2222BR", bid=2)
    game.turns("3", "A", "-", "-", EIGHT_PAIRS)
    assert causes_of(game) == ["anti-spring"]


# ---- escape: B5 ----


def ended(game, seat, penalty, base, causes=()):
    """An escape ended the game at once, and only the seat that left pays."""
    score = score_of(game)
    assert tags(game.events[-3:]) == ["seat_escaped", "game_scored", "seed_revealed"]
    assert game.events[-3] == SeatEscaped(seat)
    assert (score.winner, score.escaped, score.base) == ("escape", seat, base)
    assert score.payouts == tuple(-penalty if other == seat else 0 for other in range(3))
    assert [cause.name for cause in score.causes] == list(causes)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_an_escape_before_the_deal(seat):
    game = Game()
    game.do(opening())
    game.say(f"{seat} escape")
    ended(game, seat, 3, 0)


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize(
    ("calls", "base", "penalty"),
    [
        ([], 0, 3),
        (["0 pass"], 0, 3),
        (["0 pass", "1 pass"], 0, 3),
        (["0 bid 1"], 1, 3),
        (["0 bid 2"], 2, 6),
        (["0 bid 1", "1 bid 2"], 2, 6),
        (["0 bid 2", "1 pass"], 2, 6),
    ],
)
def test_an_escape_while_the_auction_is_open(seat, calls, base, penalty):
    game = arranged()
    game.say(*calls, f"{seat} escape")
    ended(game, seat, penalty, base)
    assert score_of(game).landlord is None


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_an_escape_between_two_deals(seat):
    game = dealt(first_voice=0)
    game.say("0 pass", "1 pass", "2 pass", f"{seat} escape")
    ended(game, seat, 3, 0)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_an_escape_after_a_redeal_costs_three_before_any_bid_of_that_deal(seat):
    game = dealt(first_voice=0)
    game.say("0 pass", "1 pass", "2 pass", "deal", f"{seat} escape")
    ended(game, seat, 3, 0)


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("bid", [1, 2, 3])
def test_an_escape_before_the_lead_is_no_spring(seat, bid):
    game = playing(bid=bid)
    game.say(f"{seat} escape")
    ended(game, seat, 3 * bid, bid)
    assert score_of(game).landlord == 0


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_an_escape_in_the_play_counts_the_bombs_and_rockets_so_far(seat):
    game = playing("3", "8888", "BR")
    game.turns("3", "8888", "BR")
    game.say(f"{seat} escape")
    ended(game, seat, 3 * 4 * 3, 3, ("bomb", "rocket"))


def test_an_escape_after_the_landlords_one_hand_is_no_anti_spring():
    game = playing("3", "A", "")
    game.turns("3", "A")
    game.say("0 escape")
    ended(game, 0, 9, 3)


def test_the_factors_of_an_escape_are_knobs():
    game = playing(rules=Rules("ours", escape_factor=1, escape_least=5))
    game.say("1 escape")
    ended(game, 1, 5, 3)


def test_an_escape_is_never_listed_as_legal():
    games = [arranged(), playing("3")]
    for game in games:
        assert "escape" not in " ".join(game.legal_texts())


@pytest.mark.parametrize("seat", [3, -1])
def test_nobody_escapes_from_a_seat_that_is_not_there(seat):
    assert arranged().refusal(f"{seat} escape") == "seat/unknown"


# ---- a game that was played elsewhere ----


def test_the_game_of_douzero_issue_26():
    """https://github.com/kwai/DouZero/issues/26: a player could not see why nothing but a pass was left."""
    landlord, down, up = "3RB222AAKQJJ99988765", "2KKQJTT8765444433", "AAKQQJTT987766553"
    game = arranged((landlord[3:], down, up), kitty=landlord[:3], first_voice=0)
    assert [len(hand) for hand in game.state.hands] == [17, 17, 17]
    game.say("0 bid 3")
    game.turns(
        *("3", "5", "T", "Q", "K", "-", "2", "-", "-"),
        *("8", "J", "Q", "K", "-", "A", "2", "-", "-"),
        *("99", "-", "-", "JJ", "-", "-", "AA", "-", "-"),
        *("56789", "-", "89TJQ", "BR"),
    )
    assert game.state.turn == 1
    assert game.legal_texts() == ["pass"]
    assert game.state.hands[0].ranks == "2"
    game.turns("-", "-", "2")
    assert score_of(game).winner == "landlord"
    assert causes_of(game) == ["rocket"]  # both peasants have played
    assert score_of(game).payouts == (12, -6, -6)
    assert isinstance(game.events[-2], GameScored)
    assert game.events[0].origin == imported()


def test_the_story_helper_refuses_what_it_does_not_know():
    with pytest.raises(ValueError, match="no action"):
        Game(state=SimpleNamespace()).command("0 dance")
