"""How sure a rate and a mean are: 95 % intervals, by nothing but the standard library.

A rate has Wilson's score interval (E. B. Wilson, JASA 22, 1927, p. 209): it stays inside 0 to 1, is right for few
games and for rates near 0 and 1, where the textbook's p +- z sqrt(p(1-p)/n) is not, and needs one formula and no
table (Brown, Cai and DasGupta, Statistical Science 16, 2001, recommend it). A mean of points has the normal interval
mean +- z s/sqrt(n): fair from some thirty games on, and too narrow below that.

Both take whole numbers and divide once at the end, so that the order of the games cannot show in the last digit.
"""

import math
from statistics import NormalDist
from typing import Annotated, Final

import msgspec

CONFIDENCE: Final = 0.95
_Z: Final = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)  # 1.96
_DIGITS: Final = 6
"""Digits after the point: more than any log can support, and few enough to be the same on all platforms."""


class Interval(msgspec.Struct, frozen=True):
    """An estimate and the bounds between which the truth lies, at the confidence of this module."""

    value: Annotated[float, msgspec.Meta(description="The estimate, in the unit of what is estimated.")]
    low: Annotated[float, msgspec.Meta(description="The lower bound; null where one game says nothing.")] | None
    high: Annotated[float, msgspec.Meta(description="The upper bound; null where one game says nothing.")] | None


def wilson(successes: float, trials: float) -> Interval | None:
    """The rate of `successes` in `trials` with Wilson's interval; None without trials.

    `successes` may be broken: where a trial counts between 0 and 1, its variance is at most that of a trial which
    counts 0 or 1 with the same mean, so that the interval is at least as wide as it must be.
    """
    if not trials:
        return None
    rate, z = successes / trials, _Z
    shrink = 1 + z * z / trials
    middle = (rate + z * z / (2 * trials)) / shrink
    half = z / shrink * math.sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    return Interval(_rounded(rate), _rounded(max(0.0, middle - half)), _rounded(min(1.0, middle + half)))


def mean(total: int, squares: int, number: int, scale: int = 1) -> Interval | None:
    """The mean of `number` values with its normal interval; None without values.

    `total` and `squares` are the sums of the values and of their squares, each value `scale` times itself.
    """
    if not number:
        return None
    value = total / (number * scale)
    if number == 1:
        return Interval(_rounded(value), None, None)
    variance = (number * squares - total * total) / (number * (number - 1) * scale * scale)
    half = _Z * math.sqrt(variance / number)
    return Interval(_rounded(value), _rounded(value - half), _rounded(value + half))


def _rounded(value: float) -> float:
    return round(value, _DIGITS) + 0.0  # a negative zero is none


class Clusters(msgspec.Struct):
    """Sums over groups of dependent games, such as those of one deck: the groups are the independent units.

    Each group adds up `value` over its `size` trials, in whole numbers.
    """

    number: int = 0
    value: int = 0
    size: int = 0
    value_value: int = 0
    value_size: int = 0
    size_size: int = 0

    def add(self, value: int, size: int) -> None:
        """Take one group in."""
        self.number += 1
        self.value += value
        self.size += size
        self.value_value += value * value
        self.value_size += value * size
        self.size_size += size * size

    def spread(self) -> float:
        """The variance of `value` over `size`, the groups being drawn by chance: the ratio estimator's, linearised.

        W. G. Cochran, Sampling Techniques, 3rd ed., 1977, (6.13). It is s^2/n where all groups are of one size.
        """
        apart = self.value_value * self.size**2 - 2 * self.value_size * self.value * self.size
        apart += self.size_size * self.value**2
        return apart / self.size**4 if self.number else 0.0


def clustered_rate(sums: Clusters, scale: int = 1) -> Interval | None:
    """The rate of successes over all trials of all groups; None without trials.

    Wilson's interval for as many independent trials as would know the rate as well (N. Dean and M. Pagano, Journal of
    Survey Statistics and Methodology 3, 2015). Groups of one trial each make it Wilson's own. Where the groups do not
    differ at all, each counts as one trial. A success counts `scale`.
    """
    if not sums.size:
        return None
    rate, spread = sums.value / (sums.size * scale), sums.spread() / scale**2
    trials = rate * (1 - rate) / spread if spread > 0 else sums.number
    return wilson(rate * trials, trials)


def clustered_mean(sums: Clusters, scale: int = 1) -> Interval | None:
    """The mean of a value over all trials of all groups, with its normal interval; None without trials.

    Each value is `scale` times itself.
    """
    if not sums.size:
        return None
    value = sums.value / (sums.size * scale)
    if sums.number == 1:
        return Interval(_rounded(value), None, None)
    return normal(value, math.sqrt(sums.spread() * sums.number / (sums.number - 1)) / scale)


def normal(value: float, error: float) -> Interval:
    """An estimate whose standard error is `error`, with its normal interval."""
    return Interval(_rounded(value), _rounded(value - _Z * error), _rounded(value + _Z * error))
