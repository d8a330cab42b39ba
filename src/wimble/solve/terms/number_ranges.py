"""Least and greatest values that the numbers of a path can have, as far as operators and constants tell.

With them, a remainder that cannot differ from its dividend needs no division: `(sum + code) % 65521` of a short text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Final, TypeAlias

from wimble.solve.path_conditions import CHOICE, CONSTANT, Expression, Path
from wimble.solve.values.node_values import table_entries

Range: TypeAlias = tuple[int, int]
MAX_POSITION: Final = 10_000
"""No text of a path is longer."""
MAX_CODE: Final = 0xFFFF
INT32: Final[Range] = (-(2**31), 2**31 - 1)
_KEEPS_CODES: Final = frozenset((
    "at", "charAt", "concat", "padEnd", "padStart", "part", "repeat", "replace", "replaceAll", "replaceMatches",
    "slice", "substr", "substring", "toLowerCase", "toText", "toUpperCase", "trim", "trimEnd", "trimStart",
))  # fmt: skip
"""Operations whose results hold no other characters than their arguments, or ASCII."""


def ranges_of(path: Path, *, of_inputs: Range, greatest_code: int) -> list[Range | None]:
    """Returns the range of each node; None for what is no whole number, or not known.

    of_inputs: of inputs that are numbers. greatest_code: of the characters of inputs.
    """
    codes = (0, _greatest_code(path, greatest_code))
    found: list[Range | None] = []
    for node in path.nodes:
        found.append(_range(path, node, found, of_inputs, codes))
    return found


def _greatest_code(path: Path, of_inputs: int) -> int:
    texts = [node for node in path.nodes if isinstance(node.value, str)]
    if any(node.args and node.op not in _KEEPS_CODES for node in texts):
        return MAX_CODE
    constants = [ord(char) for node in texts if node.op == CONSTANT for char in str(node.value)]
    return max((of_inputs, *constants))


def _range(path: Path, node: Expression, found: Sequence[Range | None], of_inputs: Range, codes: Range) -> Range | None:
    if isinstance(node.value, (str, bool)):
        return None
    if node.place:
        return of_inputs
    if node.op == CONSTANT:
        return (int(node.value), int(node.value)) if float(node.value).is_integer() else None
    if node.op in ("charCodeAt", "codePointAt"):
        return (0, codes[1] if node.op == "charCodeAt" or codes[1] < 0xD800 else 0x10FFFF)
    if node.op in ("length", "indexOf", "lastIndexOf", "parts", "matches"):
        return (-1, MAX_POSITION)
    if node.op == "chosen":
        return _range_of_table(str(path.nodes[node.args[1]].value))
    args = [found[arg] for arg in (node.args[1:] if node.op == CHOICE else node.args)]
    ranges = [one for one in args if one is not None]
    compute = _OPERATIONS.get(node.op)
    if node.op in _OF_32_BITS and (len(ranges) < len(args) or compute is None):
        return INT32
    return compute(*ranges) if compute is not None and len(ranges) == len(args) else None


def _range_of_table(table: str) -> Range | None:
    values = [value for _, value in table_entries(table)]
    numbers = [int(value) for value in values if not isinstance(value, (str, bool)) and float(value).is_integer()]
    return (min(numbers), max(numbers)) if numbers and len(numbers) == len(values) else None


def _hull(*ranges: Range) -> Range:
    return (min(low for low, _ in ranges), max(high for _, high in ranges))


def _product(a: Range, b: Range) -> Range:
    ends = [one * other for one, other in product(a, b)]
    return (min(ends), max(ends))


def _remainder(a: Range, b: Range) -> Range:
    greatest = max(abs(b[0]), abs(b[1])) - 1
    return (-min(greatest, max(0, -a[0])), min(greatest, max(0, a[1])))


def _and(a: Range, b: Range) -> Range:
    """A number that is not negative clears the bits beyond its own."""
    greatest = [high for low, high in (a, b) if low >= 0]
    return (0, min(*greatest, INT32[1])) if greatest else INT32


def _or(a: Range, b: Range) -> Range:
    """No bit beyond those of the two becomes set."""
    greatest = max(a[1], b[1])
    is_small = a[0] >= 0 and b[0] >= 0 and greatest <= INT32[1]
    return (0, (1 << greatest.bit_length()) - 1) if is_small else INT32


def _left_shift(a: Range, by: Range) -> Range:
    is_small = a[0] >= 0 and by[0] >= 0 and by[1] < 32 and a[1] << by[1] <= INT32[1]
    return (a[0] << by[0], a[1] << by[1]) if is_small else INT32


def _unsigned_shift(a: Range, by: Range) -> Range:
    is_known = 0 <= by[0] == by[1] < 32
    if is_known and a[0] >= 0 and a[1] < 2**32:
        return (a[0] >> by[0], a[1] >> by[0])
    return (0, (2**32 - 1) >> (by[0] if is_known else 0))


def _right_shift(a: Range, by: Range) -> Range:
    is_known = 0 <= by[0] == by[1] < 32 and a[0] >= INT32[0] and a[1] <= INT32[1]
    return (a[0] >> by[0], a[1] >> by[0]) if is_known else INT32


_OF_32_BITS: Final = frozenset(("&", "|", "^", "<<", ">>", "imul", "~"))
_OPERATIONS: Final[dict[str, Callable[..., Range]]] = {
    CHOICE: _hull,
    "+": lambda a, b: (a[0] + b[0], a[1] + b[1]),
    "-": lambda a, b: (a[0] - b[1], a[1] - b[0]),
    "*": _product,
    "%": _remainder,
    "&": _and,
    "|": _or,
    "^": _or,
    "<<": _left_shift,
    ">>": _right_shift,
    ">>>": _unsigned_shift,
    "min": lambda a, b: (min(a[0], b[0]), min(a[1], b[1])),
    "max": lambda a, b: (max(a[0], b[0]), max(a[1], b[1])),
    "negate": lambda a: (-a[1], -a[0]),
    "abs": lambda a: (0 if a[0] <= 0 <= a[1] else min(abs(a[0]), abs(a[1])), max(abs(a[0]), abs(a[1]))),
}
