"""What a text that stands in a program may be about, when it is not the text itself that an input has to be.

A range (`>=2.3.0 <2.4.0`) or a list holds it among others, a pattern of dates (`DD/MM/YYYY`) says what it looks like, and what is compared with a text
letter by letter may have to differ in one.
"""

from __future__ import annotations

import re
from random import Random

PIECE_SHARE = 0.25
"""Of texts that have pieces."""
NEAR_SHARE = 0.1
DATE_SHARE = 0.7
"""Of patterns of dates, which hardly ever are values themselves."""
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
"""What the libraries of dates write for the parts of one, with the numbers that are always valid."""
_TOKEN = re.compile("|".join(_TOKENS))
MIN_TOKENS = 2


def varied(text: str, rng: Random) -> str:
    """The text itself, mostly; or a date of its pattern, one of its pieces, or the text with another letter."""
    draw = rng.random()
    if len(text) > MAX_PIECE_CHARS:
        return text
    if draw < DATE_SHARE and is_date_pattern(text):
        return dated(text, rng)
    if draw < PIECE_SHARE:
        pieces = _PIECE.findall(text)
        if pieces and pieces != [text]:
            piece: str = rng.choice(pieces)
            return piece
    if draw > 1 - NEAR_SHARE and text:
        at = rng.randrange(len(text))
        return text[:at] + rng.choice("abcxyz019") + text[at + 1 :]
    return text


def is_date_pattern(text: str) -> bool:
    """Whether nothing but parts of dates and what stands between them is in the text."""
    return len(_TOKEN.findall(text)) >= MIN_TOKENS and not re.search(r"[A-SU-Za-su-z]", _TOKEN.sub("", text))


def dated(pattern: str, rng: Random) -> str:
    """A date as the pattern writes it."""

    def drawn(found: re.Match[str]) -> str:
        return str(rng.randint(*_TOKENS[found.group()])).zfill(len(found.group()))

    return _TOKEN.sub(drawn, pattern)
