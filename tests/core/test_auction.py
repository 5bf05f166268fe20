"""The auction: which bids are allowed, and when it is over (rules.md A "Auction", C "Auction")."""

from itertools import product

import pytest

from ddz.auction import Call, Won, allowed_bids, highest, verdict


def calls(*points, first=0):
    """Calls in turn order from seat `first`; 0 is a pass."""
    return tuple(Call((first + at) % 3, each) for at, each in enumerate(points))


def auctions(kind, longest):
    """Every sequence of calls that an auction of this kind can go through, the open ones and the closed ones."""
    open_ones = [()]
    while open_ones:
        done = open_ones.pop()
        yield done
        if verdict(kind, calls(*done)) is None and len(done) < longest:
            open_ones += [(*done, points) for points in (0, *allowed_bids(calls(*done)))]


@pytest.mark.parametrize(
    ("made", "allowed"),
    [((), (1, 2, 3)), ((0,), (1, 2, 3)), ((1,), (2, 3)), ((0, 2), (3,)), ((1, 2), (3,)), ((2, 0), (3,)), ((3,), ())],
)
def test_a_bid_is_higher_than_every_bid_before(made, allowed):
    assert allowed_bids(calls(*made)) == allowed


def test_highest_is_the_last_bid_and_no_pass():
    assert highest(calls(0, 0)) is None
    assert highest(calls(1, 2, 0, first=1)) == Call(2, 2)


@pytest.mark.parametrize("first", [0, 1, 2])
@pytest.mark.parametrize(
    ("made", "result"),
    [
        ((), None),
        ((0,), None),
        ((1, 0), None),
        ((1, 2), None),
        ((3,), (0, 3)),
        ((0, 3), (1, 3)),
        ((1, 3), (1, 3)),
        ((0, 0, 3), (2, 3)),
        ((1, 0, 0), (0, 1)),
        ((0, 1, 2), (2, 2)),
        ((1, 2, 0), (1, 2)),
        ((0, 0, 1), (2, 1)),
    ],
)
def test_once_each(first, made, result):
    won = result and Won((first + result[0]) % 3, result[1])
    assert verdict("once", calls(*made, first=first)) == won


@pytest.mark.parametrize("kind", ["once", "until-two-passes"])
def test_three_passes_are_no_verdict_for_anybody(kind):
    assert verdict(kind, calls(0, 0, 0)) == "all-passed"
    assert verdict(kind, calls(0, 0)) is None


@pytest.mark.parametrize(
    ("made", "result"),
    [
        ((1, 0), None),
        ((1, 0, 0), Won(0, 1)),
        ((0, 0, 1), None),  # each of the two that passed is asked again
        ((0, 0, 1, 0), None),
        ((0, 0, 1, 0, 0), Won(2, 1)),
        ((1, 2, 0), None),
        ((1, 2, 0, 0), Won(1, 2)),
        ((0, 1, 0, 2, 0, 0), Won(0, 2)),
        ((0, 1, 0, 3), Won(0, 3)),
    ],
)
def test_until_two_passes(made, result):
    assert verdict("until-two-passes", calls(*made)) == result


def test_every_auction_of_one_voice_each():
    """Counted by hand: of the 4^3 triples those that rise, cut after a 3."""
    done = [made for made in auctions("once", 9) if verdict("once", calls(*made)) is not None]
    rising = set()
    for triple in product(range(4), repeat=3):
        made = triple[: triple.index(3) + 1] if 3 in triple else triple
        bids = [points for points in made if points]
        if bids == sorted(set(bids)):
            rising.add(made)
    assert set(done) == rising
    assert len(done) == len(rising)


def test_every_auction_until_two_passes_ends():
    every = list(auctions("until-two-passes", 20))
    longest = max(every, key=len)
    assert len(longest) <= 9  # two passes, 1, a pass, 2, a pass, 3 ... never goes on for ever
    for made in every:
        result = verdict("until-two-passes", calls(*made))
        if isinstance(result, Won):
            bids = [(points, at % 3) for at, points in enumerate(made) if points]
            assert (result.base, result.landlord) == max(bids)
            assert made[-1] == 3 or made[-2:] == (0, 0)
