"""Marks: short strings that are recognised wherever they turn up in the SUT (input-to-state).

Letters and digits only, so validators let them through; unique without regard to case, so `toLowerCase` does not hide them.
"""

from __future__ import annotations

from random import Random

from wimble.genes.shares import MARK_LENGTH

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_ALPHABET = _LETTERS + "0123456789"


def mark(rng: Random, length: int = MARK_LENGTH) -> str:
    """A fresh mark; starts with a letter, so it is no number and a valid identifier."""
    if length <= 0:
        return ""
    bits = rng.getrandbits(32)
    chars = [_LETTERS[bits % 26]]
    bits //= 26
    for _ in range(min(length, MARK_LENGTH) - 1):
        chars.append(_ALPHABET[bits % 36])
        bits //= 36
    if length > MARK_LENGTH:
        chars += rng.choices(_ALPHABET, k=length - MARK_LENGTH)
    return "".join(chars)
