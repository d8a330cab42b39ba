"""Distances of comparisons ([WB-JS] §3.3).

The distance of numbers and times is their difference. That of texts depends on differing characters and lengths.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import lru_cache
from operator import ge, gt, le, lt

from wimble.databases.conditions.stored_values import Value, aligned
from wimble.databases.conditions.truth import UNKNOWN, Truth, flag, graded

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
            distance += char_distance(one, other)
    return distance or 0.5


def char_distance(one: str, other: str) -> float:
    difference = abs(ord(one) - ord(other))
    return difference / (difference + 1)


def _order_distance(left: str, right: str) -> float:
    for one, other in zip(left, right, strict=False):
        if one != other:
            return float(abs(ord(one) - ord(other)))
    return float(abs(len(left) - len(right))) or 1.0
