"""The intervals against a printed table, against what they are by definition, and against simulated truth."""

import math
import random
import statistics

import pytest

from ddz.intervals import mean, wilson


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_newcombes_table(successes: int, trials: int, low: float, high: float) -> None:
    """R. G. Newcombe, Statistics in Medicine 17 (1998), p. 857, table I, method 3 (Wilson)."""
    found = wilson(successes, trials)
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)
    assert found.value == pytest.approx(successes / trials, abs=1e-6)


@pytest.mark.parametrize("trials", [1, 2, 7, 30, 1000, 10**6])
def test_the_bounds_are_just_not_refuted(trials: int) -> None:
    """At a bound p, the rate that was found is 1.96 standard deviations away."""
    for successes in {0, 1, trials // 3, trials // 2, trials - 1, trials}:
        found = wilson(successes, trials)
        assert 0 <= found.low <= found.value <= found.high <= 1
        for end in (found.low, found.high):
            away = abs(successes / trials - end)
            expected = 1.959964 * math.sqrt(end * (1 - end) / trials)
            assert away == pytest.approx(expected, abs=3e-6 + 1e-6 * math.sqrt(trials)), (successes, end)


def test_both_ends_are_alike() -> None:
    one, other = wilson(3, 17), wilson(14, 17)
    assert (one.low, one.high) == pytest.approx((1 - other.high, 1 - other.low), abs=2e-6)
    assert wilson(0, 5).low == 0
    assert wilson(5, 5).high == 1
    assert wilson(0, 0) is None


@pytest.mark.parametrize("rate", [0.02, 0.3, 0.5])
def test_the_truth_lies_between_the_bounds_nineteen_times_of_twenty(rate: float) -> None:
    rng = random.Random(7)
    hits = 0
    for _ in range(2000):
        found = wilson(sum(rng.random() < rate for _ in range(60)), 60)
        hits += found.low <= rate <= found.high
    assert 0.92 < hits / 2000 < 0.98


def test_shares_of_games_are_never_surer_than_whole_ones() -> None:
    """Of games that count between 0 and 1 the truth lies between the bounds at least as often."""
    rng = random.Random(7)
    hits = 0
    for _ in range(2000):
        found = wilson(sum(rng.choice((0, 1 / 3, 2 / 3)) for _ in range(60)), 60)
        hits += found.low <= 1 / 3 <= found.high
    assert hits / 2000 > 0.95


@pytest.mark.parametrize("values", [[3, -6], [12, -24, 12, 0], list(range(-50, 50)), [10**60, -(10**60), 0]])
def test_a_mean_is_that_of_the_statistics_module(values: list[int]) -> None:
    for scale in (1, 6):
        scaled = [scale * value for value in values]
        found = mean(sum(scaled), sum(value * value for value in scaled), len(values), scale)
        half = 1.959963984540054 * statistics.stdev(map(float, values)) / math.sqrt(len(values))
        middle = statistics.fmean(values)
        assert (found.value, found.low, found.high) == pytest.approx(
            (middle, middle - half, middle + half), abs=1e-6, rel=1e-12
        )


def test_means_of_few() -> None:
    assert mean(0, 0, 0) is None
    one = mean(-7, 49, 1)
    assert (one.value, one.low, one.high) == (-7, None, None)
    same = mean(-14, 98, 2)
    assert (same.value, same.low, same.high) == (-7, -7, -7)
    assert str(mean(-1, 1, 10**8).value) == "0.0", "no negative zero"
