"""The measures by which samples are compared, against worked examples."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wimble.experiment.sample_statistics import compared, mann_whitney, vargha_delaney

SAMPLES = st.lists(st.integers(0, 20).map(float), min_size=1, max_size=8)


def test_a12_counts_wins_and_half_of_the_ties():
    assert vargha_delaney([3, 4, 5], [1, 2, 3]) == pytest.approx((8 + 0.5) / 9)
    assert vargha_delaney([1, 1], [1, 1]) == 0.5
    assert vargha_delaney([2], [1]) == 1.0


@given(SAMPLES, SAMPLES)
def test_a12_of_both_ways_round_is_one(first, second):
    assert vargha_delaney(first, second) + vargha_delaney(second, first) == pytest.approx(1.0)


def test_p_is_exact_for_small_samples():
    # All five of the first above all five of the second: 2 of the 252 ways to share out the ranks are so extreme.
    assert mann_whitney([6, 7, 8, 9, 10], [1, 2, 3, 4, 5]) == pytest.approx(2 / 252)


@given(SAMPLES, SAMPLES)
def test_p_is_a_probability_and_symmetric(first, second):
    p = mann_whitney(first, second)
    assert 0.0 <= p <= 1.0
    assert p == pytest.approx(mann_whitney(second, first))


def test_the_same_everywhere_is_no_difference():
    found = compared([5, 5, 5], [5, 5, 5])
    assert (found.a12, found.p, found.relative) == (0.5, 1.0, 0.0)
    assert not found.is_significant


def test_relative_to_the_second():
    assert compared([3, 5], [2, 2]).relative == pytest.approx(1.0)
    assert compared([1], [0]).relative is None
    assert compared([0], [0]).relative == 0.0


def test_p_is_exact_with_ties_too():
    assert mann_whitney([1, 1, 1], [0, 0, 0]) == pytest.approx(0.1)  # 2 of the 20 ways to deal them out
    assert mann_whitney([1, 1, 2], [0, 1, 0]) == pytest.approx(0.3)  # 3 ways up, 3 ways down
    assert mann_whitney([3] * 20, [2] * 20) < 0.001  # too many ways: the approximation
