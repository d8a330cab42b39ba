"""Strings for JavaScript's regular expressions, and expressions for strings."""

from __future__ import annotations

import re

from wimble.runtimes.regex_dialect import RegexDialect
from wimble.solve.patterns.regex import fullest_match, matches, matching_string, near_miss


def literal(text: str) -> str:
    """As `RegexDialect.literal`; for the flags `u` and `v` as well, which allow no other escapes."""
    return re.sub(r"[\\^$.*+?()[\]{}|/]", r"\\\g<0>", text)


ECMASCRIPT = RegexDialect(
    matching_string=matching_string,
    near_miss=near_miss,
    fullest_match=fullest_match,
    matches=matches,
    literal=literal,
)
