"""Converts texts that are dates to milliseconds since 1970, and back."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from wimble.genes.calendar_steps import in_other_form

_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?")
_DAY_MS = 86_400_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@lru_cache(maxsize=4096)
def to_time(text: str) -> int | None:
    """Returns the time of a text in milliseconds since 1970, or None if the text is not a date.

    Accepts ISO dates and date-times, and the other formats that genes draw (OTHER_FORMS). UTC if no offset is given.
    """
    if not _ISO_DATE.fullmatch(text):
        read = in_other_form(text)
        return None if read is None else (read[0].toordinal() - _EPOCH.toordinal()) * _DAY_MS
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - _EPOCH) // timedelta(milliseconds=1)


def from_time(ms: float, like: str) -> str | None:
    """Returns the time as a date in the format of `like`, else as an ISO date-time; None if it is out of range."""
    try:
        moment = _EPOCH + timedelta(milliseconds=ms)
    except OverflowError:
        return None
    read = in_other_form(like)
    if read is not None:
        return f"{moment.date():{read[1]}}"
    if len(like) == 10:
        return moment.date().isoformat()
    return moment.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"
