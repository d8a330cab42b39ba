"""How readable a value is as an example: a person prefers short, ordinary values to those that a search tries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from wimble.describe.text_formats import formats_of
from wimble.types import Json

MAX_LEAVES: Final = 200
"""Number of values that are looked at; larger examples are unreadable anyway."""
LEAF: Final = 2
"""What each value costs: a call with fewer inputs is easier to read."""
LONG_TEXT: Final = 40
ODD_TEXT: Final = 60
"""For control characters, other scripts, syntax."""
RANDOM_TEXT: Final = 25
EMPTY: Final = 15
LARGE_NUMBER: Final = 100
ODD_NUMBER: Final = 10

SHOWN_ELEMENTS: Final = 2
SHOWN_CHARACTERS: Final = 200

_WORDS: Final = re.compile(r"(?:[A-Za-z]{2,}|[0-9]{1,4}|[aAI])(?:[ ,.'_/:-]+(?:[A-Za-z]{2,}|[0-9]{1,4}|[aAI]))*[.!?]?")
_PLAIN: Final = re.compile(r"[ -~]*")
_HARD_TO_SAY: Final = re.compile(
    r"[b-df-hj-np-tv-xz]{5}|[a-z][0-9]+[a-z]|[0-9][a-z]+[0-9]|^[b-df-hj-np-tv-xz]{4,}$", re.IGNORECASE
)


def roughness(value: Json) -> int:
    """Returns 0 for an empty, and more for a less readable value."""
    total = 0
    for number, leaf in enumerate(_leaves(value)):
        if number == MAX_LEAVES:
            return total + MAX_LEAVES
        total += LEAF + _of_leaf(leaf)
    return total


def is_readable(value: Json) -> bool:
    """Whether the value is small enough for an example."""
    return sum(1 for _ in islice(_leaves(value), MAX_LEAVES + 1)) <= MAX_LEAVES


def _leaves(value: Json) -> Iterator[Json]:
    if isinstance(value, dict) and value:
        for key, member in value.items():
            if not _WORDS.fullmatch(key):
                yield key
            yield from _leaves(member)
    elif isinstance(value, list) and value:
        for element in value:
            yield from _leaves(element)
    else:
        yield value


def _of_leaf(leaf: Json) -> int:
    if isinstance(leaf, bool):
        return 0
    if isinstance(leaf, str):
        return _of_text(leaf)
    if isinstance(leaf, (int, float)):
        is_odd = abs(leaf) > LARGE_NUMBER or leaf < 0 or leaf != round(leaf, 2)
        return ODD_NUMBER if is_odd else 0
    return EMPTY  # null, {} and []


def _of_text(text: str) -> int:
    if not text:
        return EMPTY
    long = max(0, len(text) - LONG_TEXT)
    if formats_of(text):
        return long
    if not _PLAIN.fullmatch(text) or text.isspace():
        return ODD_TEXT + long
    if text.isdigit():
        return ODD_NUMBER + long
    return (0 if _WORDS.fullmatch(text) and not _HARD_TO_SAY.search(text) else RANDOM_TEXT) + long


def shortened(value: Json) -> Json:
    """Returns the value with the first elements of its lists, and cut texts. Objects keep all members: some may be
    required."""
    if isinstance(value, str):
        return value if len(value) <= SHOWN_CHARACTERS else value[:SHOWN_CHARACTERS] + "..."
    if isinstance(value, list):
        return [shortened(element) for element in value[:SHOWN_ELEMENTS]]
    if isinstance(value, dict):
        return {key: shortened(member) for key, member in value.items()}
    return value
