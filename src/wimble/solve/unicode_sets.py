r"""ECMAScript's `\p{...}` as ranges of code points of the basic multilingual plane, which Python's `re` does not know.

Only what real patterns use: general categories, a few binary properties and scripts. Higher planes are left out: patterns
that need them are rare, and scanning them costs seventeen times as much.
"""

from __future__ import annotations

import unicodedata
from functools import cache

Ranges = tuple[tuple[int, int], ...]

LAST = 0xFFFF

_LONG_CATEGORIES = {
    "Letter": "L", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt",
    "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Number": "N", "Decimal_Number": "Nd",
    "Punctuation": "P", "Symbol": "S", "Currency_Symbol": "Sc", "Math_Symbol": "Sm", "Separator": "Z",
    "Space_Separator": "Zs", "Other": "C", "Control": "Cc",
}  # fmt: skip

_PROPERTIES: dict[str, tuple[str, ...]] = {
    "Alphabetic": ("L", "Nl"), "Alpha": ("L", "Nl"), "Uppercase": ("Lu",), "Lowercase": ("Ll",),
    "White_Space": ("Z",), "ID_Start": ("L", "Nl"), "ID_Continue": ("L", "Nl", "Mn", "Mc", "Nd", "Pc"),
}  # fmt: skip

_NAMED_RANGES: dict[str, Ranges] = {
    "Any": ((0, LAST),), "ASCII": ((0, 0x7F),), "ASCII_Hex_Digit": ((0x30, 0x39), (0x41, 0x46), (0x61, 0x66)),
    "Emoji": ((0x23, 0x23), (0x2A, 0x2A), (0x30, 0x39), (0xA9, 0xA9), (0xAE, 0xAE), (0x2600, 0x2604), (0x2764, 0x2764)),
    "Extended_Pictographic": ((0xA9, 0xA9), (0xAE, 0xAE), (0x2600, 0x2604), (0x2764, 0x2764)),
}  # fmt: skip

_SCRIPTS: dict[str, Ranges] = {
    "Latin": ((0x41, 0x5A), (0x61, 0x7A), (0xC0, 0xD6), (0xD8, 0xF6), (0xF8, 0x2B8)),
    "Greek": ((0x391, 0x3A1), (0x3A3, 0x3E1)), "Cyrillic": ((0x400, 0x484), (0x487, 0x52F)),
    "Hebrew": ((0x5D0, 0x5EA),), "Arabic": ((0x620, 0x63F), (0x641, 0x64A)), "Thai": ((0xE01, 0xE3A),),
    "Han": ((0x4E00, 0x9FFF),), "Hiragana": ((0x3041, 0x3096),), "Katakana": ((0x30A1, 0x30FA),),
    "Hangul": ((0xAC00, 0xD7A3),),
}  # fmt: skip


@cache
def property_ranges(expression: str) -> Ranges | None:
    r"""The ranges of `\p{expression}`, sorted; None where the property is not known here."""
    name, _, value = expression.partition("=")
    if value:
        if name in ("Script", "sc", "Script_Extensions", "scx"):
            return _SCRIPTS.get(value)
        if name not in ("General_Category", "gc"):
            return None
        name = value
    if name in _NAMED_RANGES:
        return _NAMED_RANGES[name]
    if name in _PROPERTIES:
        return _category_ranges(_PROPERTIES[name])
    category = _LONG_CATEGORIES.get(name, name)
    if len(category) > 2 or not category[0].isupper():
        return None
    return _category_ranges((category,)) or None


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


@cache
def _category_ranges(prefixes: tuple[str, ...]) -> Ranges:
    out: list[tuple[int, int]] = []
    start: int | None = None
    for code in range(LAST + 2):
        is_inside = code <= LAST and unicodedata.category(chr(code)).startswith(prefixes)
        if is_inside and start is None:
            start = code
        elif not is_inside and start is not None:
            out.append((start, code - 1))
            start = None
    return tuple(out)
