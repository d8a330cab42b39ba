"""Items of Amazon DynamoDB as they are sent: each value tells its type, `{"paid": {"BOOL": true}}`.

In the body of an answer they are plain, so that what the program reads and compares of them is found there.
"""

from __future__ import annotations

from typing import Final

from wimble.types import Json

_ITEMS: Final = frozenset({"Item", "Attributes", "LastEvaluatedKey", "Key"})
"""Members that are an item, or a part of one."""
_LISTS: Final = frozenset({"Items", "Responses"})
"""Members that are a list of items, of objects with an item, or of such a list for each table."""


def with_types(body: Json) -> Json:
    """Returns an answer of DynamoDB, with the types of all values in its items."""
    if not isinstance(body, dict):
        return body
    return {name: _member(name, value) for name, value in body.items()}


def _member(name: str, value: Json) -> Json:
    if name in _ITEMS:
        return _item(value)
    return _listed(value) if name in _LISTS else value


def _item(value: Json) -> Json:
    return {name: _typed(inner) for name, inner in value.items()} if isinstance(value, dict) else value


def _listed(value: Json) -> Json:
    if isinstance(value, dict):
        return {table: _listed(items) for table, items in value.items()}
    if not isinstance(value, list):
        return value
    return [with_types(one) if isinstance(one, dict) and one.keys() <= _ITEMS and one else _item(one) for one in value]


def _typed(value: Json) -> Json:
    match value:
        case None:
            return {"NULL": True}
        case bool():
            return {"BOOL": value}
        case int() | float():
            return {"N": f"{value}"}
        case str():
            return {"S": value}
        case list():
            return {"L": [_typed(one) for one in value]}
        case _:
            return {"M": _item(value)}
