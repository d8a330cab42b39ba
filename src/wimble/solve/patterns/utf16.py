"""Converts text to UTF-16 units and back.

Strings of JavaScript are UTF-16: to a regular expression without the flag `u`, an emoji is two characters.
"""

from __future__ import annotations


def to_units(text: str) -> str:
    """Returns `text` with each character beyond the basic plane replaced by its two surrogates."""
    if text.isascii():
        return text
    return "".join(char if char <= "\uffff" else _pair(ord(char) - 0x10000) for char in text)


def from_units(text: str) -> str | None:
    """Reverses `to_units`; returns None if half of a surrogate pair remains, which no request can contain."""
    if text.isascii():
        return text
    try:
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        return None


def _pair(offset: int) -> str:
    return chr(0xD800 + (offset >> 10)) + chr(0xDC00 + (offset & 0x3FF))
