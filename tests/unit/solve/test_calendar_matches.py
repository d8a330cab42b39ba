"""Patterns of dates and times get ones that the calendar has."""

from datetime import datetime
from random import Random

import pytest

from wimble.solve.patterns.calendar_matches import calendar_match
from wimble.solve.patterns.regex import matching_string

DESCRIBED = [
    (r"^\d{4}-\d{2}-\d{2}$", "%Y-%m-%d"),
    (r"\d{4}-\d{2}-\d{2}", "%Y-%m-%d"),
    (r"^\d{4}-(0[1-9]|1[0-2])$", "%Y-%m"),
    (r"^[0-9]{2}\.[0-9]{2}\.[0-9]{4}$", "%d.%m.%Y"),
    (r"^([01]\d|2[0-3]):[0-5]\d$", "%H:%M"),
    (r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$", "%Y-%m-%dT%H:%M"),
]
OTHERS = [
    r"^\d+\.\d+\.\d+$",
    r"^[a-z0-9]+(-[a-z0-9]+)*$",
    r"^\w+-\w+-\w+$",
    r"^\d{3}-\d{4}$",
    r"^[0-9-]+$",
    r".*",
    r"^\d{2}:\d{2}-\d{2}:\d{2}$",
    r"(",
]


@pytest.mark.parametrize(("pattern", "form"), DESCRIBED)
def test_patterns_of_dates_and_times_get_existing_ones(pattern, form):
    rng = Random(1)
    texts = {calendar_match(pattern, "", rng) for _ in range(50)}
    assert len(texts) > 10
    assert all(text is not None and datetime.strptime(text, form) for text in texts)


@pytest.mark.parametrize("pattern", OTHERS)
def test_other_patterns_get_none(pattern):
    assert calendar_match(pattern, "", Random(1)) is None


def test_a_date_that_the_calendar_lacks_is_tried_too():
    rng = Random(1)
    texts = [matching_string(r"^\d{4}-\d{2}-\d{2}$", "", rng) for _ in range(100)]
    assert 0 < sum(text is not None and int(text[5:7]) > 12 for text in texts) < 40
