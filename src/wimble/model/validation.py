"""Schemas that validation libraries have applied to input, as the agent describes them."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import msgspec

from wimble.types import Json

MAX_SHOWN_MEMBERS = 5
SINGLE_CHECKS = frozenset(["validator"])
"""Libraries of single checks, of which a program may try several as alternatives."""

ANSWER = "answer"
"""Begins the place of a value that stands in the answer of a service."""
OPTIONAL = "~optional"
"""Keyword of a schema whose value may be left out, in messages of the agent."""


class AppliedSchema(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A schema of a validation library. Equal schemas have the same `text`, also in other processes and runs."""

    library: str
    """Such as `zod`, `joi`, `ajv`, `class-validator`."""
    schema: dict[str, Any]
    """The library's schema as JSON Schema 2020-12, as far as that can express it."""
    text: str
    """`schema` as JSON with sorted keys."""
    label: str
    """Library and members, for reports: `zod {email, age}`."""

    @property
    def is_optional(self) -> bool:
        """Whether the value to which it is applied may be left out."""
        return self.schema.get(OPTIONAL) is True

    @classmethod
    def of(cls, library: str, schema: dict[str, Any]) -> AppliedSchema:
        text = json.dumps(schema, sort_keys=True, separators=(",", ":"))
        digest = hashlib.sha256(text.encode()).hexdigest()[:6]
        return cls(library=library, schema=schema, text=text, label=f"{library} {_shape(schema)} #{digest}")


class Validation(msgspec.Struct, frozen=True, kw_only=True):
    """One application of a schema to a value."""

    call: int
    """Index of the call that was running."""
    applied: AppliedSchema
    value: Json
    """The value as the library got it, shortened; ABSENT if it was undefined or cannot be shown."""
    place: tuple[str, ...] = ()
    """Part of the call (`body`, `query`, `path`, `header`, `cookie`) and the names that lead to the value in it; for an
    answer of a service, `answer`, the index of its setup action, and the names; empty if the agent does not know it."""
    is_valid: bool | None = None
    """The library's verdict; None if it is not known."""


def _shape(schema: dict[str, Any]) -> str:
    """Returns the members of an object, or the type of another value."""
    reference = schema.get("$ref")
    if isinstance(reference, str):
        schema = schema.get("$defs", {}).get(reference.removeprefix("#/$defs/"), schema)
    properties = schema.get("properties")
    if isinstance(properties, dict):
        names = [*list(properties)[:MAX_SHOWN_MEMBERS], *(["..."] if len(properties) > MAX_SHOWN_MEMBERS else [])]
        return "{" + ", ".join(names) + "}"
    kind = schema.get("type")
    if isinstance(kind, str):
        return kind
    return next((key for key in ("enum", "anyOf", "allOf", "oneOf") if key in schema), "value")
