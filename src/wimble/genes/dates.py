"""Moving a date by units of the calendar, so that what is right about it may stay: its weekday by weeks, its day by months, its day and
month by years. Conditions on dates are about such parts, and a number of days keeps none of them.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, datetime
from random import Random

from wimble.genes import shares

OTHER_FORMS = ("%Y/%m/%d", "%m/%d/%Y", "%d %b %Y")
"""Ways to write a date that `Date.parse` reads besides ISO's."""
_OTHER_FORM = re.compile(r"\d{1,4}/\d{1,2}/\d{1,4}|\d{1,2} [A-Z][a-z]{2} \d{4}")
"""What looks like one of them: a cheap test."""


def moved_text(text: str, rng: Random) -> str | None:
    """The text with its date moved; what stands behind an ISO date (the time) stays. None where it is no date."""
    try:
        return moved(date.fromisoformat(text[:10]), rng).isoformat() + text[10:]
    except ValueError:
        pass
    read = in_other_form(text)
    return None if read is None else f"{moved(read[0], rng):{read[1]}}"


def in_other_form(text: str) -> tuple[date, str] | None:
    """The date that a text says in one of the other forms, and that form; None where it is none."""
    if not _OTHER_FORM.fullmatch(text):
        return None
    for form in OTHER_FORMS:
        try:
            return datetime.strptime(text, form).date(), form
        except ValueError:
            continue
    return None


def moved(day: date, rng: Random) -> date:
    """Some days, weeks, months or years on or back; the calendar is a ring from the year 1 to 9999."""
    draw = rng.random()
    if draw < shares.DAYS_SHARE:
        return _day_of(day.toordinal() + shares.step(rng, (shares.DAY_STEP_BITS, shares.DAY_STEP_BITS), 0.0))
    draw -= shares.DAYS_SHARE
    step = shares.step(rng, (shares.CALENDAR_STEP_BITS, shares.CALENDAR_STEP_BITS), 0.0)
    if draw < shares.WEEKS_SHARE:
        return _day_of(day.toordinal() + 7 * step)
    months = day.year * 12 + day.month - 1 + (step if draw - shares.WEEKS_SHARE < shares.MONTHS_SHARE else 12 * step)
    year, month = (months // 12 - 1) % date.max.year + 1, months % 12 + 1
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def _day_of(ordinal: int) -> date:
    return date.fromordinal((ordinal - 1) % date.max.toordinal() + 1)
