"""Tells whether an update may record a refusal itself: a counter of attempts, a state such as `expired`, a time."""

from __future__ import annotations

import re
from typing import Final

from wimble.types import Absent, Json

_RECORDS: Final = re.compile(
    r"attempt|tries|retry|retries|fail|hits|last|seen|lock|block|expire|used|token|code|nonce|version|updated|accessed"
    r"|checked|visit|login|window|points|remaining|refresh|^__v$",
    re.IGNORECASE,
)
"""Names of columns that a refusal may be meant to change: counters, times and one-time tokens."""
_COUNTS: Final = re.compile(
    r"^count(?:er)?$|(?:request|call|error|refusal|denied|reject\w*|view|usage|use|warning|strike|access)s?_?count",
    re.IGNORECASE,
)
"""Names of counters of what was asked or refused. Others count what the program manages (`open_count`)."""
_STATES: Final = re.compile(r"stat(?:e|us)|active|valid", re.IGNORECASE)
_REFUSED: Final = re.compile(
    r"expire|fail|reject|refus|declin|den[iy]|cancel|lock|block|suspend|invalid|void|disabl|inactive|revok|used|time_?d?_?out"
    r"|error|stale|overdue|lapsed|abort",
    re.IGNORECASE,
)
"""States in which a refusal may leave what it was about."""


def may_record_refusal(name: str, value: Json | Absent) -> bool:
    """Whether a refusal may be meant to set the column to this value, which is ABSENT if it is not known."""
    if _RECORDS.search(name) or _COUNTS.search(name):
        return True
    if not _STATES.search(name):
        return False
    return not isinstance(value, str) or not value or _REFUSED.search(value) is not None
