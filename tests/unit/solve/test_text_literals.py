"""What literals of a program may be about."""

from random import Random

import pytest

from wimble.solve.text_literals import is_date_pattern, varied


def drawn(text: str, n: int = 200) -> set[str]:
    rng = Random(1)
    return {varied(text, rng) for _ in range(n)}


def test_a_range_holds_its_limits():
    assert {">=2.3.0 <2.4.0", "2.3.0", "2.4.0"} <= drawn(">=2.3.0 <2.4.0")


def test_a_text_is_mostly_itself_and_now_and_then_another_in_one_letter():
    rng = Random(1)
    texts = [varied("password", rng) for _ in range(200)]
    assert texts.count("password") > 150
    others = {text for text in texts if text != "password"}
    assert others
    assert all(sum(a != b for a, b in zip(text, "password", strict=True)) == 1 for text in others)


def test_a_pattern_of_dates_gives_dates():
    texts = drawn("DD/MM/YYYY")
    dates = [text for text in texts if text[2] == text[5] == "/" and text.replace("/", "").isdigit()]
    assert len(dates) > 50
    assert all(1 <= int(one[:2]) <= 28 and 1 <= int(one[3:5]) <= 12 and 1970 <= int(one[6:]) <= 2037 for one in dates)


@pytest.mark.parametrize("text", ["DD/MM/YYYY", "YYYY-MM-DDTHH:mm:ss", "HH:mm", "yyyyMMdd"])
def test_letters_of_dates_are_a_date_pattern(text: str):
    assert is_date_pattern(text)


@pytest.mark.parametrize("text", ["", "MM", "COMMAND", "mmss and more", "password", "ADDRESS-MM"])
def test_words_are_no_date_pattern(text: str):
    assert not is_date_pattern(text)


def test_long_texts_stay_what_they_are():
    assert drawn("a b " * 100) == {"a b " * 100}
