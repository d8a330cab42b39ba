"""Numbers in texts, and what it costs to look for them."""

import time

import pytest

from wimble.model.operands import to_number


@pytest.mark.parametrize(
    ("text", "number"),
    [("1", 1), (" 1. ", 1), (".5", 0.5), ("-1.5e-3", -0.0015), ("+2e3", 2000), (".", None), ("1..2", None), ("", None)],
)
def test_numbers_are_texts_in_decimal_notation(text, number):
    assert to_number(text) == number


def test_a_long_text_of_digits_is_read_once():
    start_s = time.process_time()
    assert to_number("0" * 50_000 + "x") is None
    # Half a minute, where each digit is the beginning of another attempt.
    assert time.process_time() - start_s < 2.0
