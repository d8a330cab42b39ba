"""Merges the parts of a normalised schema (`$ref`, `allOf`, siblings) into one description.

A `Flat` describes one level: its children stay schemas. Each choice (`oneOf`, `anyOf`) is kept as a list, since each is
decided separately.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from wimble.spec.schemas.normalise import Schema, SchemaNormaliser
from wimble.types import Json

MAX_MERGED = 200
"""Maximum number of schemas merged into one; the rest is ignored (such as a generated chain of allOf)."""


@dataclass(slots=True)
class Flat:
    """A merged schema. `keywords` has no `$ref`, `allOf`, `oneOf` and `anyOf`."""

    keywords: dict[str, Any] = field(default_factory=dict)
    choices: list[list[Schema]] = field(default_factory=list)
    references: set[str] = field(default_factory=set)
    """All references resolved for this schema. A builder that meets one of them again is in a cycle."""
    is_impossible: bool = False
    """No value can satisfy all parts (two types, disjoint enumerations)."""
    is_exclusive: bool = False
    """A value must match exactly one choice (`oneOf`)."""

    def merge(self, keywords: dict[str, Any]) -> None:
        """Adds keywords of another part. Sets `is_impossible` if two values of a keyword exclude each other."""
        for key, value in keywords.items():
            merger = _MERGERS.get(key)
            if key not in self.keywords:
                self.keywords[key] = value
            elif merger is not None:
                merged = merger(self.keywords[key], value)
                if merged is None:
                    self.is_impossible = True
                else:
                    self.keywords[key] = merged

    def with_choice(self, schema: Schema, normaliser: SchemaNormaliser) -> Flat:
        """Returns a copy in which `schema` is taken for the first choice.

        References that are merged already are not merged again: often a base schema lists its variants, and each
        variant refers to the base. A choice that consists only of such a reference is impossible.
        """
        chosen = flattened(schema, normaliser, known=self.references)
        out = Flat(dict(self.keywords), self.choices[1:] + chosen.choices, self.references | chosen.references)
        leads_back = isinstance(schema, dict) and schema.keys() == {"$ref"} and schema["$ref"] in self.references
        out.is_impossible = self.is_impossible or chosen.is_impossible or leads_back
        out.merge(chosen.keywords)
        return out


def flattened(schema: Schema, normaliser: SchemaNormaliser, known: Collection[str] = ()) -> Flat:
    """Returns `schema` merged with all that it refers to. References in `known` count as already merged."""
    flat = Flat()
    waiting: list[Schema] = [schema]
    for _ in range(MAX_MERGED):
        if not waiting:
            break
        part = waiting.pop(0)
        if isinstance(part, bool):
            flat.is_impossible = flat.is_impossible or not part
            continue
        reference = part.get("$ref")
        inner: list[Schema] = []
        if reference is not None and reference not in flat.references and reference not in known:
            flat.references.add(reference)
            inner.append(normaliser.definition(reference))
        inner += part.get("allOf", ())
        waiting = inner + waiting
        flat.choices += [part[key] for key in ("oneOf", "anyOf") if key in part]
        flat.is_exclusive = flat.is_exclusive or len(part.get("oneOf", ())) > 1
        flat.merge({key: value for key, value in part.items() if key not in ("$ref", "allOf", "oneOf", "anyOf")})
    return flat


def types_of(keywords: dict[str, Any]) -> list[str]:
    """Returns the types that a flat schema allows, inferred from its keywords if it names none; [] for any type."""
    kind = keywords.get("type")
    if isinstance(kind, list):
        return kind
    if kind is not None:
        return [kind]
    for name, keys in _TYPE_HINTS:
        if any(key in keywords for key in keys):
            return [name]
    text_format = keywords.get("format")
    if text_format is not None:
        return [_NUMBER_FORMATS.get(text_format, "string")]
    return []


_TYPE_HINTS = (
    (
        "object",
        ("properties", "required", "additionalProperties", "minProperties", "maxProperties", "patternProperties"),
    ),
    ("array", ("items", "prefixItems", "minItems", "maxItems", "uniqueItems")),
    ("string", ("pattern", "minLength", "maxLength")),
    ("number", ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")),
)
_NUMBER_FORMATS = {"int32": "integer", "int64": "integer", "float": "number", "double": "number"}


def _common_types(left: Any, right: Any) -> Any:
    lefts, rights = ([kinds] if isinstance(kinds, str) else kinds for kinds in (left, right))
    common = [kind for kind in lefts if kind in rights or (kind == "integer" and "number" in rights)]
    if "integer" in rights and "number" in lefts and "integer" not in common:
        common.append("integer")
    if not common:
        return None
    return common[0] if len(common) == 1 else common


def _common_options(left: list[Json], right: list[Json]) -> list[Json] | None:
    return [
        option for option in left if any(option == other and type(option) is type(other) for other in right)
    ] or None


def _same(left: Json, right: Json) -> Json | None:
    return left if left == right else None


def _both(left: Schema, right: Schema) -> Schema:
    if left is True or right is False:
        return right
    if right is True or left is False:
        return left
    return left if left == right else {"allOf": [left, right]}


def _union_of_properties(left: dict[str, Schema], right: dict[str, Schema]) -> dict[str, Schema]:
    out = dict(left)
    for name, schema in right.items():
        out[name] = _both(out[name], schema) if name in out else schema
    return out


def _common_multiple(left: float, right: float) -> float:
    if isinstance(left, int) and isinstance(right, int):
        return math.lcm(left, right)
    return max(left, right)


_MERGERS: dict[str, Any] = {
    "type": _common_types,
    "enum": _common_options,
    "const": _same,
    "properties": _union_of_properties,
    "patternProperties": _union_of_properties,
    "required": lambda left, right: list(dict.fromkeys((*left, *right))),
    "items": _both,
    "additionalProperties": _both,
    "multipleOf": _common_multiple,
    "examples": lambda left, right: left + right,
    "readOnly": lambda left, right: left or right,
    "uniqueItems": lambda left, right: left or right,
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"), max),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"), min),
}
