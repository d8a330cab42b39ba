"""A number of the program may be a group of digits within a text, also one with a unit."""

from __future__ import annotations

import pytest

from wimble.feedback.input_to_state.transforms.number_transforms import arithmetic, digit_groups


@pytest.mark.parametrize(
    ("text", "number", "wanted", "written"),
    [
        ("2024-05-06", 5, 11, "2024-11-06"),
        ("build #8: failed in 12s", 12, 601, "build #8: failed in 601s"),
        ("5kg", 5, 31, "31kg"),
        ("took 250ms", 250, 99, "took 099ms"),
    ],
)
def test_a_number_with_a_unit_is_found(text: str, number: int, wanted: int, written: str) -> None:
    assert [step.inverse(wanted) for step in digit_groups(text, number)] == [written]


@pytest.mark.parametrize(("text", "number"), [("k3x9q", 3), ("o28ll", 28), ("12x9", 12), ("7parcels", 7)])
def test_digits_of_a_word_are_no_number(text: str, number: int) -> None:
    assert list(digit_groups(text, number)) == []


def test_a_number_may_be_rounded_away() -> None:
    """A rate that is more than 0, and 0 in whole cents."""
    steps = {step.how: step.inverse(0) for step in arithmetic(8726, 872600)}
    assert steps == {"times 100": 0, "times 100, rounded": 0.004}
