r"""Sets of characters that Python's `re` cannot express (`\p{...}`, nested classes of the `v` flag), as ranges.

An ECMAScript engine knows all properties, scripts and set operations: for each set, it searches one text of all Unicode
characters once.
"""

from __future__ import annotations

from functools import cache, lru_cache

import regress

Ranges = tuple[tuple[int, int], ...]

_ASSIGNED: Ranges = ((0x0, 0xD7FF), (0xE000, 0x323AF), (0xE0001, 0xE01EF))
"""Planes in use, without surrogates (no request can carry one) and without private planes."""


@cache
def _all_characters() -> tuple[str, bytes]:
    text = "".join(chr(code) for low, high in _ASSIGNED for code in range(low, high + 1))
    return text, text.encode()


@lru_cache(maxsize=512)
def set_ranges(source: str, flags: str) -> Ranges | None:
    r"""The sorted ranges of a set (`\p{L}`, `[\w--\d]`) of single characters; None where it is no valid set."""
    text, encoded = _all_characters()
    try:
        matches = regress.Regex(f"(?:{source})+", flags).find_iter(text) or ()
    except regress.RegressError:
        return None
    out = []
    for match in matches:
        # Positions are those of UTF-8.
        found = match.range()
        run = encoded[found.start : found.stop].decode()
        out.append((ord(run[0]), ord(run[-1])))
    return tuple(out)


def complement(ranges: Ranges) -> Ranges:
    """All code points outside of sorted `ranges`."""
    out = []
    start = 0
    for low, high in ranges:
        if low > start:
            out.append((start, low - 1))
        start = high + 1
    if start <= 0x10FFFF:
        out.append((start, 0x10FFFF))
    return tuple(out)
