"""Taint markers: short strings that can be recognised wherever they occur in the SUT (input-to-state).

They consist of letters and digits, so validators accept them. They are unique even if case is ignored, so `toLowerCase`
does not hide them.
"""

from __future__ import annotations

from random import Random

from wimble.genes.probabilities import MARKER_LENGTH

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_ALPHABET = _LETTERS + "0123456789"


def taint_marker(rng: Random, length: int = MARKER_LENGTH) -> str:
    """Returns a new marker. It starts with a letter, so that it is a valid identifier and not a number."""
    if length <= 0:
        return ""
    bits = rng.getrandbits(32)
    chars = [_LETTERS[bits % 26]]
    bits //= 26
    for _ in range(min(length, MARKER_LENGTH) - 1):
        chars.append(_ALPHABET[bits % 36])
        bits //= 36
    if length > MARKER_LENGTH:
        chars += rng.choices(_ALPHABET, k=length - MARKER_LENGTH)
    return "".join(chars)


def made_up_name(rng: Random) -> str:
    """Returns a new marker for a name, with a digit inside: few names that a program reads look like it."""
    marker = taint_marker(rng, MARKER_LENGTH)
    inside, last = marker[2], marker[-1]
    digit = inside if inside.isdigit() else str(ord(inside) % 10)
    return marker[:2] + digit + marker[3:-1] + (_LETTERS[int(last)] if last.isdigit() else last)


def is_like_marker(text: str) -> bool:
    """Whether the text has the length and the letters of a marker, so that nothing is lost without it."""
    return len(text) == MARKER_LENGTH and text[0] in _LETTERS and all(letter in _ALPHABET for letter in text)
