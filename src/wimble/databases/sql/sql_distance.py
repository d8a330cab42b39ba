"""Distances of comparisons ([WB-JS] §3.3).

The distance of numbers and times is their difference. That of texts depends on differing characters and lengths, and
that of a pattern on the parts that the text lacks.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from functools import lru_cache
from operator import ge, gt, le, lt

from wimble.databases.sql.sql_values import Value, aligned
from wimble.databases.sql.truth import FALSE, TRUE, UNKNOWN, Truth, flag, graded

MAX_CHARS = 200
"""The number of characters that are compared; texts that differ only after them have a small distance."""
ORDERS = {"<": lt, "<=": le, ">": gt, ">=": ge}


def equal(left: Value, right: Value, *, ignores_case: bool = False) -> Truth:
    """Returns the truth of `left = right`."""
    if left is None or right is None:
        return UNKNOWN
    left, right = aligned(left, right)
    if isinstance(left, str) and isinstance(right, str):
        if ignores_case:
            left, right = left.casefold(), right.casefold()
        return graded(left == right, 1.0 if left == right else text_distance(left, right))
    numbers = _as_numbers(left, right)
    if numbers is not None:
        return graded(left == right, abs(numbers[0] - numbers[1]) or 1.0)
    return flag(left == right)


def ordered(operator: str, left: Value, right: Value, *, ignores_case: bool = False) -> Truth:
    """Returns the truth of `left operator right`, for one of ORDERS."""
    if left is None or right is None:
        return UNKNOWN
    left, right = aligned(left, right)
    if isinstance(left, str) and isinstance(right, str) and ignores_case:
        left, right = left.casefold(), right.casefold()
    try:
        is_true = ORDERS[operator](left, right)
    except TypeError:
        return _ordered_by_kind(operator, left, right)
    numbers = _as_numbers(left, right)
    if numbers is not None:
        # Equal values are one step away from `<`.
        is_strict = (operator in ("<", ">")) != is_true
        return graded(is_true, abs(numbers[0] - numbers[1]) + (1.0 if is_strict else 0.0) or 1.0)
    if isinstance(left, str):
        return graded(is_true, _order_distance(left, right))
    return flag(is_true)


def _ordered_by_kind(operator: str, left: Value, right: Value) -> Truth:
    """Compares values of types without a common order.

    SQLite orders numbers before texts before blobs; other databases refuse the query.
    """
    ranks = [_rank(left), _rank(right)]
    return flag(ORDERS[operator](ranks[0], ranks[1]))


def _rank(value: Value) -> int:
    if isinstance(value, (int, float)):
        return 0
    return 1 if isinstance(value, (str, datetime)) else 2


def same(left: Value, right: Value, *, ignores_case: bool = False) -> Truth:
    """Returns the truth of `left IS NOT DISTINCT FROM right`: NULL equals NULL."""
    if left is None or right is None:
        return flag(left is None and right is None)
    return equal(left, right, ignores_case=ignores_case)


def _as_numbers(left: Value, right: Value) -> tuple[float, float] | None:
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        try:
            return float(left), float(right)
        except OverflowError:
            return None
    if isinstance(left, datetime) and isinstance(right, datetime):
        # In days, so that the normalised distance differs clearly within the ranges that programs use.
        return (left - right).total_seconds() / 86_400, 0.0
    if isinstance(left, timedelta) and isinstance(right, timedelta):
        return left.total_seconds(), right.total_seconds()
    return None


@lru_cache(maxsize=32_768)
def text_distance(left: str, right: str) -> float:
    """Returns the distance of two different texts, aligned at their starts.

    Each missing or additional character adds 1, each differing character less than 1.
    """
    distance = float(abs(len(left) - len(right)))
    for one, other in zip(left[:MAX_CHARS], right[:MAX_CHARS], strict=False):
        if one != other:
            distance += _char_distance(one, other)
    return distance or 0.5


def _char_distance(one: str, other: str) -> float:
    difference = abs(ord(one) - ord(other))
    return difference / (difference + 1)


def _order_distance(left: str, right: str) -> float:
    for one, other in zip(left, right, strict=False):
        if one != other:
            return float(abs(ord(one) - ord(other)))
    return float(abs(len(left) - len(right))) or 1.0


# -- patterns -----------------------------------------------------------------------------------------------------


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
            distance += _char_distance(wanted, text[at])
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
