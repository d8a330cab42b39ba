"""Which functions write what others read, and when values are the same after writing and reading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from wimble.library.function_binding import FunctionBinding
from wimble.model.operation import Operation
from wimble.types import Json

WRITERS: Final = {
    "parse": "stringify", "decode": "encode", "deserialize": "serialize", "unescape": "escape",
    "decompress": "compress", "load": "dump", "unpack": "pack", "inflate": "deflate",
}  # fmt: skip
"""Name of a reader -> name of its writer. Formatters (`format`) are left out: they round."""
_LOST: Final = ("$opaque", "$instance", "$error", "$function")
"""Notations of values that cannot be passed again as they were."""


class Pair(NamedTuple):
    """Two functions of one object, of which one reads what the other writes."""

    reader: Operation
    writer: Operation


def iter_pairs(operations: Sequence[Operation]) -> Iterator[Pair]:
    """Yields the pairs among exported functions."""
    functions = {
        one.binding.path: one
        for one in operations
        if isinstance(one.binding, FunctionBinding) and one.binding.kind == "function" and one.binding.parameters
    }
    for path, reader in functions.items():
        writer = functions.get((*path[:-1], WRITERS[path[-1]])) if path and path[-1] in WRITERS else None
        if writer is not None:
            yield Pair(reader, writer)


def can_be_passed(value: Json) -> bool:
    """Whether a value that a call returned can be an argument, as it was.

    Few languages have a notation for members that are empty, so values with such are left out.
    """
    if not isinstance(value, list | dict):
        return True
    if isinstance(value, list):
        return bool(value) and all(map(can_be_passed, value))
    return bool(value) and not any(key in value for key in _LOST) and all(map(can_be_passed, value.values()))


def is_same(first: Json, second: Json) -> bool:
    """Whether two values of calls are the same, apart from the order of members, the sign of zero and prototypes."""
    first, second = _plain(first), _plain(second)
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(is_same, first, second))
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(is_same(first[key], second[key]) for key in first)
    return type(first) is type(second) and first == second


def _plain(value: Json) -> Json:
    if isinstance(value, dict) and len(value) == 1:
        key, held = next(iter(value.items()))
        if key == "$bare":
            return _plain(held)
        if key == "$number" and held == "-0":
            return 0.0
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value
