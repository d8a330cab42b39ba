"""Finds which parts of a declared answer a body shows.

A part is an optional property that is present or absent, a value of an enumeration, an alternative, null, an empty list
or a list with elements. Without coverage of the code, a declared part that no answer has shown is the best sign of code
that has not run.

A part of a named component counts once, whichever operation shows it. When an answer shows one option of a part (such
as "present"), the other options become open targets: to reach them, the search has to get another answer of this kind.
"""

from __future__ import annotations

from collections.abc import Iterator

import jsonschema_rs

from wimble.model.parts import MAX_OPTIONS, gather
from wimble.types import Json

MAX_VISITS = 500
"""Number of values visited in one body."""
MAX_DEPTH = 8
MAX_ELEMENTS = 20
MAX_REMEMBERED = 2_000

_REFERENCE = "#/$defs/"
_NULL = {"type": "null"}
_Place = tuple[str, ...]
_Visit = tuple[Json, Json, _Place, int]
"""(schema, value, the schema's place in the whole schema, depth)."""


class SchemaParts:
    """The parts of one schema, which is declared for an operation, a status and a media type."""

    def __init__(self, schema: Json, of: str) -> None:
        """of: the operation and status of the schema; names of parts outside of named components begin with it."""
        self._schema = schema
        self._of = of
        definitions = schema.get("$defs") if isinstance(schema, dict) else None
        self._definitions: dict[str, Json] = definitions if isinstance(definitions, dict) else {}
        self._validators: dict[_Place, jsonschema_rs.Draft202012Validator | None] = {}
        self._known: dict[str, None] = {}
        self._by_body: dict[int, dict[str, bool]] = {}

    def of_body(self, raw: bytes, body: Json) -> dict[str, bool]:
        """Returns name of a part -> whether the body shows it, for the parts that the body can tell about.

        raw: the bytes of the body, whose hash is the key of the cache.
        """
        key = hash(raw)
        parts = self._by_body.get(key)
        if parts is None:
            parts = {}
            gather(parts, self._known, self._walk(body))
            if len(self._by_body) >= MAX_REMEMBERED:
                self._by_body.clear()
            self._by_body[key] = parts
        return parts

    def _walk(self, body: Json) -> Iterator[tuple[str, bool]]:
        waiting: list[_Visit] = [(self._schema, body, (), 0)]
        for _ in range(MAX_VISITS):
            if not waiting:
                return
            schema, value, place, depth = waiting.pop()
            if not isinstance(schema, dict) or depth > MAX_DEPTH:
                continue
            yield from self._own(schema, value, place)
            waiting += self._same(schema, value, place, depth)
            waiting += _members(schema, value, place, depth + 1)

    def _own(self, schema: dict[str, Json], value: Json, place: _Place) -> Iterator[tuple[str, bool]]:
        for way, is_shown in _ways(schema, value):
            yield self._name(place, way), is_shown
        for alternative, _, is_shown in self._alternatives(schema, value, place):
            yield self._name((*place, *alternative), "taken"), is_shown

    def _name(self, place: _Place, way: str) -> str:
        of = "" if place[:1] == ("$defs",) else f"{self._of} "
        return f"{of}#/{'/'.join(place)} {way}"

    def _same(self, schema: dict[str, Json], value: Json, place: _Place, depth: int) -> Iterator[_Visit]:
        """Yields further schemas that apply to the same value: `$ref`, `allOf` and the alternatives that it meets."""
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference.startswith(_REFERENCE):
            name = reference.removeprefix(_REFERENCE)
            yield self._definitions.get(name), value, ("$defs", name), depth + 1
        for number, below in enumerate(_list_of(schema, "allOf")):
            yield below, value, (*place, "allOf", str(number)), depth + 1
        for way, below, is_shown in self._alternatives(schema, value, place):
            if is_shown:
                yield below, value, (*place, *way), depth + 1

    def _alternatives(self, schema: dict[str, Json], value: Json, place: _Place) -> Iterator[tuple[_Place, Json, bool]]:
        """Yields (place of the alternative, its schema, whether the value meets it); null is an alternative too."""
        for keyword in ("oneOf", "anyOf"):
            options = _list_of(schema, keyword)
            if 1 < len(options) <= MAX_OPTIONS:
                for number, below in enumerate(options):
                    way = (keyword, str(number))
                    yield way, below, value is None if below == _NULL else self._meets((*place, *way), below, value)

    def _meets(self, place: _Place, schema: Json, value: Json) -> bool:
        if place not in self._validators:
            self._validators[place] = self._validator(schema)
        validator = self._validators[place]
        try:
            return validator is not None and validator.is_valid(value)
        except ValueError:
            return False  # the validator cannot represent the value

    def _validator(self, schema: Json) -> jsonschema_rs.Draft202012Validator | None:
        if not isinstance(schema, dict):
            return None
        try:
            whole = {**schema, "$defs": self._definitions}
            return jsonschema_rs.Draft202012Validator(whole, validate_formats=False, offline=True)
        except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError):
            return None  # the judge warns about it


def _ways(schema: dict[str, Json], value: Json) -> Iterator[tuple[str, bool]]:
    """Yields the options that values of the schema have -> whether this value takes the option."""
    options = _list_of(schema, "enum")
    if 1 < len(options) <= MAX_OPTIONS:
        yield from ((f"is {option!r}"[:60], _is_same(option, value)) for option in options)
    types = schema.get("type")
    types = types if isinstance(types, list) else [types]
    if not options and "boolean" in types:
        yield from ((f"is {option}", value is option) for option in (False, True))
    if "null" in types and len(types) > 1:
        yield "is null", value is None
        yield "is not null", value is not None
    if isinstance(value, list) and "array" in types:
        if not schema.get("minItems"):
            yield "empty", not value
        if schema.get("maxItems") != 0:
            yield "filled", bool(value)
    if isinstance(value, dict) and isinstance(properties := schema.get("properties"), dict):
        required = _list_of(schema, "required")
        for name in properties:
            if name not in required:
                yield f"with {name}", name in value
                yield f"without {name}", name not in value


def _members(schema: dict[str, Json], value: Json, place: _Place, depth: int) -> Iterator[_Visit]:
    if isinstance(value, dict):
        properties = schema.get("properties")
        properties = properties if isinstance(properties, dict) else {}
        others = schema.get("additionalProperties")
        for name, member in list(value.items())[: 4 * MAX_ELEMENTS]:
            if name in properties:
                yield properties[name], member, (*place, "properties", name), depth
            elif isinstance(others, dict):
                yield others, member, (*place, "additionalProperties"), depth
    elif isinstance(value, list):
        first = _list_of(schema, "prefixItems")
        for number, (below, element) in enumerate(zip(first, value, strict=False)):
            yield below, element, (*place, "prefixItems", str(number)), depth
        if isinstance(items := schema.get("items"), dict):
            for element in value[len(first) : len(first) + MAX_ELEMENTS]:
                yield items, element, (*place, "items"), depth


def _list_of(schema: dict[str, Json], keyword: str) -> list[Json]:
    found = schema.get(keyword)
    return found if isinstance(found, list) else []


def _is_same(option: Json, value: Json) -> bool:
    return option == value and isinstance(option, bool) == isinstance(value, bool)
