"""Which functions write what others read, and when values are the same after writing and reading."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from wimble.library.function_binding import FunctionBinding
from wimble.model.operation import Operation
from wimble.types import Json

WRITERS: Final = {
    "parse": ("stringify", "serialize", "unparse"), "decode": ("encode",), "deserialize": ("serialize",),
    "unserialize": ("serialize",), "unescape": ("escape",), "decompress": ("compress",), "load": ("dump",),
    "unpack": ("pack",), "inflate": ("deflate",), "unflatten": ("flatten",), "unmarshal": ("marshal",),
}  # fmt: skip
"""Name of a reader -> names of its writer. Formatters (`format`) are left out: they round."""
_OF_WHAT: Final = re.compile(r"(?P<verb>[a-z]+)(?P<what>_\w+|[A-Z0-9]\w*)?")
_FROM_TO: Final = re.compile(r"(?P<source>[A-Za-z]+?)(?:2|To)(?P<target>[A-Z]\w*|(?<=2)[a-z]\w*)")
_LOST: Final = ("$opaque", "$instance", "$error", "$function")
"""Notations of values that cannot be passed again as they were."""


class ReaderAndWriter(NamedTuple):
    """Two functions of one object, of which one reads what the other writes."""

    reader: Operation
    writer: Operation


def iter_pairs(operations: Sequence[Operation]) -> Iterator[ReaderAndWriter]:
    """Yields the pairs among exported functions."""
    functions = {
        one.binding.path: one
        for one in operations
        if isinstance(one.binding, FunctionBinding)
        and one.binding.kind == "function"
        and one.binding.parameters
        and not one.binding.is_internal
    }
    for path, reader in functions.items():
        names = writers_of(path[-1]) if path else ()
        writer = next((functions[*path[:-1], name] for name in names if (*path[:-1], name) in functions), None)
        if writer is not None:
            yield ReaderAndWriter(reader, writer)


def writers_of(reader: str) -> list[str]:
    """Returns the names that the writer of what a function reads may have.

    `parseCookie` has `stringifyCookie`, `xml2js` has `js2xml`, and `hexToBytes` has `bytesToHex`.
    """
    of_what = _OF_WHAT.fullmatch(reader)
    if of_what is not None and of_what["verb"] in WRITERS:
        return [writer + (of_what["what"] or "") for writer in WRITERS[of_what["verb"]]]
    from_to = _FROM_TO.fullmatch(reader)
    if from_to is None:
        return []
    source, target = from_to["source"], from_to["target"]
    if "2" in reader:
        return [f"{target}2{source}"]
    return [f"{target[0].lower()}{target[1:]}To{source[0].upper()}{source[1:]}"]


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
