"""Computes the nodes of a path for other values of its inputs, as JavaScript does.

It judges answers of the solver before they are run, and is tested against the values that the runtime has computed.
Texts are sequences of UTF-16 units. A node whose value cannot be computed (an error, a part that does not exist) has
none.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from wimble.solve.path_conditions import CONSTANT, NoValue, Path, Scalar
from wimble.solve.patterns.utf16 import from_units, to_units
from wimble.solve.values.computed_encodings import ENCODING_OPERATIONS
from wimble.solve.values.computed_numbers import NUMBER_OPERATIONS
from wimble.solve.values.computed_patterns import PATTERN_OPERATIONS
from wimble.solve.values.computed_texts import MAX_TEXT, TEXT_OPERATIONS


def node_values(path: Path, inputs: Mapping[str, Scalar]) -> list[Scalar | None]:
    """Returns the value of each node; None for one without. Inputs that are not given keep theirs."""
    values: list[Scalar | None] = []
    for node in path.nodes:
        if node.op == CONSTANT or node.place:
            value: Scalar | None = inputs.get(node.place, node.value) if node.place else node.value
            values.append(to_units(value) if isinstance(value, str) else value)
            continue
        args = [values[index] for index in node.args]
        try:
            values.append(None if None in args else computed(node.op, args))
        except (NoValue, ArithmeticError, ValueError, TypeError, KeyError, IndexError):
            values.append(None)
    return values


def computed(op: str, args: Sequence[Any]) -> Scalar:
    """Returns the value of an operation. Raises: NoValue, and what Python raises for arguments that do not fit."""
    compute = OPERATIONS.get(op)
    if compute is None:
        raise NoValue(op)
    value = compute(*args)
    if isinstance(value, float):
        if math.isnan(value):
            return value
        if math.isinf(value):
            raise NoValue(op)
        return int(value) if value.is_integer() and abs(value) < 2**70 else value
    if not isinstance(value, (str, int)) or (isinstance(value, str) and len(value) > MAX_TEXT):
        raise NoValue(op)
    return value


def table_entries(table: str) -> list[tuple[Scalar, Scalar]]:
    """Returns the keys and values of a table that a program looks something up in."""
    return [(key, value) for key, value in json.loads(table)]


def _chosen(key: Scalar, table: str) -> Scalar:
    for other, value in table_entries(from_units(table) or table):
        if (to_units(other) if isinstance(other, str) else other) == key:
            return to_units(value) if isinstance(value, str) else value
    raise NoValue("no such key")


def _is_key(key: Scalar, table: str) -> bool:
    try:
        _chosen(key, table)
    except NoValue:
        return False
    return True


OPERATIONS: Final[dict[str, Callable[..., Any]]] = {
    **NUMBER_OPERATIONS,
    **TEXT_OPERATIONS,
    **PATTERN_OPERATIONS,
    **ENCODING_OPERATIONS,
    "===": lambda a, b: type(a) is type(b) and a == b if isinstance(a, (str, bool)) else a == b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "!": lambda a: not a or a != a,
    "ite": lambda condition, one, other: one if condition else other,
    "||": lambda *all_: any(all_),
    "distinct": lambda *all_: len(set(all_)),
    "chosen": _chosen,
    "isKey": _is_key,
}
