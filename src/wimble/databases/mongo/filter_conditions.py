"""Finds the operands in a MongoDB condition: values that fields are compared with, and programs of `$where`."""

from __future__ import annotations

from collections.abc import Iterator

from wimble.databases.mongo.document_values import Regex, Value
from wimble.types import Json


def operands_of(condition: Value) -> Iterator[Value]:
    """Yields the operand of each field and of each `$not`: a value to be equal to, or an object of operators."""
    for name, value in condition.items() if isinstance(condition, dict) else ():
        if name in ("$and", "$or", "$nor"):
            for one in value if isinstance(value, list) else ():
                yield from operands_of(one)
        elif not name.startswith("$"):
            yield value
            if isinstance(value, dict):
                yield from (value[inner] for inner in ("$not",) if inner in value)
                yield from operands_of(value.get("$elemMatch"))


def programs_of(condition: Value) -> Iterator[str]:
    """Yields the programs of `$where`, at any depth."""
    if isinstance(condition, dict):
        for name, value in condition.items():
            if name == "$where" and isinstance(value, str):
                yield value
            else:
                yield from programs_of(value)
    elif isinstance(condition, list):
        for one in condition:
            yield from programs_of(one)


def expressions_of(condition: Value) -> Iterator[str]:
    """Yields the patterns of regular expressions, at any depth."""
    if isinstance(condition, dict):
        for name, value in condition.items():
            if isinstance(value, Regex):
                yield value.pattern
            elif name == "$regex" and isinstance(value, str):
                yield value
            else:
                yield from expressions_of(value)
    elif isinstance(condition, list):
        for one in condition:
            yield from expressions_of(one)


def keys_of(value: Json) -> Iterator[str]:
    """Yields the keys of all objects in a command, at any depth."""
    if isinstance(value, dict):
        yield from value
        for one in value.values():
            yield from keys_of(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from keys_of(one)
