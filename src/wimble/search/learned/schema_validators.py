"""Validators of the schemas that validation libraries apply, each compiled once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Any, Final

import jsonschema_rs

from wimble.types import ABSENT, Json

MAX_VALIDATORS: Final = 1000


class SchemaValidators:
    """Holds validators by a key of their schema."""

    def __init__(self) -> None:
        self._validators: dict[Hashable, jsonschema_rs.Draft202012Validator | None] = {}

    def get(self, key: Hashable, schema: Callable[[], dict[str, Any]]) -> jsonschema_rs.Draft202012Validator | None:
        """Returns the validator of a schema; None for one that only its library understands, and if there are too many.

        key: the same for equal schemas. schema: returns the schema; it is called once for each key.
        """
        if key not in self._validators:
            if len(self._validators) >= MAX_VALIDATORS:
                return None
            try:
                made = jsonschema_rs.Draft202012Validator(schema(), validate_formats=True, offline=True)
            except (jsonschema_rs.ValidationError, ValueError):
                made = None  # a pattern or reference of its own
            self._validators[key] = made
        return self._validators[key]


def errors_of(validator: jsonschema_rs.Draft202012Validator, value: Json) -> Iterator[jsonschema_rs.ValidationError]:
    """Yields what is wrong with a value, which may be left out."""
    return iter(validator.iter_errors(None if value is ABSENT else value))
