"""From causes to payouts (rules.md A "Score", B5, B6, B8, C)."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddz.frozen.shapes import Cause, Kind, Rules
from ddz.melds import KINDS
from ddz.rules import CLASSIC, PRESETS
from ddz.scoring import cause_of, multiplier, settle, settle_escape, settle_void

BOMB = Cause("bomb", 2)
ROCKET = Cause("rocket", 2)
PLAIN = (2, 1, 1)  # hands played: neither spring nor anti-spring


@pytest.mark.parametrize(
    ("landlord", "out", "base", "causes", "payouts"),
    [
        (0, 0, 1, (), (2, -1, -1)),
        (0, 1, 1, (), (-2, 1, 1)),
        (1, 1, 3, (), (-3, 6, -3)),
        (2, 0, 2, (), (2, 2, -4)),
        (0, 0, 2, (BOMB,), (8, -4, -4)),
        (0, 0, 3, (BOMB, ROCKET, BOMB), (48, -24, -24)),
        (1, 2, 3, (ROCKET,), (6, -12, 6)),
    ],
)
def test_points(landlord, out, base, causes, payouts):
    score = settle(CLASSIC, landlord, base, causes, out, (3, 3, 3))
    assert score.payouts == payouts
    assert score.causes == causes
    assert score.multiplier == 2 ** len(causes)
    assert score.winner == ("landlord" if out == landlord else "peasants")
    assert (score.landlord, score.base, score.escaped) == (landlord, base, None)


@pytest.mark.parametrize(
    ("landlord", "out", "hands", "cause"),
    [
        (0, 0, (5, 0, 0), "spring"),
        (1, 1, (0, 5, 0), "spring"),
        (0, 0, (1, 0, 0), "spring"),  # B6: out with his first hand is a spring only
        (0, 0, (5, 1, 0), None),
        (0, 0, (5, 0, 1), None),
        (0, 1, (1, 4, 0), "anti-spring"),
        (2, 0, (4, 2, 1), "anti-spring"),
        (0, 1, (2, 4, 0), None),
        (0, 0, (1, 1, 1), None),  # the landlord went out: no anti-spring
    ],
)
def test_spring_and_anti_spring(landlord, out, hands, cause):
    score = settle(CLASSIC, landlord, 3, (BOMB,), out, hands)
    assert [each.name for each in score.causes] == ["bomb", *([cause] if cause else [])]
    assert score.multiplier == (4 if cause else 2)
    assert abs(score.payouts[landlord]) == 2 * 3 * score.multiplier


@pytest.mark.parametrize("name", ["rlcard", "douzero"])
def test_a_house_without_spring(name):
    rules = PRESETS[name]
    assert settle(rules, 0, 1, (), 0, (5, 0, 0)).causes == ()
    assert settle(rules, 0, 1, (), 1, (1, 5, 0)).causes == ()


def test_each_factor_is_a_knob_of_its_own():
    rules = Rules(bomb=3, rocket=5, spring=7, anti_spring=11)
    causes = (cause_of(Kind.BOMB, rules), cause_of(Kind.ROCKET, rules))
    assert causes == (Cause("bomb", 3), Cause("rocket", 5))
    assert settle(rules, 0, 2, causes, 0, (5, 0, 0)).payouts == (2 * 2 * 105, -2 * 105, -2 * 105)
    assert settle(rules, 0, 2, causes, 1, (1, 5, 0)).payouts == (-2 * 2 * 165, 2 * 165, 2 * 165)


def test_only_bombs_and_the_rocket_are_causes():
    found = {kind: cause_of(kind, CLASSIC) for kind in KINDS}
    assert {kind: cause for kind, cause in found.items() if cause} == {Kind.BOMB: BOMB, Kind.ROCKET: ROCKET}


def test_a_factor_of_one_is_no_cause():
    rules = Rules(bomb=1, rocket=1)
    assert cause_of(Kind.BOMB, rules) is None
    assert cause_of(Kind.ROCKET, rules) is None


@pytest.mark.parametrize(
    ("seat", "landlord", "base", "causes", "payouts"),
    [
        (0, None, 0, (), (-3, 0, 0)),  # nobody has bid: 3
        (2, None, 1, (), (0, 0, -3)),
        (1, None, 2, (), (0, -6, 0)),  # the highest bid so far
        (1, 0, 3, (), (0, -9, 0)),
        (0, 0, 3, (BOMB, ROCKET), (-36, 0, 0)),
    ],
)
def test_an_escape_costs_the_seat_alone(seat, landlord, base, causes, payouts):
    score = settle_escape(CLASSIC, seat, landlord, base, causes)
    assert score.payouts == payouts  # the bank gets it: this sums to no zero
    assert (score.winner, score.escaped, score.landlord, score.base) == ("escape", seat, landlord, base)
    assert score.causes == causes  # neither spring nor anti-spring


def test_an_escape_costs_at_least_the_least():
    rules = Rules(escape_factor=2, escape_least=50)
    assert settle_escape(rules, 0, 0, 3, (BOMB,)).payouts == (-50, 0, 0)
    assert settle_escape(rules, 0, 0, 30, ()).payouts == (-60, 0, 0)


def test_a_void_game_is_for_nothing():
    score = settle_void()
    assert (score.winner, score.payouts, score.landlord, score.base) == ("nobody", (0, 0, 0), None, 0)


def test_the_empty_product_is_one():
    assert multiplier(()) == 1


@given(
    landlord=st.integers(0, 2),
    out=st.integers(0, 2),
    base=st.integers(1, 3),
    causes=st.lists(st.sampled_from([BOMB, ROCKET]), max_size=5).map(tuple),
    hands=st.tuples(*[st.integers(0, 9)] * 3),
    rules=st.sampled_from(list(PRESETS.values())),
)
def test_payouts_sum_to_zero_and_follow_from_what_the_score_says(landlord, out, base, causes, hands, rules):
    score = settle(rules, landlord, base, causes, out, hands)
    assert sum(score.payouts) == 0
    stake = score.base * score.multiplier * (1 if score.winner == "landlord" else -1)
    assert score.payouts[landlord] == 2 * stake
    assert score.multiplier == multiplier(score.causes)
    assert score.causes[: len(causes)] == causes


@pytest.mark.parametrize("knob", ["bomb", "rocket", "spring", "anti_spring", "escape_factor", "escape_least"])
@pytest.mark.parametrize("value", [0, -2, 1001])
def test_factors_are_sensible(knob, value):
    with pytest.raises(ValueError, match=knob):
        Rules(**{knob: value})


# rules.md C, the table from "auction" down: auction, all pass, bomb, rocket, spring, anti-spring, escape.
HOUSES = {
    "classic": ("once", "redeal", 2, 2, 2, 2, 3, 3),
    "literal": ("once", "redeal", 2, 2, 2, 2, 3, 3),
    "rlcard": ("assigned", None, 2, 2, 1, 1, 3, 3),
    "openspiel": ("until-two-passes", "void", 2, 2, 2, 2, 3, 3),
    "douzero": ("assigned", None, 2, 2, 1, 1, 3, 3),
    "pagat": ("once", "redeal", 2, 2, 2, 2, 3, 3),
}


@pytest.mark.parametrize("name", HOUSES)
def test_the_presets_have_the_factors_of_the_table(name):
    rules = PRESETS[name]
    factors = (rules.bomb, rules.rocket, rules.spring, rules.anti_spring, rules.escape_factor, rules.escape_least)
    all_pass = None if rules.auction == "assigned" else rules.all_pass  # where nobody bids, nobody passes
    assert (rules.auction, all_pass, *factors) == HOUSES[name]
    assert rules.name == name


def test_rules_are_stored_whole_and_read_back():
    for rules in PRESETS.values():
        stored = msgspec.json.decode(msgspec.json.encode(rules))
        assert set(stored) == set(Rules.__struct_fields__)
        assert set(stored["kickers"]) == set(type(rules.kickers).__struct_fields__)
        assert msgspec.json.decode(msgspec.json.encode(rules), type=Rules) == rules
