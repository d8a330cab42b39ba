"""Taint markers: short strings that are recognised wherever they turn up in the SUT (input-to-state).

They have letters and digits only, so validators accept them, and are unique without regard to case, so `toLowerCase`
does not hide them.
"""

from __future__ import annotations

from random import Random

from wimble.genes.probabilities import MARKER_LENGTH

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_ALPHABET = _LETTERS + "0123456789"


def taint_marker(rng: Random, length: int = MARKER_LENGTH) -> str:
    """A new marker. It starts with a letter, so it is not a number, and a valid identifier."""
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
