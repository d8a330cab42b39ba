"""Evaluates `$expr`: expressions over the fields of one document."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from wimble.databases.conditions.truth import Truth, all_of, any_of, flag, negated
from wimble.databases.conditions.value_distance import equal, ordered
from wimble.databases.mongo.document_values import MISSING, Missing, ObjectId, Value, class_of
from wimble.databases.mongo.unsupported import Unsupported

COMPARISONS: Final = {"$eq": "=", "$ne": "<>", "$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}


def expression_truth(expression: Value, document: Value) -> Truth:
    """Returns the truth of an expression as a condition on the document, with its distances. Raises: Unsupported."""
    if isinstance(expression, dict) and len(expression) == 1:
        ((name, operands),) = expression.items()
        listed = operands if isinstance(operands, list) else [operands]
        if name in COMPARISONS and len(listed) == 2:
            return _compared(COMPARISONS[name], *(expression_value(one, document) for one in listed))
        if name == "$and":
            return all_of([expression_truth(one, document) for one in listed])
        if name == "$or":
            return any_of([expression_truth(one, document) for one in listed])
        if name == "$not":
            return negated(expression_truth(listed[0], document))
        if name == "$in" and len(listed) == 2:
            needle, hay = (expression_value(one, document) for one in listed)
            return any_of([_compared("=", needle, one) for one in hay]) if isinstance(hay, list) else flag(False)
    value = expression_value(expression, document)
    return flag(class_of(value) != "null" and value not in (False, 0))


def expression_value(expression: Value, document: Value) -> Value:
    """Returns the value of an expression over the document. Raises: Unsupported."""
    if isinstance(expression, str) and expression.startswith("$"):
        return _path(document, expression[1:])
    if isinstance(expression, list):
        return [expression_value(one, document) for one in expression]
    if not isinstance(expression, dict) or not any(name.startswith("$") for name in expression):
        return expression
    if len(expression) != 1:
        raise Unsupported("$expr")
    ((name, operands),) = expression.items()
    if name == "$literal":
        return operands
    values = [expression_value(one, document) for one in (operands if isinstance(operands, list) else [operands])]
    return _computed(name, values)


def _path(document: Value, path: str) -> Value:
    if path.startswith("$"):
        raise Unsupported(path)
    value = document
    for part in path.split("."):
        value = value.get(part, MISSING) if isinstance(value, dict) else MISSING
    return value


def _computed(name: str, values: list[Value]) -> Value:
    """Returns the value of an operator. Raises: Unsupported."""
    of_any = _OF_ANY.get(name)
    if of_any is not None:
        return of_any(values)
    if name not in _OF_NUMBERS or any(class_of(one) != "number" for one in values):
        raise Unsupported(name)
    n_operands, of_numbers = _OF_NUMBERS[name]
    if n_operands is not None and len(values) != n_operands:
        raise Unsupported(name)
    return of_numbers(values)


def _text(value: Value) -> str:
    return value if isinstance(value, str) else ""


def _modulo(values: list[Value]) -> Value:
    if values[1] == 0:
        raise Unsupported("$mod by 0")
    return values[0] % values[1]


_OF_ANY: Final[dict[str, Callable[[list[Value]], Value]]] = {
    "$ifNull": lambda values: next((one for one in values if class_of(one) != "null"), values[-1]),
    "$size": lambda values: len(values[0]) if isinstance(values[0], list) else len(values),
    "$toLower": lambda values: _text(values[0]).lower(),
    "$toUpper": lambda values: _text(values[0]).upper(),
}
_OF_NUMBERS: Final[dict[str, tuple[int | None, Callable[[list[Value]], Value]]]] = {
    "$add": (None, sum),
    "$subtract": (2, lambda values: values[0] - values[1]),
    "$multiply": (None, math.prod),
    "$mod": (2, _modulo),
    "$abs": (1, lambda values: abs(values[0])),
}
"""Operator -> the number of its operands (None: any), and the function that computes its value."""


def _compared(operator: str, left: Value, right: Value) -> Truth:
    """Compares two values; values of different types are unequal, without an order or a known distance."""
    if operator == "<>":
        return negated(_compared("=", left, right))
    if class_of(left) != class_of(right):
        return flag(False)
    if left is None or isinstance(left, Missing):
        return flag(operator in ("=", "<=", ">="))
    if isinstance(left, ObjectId):
        left, right = left.hex, right.hex
    if isinstance(left, (dict, list)):
        return flag(operator == "=" and left == right)
    return equal(left, right) if operator == "=" else ordered(operator, left, right)
