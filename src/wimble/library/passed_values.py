"""Results of calls as arguments of others."""

from __future__ import annotations

from wimble.types import ABSENT, Absent, Json


def passed_again(value: Json | Absent) -> Json | Absent:
    """Returns a result as an argument that samples and mutants can change; ABSENT if it holds more than JSON does.

    An object without a prototype becomes a plain one.
    """
    if isinstance(value, list):
        return _all_or_absent([passed_again(item) for item in value])
    if not isinstance(value, dict):
        return value
    if len(value) == 1 and "$bare" in value:
        return passed_again(value["$bare"])
    if any(key.startswith("$") for key in value):
        return ABSENT
    members = _all_or_absent([passed_again(member) for member in value.values()])
    return members if isinstance(members, Absent) else dict(zip(value, members, strict=True))


def _all_or_absent(values: list[Json | Absent]) -> list[Json] | Absent:
    present = [value for value in values if not isinstance(value, Absent)]
    return present if len(present) == len(values) else ABSENT
