"""Tells whether an update may record a refusal itself: a counter of attempts, a state such as `expired`, a time.

The values that commands set are read from their texts, as far as that needs no parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from wimble.model.database import DatabaseCommand
from wimble.types import ABSENT, Absent, Json

_SET: Final = re.compile(r"\s*update\b.*?\bset\b(.*?)(?:\bwhere\b.*)?\Z", re.IGNORECASE | re.DOTALL)
_ASSIGNED: Final = re.compile(
    r"(?:^|,)\s*(?:[\w`\"\[\]]+\.)?[`\"\[]?(\w+)[`\"\]]?\s*=\s*(?:'([^']*)'|\$(\d+)|(\?)|([^,\s]*))"
)
_UPDATE: Final = re.compile(r"\S+\.(?:update|findAndModify)\Z")
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


class Assigned(NamedTuple):
    """A column or member that is set; the value is ABSENT if it is not known."""

    name: str
    value: Json | Absent


def assigned_by(change: DatabaseCommand) -> tuple[Assigned, ...]:
    """Returns what an UPDATE of SQL or of documents sets, with the values that are known; () for other commands."""
    found = _SET.match(change.text)
    if found is not None:
        return tuple(_of_sql(found[1], change.params))
    return tuple(_of_documents(change)) if _UPDATE.match(change.text) else ()


def may_record_refusal(name: str, value: Json | Absent) -> bool:
    """Whether a refusal may be meant to set the column to this value, which is ABSENT if it is not known."""
    if _RECORDS.search(name) or _COUNTS.search(name):
        return True
    if not _STATES.search(name):
        return False
    return not isinstance(value, str) or not value or _REFUSED.search(value) is not None


def _of_sql(assignments: str, params: tuple[Json, ...]) -> Iterator[Assigned]:
    n_marks = 0
    for name, literal, number, mark, other in _ASSIGNED.findall(assignments):
        value: Json | Absent = ABSENT
        if mark:
            value = params[n_marks] if n_marks < len(params) else ABSENT
            n_marks += 1
        elif number:
            value = params[int(number) - 1] if 0 < int(number) <= len(params) else ABSENT
        elif literal:
            value = literal
        n_marks += other.count("?")
        yield Assigned(name, value)


def _of_documents(change: DatabaseCommand) -> Iterator[Assigned]:
    command = change.params[0] if change.params else None
    if not isinstance(command, dict):
        return
    updates = command.get("updates")
    applied = [one.get("u") for one in updates if isinstance(one, dict)] if isinstance(updates, list) else []
    for update in (*applied, command.get("update")):
        if not isinstance(update, dict):
            continue
        for name, value in update.items():
            if not name.startswith("$"):
                yield Assigned(name, value)
            elif isinstance(value, dict) and name != "$setOnInsert":
                yield from (Assigned(member, given) for member, given in value.items())
