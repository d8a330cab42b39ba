"""JavaScript's strings are UTF-16: without the `u` flag, an emoji is two characters to a regular expression."""

from __future__ import annotations


def to_units(text: str) -> str:
    """`text` with each character beyond the basic plane as its two surrogates."""
    if text.isascii():
        return text
    return "".join(char if char <= "\uffff" else _pair(ord(char) - 0x10000) for char in text)


def from_units(text: str) -> str | None:
    """The reverse of `to_units`; None where half of a surrogate pair is left, which no request can carry."""
    if text.isascii():
        return text
    try:
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        return None


def _pair(offset: int) -> str:
    return chr(0xD800 + (offset >> 10)) + chr(0xDC00 + (offset & 0x3FF))
