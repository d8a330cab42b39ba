"""Dates as terms of Z3: days since 1970 of a year, month and day, and the reverse."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import z3

Term: TypeAlias = Any  # z3 has no types
EPOCH: Final = 719_468
"""Days from the first of March of the year 0 to 1970."""
MAX_YEAR: Final = 9_999


def days_of(year: Term, month: Term, day: Term) -> Term:
    """Returns days since 1970 (H. Hinnant, days_from_civil). Months beyond 12 are of the years that follow."""
    count = 12 * year + month - 3  # years begin with March, so that the leap day is their last
    shifted, of_year = count / 12, count % 12
    leap_days = shifted / 4 - shifted / 100 + shifted / 400
    return 365 * shifted + leap_days + (153 * of_year + 2) / 5 + day - (EPOCH + 1)


def date_of(days: Term, name: str) -> tuple[Term, Term, Term, Term]:
    """Returns new variables for the year, month and day, and what holds between them and the days.

    That is found much sooner than the parts are computed of days, which takes seven divisions.
    """
    year, month, day = (z3.Int(f"{part} of {name}") for part in ("year", "month", "day"))
    is_leap = z3.And(year % 4 == 0, z3.Or(year % 100 != 0, year % 400 == 0))
    is_short = z3.Or(*(month == number for number in (4, 6, 9, 11)))
    length = z3.If(month == 2, z3.If(is_leap, 29, 28), z3.If(is_short, 30, 31))
    is_date = z3.And(year >= 0, year <= MAX_YEAR, month >= 1, month <= 12, day >= 1, day <= length)
    return year, month, day, z3.And(is_date, days_of(year, month, day) == days)
