"""Dates and times for patterns that describe how they are written: `^\\d{4}-\\d{2}-\\d{2}$`.

A pattern says nothing of months and days, and one in thirty of its random matches is a date. What is done with an
invalid one (NaN, a refusal of the database) hides what is behind it.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from random import Random
from typing import Final

from wimble.solve.patterns.ecmascript import matches

FORMS: Final = (
    "%Y-%m-%d", "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%M:%S.000Z", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%d %H:%M", "%Y/%m/%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%Y-%m", "%m/%Y", "%m/%y",
    "%H:%M", "%H:%M:%S",
)  # fmt: skip
FIRST: Final = datetime(2024, 1, 1, tzinfo=UTC)
N_DAYS: Final = 5_000
NEAR_DAYS: Final = 14
NEAR_PROBABILITY: Final = 0.5
"""Probability of a moment within NEAR_DAYS days, so that two of them often have a plausible distance."""
_SAMPLES: Final = (datetime(2031, 11, 23, 17, 48, 53, tzinfo=UTC), datetime(2027, 2, 6, 4, 5, 7, tzinfo=UTC))
_SEPARATOR: Final = re.compile(r"[-/.: ]")
_LETTERS: Final = str.maketrans("0123456789", "abcdefghij")


def describes_moments(pattern: str, flags: str) -> bool:
    return bool(_forms_of(pattern, flags))


def calendar_match(pattern: str, flags: str, rng: Random) -> str | None:
    """Returns a moment in the form that the pattern describes; None if it describes none."""
    forms = _forms_of(pattern, flags)
    if not forms:
        return None
    is_near = rng.random() < NEAR_PROBABILITY
    day = N_DAYS // 2 + rng.randrange(NEAR_DAYS) if is_near else rng.randrange(N_DAYS)
    moment = FIRST + timedelta(days=day, minutes=15 * rng.randrange(96))
    text = moment.strftime(forms[0] if len(forms) == 1 else rng.choice(forms))
    return text if matches(pattern, flags, text) else None


@lru_cache(maxsize=1024)
def _forms_of(pattern: str, flags: str) -> tuple[str, ...]:
    return tuple(form for form in FORMS if all(_describes(pattern, flags, one.strftime(form)) for one in _SAMPLES))


def _describes(pattern: str, flags: str, text: str) -> bool:
    """Whether the pattern demands the separators of the text, its last part, and digits, not more of them than it has.

    So it is no pattern of versions, slugs, phone numbers or any text.
    """
    if not matches(pattern, flags, text):
        return False
    cut = text[: max(found.start() for found in _SEPARATOR.finditer(text))]
    others = (_SEPARATOR.sub("", text), _SEPARATOR.sub("~", text), cut, text.translate(_LETTERS), _longer(text))
    return not any(matches(pattern, flags, other) for other in others)


def _longer(text: str) -> str:
    return _SEPARATOR.sub(lambda found: "99" + found[0], text)
