"""The truth of SQL's predicates on texts and patterns: LIKE, GLOB, SIMILAR TO and regular expressions.

The distance of a text from a LIKE pattern depends on the parts of the pattern that the text lacks.
"""

from __future__ import annotations

import re
from functools import lru_cache

from wimble.databases.conditions.stored_values import Value
from wimble.databases.conditions.truth import FALSE, TRUE, UNKNOWN, Truth, graded
from wimble.databases.conditions.value_distance import MAX_CHARS, char_distance


def like(text: Value, pattern: Value, *, ignores_case: bool, escape: str | None = "\\") -> Truth:
    """Returns the truth of `text LIKE pattern`."""
    if text is None or pattern is None:
        return UNKNOWN
    text, pattern = str(text), str(pattern)
    if ignores_case:
        text, pattern = text.lower(), pattern.lower()
    pieces = like_pieces(pattern, escape)
    is_match = _like_regex(pattern, escape).fullmatch(text) is not None
    return graded(is_match, 1.0 if is_match else _missing_pieces(text, pieces))


@lru_cache(maxsize=1024)
def like_pieces(pattern: str, escape: str | None) -> tuple[str | None, ...]:
    """Returns the pattern as literal texts, with None for each `%` and `\\0` for each `_`."""
    pieces: list[str | None] = []
    literal = ""
    characters = iter(pattern)
    for character in characters:
        if character == escape:
            literal += next(characters, "")
        elif character == "%":
            pieces += [literal, None] if literal else [None]
            literal = ""
        else:
            literal += "\0" if character == "_" else character
    return (*pieces, literal) if literal else tuple(pieces)


@lru_cache(maxsize=1024)
def _like_regex(pattern: str, escape: str | None) -> re.Pattern[str]:
    pieces = like_pieces(pattern, escape)
    source = "".join(
        ".*" if piece is None else re.escape(piece).replace("\\\x00", ".").replace("\0", ".") for piece in pieces
    )
    return re.compile(source, re.DOTALL)


def _missing_pieces(text: str, pieces: tuple[str | None, ...]) -> float:
    """Returns the distance of a text from a LIKE pattern.

    Each literal is compared at its best position after the previous one. The first and the last literal are compared at
    the ends of the text unless a `%` precedes or follows them.
    """
    distance, start = 0.0, 0
    text = text[:MAX_CHARS]
    for index, piece in enumerate(pieces):
        if piece is None:
            continue
        is_first = index == 0
        is_last = index == len(pieces) - 1
        if is_first:
            places = range(1)
        elif is_last:
            places = range(max(start, len(text) - len(piece)), max(start, len(text) - len(piece)) + 1)
        else:
            places = range(start, max(start, len(text) - len(piece)) + 1)
        best, start = min((_missing_at(text, piece, place), place + len(piece)) for place in places)
        distance += best
        if is_first and is_last:
            distance += max(0, len(text) - len(piece))
    return distance or 0.5


def _missing_at(text: str, piece: str, place: int) -> float:
    distance = 0.0
    for offset, wanted in enumerate(piece):
        at = place + offset
        if at >= len(text):
            distance += 1.0
        elif wanted not in ("\0", text[at]):
            distance += char_distance(wanted, text[at])
    return distance


def glob(text: Value, pattern: Value) -> Truth:
    """Returns the truth of SQLite's `text GLOB pattern`."""
    if text is None or pattern is None:
        return UNKNOWN
    source = re.escape(str(pattern)).replace("\\*", ".*").replace("\\?", ".").replace("\\[", "[").replace("\\]", "]")
    return _matching(source.replace("[\\^", "[^").replace("\\-", "-"), str(text), is_full=True)


def regex(text: Value, pattern: Value, *, ignores_case: bool = False) -> Truth:
    """Returns the truth of `text ~ pattern`, without a gradient."""
    if text is None or pattern is None:
        return UNKNOWN
    return _matching(str(pattern), str(text), ignores_case=ignores_case)


def similar(text: Value, pattern: Value) -> Truth:
    """Returns the truth of `text SIMILAR TO pattern`: the whole text matches a regular expression with `%` and `_`."""
    if text is None or pattern is None:
        return UNKNOWN
    source = re.sub(r"(?<!\\)%", ".*", re.sub(r"(?<!\\)_", ".", str(pattern)))
    return _matching(source, str(text), is_full=True)


def _matching(source: str, text: str, *, is_full: bool = False, ignores_case: bool = False) -> Truth:
    try:
        compiled = re.compile(source, re.DOTALL | (re.IGNORECASE if ignores_case else 0))
    except re.error:
        return UNKNOWN
    found = compiled.fullmatch(text) if is_full else compiled.search(text)
    return TRUE if found else FALSE
