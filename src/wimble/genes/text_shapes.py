"""Texts of the same shape as others: `ABC-17` may become `QXA-52`."""

from __future__ import annotations

import re
from random import Random
from typing import Final
from uuid import UUID

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def of_same_shape(text: str, rng: Random) -> str:
    """Returns a text with other letters and digits in the same places, in the same case; all else stays.

    A UUID becomes another one.
    """
    if _UUID.fullmatch(text):
        return str(UUID(int=rng.getrandbits(128), version=4))
    return "".join(_other(letter, rng) for letter in text)


def _other(letter: str, rng: Random) -> str:
    if letter.isascii() and letter.isalpha():
        other = rng.choice(_LETTERS)
        return other.upper() if letter.isupper() else other
    return str(rng.randint(1, 9)) if letter.isascii() and letter.isdigit() else letter
