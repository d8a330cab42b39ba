r"""Converts regular expressions of schemas to the syntax of the validator that judges answers.

Libraries that generate documents from code (joi) write patterns that JavaScript accepts without the flag `u`, such as
`[\w-.]`: there the dash is literal, since a class cannot be the end of a range (ECMA-262, annex B.1.2). JSON Schema
requires the flag, and validators reject such patterns.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import jsonschema_rs

MAX_PATTERN_CHARS: Final = 2_000
_CLASSES: Final = frozenset("dDwWsS")


@lru_cache(maxsize=4096)
def usable_pattern(pattern: str) -> str | None:
    """Returns an equivalent pattern that the validator accepts, or None if there is none."""
    if len(pattern) > MAX_PATTERN_CHARS:
        return None
    return next((one for one in (pattern, with_literal_dashes(pattern)) if _compiles(one)), None)


def with_literal_dashes(pattern: str) -> str:
    """Returns the pattern with a backslash before each dash that is next to a class within brackets."""
    out: list[str] = []
    is_in_set = False
    is_class = False  # whether the last atom of the set was a class
    at = 0
    while at < len(pattern):
        atom = pattern[at : at + 2] if pattern[at] == "\\" else pattern[at]
        following = pattern[at + 1 : at + 3]
        if is_in_set and atom == "-" and (is_class or (following[:1] == "\\" and following[1:] in _CLASSES)):
            out.append("\\-")
            is_class = False
        else:
            out.append(atom)
            is_class = is_in_set and len(atom) == 2 and atom[1] in _CLASSES
            is_in_set = atom == "[" or (is_in_set and atom != "]")
        at += len(atom)
    return "".join(out)


def _compiles(pattern: str) -> bool:
    try:
        jsonschema_rs.Draft202012Validator({"pattern": pattern}, offline=True)
    except (jsonschema_rs.ValidationError, ValueError):
        return False
    return True
