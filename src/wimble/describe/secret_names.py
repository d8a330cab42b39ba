"""Keeps secrets out of the document: values under names of secrets, tokens, and those that the user gave."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from wimble.types import Json
from wimble.users import REDACTED

_NAME: Final = re.compile(
    r"pass(?!enger|age|port|ive|ed\b)|pwd|secret|token|credential|authorization|cookie|jwt|api[_-]?key|access[_-]?key"
    r"|private[_-]?key|session|signature|\b(?:sid|otp|pin|cvv|cvc)\b|connect\.sid",
    re.IGNORECASE,
)
_TOKEN: Final = re.compile(r"eyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*|(?:Bearer|Basic|Digest|Token) +\S+")


def is_secret_name(name: str) -> bool:
    """Whether a parameter, header or member of this name may hold a secret."""
    return _NAME.search(name) is not None


def without_secrets(value: Json, redact: Callable[[str], str], name: str = "") -> Json:
    """Returns the value with `***` for texts that are secret. name: the member or input that holds it.

    redact: removes the secrets that the user gave.
    """
    if isinstance(value, str):
        return REDACTED if is_secret_name(name) else _TOKEN.sub(REDACTED, redact(value))
    if isinstance(value, list):
        return [without_secrets(element, redact, name) for element in value]
    if isinstance(value, dict):
        return {key: without_secrets(member, redact, key) for key, member in value.items()}
    return value
