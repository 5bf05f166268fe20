"""From causes to a multiplier to payouts (rules.md A "Score", B5, B6). Points are whole; payouts go by seat."""

import math
from collections.abc import Sequence

from ddz.frozen.shapes import Cause, Kind, Rules, Score, Seat, Winner
from ddz.rules import SEATS


def multiplier(causes: Sequence[Cause]) -> int:
    """The product of the causes' factors; 1 for none."""
    return math.prod(cause.factor for cause in causes)


def cause_of(kind: Kind, rules: Rules) -> Cause | None:
    """What playing a meld of this kind does to the multiplier; None if nothing."""
    match kind:
        case Kind.BOMB if rules.bomb > 1:
            return Cause("bomb", rules.bomb)
        case Kind.ROCKET if rules.rocket > 1:
            return Cause("rocket", rules.rocket)
        case _:
            return None


def settle(
    rules: Rules, landlord: Seat, base: int, causes: tuple[Cause, ...], out: Seat, hands_played: tuple[int, int, int]
) -> Score:
    """The score when seat `out` has emptied its hand; `hands_played` counts the melds that each seat played."""
    if out == landlord:
        peasants_silent = not any(hands_played[seat] for seat in SEATS if seat != landlord)
        if peasants_silent and rules.spring > 1:
            causes = (*causes, Cause("spring", rules.spring))
    elif hands_played[landlord] == 1 and rules.anti_spring > 1:
        causes = (*causes, Cause("anti-spring", rules.anti_spring))
    product = multiplier(causes)
    stake = base * product if out == landlord else -base * product
    payouts = tuple(2 * stake if seat == landlord else -stake for seat in SEATS)
    winner: Winner = "landlord" if out == landlord else "peasants"
    return Score(winner, landlord, base, product, causes, (payouts[0], payouts[1], payouts[2]))


def settle_escape(rules: Rules, seat: Seat, landlord: Seat | None, base: int, causes: tuple[Cause, ...]) -> Score:
    """The score when `seat` leaves: the penalty goes to the bank, the others get nothing (rules.md B5)."""
    product = multiplier(causes)
    penalty = max(base * product * rules.escape_factor, rules.escape_least)
    payouts = tuple(-penalty if other == seat else 0 for other in SEATS)
    return Score("escape", landlord, base, product, causes, (payouts[0], payouts[1], payouts[2]), seat)


def settle_void() -> Score:
    """The score of a game that nobody bid for, where the house does not deal again."""
    return Score("nobody", None, 0, 1, (), (0, 0, 0))
