r"""Converts sets of characters that Python's `re` cannot express (`\p{...}`, nested classes of the flag `v`) to ranges.

An ECMAScript engine supports all properties, scripts and set operations. For each set, it searches a text of all
Unicode characters once.
"""

from __future__ import annotations

from functools import cache, lru_cache

import regress

Ranges = tuple[tuple[int, int], ...]

_ASSIGNED: Ranges = ((0x0, 0xD7FF), (0xE000, 0x323AF), (0xE0001, 0xE01EF))
"""Code points of planes in use, without surrogates (which no request can contain) and private planes."""


@cache
def _all_characters() -> tuple[str, bytes]:
    text = "".join(chr(code) for low, high in _ASSIGNED for code in range(low, high + 1))
    return text, text.encode()


@lru_cache(maxsize=512)
def set_ranges(source: str, flags: str) -> Ranges | None:
    r"""Returns the sorted ranges of a set (`\p{L}`, `[\w--\d]`) of single characters; None if it is invalid."""
    text, encoded = _all_characters()
    try:
        matches = regress.Regex(f"(?:{source})+", flags).find_iter(text) or ()
    except regress.RegressError:
        return None
    out = []
    for match in matches:
        # The engine's positions refer to the text in UTF-8.
        found = match.range()
        run = encoded[found.start : found.stop].decode()
        out.append((ord(run[0]), ord(run[-1])))
    return tuple(out)


def complement(ranges: Ranges) -> Ranges:
    """Returns the ranges of all code points outside of the sorted `ranges`."""
    out = []
    start = 0
    for low, high in ranges:
        if low > start:
            out.append((start, low - 1))
        start = high + 1
    if start <= 0x10FFFF:
        out.append((start, 0x10FFFF))
    return tuple(out)
