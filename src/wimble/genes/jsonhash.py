"""Hashes JSON values, since Python's lists and dicts have no hash. Equal values hash equal (also 1, 1.0 and True)."""

from __future__ import annotations

from wimble.types import Json


def json_hash(value: Json) -> int:
    """Returns the hash of a JSON value. The order of keys does not matter."""
    if isinstance(value, dict):
        return hash(frozenset((key, json_hash(item)) for key, item in value.items()))
    if isinstance(value, (list, tuple)):
        return hash(tuple(json_hash(item) for item in value))
    return hash(value)


def is_same_json(left: Json, right: Json) -> bool:
    """Whether two values are equal in JSON: `1` equals `1.0`, but not `True`."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(is_same_json(item, right[key]) for key, item in left.items())
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(is_same_json, left, right))
    return bool(left == right)
