"""Derives values for an input from a text literal in the program.

Besides the literal itself, the right value may be a part of a range (`>=2.3.0 <2.4.0`) or list, a date in the form of a
pattern (`DD/MM/YYYY`), or, where texts are compared letter by letter, the literal with another letter.
"""

from __future__ import annotations

import re
from random import Random

PIECE_PROBABILITY = 0.25
"""Probability of a piece of a text that consists of pieces."""
NEAR_PROBABILITY = 0.1
"""Probability of the text with one other letter."""
DATE_PROBABILITY = 0.7
"""Probability of a date for a pattern of dates. The pattern itself is rarely the right value."""
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
"""Tokens of date libraries for the parts of a date, with the range of numbers that are always valid."""
_TOKEN = re.compile("|".join(_TOKENS))
MIN_TOKENS = 2


def varied(text: str, rng: Random) -> str:
    """Returns the text itself or, less often, a variant of it.

    Variants are a date of its pattern, one of its pieces, and the text with one other letter. Patterns of dates mostly
    become dates. Texts longer than MAX_PIECE_CHARS are not varied.
    """
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
    """Whether the text consists only of date tokens and separators."""
    return len(_TOKEN.findall(text)) >= MIN_TOKENS and not re.search(r"[A-SU-Za-su-z]", _TOKEN.sub("", text))


def dated(pattern: str, rng: Random) -> str:
    """Returns a random date in the form of the pattern."""

    def drawn(found: re.Match[str]) -> str:
        return str(rng.randint(*_TOKENS[found.group()])).zfill(len(found.group()))

    return _TOKEN.sub(drawn, pattern)
