"""Texts of the same shape as others: `ABC-17` may become `QXA-52`."""

from __future__ import annotations

from random import Random
from typing import Final

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


def of_same_shape(text: str, rng: Random) -> str:
    """Returns a text with other letters and digits in the same places, in the same case; all else stays."""
    return "".join(_other(letter, rng) for letter in text)


def _other(letter: str, rng: Random) -> str:
    if letter.isascii() and letter.isalpha():
        other = rng.choice(_LETTERS)
        return other.upper() if letter.isupper() else other
    return str(rng.randint(1, 9)) if letter.isascii() and letter.isdigit() else letter
