"""Values that a text literal of a program suggests for an input, besides the text itself.

The wanted value may be a part of a range (`>=2.3.0 <2.4.0`) or list, a date in the form of a pattern (`DD/MM/YYYY`), or
the text with one other letter, where texts are compared letter by letter.
"""

from __future__ import annotations

import re
from random import Random

PIECE_PROBABILITY = 0.25
"""Applies to texts that have pieces."""
NEAR_PROBABILITY = 0.1
DATE_PROBABILITY = 0.7
"""Applies to patterns of dates, which are hardly ever values themselves."""
MAX_PIECE_CHARS = 200
_PIECE = re.compile(r"[\w$.:-]*\w")
_TOKENS = {
    "YYYY": (1970, 2037),
    "yyyy": (1970, 2037),
    "YY": (0, 99),
    "MM": (1, 12),
    "DD": (1, 28),
    "dd": (1, 28),
    "HH": (0, 23),
    "hh": (1, 12),
    "mm": (0, 59),
    "ss": (0, 59),
    "SSS": (0, 999),
}
"""The tokens of date libraries for the parts of a date, each with the range of numbers that are always valid."""
_TOKEN = re.compile("|".join(_TOKENS))
MIN_TOKENS = 2


def varied(text: str, rng: Random) -> str:
    """The text itself with the highest probability, else a date of its pattern, one of its pieces, or the text with one
    other letter."""
    draw = rng.random()
    if len(text) > MAX_PIECE_CHARS:
        return text
    if draw < DATE_PROBABILITY and is_date_pattern(text):
        return dated(text, rng)
    if draw < PIECE_PROBABILITY:
        pieces = _PIECE.findall(text)
        if pieces and pieces != [text]:
            piece: str = rng.choice(pieces)
            return piece
    if draw > 1 - NEAR_PROBABILITY and text:
        at = rng.randrange(len(text))
        return text[:at] + rng.choice("abcxyz019") + text[at + 1 :]
    return text


def is_date_pattern(text: str) -> bool:
    """Whether the text consists of date tokens and separators only."""
    return len(_TOKEN.findall(text)) >= MIN_TOKENS and not re.search(r"[A-SU-Za-su-z]", _TOKEN.sub("", text))


def dated(pattern: str, rng: Random) -> str:
    """A random date in the form of the pattern."""

    def drawn(found: re.Match[str]) -> str:
        return str(rng.randint(*_TOKENS[found.group()])).zfill(len(found.group()))

    return _TOKEN.sub(drawn, pattern)
