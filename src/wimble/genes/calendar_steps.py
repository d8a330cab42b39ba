"""Moves a date by units of the calendar, so that parts of the date stay the same.

Weeks keep the weekday, months the day, and years the day and the month. Conditions on dates are often about such parts,
and a step in days keeps none of them.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, datetime
from random import Random

from wimble.genes import probabilities

OTHER_FORMS = ("%Y/%m/%d", "%m/%d/%Y", "%d %b %Y")
"""Formats of dates, other than ISO's, that `Date.parse` accepts."""
_OTHER_FORM = re.compile(r"\d{1,4}/\d{1,2}/\d{1,4}|\d{1,2} [A-Z][a-z]{2} \d{4}")
"""Matches texts that look like one of these formats, as a cheap test."""


def moved_text(text: str, rng: Random) -> str | None:
    """Returns the text with its date moved, and the time behind an ISO date unchanged; None if it is not a date."""
    try:
        return moved(date.fromisoformat(text[:10]), rng).isoformat() + text[10:]
    except ValueError:
        pass
    read = in_other_form(text)
    return None if read is None else f"{moved(read[0], rng):{read[1]}}"


def in_other_form(text: str) -> tuple[date, str] | None:
    """Returns (date, format) of a text in one of OTHER_FORMS, or None."""
    if not _OTHER_FORM.fullmatch(text):
        return None
    for form in OTHER_FORMS:
        try:
            return datetime.strptime(text, form).date(), form
        except ValueError:
            continue
    return None


def moved(day: date, rng: Random) -> date:
    """Moves a date by days, weeks, months or years in either direction, with a wrap between the years 9999 and 1."""
    unit = rng.choice(("days", "weeks", "months", "years"))
    step = probabilities.step(rng, (probabilities.CALENDAR_STEP_BITS, probabilities.CALENDAR_STEP_BITS), 0.0)
    if unit in ("days", "weeks"):
        return _day_of(day.toordinal() + (step if unit == "days" else 7 * step))
    months = day.year * 12 + day.month - 1 + (step if unit == "months" else 12 * step)
    year, month = (months // 12 - 1) % date.max.year + 1, months % 12 + 1
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def _day_of(ordinal: int) -> date:
    return date.fromordinal((ordinal - 1) % date.max.toordinal() + 1)
