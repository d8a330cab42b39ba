"""Strings for JavaScript's regular expressions."""

from __future__ import annotations

from wimble.runtimes.regex_dialect import RegexDialect
from wimble.solve.regex import fullest_match, matching_string, near_miss

ECMASCRIPT = RegexDialect(matching_string=matching_string, near_miss=near_miss, fullest_match=fullest_match)
