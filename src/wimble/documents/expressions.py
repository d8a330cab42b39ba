"""`$expr`: expressions over a document's own fields."""

from __future__ import annotations

from typing import Final

from wimble.documents.unsupported import Unsupported
from wimble.documents.values import MISSING, Missing, ObjectId, Value, class_of
from wimble.sql.distance import equal, ordered
from wimble.sql.truth import Truth, all_of, any_of, flag, negated

COMPARISONS: Final = {"$eq": "=", "$ne": "<>", "$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}


def expression_truth(expression: Value, document: Value) -> Truth:
    """Raises: Unsupported."""
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
    """Raises: Unsupported."""
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
    if name == "$ifNull":
        return next((one for one in values if class_of(one) != "null"), values[-1])
    if name == "$size":
        return len(values[0]) if isinstance(values[0], list) else len(values)
    if name in ("$toLower", "$toUpper"):
        text = values[0] if isinstance(values[0], str) else ""
        return text.lower() if name == "$toLower" else text.upper()
    if any(class_of(one) != "number" for one in values):
        raise Unsupported(name)
    match name, values:
        case "$add", _:
            return sum(values)
        case "$subtract", [left, right]:
            return left - right
        case "$multiply", _:
            product: Value = 1
            for one in values:
                product *= one
            return product
        case "$mod", [left, right] if right != 0:
            return left % right
        case "$abs", [one]:
            return abs(one)
    raise Unsupported(name)


def _compared(operator: str, left: Value, right: Value) -> Truth:
    """Values of different types have an order, too, which nobody asks for: they are unequal, and no way is known."""
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
