"""Generates strings for the regular expressions that a program matches its inputs with."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import msgspec

Solver = Callable[[str, str, Random], str | None]
"""(source, flags, rng) -> a string; None if none was found."""


class RegexDialect(msgspec.Struct, frozen=True, kw_only=True):
    """Generators of strings for the regular expressions of one language, and of expressions.

    They are not used for patterns of JSON Schema, which are ECMAScript for SUTs in any language.
    """

    matching_string: Solver
    """Returns a short string that matches."""
    near_miss: Solver
    """Returns a string that is one edit away from a match and does not match."""
    fullest_match: Solver
    """Returns the one of several matches in which most groups take part."""
    matches: Callable[[str, str, str], bool | None]
    """(source, flags, text) -> whether the text contains a match; None if that cannot be determined."""
    literal: Callable[[str], str]
    """Returns the source of an expression that matches a text only."""
