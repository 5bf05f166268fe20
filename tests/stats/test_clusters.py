"""Intervals of games that hang together, deck by deck: by definition, against what they become, and simulated."""

import random
import statistics

import pytest

from ddz.intervals import Clusters, clustered_mean, clustered_rate, wilson


def sums(groups) -> Clusters:
    found = Clusters()
    for value, size in groups:
        found.add(value, size)
    return found


@pytest.mark.parametrize(("successes", "trials"), [(30, 100), (1, 40), (0, 12), (12, 12)])
def test_groups_of_one_have_wilsons_interval(successes: int, trials: int) -> None:
    groups = [(1, 1)] * successes + [(0, 1)] * (trials - successes)
    assert clustered_rate(sums(groups)) == wilson(successes, trials)
    assert clustered_rate(sums([(2 * value, size) for value, size in groups]), 2) == wilson(successes, trials)


def test_groups_that_do_not_differ_count_once_each() -> None:
    assert clustered_rate(sums([(2, 2)] * 10)) == wilson(10, 10)
    assert clustered_rate(sums([(1, 2)] * 10)) == wilson(5, 10)
    assert clustered_rate(Clusters()) is None
    assert clustered_mean(Clusters()) is None


def test_a_mean_of_groups_of_one_size_is_the_textbooks() -> None:
    rng = random.Random(2)
    values = [rng.randint(-40, 60) for _ in range(50)]
    found = clustered_mean(sums([(value, 6) for value in values]))
    means = [value / 6 for value in values]
    half = 1.959964 * statistics.stdev(means) / 50**0.5
    assert (found.low, found.value, found.high) == pytest.approx(
        (statistics.mean(means) - half, statistics.mean(means), statistics.mean(means) + half), abs=2e-6
    )
    assert clustered_mean(sums([(3, 2)])).low is None


def test_a_ratio_of_groups_of_many_sizes_is_as_unsure_as_a_bootstrap_of_the_groups_says() -> None:
    rng = random.Random(9)
    groups = []
    for _ in range(200):
        size = rng.randint(1, 5)
        groups.append((sum(rng.random() < 0.2 + 0.1 * size for _ in range(size)), size))
    drawn = []
    for _ in range(2000):
        again = rng.choices(groups, k=len(groups))
        drawn.append(sum(value for value, _ in again) / sum(size for _, size in again))
    found = sums(groups)
    assert found.spread() ** 0.5 == pytest.approx(statistics.stdev(drawn), rel=0.06)


@pytest.mark.parametrize("together", [-1.0, -0.5, 0.0, 0.7])
def test_the_truth_lies_between_the_bounds_however_games_hang_together(together: float) -> None:
    """Two games a deck, won with chance 0.6 each; they are opposed, independent or alike."""
    rng = random.Random(4)
    hits, width = 0, 0.0
    for _ in range(1000):
        found = Clusters()
        for _ in range(80):
            one = rng.random()
            other = (1 - one if together < 0 else one) if rng.random() < abs(together) else rng.random()
            found.add((one < 0.6) + (other < 0.6), 2)
        interval = clustered_rate(found)
        hits += interval.low <= 0.6 <= interval.high
        width += interval.high - interval.low
    assert 0.92 < hits / 1000 < 0.98
    plain = wilson(96, 160)
    if together < 0:
        assert width / 1000 < 0.9 * (plain.high - plain.low), "swapping the sides makes the figure surer"
    if together > 0:
        assert width / 1000 > 1.1 * (plain.high - plain.low)
