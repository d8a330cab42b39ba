"""Evaluates filters over documents: whether `find` would return a document, and the distance to the other outcome.

Comparisons, texts and combinations have the same distances as in SQL ([WB-JS] §3.3 and §3.4). A field that holds a list
matches if any of its elements does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from wimble.databases.conditions.truth import FALSE, FAR, Truth, all_of, any_of, flag, graded, negated
from wimble.databases.conditions.value_distance import equal, ordered
from wimble.databases.mongo.aggregation_expressions import expression_truth
from wimble.databases.mongo.document_values import MISSING, Missing, ObjectId, Regex, Value, class_of
from wimble.databases.mongo.unsupported import Unsupported

_ORDERS = {"$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}
_TYPES = {
    "double": "number", "int": "number", "long": "number", "decimal": "number", "number": "number", "string": "str",
    "object": "dict", "array": "list", "bool": "bool", "date": "datetime", "null": "null", "objectId": "ObjectId",
    "regex": "Regex", "binData": "bytes", 1: "number", 16: "number", 18: "number", 19: "number", 2: "str", 3: "dict",
    4: "list", 5: "bytes", 7: "ObjectId", 8: "bool", 9: "datetime", 10: "null", 11: "Regex",
}  # fmt: skip
_REGEX_FLAGS = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL, "x": re.VERBOSE}


def found_in(documents: Sequence[Value], condition: Value) -> Truth:
    """Returns whether a filter finds any of the documents. Raises: Unsupported."""
    if not documents:
        return Truth(False, FAR, 0.0)
    return any_of([document_truth(document, condition) for document in documents])


def document_truth(document: Value, condition: Value) -> Truth:
    """Returns whether a filter matches the document, with the distances. Raises: Unsupported."""
    truths = []
    for name, wanted in condition.items():
        if name == "$and":
            truths.append(all_of([document_truth(document, one) for one in wanted]))
        elif name == "$or":
            truths.append(any_of([document_truth(document, one) for one in wanted]))
        elif name == "$nor":
            truths.append(negated(any_of([document_truth(document, one) for one in wanted])))
        elif name == "$expr":
            truths.append(expression_truth(wanted, document))
        elif name == "$comment":
            continue
        elif name.startswith("$"):
            raise Unsupported(name)
        else:
            truths.append(_field_truth(document, name, wanted))
    return all_of(truths)


def is_operators(wanted: Value) -> bool:
    """Returns whether the value of a field's condition is an object of operators, such as `{ $gt: 1 }`."""
    return isinstance(wanted, dict) and bool(wanted) and all(name.startswith("$") for name in wanted)


def _field_truth(document: Value, path: str, wanted: Value) -> Truth:
    values = values_at(document, path)
    if not is_operators(wanted):
        return _operator_truth(values, "$eq", wanted, {})
    return all_of(
        [_operator_truth(values, name, operand, wanted) for name, operand in wanted.items() if name != "$options"]
    )


def _operator_truth(values: list[Value], name: str, operand: Value, beside: Value) -> Truth:
    """Returns the truth of one operator. values: all values of the field's path. beside: all operators of the field."""
    if name in ("$ne", "$nin", "$not"):
        return negated(_negated_operator(values, name, operand))
    if name == "$exists":
        is_there = any(not isinstance(value, Missing) for value in values)
        return flag(is_there == bool(operand))
    if name == "$all":
        wanted = operand if isinstance(operand, list) else [operand]
        return all_of([_contained(values, one) for one in wanted]) if wanted else FALSE
    if name == "$size":
        return _any([_size(value, operand) for value in values])
    if name == "$elemMatch":
        return _any([_element(value, operand) for value in values])
    if name == "$in":
        return _any([_equal(value, one) for value in _spread(values) for one in operand])
    judge = _JUDGES.get(name)
    if judge is None:
        raise Unsupported(name)
    return _any([judge(value, operand, beside) for value in _spread(values)])


def _negated_operator(values: list[Value], name: str, operand: Value) -> Truth:
    """Returns the condition that `$ne`, `$nin` or `$not` negates."""
    if name == "$not" and is_operators(operand):
        return all_of(
            [_operator_truth(values, one, inner, operand) for one, inner in operand.items() if one != "$options"]
        )
    return _operator_truth(values, "$in" if name == "$nin" else "$eq", operand, {})


def _any(truths: list[Truth]) -> Truth:
    return any_of(truths)


# -- values at a path -------------------------------------------------------------------------------------------------


def values_at(document: Value, path: str) -> list[Value]:
    """Returns all values at a path: if a list is on the path, the values in each of its elements.

    MISSING stands for a path that does not exist.
    """
    return list(_walk(document, path.split("."))) or [MISSING]


def _walk(value: Value, parts: Sequence[str]) -> Iterator[Value]:
    if not parts:
        yield value
    elif isinstance(value, dict):
        if parts[0] in value:
            yield from _walk(value[parts[0]], parts[1:])
        else:
            yield MISSING
    elif isinstance(value, list):
        if parts[0].isdigit() and int(parts[0]) < len(value):
            yield from _walk(value[int(parts[0])], parts[1:])
        for element in value:
            if isinstance(element, dict):
                yield from _walk(element, parts)
    else:
        yield MISSING


def _spread(values: list[Value]) -> list[Value]:
    """Returns the values, and after each list its elements."""
    return [one for value in values for one in ([value, *value] if isinstance(value, list) else [value])]


# -- operators --------------------------------------------------------------------------------------------------------


def _equal(value: Value, wanted: Value) -> Truth:
    if isinstance(wanted, Regex):
        return _regex(value, wanted.pattern, wanted.options)
    if wanted is None or isinstance(wanted, Missing):
        return flag(class_of(value) == "null")
    if class_of(value) != class_of(wanted):
        return FALSE
    if isinstance(wanted, ObjectId):
        return equal(value.hex, wanted.hex)
    if isinstance(wanted, (dict, list)):
        return flag(value == wanted)
    return equal(value, wanted)


def _ordered(operator: str, value: Value, wanted: Value) -> Truth:
    if class_of(value) != class_of(wanted):
        return FALSE
    if wanted is None or isinstance(wanted, Missing):
        return flag(operator in ("<=", ">="))
    if isinstance(wanted, ObjectId):
        return ordered(operator, value.hex, wanted.hex)
    return ordered(operator, value, wanted) if not isinstance(wanted, (dict, list, Regex)) else FALSE


def _regex(value: Value, pattern: str, options: str) -> Truth:
    if isinstance(value, Regex):
        return flag(value.pattern == pattern)
    if not isinstance(value, str):
        return FALSE
    flags = re.RegexFlag(0)
    for letter in options:
        flags |= _REGEX_FLAGS.get(letter, re.RegexFlag(0))
    try:
        return flag(re.search(pattern, value, flags) is not None)
    except re.error as error:
        raise Unsupported("$regex") from error


def _regex_operator(value: Value, operand: Value, beside: Value) -> Truth:
    if isinstance(operand, Regex):
        return _regex(value, operand.pattern, str(beside.get("$options", operand.options)))
    return _regex(value, str(operand), str(beside.get("$options", "")))


def _has_type(value: Value, operand: Value, _: Value) -> Truth:
    wanted = operand if isinstance(operand, list) else [operand]
    return flag(not isinstance(value, Missing) and any(_TYPES.get(one) == class_of(value) for one in wanted))


def _modulo(value: Value, operand: Value, _: Value) -> Truth:
    divisor, remainder = int(operand[0]), int(operand[1])
    if class_of(value) != "number" or divisor == 0:
        return FALSE
    missed_by = abs(int(value) % abs(divisor) - remainder)
    return graded(missed_by == 0, float(missed_by) or 1.0)


def _size(value: Value, wanted: Value) -> Truth:
    if not isinstance(value, list):
        return FALSE
    return graded(len(value) == wanted, float(abs(len(value) - wanted)) or 1.0)


def _element(value: Value, condition: Value) -> Truth:
    if not isinstance(value, list) or not value:
        return FALSE
    if is_operators(condition) and not any(name in ("$and", "$or", "$nor") for name in condition):
        # `$elemMatch` with operators does not look into lists within the list.
        return any_of([FALSE if isinstance(one, list) else _field_truth({"": one}, "", condition) for one in value])
    return any_of([document_truth(one, condition) if isinstance(one, dict) else FALSE for one in value])


def _contained(values: list[Value], wanted: Value) -> Truth:
    if isinstance(wanted, dict) and "$elemMatch" in wanted:
        return any_of([_element(value, wanted["$elemMatch"]) for value in values])
    return any_of([_equal(value, wanted) for value in _spread(values)])


_JUDGES = {
    "$eq": lambda value, operand, _: _equal(value, operand),
    "$gt": lambda value, operand, _: _ordered(">", value, operand),
    "$gte": lambda value, operand, _: _ordered(">=", value, operand),
    "$lt": lambda value, operand, _: _ordered("<", value, operand),
    "$lte": lambda value, operand, _: _ordered("<=", value, operand),
    "$regex": _regex_operator,
    "$type": _has_type,
    "$mod": _modulo,
}
