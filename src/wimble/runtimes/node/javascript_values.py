"""JavaScript's rules for values (ECMA-262): text, length, equality, order, truth, weekdays and `typeof`."""

from __future__ import annotations

from datetime import datetime

from wimble.model.operands import Operand, to_number, to_text
from wimble.runtimes.node.javascript_regexes import ECMASCRIPT
from wimble.runtimes.node.node_client_errors import failures_by_name, failures_by_text
from wimble.runtimes.value_semantics import ValueSemantics
from wimble.types import ABSENT, Absent, Json


def text_length(text: str) -> int:
    """Returns `text.length`, in UTF-16 code units."""
    return len(text) if text.isascii() else len(text) + sum(char > "\uffff" for char in text)


def is_equal(left: Operand, right: Operand) -> bool:
    """Returns `left === right`, except that dates are compared by their time. NaN equals no value."""
    return isinstance(left, bool) == isinstance(right, bool) and left == right


def order_operand(other: Operand, mine: Operand) -> Operand:
    """Returns `other` as `<` converts it beside `mine`.

    Two texts are compared as texts. Beside any other value, a text is converted to a number if it is one.
    """
    if isinstance(other, str):
        number = None if isinstance(mine, str) else to_number(other)
        return other if number is None else number
    if isinstance(other, bool):
        return int(other)
    return 0 if other is None else other


def is_truthy(value: Operand) -> bool:
    """Returns `Boolean(value)`: False for 0, NaN, "", null and undefined."""
    return bool(value) and value == value  # NaN differs from itself


def weekday(moment: datetime) -> int:
    """Returns `moment.getDay()`; Sunday is 0."""
    return (moment.weekday() + 1) % 7


def type_of(value: Json | Absent) -> str:
    """Returns `typeof value`."""
    if value is ABSENT:
        return "undefined"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    return "string" if isinstance(value, str) else "object"


JAVASCRIPT = ValueSemantics(
    to_text=to_text,  # `String(value)` of a scalar is its JSON text
    text_length=text_length,
    is_equal=is_equal,
    order_operand=order_operand,
    is_truthy=is_truthy,
    weekday=weekday,
    first_weekday=0,
    type_of=type_of,
    type_names=frozenset(("undefined", "object", "string", "number", "boolean", "function", "symbol", "bigint")),
    object_type="object",
    regexes=ECMASCRIPT,
    failures_by_name=failures_by_name,
    failures_by_text=failures_by_text,
)
