"""Converts schema objects of any OpenAPI version to valid, self-contained JSON Schema 2020-12.

The result has only known keywords, with values of the right type, so its readers need no checks: whatever is malformed
is repaired or dropped here, with a warning. Local references become `#/$defs/NAME`; recursive schemas stay recursive.
Annotations that the search uses (`default`, `examples`, `readOnly`, `format`) are kept.
"""

from __future__ import annotations

import re
from collections import deque
from typing import Any, TypeAlias

from wimble.spec.loading.document import MISSING, Document, at, shown
from wimble.spec.schemas.schema_keywords import Direction, KeywordReader

Schema: TypeAlias = "dict[str, Any] | bool"

MAX_INLINE_DEPTH = 60
"""Maximum nesting of schemas without a reference in between; deeper schemas allow any value."""

DEFINITION_PREFIX = "#/$defs/"

_SUBSCHEMAS = (
    "additionalProperties", "items", "not", "contains", "propertyNames", "if", "then", "else",
    "unevaluatedProperties", "unevaluatedItems",
)  # fmt: skip
_SCHEMA_MAPS = ("properties", "patternProperties", "dependentSchemas")
_SCHEMA_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")


class SchemaNormaliser:
    """Converts the schemas of one document for one direction. Converts the target of each reference once."""

    def __init__(self, document: Document, direction: Direction) -> None:
        self._document = document
        self._direction = direction
        self._reader = KeywordReader(document, direction)
        self._names: dict[str, str] = {}
        self._taken: set[str] = set()
        self._definitions: dict[str, Schema] = {}
        self._pending: deque[tuple[str, Any, str]] = deque()
        self._needed_by: dict[str, tuple[str, ...]] = {}

    def normalise(self, raw: Any, place: str) -> Schema:
        """Returns the converted schema. `place` is its JSON pointer, for warnings."""
        schema = self._schema(raw, place, 0)
        while self._pending:
            name, target, target_place = self._pending.popleft()
            self._definitions[name] = self._schema(target, target_place, 0)
        return schema

    def definition(self, reference: str) -> Schema:
        """Returns the schema that a `$ref` of a normalised schema refers to."""
        return self._definitions.get(reference.removeprefix(DEFINITION_PREFIX), True)

    def self_contained(self, schema: Schema) -> Schema:
        """Returns `schema` with exactly the definitions that it needs in `$defs`."""
        if isinstance(schema, bool):
            return schema
        needed: dict[str, Schema] = {}
        waiting = list(_references(schema))
        while waiting:
            name = waiting.pop(0)
            if name in needed:
                continue
            needed[name] = self._definitions[name]
            if name not in self._needed_by:
                self._needed_by[name] = _references(self._definitions[name])
            waiting += self._needed_by[name]
        return {**schema, "$defs": needed} if needed else schema

    # --- one schema ---

    def _schema(self, raw: Any, place: str, depth: int) -> Schema:
        if isinstance(raw, bool):
            return raw
        if not isinstance(raw, dict):
            self._warn(place, f"a schema is expected, found {shown(raw)}", "any value is allowed")
            return True
        if depth > MAX_INLINE_DEPTH:
            self._warn(place, f"schemas nested more than {MAX_INLINE_DEPTH} levels deep", "any value is allowed")
            return True
        if (reference := raw.get("$ref", raw.get("$dynamicRef"))) is not None:
            return self._reference(raw, reference, place, depth)
        return self._keywords(raw, place, depth)

    def _reference(self, raw: dict[str, Any], reference: Any, place: str, depth: int) -> Schema:
        target = self._target(reference, place)
        siblings = {
            key: value for key, value in raw.items() if key not in ("$ref", "$dynamicRef", "$defs", "definitions")
        }
        if self._document.version != "3.1":
            # Strictly, 2.0 and 3.0 ignore siblings of $ref, but authors who write these expect them to apply.
            siblings = {key: value for key, value in siblings.items() if key in _MEANT_SIBLINGS}
        if target is None:
            return self._keywords(siblings, place, depth) if siblings else True
        out: dict[str, Any] = {"$ref": target}
        is_nullable = siblings.pop("nullable", False) is True or siblings.pop("x-nullable", False) is True
        if siblings and isinstance(extra := self._keywords(siblings, place, depth), dict):
            out |= {key: value for key, value in extra.items() if key != "$ref"}
        return {"anyOf": [out, {"type": "null"}]} if is_nullable else out

    def _target(self, reference: Any, place: str) -> str | None:
        if not isinstance(reference, str):
            self._warn(at(place, "$ref"), f"a reference is text, found {shown(reference)}", "any value is allowed")
            return None
        target, target_place = self._document.pointed(reference)
        if target is MISSING and re.fullmatch(r"[\w.-]+", reference):
            container = "#/definitions/" if self._document.is_swagger2 else "#/components/schemas/"
            target, target_place = self._document.pointed(container + reference)
            if target is not MISSING:
                self._warn(place, f"`{reference}` is not a JSON pointer", f"`{container}{reference}` is used")
        if target is MISSING:
            what, instead = self._document.broken_reference(reference)
            self._warn(place, what, instead.replace("ignored", "any value is allowed", 1))
            return None
        return DEFINITION_PREFIX + self._name(target, target_place)

    def _name(self, target: Any, place: str) -> str:
        known = self._names.get(place)
        if known is not None:
            return known
        wanted = re.sub(r"[^A-Za-z0-9_.-]", "_", place.rsplit("/", 1)[-1].replace("~1", "/")) or "schema"
        name, n = wanted, 2
        while name in self._taken:
            name, n = f"{wanted}_{n}", n + 1
        self._names[place] = name
        self._taken.add(name)
        self._pending.append((name, target, place))
        return name

    def _keywords(self, raw: dict[str, Any], place: str, depth: int) -> Schema:
        out: dict[str, Any] = {}
        self._reader.read_types(raw, out, place)
        for key, value in raw.items():
            if value is None and key not in ("const", "default", "example"):
                continue
            self._keyword(key, value, out, raw=raw, place=place, depth=depth)
        self._reader.read_limits(raw, out, place)
        self._reader.fit_options(out, place)
        self._reader.read_examples(raw, out, place)
        self._drop_one_way_properties(raw, out, place)
        if self._direction == "request":
            self._discriminator(raw, out, place)
        return self._nullable(raw, out)

    def _keyword(
        self, key: str, value: Any, out: dict[str, Any], *, raw: dict[str, Any], place: str, depth: int
    ) -> None:
        here = at(place, key)
        if key in _SUBSCHEMAS:
            if key == "items" and isinstance(value, list):
                self._tuple_items(value, out, raw, here, depth)
            else:
                out[key] = self._schema(value, here, depth + 1)
        elif key in _SCHEMA_MAPS:
            if self._reader.is_a(dict, value, here, "an object"):
                out[key] = {
                    name: self._schema(child, at(here, given), depth + 1)
                    for given, child in value.items()
                    if (name := self._map_key(key, given, here)) is not None
                }
        elif key in _SCHEMA_LISTS:
            if self._reader.is_a(list, value, here, "an array") and value:
                out[key] = [self._schema(child, at(here, index), depth + 1) for index, child in enumerate(value)]
        else:
            self._reader.read(key, value, out, here)

    def _map_key(self, keyword: str, given: str, place: str) -> str | None:
        """Returns the key of a map of schemas as it can be used; None for a pattern that cannot."""
        return self._reader.usable(given, at(place, given)) if keyword == "patternProperties" else given

    def _tuple_items(self, value: list[Any], out: dict[str, Any], raw: dict[str, Any], place: str, depth: int) -> None:
        """Converts the tuples of draft 4: an array as `items`, and `additionalItems` for further elements."""
        if value:
            out["prefixItems"] = [self._schema(child, at(place, index), depth + 1) for index, child in enumerate(value)]
        if isinstance(rest := raw.get("additionalItems"), (dict, bool)):
            out["items"] = self._schema(rest, place, depth + 1)

    # --- meanings that take several keywords ---

    def _nullable(self, raw: dict[str, Any], out: dict[str, Any]) -> Schema:
        """Applies `nullable` (3.0) and `x-nullable` (2.0) to the whole schema.

        Authors mean it so, although 3.0.3 limits its effect to schemas with `type`.
        """
        if raw.get("nullable") is not True and raw.get("x-nullable") is not True:
            return out
        kind = out.get("type")
        has_applicator = any(key in out for key in ("allOf", "anyOf", "oneOf", "const", "not", "if"))
        if has_applicator:
            return {"anyOf": [out, {"type": "null"}]}
        if isinstance(kind, str) and kind != "null":
            out["type"] = [kind, "null"]
        elif isinstance(kind, list) and "null" not in kind:
            out["type"] = [*kind, "null"]
        if "enum" in out and None not in out["enum"]:
            out["enum"] = [*out["enum"], None]
        return out

    def _drop_one_way_properties(self, raw: dict[str, Any], out: dict[str, Any], place: str) -> None:
        """Removes properties from `required` that this direction does not have.

        These are `readOnly` properties in requests and `writeOnly` ones in responses (OpenAPI 3.0.3 §4.7.24).
        """
        flag = "readOnly" if self._direction == "request" else "writeOnly"
        properties = raw.get("properties")
        if "required" not in out or not isinstance(properties, dict):
            return
        required = [name for name in out["required"] if not self._has_flag(properties.get(name), flag)]
        out["required"] = required
        if not required:
            del out["required"]

    def _has_flag(self, raw: Any, flag: str) -> bool:
        for _ in range(5):
            if not isinstance(raw, dict):
                return False
            if raw.get(flag) is True:
                return True
            reference = raw.get("$ref")
            if not isinstance(reference, str):
                return False
            raw, _place = self._document.pointed(reference)
        return False

    def _discriminator(self, raw: dict[str, Any], out: dict[str, Any], place: str) -> None:
        """Adds to each choice its value of the discriminator, so that requests name their variant."""
        discriminator = raw.get("discriminator")
        if not isinstance(discriminator, dict) or not isinstance(name := discriminator.get("propertyName"), str):
            return
        mapping = self._document.section(discriminator, "mapping", at(place, "discriminator"))
        value_of = {target: value for value, target in mapping.items() if isinstance(target, str)}
        for keyword in ("oneOf", "anyOf"):
            for index, choice in enumerate(out.get(keyword, ())):
                original = raw[keyword][index]
                reference = original.get("$ref") if isinstance(original, dict) else None
                if not isinstance(reference, str) or not isinstance(choice, dict):
                    continue
                short = reference.rsplit("/", 1)[-1]
                value = value_of.get(reference, value_of.get(short, short))
                if not self._restricts(reference, name):
                    tagged = {"type": "object", "properties": {name: {"const": value}}, "required": [name]}
                    out[keyword][index] = {"allOf": [choice, tagged]}
        if mapping and isinstance(property_schema := out.get("properties", {}).get(name), dict):
            property_schema.setdefault("examples", list(mapping))

    def _restricts(self, reference: str, name: str) -> bool:
        """Whether the schema itself restricts the values of its discriminator."""
        target, _ = self._document.pointed(reference)
        properties = target.get("properties") if isinstance(target, dict) else None
        own = properties.get(name) if isinstance(properties, dict) else None
        return isinstance(own, dict) and any(key in own for key in ("enum", "const", "$ref"))

    def _warn(self, place: str, what: str, instead: str) -> None:
        self._document.warn(place, what, instead)


_MEANT_SIBLINGS = frozenset(["nullable", "x-nullable", "readOnly", "writeOnly", "default", "example"])


def _references(schema: Schema) -> tuple[str, ...]:
    """Returns the names of the definitions that `schema` refers to directly, in order."""
    found: dict[str, None] = {}
    waiting: deque[Schema] = deque([schema])
    while waiting:
        node = waiting.popleft()
        if isinstance(node, dict):
            if "$ref" in node:
                found[node["$ref"].removeprefix(DEFINITION_PREFIX)] = None
            waiting += _subschemas(node)
    return tuple(found)


def _subschemas(schema: dict[str, Any]) -> list[Schema]:
    out: list[Schema] = [schema[key] for key in _SUBSCHEMAS if key in schema]
    for key in _SCHEMA_MAPS:
        out += schema.get(key, {}).values()
    for key in _SCHEMA_LISTS:
        out += schema.get(key, ())
    return out
