"""Compares two samples with the statistical tests that are usual in search-based software engineering.

Source: A. Arcuri, L. Briand, "A hitchhiker's guide to statistical tests for assessing randomized algorithms in software
engineering", STVR 2014; used in [WB-JS] §4.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import msgspec

ALPHA = 0.05
"""The significance level."""
MOST_SPLITS = 20_000
"""The largest number of splits of the values into two samples for which p is computed exactly (enough for 8 and 8
values). Ties matter less in larger samples."""


class Comparison(msgspec.Struct, frozen=True):
    """The comparison of a first sample with a second one."""

    first: float
    """The mean of the first sample."""
    second: float
    """The mean of the second sample."""
    a12: float
    p: float
    relative: float | None
    """(first - second) / second; None if the second mean is 0 and the first is not."""

    @property
    def is_significant(self) -> bool:
        """Whether p is below ALPHA and A12 is not 0.5."""
        return self.p < ALPHA and self.a12 != 0.5


def compared(first: Sequence[float], second: Sequence[float]) -> Comparison:
    """Compares two samples, neither of which may be empty."""
    first_mean, second_mean = mean(first), mean(second)
    return Comparison(
        first=first_mean,
        second=second_mean,
        a12=vargha_delaney(first, second),
        p=mann_whitney(first, second),
        relative=_relative(first_mean, second_mean),
    )


def mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def vargha_delaney(first: Sequence[float], second: Sequence[float]) -> float:
    """Returns A12: the probability that a value of the first sample is greater than one of the second; ties count half.

    Source: A. Vargha, H. D. Delaney, "A critique and improvement of the CL common language effect size statistics",
    2000.
    """
    wins = sum((a > b) + 0.5 * (a == b) for a in first for b in second)
    return wins / (len(first) * len(second))


def mann_whitney(first: Sequence[float], second: Sequence[float]) -> float:
    """Returns p of the two-sided Mann-Whitney U test, exact for small samples, also with ties.

    1.0 if all values are equal.
    """
    if len({*first, *second}) == 1:
        return 1.0
    if math.comb(len(first) + len(second), len(first)) <= MOST_SPLITS:
        return _exact_p(first, second)
    from scipy.stats import mannwhitneyu  # an extra, and slow to load

    return float(mannwhitneyu(first, second, alternative="two-sided").pvalue)


def _exact_p(first: Sequence[float], second: Sequence[float]) -> float:
    """Returns the share of all splits of the values whose rank sum is at least as far from the mean as the given one.

    Results of runs have many ties. With ties, the normal approximation reports p < 0.05 even for three runs against
    three, which is not possible with an exact test.
    """
    together = [*first, *second]
    wins = [[2 * (a > b) + (a == b) for b in together] for a in together]
    # The wins of a value against all others determine its rank; wins within its own sample cancel out.
    ranks = [sum(row) for row in wins]
    own = len(first)
    middle = own * sum(ranks) / len(together)
    distance = abs(sum(ranks[:own]) - middle)
    dealt = [abs(sum(chosen) - middle) >= distance - 1e-9 for chosen in combinations(ranks, own)]
    return sum(dealt) / len(dealt)


def _relative(first: float, second: float) -> float | None:
    if second == 0:
        return 0.0 if first == 0 else None
    return (first - second) / second
