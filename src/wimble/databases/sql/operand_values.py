"""The values of operands in commands, as far as they are known before the command runs."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from wimble.databases.sql.parsing import place_of
from wimble.databases.sql.scope import Scope, Unsupported
from wimble.types import Json


def operand_value(node: exp.Expr, params: Sequence[Json]) -> Json:
    """Returns the value of a literal or a parameter; None for NULL, lists and computed values."""
    inner = node.unnest()
    if isinstance(inner, exp.Cast):
        return operand_value(inner.this, params)
    if isinstance(inner, exp.Literal):
        return inner.this if inner.is_string else inner.to_py()
    place = place_of(inner)
    given = _given(place, params) if place is not None else None
    return None if isinstance(given, list) else given


def _given(place: int | str, params: Sequence[Json]) -> Json:
    scope = Scope({}, params)
    try:
        given: Json = scope.param(place) if isinstance(place, int) else scope.named_param(place)
    except Unsupported:
        return None
    return given
