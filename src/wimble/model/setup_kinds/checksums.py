"""Checksums and signatures in answers that clients compare with what they belong to, and that have to follow it."""

from __future__ import annotations

from hashlib import md5
from typing import Final

from wimble.own_keys import signed_again
from wimble.types import Absent, Json

OF_MEMBERS: Final = {"MD5OfBody": "Body"}
"""Members with the MD5 sum of another one (messages of Amazon SQS)."""


def md5_of(text: str) -> str:
    return md5(text.encode(), usedforsecurity=False).hexdigest()


def with_checksums(value: Json | Absent) -> Json | Absent:
    """Returns the value with checksums that are right, wherever a text and its checksum are, and with tokens of our own
    that are signed as their claims are now.
    """
    if isinstance(value, str):
        return signed_again(value)
    if isinstance(value, list):
        return [_in(one) for one in value]
    if not isinstance(value, dict):
        return value
    made = {name: _in(one) for name, one in value.items()}
    for name, of in OF_MEMBERS.items():
        text = made.get(of)
        if name in made and isinstance(text, str):
            made[name] = md5_of(text)
    return made


def _in(value: Json) -> Json:
    return with_checksums(value) if isinstance(value, list | dict | str) else value
