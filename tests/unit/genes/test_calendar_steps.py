"""Dates move by units of the calendar."""

from datetime import date
from random import Random

import pytest

from wimble.genes.calendar_steps import moved, moved_text
from wimble.genes.strings import StringGene


def moves(day):
    return [moved(day, Random(seed)) for seed in range(600)]


def test_weeks_keep_the_weekday_months_the_day_and_years_both_day_and_month():
    day = date(2024, 5, 13)
    after = moves(day)
    assert date(2024, 5, 14) in after
    assert date(2024, 5, 12) in after
    assert sum(one.weekday() == day.weekday() for one in after) > len(after) / 5
    assert sum(one.day == day.day for one in after) > len(after) / 10
    assert sum((one.month, one.day) == (5, 13) for one in after) > len(after) / 50
    assert day not in after


def test_the_last_day_of_a_month_stays_in_the_month_and_the_calendar_is_a_ring():
    assert {one.day for one in moves(date(2023, 1, 31)) if one.month == 2 and one.year == 2023} <= set(range(1, 29))
    assert {one.year for one in moves(date.max)} > {1, 9999}
    assert {one.year for one in moves(date.min)} > {1, 9999}


@pytest.mark.parametrize("text", ["2024-03-05", "2024-03-05T10:20:30Z", "2024/03/05", "03/05/2024", "05 Mar 2024"])
def test_a_text_keeps_its_form(text):
    assert {len(moved_text(text, Random(seed))) for seed in range(50)} == {len(text)}
    assert moved_text(text, Random(3)) != text


def test_other_texts_are_no_dates():
    assert moved_text("5th of March", Random(1)) is None


def test_declared_dates_move_too():
    rng = Random(1)
    gene = StringGene("2024-03-05", format="date")
    mutants = [to_ordinal(gene.mutated(rng, 0.0).value) for _ in range(200)]
    assert sum(day is not None and abs(day - date(2024, 3, 5).toordinal()) <= 32 for day in mutants) > 20


def test_dates_that_a_pattern_describes_move_too():
    rng = Random(1)
    gene = StringGene("2024-03-05", pattern=r"^\d{4}-\d{2}-\d{2}$")
    mutants = [to_ordinal(gene.mutated(rng, 0.0).value) for _ in range(200)]
    assert sum(day is not None and abs(day - date(2024, 3, 5).toordinal()) <= 32 for day in mutants) > 20


def to_ordinal(text):
    """None where a mutation has left the format."""
    try:
        return date.fromisoformat(text).toordinal()
    except ValueError:
        return None
