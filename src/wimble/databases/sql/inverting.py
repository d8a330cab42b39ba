"""Inverts expressions: computes the value that a column needs so that an expression over it has a wanted value."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import msgspec
from sqlglot import exp

from wimble.databases.conditions.stored_values import Value, number_of, shifted, text_of, to_time
from wimble.databases.sql.expressions import json_steps
from wimble.databases.sql.pattern_predicates import like_pieces
from wimble.databases.sql.scope import NOW

ONE_DAY = timedelta(days=1)
FAR_AWAY = timedelta(days=20 * 365)
"""Added to or subtracted from a time near NOW that a value must be after or before, so that the relation still holds
when the test runs years later."""
NEAR_NOW = timedelta(days=3 * 365)
"""The difference from NOW below which a time counts as near it."""


class Wish(msgspec.Struct, frozen=True):
    """A column and the value that it needs.

    `is_same`: whether the value is the operand that the expression is compared with.
    """

    column: exp.Column
    value: Value
    is_same: bool
    path: tuple[str | int, ...] = ()
    """The path within a JSON column."""


def inverted(
    node: exp.Expr, value: Value, evaluate: Callable[[exp.Expr], Value], *, is_same: bool = True
) -> Wish | None:
    """Returns the column in `node` and the value that gives `node` the value `value`; None if no inverse is known.

    evaluate: evaluates expressions without columns.
    """
    inner = node.unnest()
    if isinstance(inner, exp.Column):
        return Wish(inner, value, is_same)
    if isinstance(inner, (exp.JSONExtract, exp.JSONExtractScalar, exp.JSONBExtract, exp.JSONBExtractScalar)):
        steps, below = json_steps(inner), inverted(inner.this, value, evaluate, is_same=False)
        if steps is None or below is None:
            return None
        return Wish(below.column, value, False, (*below.path, *steps))
    if isinstance(inner, _TRANSPARENT):
        return inverted(inner.this, value, evaluate, is_same=is_same)
    if isinstance(inner, (exp.Add, exp.Sub, exp.Mul)):
        return _of_arithmetic(inner, value, evaluate)
    if isinstance(inner, (exp.DPipe, exp.Concat)):
        return _of_joined(inner, value, evaluate)
    if isinstance(inner, exp.Length):
        length = number_of(value)
        return (
            None
            if length is None or not 0 <= length <= 1000
            else inverted(inner.this, "a" * int(length), evaluate, is_same=False)
        )
    if (isinstance(inner, exp.Extract) and inner.this.name.upper() == "YEAR") or isinstance(inner, exp.Year):
        owner = inner.expression if isinstance(inner, exp.Extract) else inner.this
        year = number_of(value)
        return (
            None
            if year is None or not 1 <= year <= 9999
            else inverted(owner, f"{int(year):04}-06-15", evaluate, is_same=False)
        )
    if (
        isinstance(inner, exp.Anonymous)
        and str(inner.this).upper() in ("DATE", "DATETIME")
        and len(inner.expressions) == 1
    ):
        return inverted(inner.expressions[0], value, evaluate, is_same=is_same)
    return None


_TRANSPARENT = (
    exp.Cast, exp.TryCast, exp.Alias, exp.Collate, exp.Lower, exp.Upper, exp.Trim, exp.Initcap, exp.Coalesce, exp.Abs,
    exp.Round, exp.Floor, exp.Ceil, exp.Date, exp.TsOrDsToDate, exp.TsOrDsToTimestamp, exp.TimestampTrunc,
    exp.DateTrunc, exp.Substring, exp.Left,
)  # fmt: skip
"""Functions that return many arguments unchanged, so that the wanted value itself is tried as the argument."""


def _of_arithmetic(node: exp.Expr, value: Value, evaluate: Callable[[exp.Expr], Value]) -> Wish | None:
    is_left = node.this.find(exp.Column) is not None
    other = number_of(evaluate(node.expression if is_left else node.this))
    number = number_of(value)
    if other is None or number is None:
        return None
    if isinstance(node, exp.Add):
        wanted = number - other
    elif isinstance(node, exp.Sub):
        wanted = number + other if is_left else other - number
    else:
        if not other:
            return None
        wanted = number / other
        wanted = int(wanted) if float(wanted).is_integer() else wanted
    return inverted(node.this if is_left else node.expression, wanted, evaluate, is_same=False)


def _of_joined(node: exp.Expr, value: Value, evaluate: Callable[[exp.Expr], Value]) -> Wish | None:
    """Inverts `prefix || column || suffix`."""
    parts = list(node.flatten()) if isinstance(node, exp.DPipe) else node.expressions
    text = text_of(value)
    own = [index for index, part in enumerate(parts) if part.find(exp.Column) is not None]
    if text is None or len(own) != 1:
        return None
    prefix = "".join(text_of(evaluate(part)) or "" for part in parts[: own[0]])
    suffix = "".join(text_of(evaluate(part)) or "" for part in parts[own[0] + 1 :])
    if not (text.startswith(prefix) and text.endswith(suffix)) or len(text) < len(prefix) + len(suffix):
        return None
    return inverted(parts[own[0]], text[len(prefix) : len(text) - len(suffix)], evaluate, is_same=False)


def beside(operator: str, value: Value) -> Value:
    """Returns a near value x for which `x operator value` holds."""
    if operator in ("=", "<=", ">="):
        return _away_from_now(operator, value)
    sign = 1 if operator in (">", "<>") else -1
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + sign
    moment = value if isinstance(value, datetime) else to_time(value) if isinstance(value, str) else None
    if moment is not None:
        moved = _away_from_now(operator, moment)
        moved = _next_day(moment, sign, is_either=operator == "<>") if moved == moment else moved
        return moved if isinstance(value, datetime) else text_of(moved)
    if isinstance(value, str):
        return value + "a" if sign > 0 else value[:-1]
    return value


def _next_day(moment: datetime, sign: int, *, is_either: bool) -> datetime:
    """Returns the day after or before; at the end of all days the one on the other side, or the same day."""
    other = shifted(moment, -sign * ONE_DAY) if is_either else None
    return shifted(moment, sign * ONE_DAY) or other or moment


def _away_from_now(operator: str, value: Value) -> Value:
    if isinstance(value, datetime) and operator != "=" and abs(value - NOW) < NEAR_NOW:
        return value + FAR_AWAY if operator.startswith(">") else value - FAR_AWAY
    return value


def matching_like(pattern: str, escape: str | None) -> str:
    """Returns the shortest text that matches a LIKE pattern."""
    return "".join(piece.replace("\0", "a") for piece in like_pieces(pattern, escape) if piece is not None)
