"""The largest number among arguments, which is the work that a caller has asked for."""

import pytest

from wimble.library.argument_fit import largest_number


@pytest.mark.parametrize(
    ("values", "largest"),
    [
        ([1, [-20], {"a": 300.5}, True], 300.5),
        (["{1..90000}"], 90000.0),
        (["*/70000 * *"], 70000.0),
        (["k90000z"], 0.0),
        (["90000"], 0.0),
        (["a", None], 0.0),
        ([{"$bigint": "-9007199254740993"}], 9007199254740993.0),
        (["1e6"], 1e6),
        (["0b1.11p+1023"], 1e300),
        (["1e-6 b2e3x"], 6.0),
    ],
)
def test_numbers_of_arguments_are_those_that_a_text_names_as_well(values, largest):
    assert largest_number(values) == largest
