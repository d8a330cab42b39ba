"""Tells whether an update may record a refusal itself: a counter of attempts, a state such as `expired`, a time."""

from __future__ import annotations

import re
from typing import Final

from wimble.types import Absent, Json

_RECORDS: Final = re.compile(
    r"attempt|\btr(?:y|ies)\b|retr(?:y|ies)|fail|\bhits\b|\blast\b(?!.*name)|\bseen\b|\b(?:un)?lock|\bblock|expire|nonce"
    r"|version|updated|accessed|checked|\blogins?\b|window|refresh"
)
"""Columns that a refusal may be meant to change: counters and times."""
_TOKENS: Final = re.compile(r"\b(?:token|code)\b")
_OF_TOKENS: Final = re.compile(
    r"token|\botp|\bpin\b|invit|reset|verif|confirm|activat|\bauth|\buser|account|session|login"
)
_ALLOWANCES: Final = re.compile(r"\b(?:used|uses|visits?|points|remaining)\b")
_OF_ALLOWANCES: Final = re.compile(r"token|\botp|invit|reset|verif|confirm|activat|limit|\brate\b|throttl|quota")
"""Words in the names of tables and columns that hold one-time values, or how often something may be asked. In other
tables such a column is content: the points of a customer, the remaining seats, a used voucher."""
_BETWEEN: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_|-")
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


def may_record_refusal(table: str, name: str, value: Json | Absent) -> bool:
    """Whether a refusal may be meant to set the column to this value, which is ABSENT if it is not known."""
    words = _words(name)
    if _RECORDS.search(words) or _COUNTS.search(name) or name == "__v":
        return True
    named = f"{_words(table)} {words}"
    if _TOKENS.search(words) and (not table or _OF_TOKENS.search(named)):
        return True
    if _ALLOWANCES.search(words) and (not table or _OF_ALLOWANCES.search(named)):
        return True
    if not _STATES.search(name):
        return False
    return not isinstance(value, str) or not value or _REFUSED.search(value) is not None


def _words(name: str) -> str:
    return _BETWEEN.sub(" ", name).lower()
