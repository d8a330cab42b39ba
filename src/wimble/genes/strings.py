"""Strings: plain, of a format, or of a pattern."""

from __future__ import annotations

from wimble.genes.base import Gene


class StringGene(Gene, frozen=True):
    """A string. Lengths count Unicode code points; `pattern` is ECMAScript source, matched anywhere in the value."""

    value: str = ""
    min_length: int = 0
    max_length: int | None = None
    pattern: str | None = None
    format: str | None = None
