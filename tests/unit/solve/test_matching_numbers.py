"""Bounds of the whole numbers that a pattern accepts."""

from __future__ import annotations

import pytest

from wimble.solve.patterns.matching_numbers import bounds_of_numbers


@pytest.mark.parametrize(
    ("source", "least", "greatest"),
    [
        (r"^\d{1,3}$", 0, 999),
        (r"^\d{2}$", 10, 99),
        (r"^-\d{1,2}$", -99, 0),
        (r"^-?\d{4}$", -9999, 9999),
        (r"^[1-9]\d{3,}$", 1000, None),
        (r"^-?\d+$", None, None),
        (r"^\d+(\.\d+)?$", 0, None),
        (r"\d", None, None),
    ],
)
def test_bounds_follow_from_the_digits_that_are_accepted(source: str, least: int | None, greatest: int | None) -> None:
    assert bounds_of_numbers(source, "") == (least, greatest)


@pytest.mark.parametrize("source", ["^[a-z]+$", r"(a)\1"])
def test_a_pattern_without_bounds_is_looked_at_once(source: str) -> None:
    bounds_of_numbers.cache_clear()
    assert [bounds_of_numbers(source, "") for _ in range(3)] == [None, None, None]
    assert bounds_of_numbers.cache_info().misses == 1
