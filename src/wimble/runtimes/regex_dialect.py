"""Strings for the regular expressions that a program tests its inputs with."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import msgspec

Solver = Callable[[str, str, Random], str | None]
"""(source, flags, rng) -> a string; None where none was found."""


class RegexDialect(msgspec.Struct, frozen=True, kw_only=True):
    """The regular expressions of one language. The patterns of JSON Schema are ECMAScript whatever the SUT is
    written in, and do not come here."""

    matching_string: Solver
    """A short string that matches."""
    near_miss: Solver
    """A string that is one edit away from a match and does not match."""
    fullest_match: Solver
    """Of several matches, one in which most groups take part."""
