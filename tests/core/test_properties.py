"""What holds in every game that can be played: thousands of random turns, escapes among them."""

import functools
import random

import oracle
import pytest
from games import opening, play_randomly
from hypothesis import given
from hypothesis import strategies as st

from ddz.auction import allowed_bids
from ddz.cards import DECK, FULL_DECK, CardSet
from ddz.commands import Bid, Deal, Escape, Pass, PassBid, Play
from ddz.decide import decide, legal, refusal
from ddz.errors import BrokenLog, Refused
from ddz.frozen.events import CardsPlayed, Dealt, GameScored, LandlordChosen, SeedRevealed
from ddz.frozen.shapes import Kind
from ddz.rules import PRESETS
from ddz.scoring import multiplier
from ddz.state import START, Auction, Over, Playing, Void, cards_in_play, evolve, fold, turn_of

splits = functools.cache(oracle.splits)
rngs = st.builds(random.Random, st.integers(0, 2**32))
games = st.builds(
    play_randomly,
    seed=st.integers(0, 2**32),
    rules=st.sampled_from(list(PRESETS.values())),
    escape_chance=st.sampled_from([0.0, 0.0, 0.03, 0.3]),
    silent=st.sampled_from([None, None, "landlord", "peasants"]),
)


def plain(play):
    """(kind, rank, length, counts) of a listed turn, as the oracle would say it."""
    length = {reading[:2]: reading[2] for reading in readings_of(play.cards.ranks)}[play.kind.value, play.rank.value]
    return play.kind.value, play.rank.value, length, play.cards.ranks


def readings_of(letters):
    """Every reading of any house."""
    return [split.reading for split in splits(letters)]


@given(games)
def test_54_cards_are_conserved_at_every_event(game):
    cards_are_dealt = False
    for event, state in zip(game.events, game.states[1:], strict=True):
        cards_are_dealt = cards_are_dealt or isinstance(event, Dealt)
        if not cards_are_dealt:
            continue
        assert cards_in_play(state) == FULL_DECK
        if isinstance(state, Playing):
            places = [*state.hands, *(turn.meld.cards for turn in state.history if turn.meld)]
            assert sum(len(cards) for cards in places) == 54, "a card is in two places"


@given(games)
def test_payouts_sum_to_zero_but_for_an_escape(game):
    score = game.state.scored.score
    if score.winner == "escape":
        assert score.payouts[score.escaped] == sum(score.payouts) <= -3
        assert sorted(score.payouts)[1:] == [0, 0]
    else:
        assert sum(score.payouts) == 0
        assert score.escaped is None
    assert score.multiplier == multiplier(score.causes)


@given(games)
def test_the_score_can_be_told_from_the_events_alone(game):
    """Rules.md A once more over what was played, without looking at any state."""
    score = game.state.scored.score
    rules = game.events[0].rules
    played = [event for event in game.events if isinstance(event, CardsPlayed)]
    factors = {Kind.BOMB: rules.bomb, Kind.ROCKET: rules.rocket}
    product = 1
    for event in played:
        product *= factors.get(event.kind, 1)
    chosen = [event for event in game.events if isinstance(event, LandlordChosen)]
    if score.winner == "landlord" and all(event.seat == score.landlord for event in played):
        product *= rules.spring
    if score.winner == "peasants" and sum(event.seat == score.landlord for event in played) == 1:
        product *= rules.anti_spring
    assert score.multiplier == product
    if score.winner in ("landlord", "peasants"):
        assert (score.landlord, score.base) == (chosen[-1].landlord, chosen[-1].base)
        assert (played[-1].seat == score.landlord) is (score.winner == "landlord")
        assert abs(score.payouts[score.landlord]) == 2 * score.base * product


@given(games, st.data())
def test_the_fold_of_any_prefix_is_the_state_as_played(game, data):
    at = data.draw(st.integers(0, len(game.events)))
    assert fold(game.events[:at]) == game.states[at]
    assert fold(game.events[at:], game.states[at]) == game.state


@given(games)
def test_a_game_ends_with_its_score_and_its_seed(game):
    assert isinstance(game.state, Over)
    assert isinstance(game.events[-2], GameScored)
    assert game.events[-1] == SeedRevealed(game.events[0].server_seed)
    assert sum(isinstance(event, GameScored) for event in game.events) == 1


@given(games, rngs)
def test_every_listed_turn_is_accepted_whatever_suits_are_chosen(game, rng):
    for state in sample(game.states, rng):
        for turn in legal(state):
            command = turn
            if isinstance(turn, Play):
                command = Play(turn.seat, other_suits(state.hands[turn.seat], turn.cards, rng), turn.kind, turn.rank)
            batch = decide(state, command)
            if isinstance(turn, Play):
                event = batch[0]
                assert (event.kind, event.rank, event.cards) == (turn.kind, turn.rank, command.cards)
                assert event.length == plain(turn)[2]


@given(games, rngs)
def test_any_cards_of_a_hand_are_accepted_exactly_when_they_are_listed(game, rng):
    for state in sample(game.states, rng):
        if not isinstance(state, Playing):
            continue
        listed = [plain(turn) for turn in legal(state) if isinstance(turn, Play)]
        for _ in range(10):
            cards, kind, rank = some_play(state, listed, rng)
            choices = [
                reading
                for reading in listed
                if reading[3] == cards.ranks and kind in (None, reading[0]) and rank in (None, reading[1])
            ]
            found = refusal(state, Play(state.turn, cards, kind and Kind(kind), rank and rank_of(rank)))
            shapes = {(reading[0], reading[2]) for reading in choices}
            if len(shapes) == 1:
                assert found is None, f"{cards.ranks} is listed, but: {found}"
                event = decide(state, Play(state.turn, cards, kind and Kind(kind), rank and rank_of(rank)))[0]
                highest = max(choices, key=lambda reading: oracle.ORDER.index(reading[1]))
                assert (event.kind.value, event.rank.value, event.length, event.cards.ranks) == highest
            elif shapes:
                assert found.code == "play/ambiguous"
            else:
                assert found.code in ("play/not-a-meld", "play/does-not-beat")


@given(games, rngs)
def test_what_is_not_in_the_hand_is_never_accepted(game, rng):
    for state in sample(game.states, rng):
        if isinstance(state, Playing):
            strange = sorted(FULL_DECK - state.hands[state.turn])
            cards = CardSet(1 << rng.choice(strange))
            if rng.random() < 0.5:
                cards |= state.hands[state.turn]
            assert refusal(state, Play(state.turn, cards)).code == "play/not-held"


@given(games, rngs)
def test_nobody_acts_out_of_turn(game, rng):
    for state in sample(game.states, rng):
        turn = turn_of(state)
        for seat in {0, 1, 2} - {turn}:
            commands = [Bid(seat, 3), PassBid(seat), Pass(seat), Play(seat, FULL_DECK)]
            found = [refusal(state, command).code for command in commands]
            assert set(found) <= {"turn/not-yours", "phase/wrong", "game/over"}


@given(games, rngs)
def test_each_reading_is_listed_once_and_in_order(game, rng):
    for state in sample(game.states, rng):
        turns = legal(state)
        if turn_of(state) is None:  # also in the middle of a command's events
            assert turns == ()
        elif isinstance(state, Auction):
            bids = [Bid(state.turn, points) for points in allowed_bids(state.calls)]
            assert turns == (*bids, PassBid(state.turn))
        elif isinstance(state, Playing):
            plays = [turn for turn in turns if isinstance(turn, Play)]
            assert turns == (*plays, *([Pass(state.turn)] if state.top else []))
            listed = [plain(play) for play in plays]
            assert len(listed) == len(set(listed))
            assert listed == sorted(listed, key=documented_order)


@given(games, st.integers(0, 2))
def test_anybody_may_escape_at_any_time_of_an_open_game(game, seat):
    for before, state in zip(game.states, game.states[1:], strict=False):
        if turn_of(state) is not None or isinstance(state, Void):
            first, scored, _ = decide(state, Escape(seat))[-3:]
            assert first.seat == scored.score.escaped == seat
            assert scored.score.payouts[seat] <= -3
        assert before != state


@given(games, rngs)
def test_folding_shuffled_events_breaks_as_a_log_and_never_as_a_refusal(game, rng):
    events = list(game.events)
    for _ in range(5):
        one, other = rng.randrange(len(events)), rng.randrange(len(events))
        events[one], events[other] = events[other], events[one]
    state = START
    for event in events:
        try:
            state = evolve(state, event)
        except BrokenLog:
            continue
        except Refused as refused:
            pytest.fail(f"evolve refused: {refused}")


def test_every_end_of_a_game_is_met():
    """The games above are no straw: among the first ones every winner and every cause occurs."""
    scores = [
        play_randomly(seed, rules, 0.01, silent).state.scored.score
        for seed in range(20)
        for rules in PRESETS.values()
        for silent in (None, "landlord", "peasants")
    ]
    assert {score.winner for score in scores} >= {"landlord", "peasants", "escape"}
    assert {cause.name for score in scores for cause in score.causes} == {"bomb", "rocket", "spring", "anti-spring"}
    assert {score.landlord for score in scores} >= {0, 1, 2}


def test_the_same_seed_is_the_same_game():
    assert play_randomly(5).events == play_randomly(5).events
    assert decide(START, opening(seed=5)) == decide(START, opening(seed=5))
    assert decide(play_randomly(5).states[1], Deal())[0] == play_randomly(5).events[1]


def sample(states, rng, most=4):
    """Some states of a game, at random; the long game is not more of a witness than the short one."""
    return rng.sample(states, min(most, len(states)))


def other_suits(hand, cards, rng):
    """Cards of the same ranks from the same hand, of random suits."""
    left = sorted(hand)
    rng.shuffle(left)
    chosen = []
    for letter in cards.ranks:
        card = next(card for card in left if DECK[card][0] == letter)
        left.remove(card)
        chosen.append(card)
    return CardSet(sum(1 << card for card in chosen))


def some_play(state, listed, rng):
    """Cards of the hand to act, nearly a meld or nothing of the kind, perhaps with a name."""
    hand = state.hands[state.turn]
    pick = rng.random()
    if pick < 0.4 and listed:
        letters = rng.choice(listed)[3]
        cards = other_suits(hand, hand.take(oracle_counts(letters)), rng)
    elif pick < 0.7:
        cards = CardSet(sum(1 << card for card in rng.sample(sorted(hand), rng.randint(0, min(len(hand), 6)))))
    else:  # a few whole ranks, which make sequences and quads
        letters = rng.sample(sorted(set(hand.ranks)), rng.randint(1, min(4, len(set(hand.ranks)))))
        cards = CardSet(sum(1 << card for card in hand if DECK[card][0] in letters))
    named = rng.random()
    reading = rng.choice(listed) if listed else None
    kind = (reading[0] if reading and named < 0.2 else rng.choice(oracle.KINDS)) if named < 0.3 else None
    rank = rng.choice(cards.ranks) if len(cards) and rng.random() < 0.3 else None
    return cards, kind, rank


def oracle_counts(letters):
    return sum(1 << 4 * oracle.ORDER.index(letter) for letter in letters)


def rank_of(letter):
    from ddz.cards import Rank

    return Rank(letter)


def documented_order(reading):
    """By kind, length, rank, kickers (design.md 6)."""
    kind, rank, length, letters = reading
    core = next(split for split in splits(letters) if split.reading == (kind, rank, length))
    kickers = [oracle.ORDER.index(letter) for letter in core.kickers]
    return oracle.KINDS.index(kind), length, oracle.ORDER.index(rank), kickers


def test_the_helper_for_other_suits_keeps_the_ranks():
    hand = CardSet.parse("3c3d3h4s5c")
    found = {str(other_suits(hand, CardSet.parse("3c4s"), random.Random(seed))) for seed in range(20)}
    assert found == {"3c4s", "3d4s", "3h4s"}
