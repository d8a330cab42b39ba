"""Converts schema objects of any OpenAPI version to valid, self-contained JSON Schema 2020-12.

The result has only known keywords, with values of the right type, so its readers need no checks: whatever is malformed
is repaired or dropped here, with a warning. Local references become `#/$defs/NAME`; recursive schemas stay recursive.
Annotations that the search uses (`default`, `examples`, `readOnly`, `format`) are kept.
"""

from __future__ import annotations

import json
import math
import re
from collections import deque
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from wimble.genes.string_formats import FORMATS
from wimble.spec.loading.document import MISSING, Document, at, shown
from wimble.spec.schemas.schema_patterns import usable_pattern

Schema: TypeAlias = "dict[str, Any] | bool"
Direction = Literal["request", "response"]

MAX_INLINE_DEPTH = 60
"""Maximum nesting of schemas without a reference in between; deeper schemas allow any value."""

DEFINITION_PREFIX = "#/$defs/"

_TYPES = ("string", "number", "integer", "boolean", "array", "object", "null")
_MISNAMED_TYPES: dict[str, tuple[str | None, str | None]] = {
    # name -> (type, format); types of programming languages that authors write by mistake
    "int": ("integer", None), "int32": ("integer", "int32"), "int64": ("integer", "int64"), "long": ("integer",
    "int64"),
    "float": ("number", "float"), "double": ("number", "double"), "decimal": ("number", None),
    "bool": ("boolean", None),
    "str": ("string", None), "text": ("string", None), "date": ("string", "date"), "datetime": ("string", "date-time"),
    "date-time": ("string", "date-time"), "uuid": ("string", "uuid"), "email": ("string", "email"), "url": ("string",
    "uri"),
    "uri": ("string", "uri"), "list": ("array", None), "map": ("object", None), "dict": ("object", None),
    "hash": ("object", None), "json": (None, None), "any": (None, None), "mixed": (None, None),
}  # fmt: skip

_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_COUNTS = (
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "minContains",
    "maxContains",
)
_LARGEST_REQUESTED = {"minLength": 100_000, "minItems": 200, "minProperties": 200}
"""Larger minima are ignored, since the requests would consist mostly of filler."""
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
        self._types(raw, out, place)
        for key, value in raw.items():
            if value is None and key not in ("const", "default", "example"):
                continue
            self._keyword(key, value, out, raw=raw, place=place, depth=depth)
        self._limits(raw, out, place)
        self._fit_options(out, place)
        self._examples(raw, out, place)
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
            if self._is(dict, value, here, "an object"):
                out[key] = {
                    known: self._schema(child, at(here, name), depth + 1)
                    for name, child in value.items()
                    if (known := self._usable(name, at(here, name)) if key == "patternProperties" else name) is not None
                }
        elif key in _SCHEMA_LISTS:
            if self._is(list, value, here, "an array") and value:
                out[key] = [self._schema(child, at(here, index), depth + 1) for index, child in enumerate(value)]
        elif handler := _HANDLERS.get(key):
            handler(self, value, out, here)

    def _tuple_items(self, value: list[Any], out: dict[str, Any], raw: dict[str, Any], place: str, depth: int) -> None:
        """Converts the tuples of draft 4: an array as `items`, and `additionalItems` for further elements."""
        if value:
            out["prefixItems"] = [self._schema(child, at(place, index), depth + 1) for index, child in enumerate(value)]
        if isinstance(rest := raw.get("additionalItems"), (dict, bool)):
            out["items"] = self._schema(rest, place, depth + 1)

    # --- single keywords ---

    def _types(self, raw: dict[str, Any], out: dict[str, Any], place: str) -> None:
        value = raw.get("type")
        if value is None:
            return
        found: list[str] = []
        for name in value if isinstance(value, list) else [value]:
            kind = self._one_type(name, out, at(place, "type"))
            if kind is None:
                return
            if kind not in found:
                found.append(kind)
        if found:
            out["type"] = found[0] if len(found) == 1 else found

    def _one_type(self, name: Any, out: dict[str, Any], place: str) -> str | None:
        if name in _TYPES:
            return str(name)
        if name == "file":
            out["format"] = "binary"
            return "string" if self._direction == "request" else None
        lower = name.strip().lower() if isinstance(name, str) else ""
        if lower in _TYPES:
            self._warn(place, f"unknown type {shown(name)}", f"`{lower}` is used")
            return lower
        if lower in _MISNAMED_TYPES:
            kind, text_format = _MISNAMED_TYPES[lower]
            if text_format:
                out.setdefault("format", text_format)
            if kind:
                self._warn(place, f"unknown type {shown(name)}", f"`{kind}` is used")
                return kind
        self._warn(place, f"unknown type {shown(name)}", "any type is allowed")
        return None

    def _limits(self, raw: dict[str, Any], out: dict[str, Any], place: str) -> None:
        for key in _NUMBERS:
            value = raw.get(key)
            if value is None or isinstance(value, bool):
                continue
            number = self._number(value, at(place, key))
            if number is not None:
                out[key] = number
        for exclusive, limit in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
            # Drafts before 6 (OpenAPI 2.0 and 3.0): a boolean that makes the limit beside it exclusive.
            if raw.get(exclusive) is True and limit in out:
                out[exclusive] = out.pop(limit)
        for lowest, highest in (
            ("minimum", "maximum"),
            *((f"min{n}", f"max{n}") for n in ("Length", "Items", "Properties")),
        ):
            if lowest in out and highest in out and out[lowest] > out[highest]:
                self._warn(place, f"{lowest} {out[lowest]} is above {highest} {out[highest]}", "both are ignored")
                del out[lowest], out[highest]

    def _number(self, value: Any, place: str) -> int | float | None:
        if isinstance(value, str):
            try:
                number = float(value)
            except ValueError:
                number = math.nan
            if math.isfinite(number):
                self._warn(place, f"a number is expected, found {shown(value)}", "read as a number")
                return int(number) if number.is_integer() else number
        if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
            return value
        self._warn(place, f"a number is expected, found {shown(value)}", "ignored")
        return None

    def _multiple(self, value: Any, out: dict[str, Any], place: str) -> None:
        number = self._number(value, place)
        if number is not None and number > 0:
            out["multipleOf"] = number
        elif number is not None:
            self._warn(place, f"must be above 0, found {shown(value)}", "ignored")

    def _count(self, value: Any, out: dict[str, Any], place: str) -> None:
        number = self._number(value, place)
        if number is None:
            return
        key = place.rsplit("/", 1)[-1]
        if number < 0 or number != int(number):
            self._warn(place, f"a count is expected, found {shown(value)}", "ignored")
        elif self._direction == "request" and number > _LARGEST_REQUESTED.get(key, number):
            self._warn(place, f"more than {_LARGEST_REQUESTED[key]} would have to be sent", "ignored")
        else:
            out[key] = int(number)

    def _pattern(self, value: Any, out: dict[str, Any], place: str) -> None:
        if not self._is(str, value, place, "a regular expression"):
            return
        if len(value) > 2 and value[0] == value[-1] == "/":
            self._warn(place, "a regular expression between slashes", "read without them")
            value = value[1:-1]
        pattern = self._usable(value, place)
        if pattern is not None:
            out["pattern"] = pattern

    def _usable(self, pattern: str, place: str) -> str | None:
        usable = usable_pattern(pattern)
        if usable is None:
            self._warn(place, f"{shown(pattern)} cannot be used as a regular expression", "ignored")
        return usable

    def _enum(self, value: Any, out: dict[str, Any], place: str) -> None:
        if not self._is(list, value, place, "an array"):
            return
        if not value:
            self._warn(place, "no values", "ignored")
            return
        out["enum"] = value

    def _fit_options(self, out: dict[str, Any], place: str) -> None:
        """Converts options to the declared type if none has this type, such as `type: string` with `enum: [1, 2]`.

        YAML reads numbers where the author means text; in JSON, the reverse occurs.
        """
        kind = out.get("type")
        options = out.get("enum")
        if not isinstance(kind, str) or options is None or any(_is_option_of(option, kind) for option in options):
            return
        fitted = [_converted(option, kind) for option in options]
        if any(option is not None for option in fitted):
            self._warn(at(place, "enum"), f"no value is of type {kind}", f"they are read as {kind}")
            out["enum"] = [option for option in fitted if option is not None]

    def _const(self, value: Any, out: dict[str, Any], place: str) -> None:
        out["const"] = value

    def _required(self, value: Any, out: dict[str, Any], place: str) -> None:
        if isinstance(value, bool):
            # Draft 3 and parameters: the property itself says that it is required. Too common for a warning.
            return
        if not self._is(list, value, place, "an array of names"):
            return
        names = [name for name in value if isinstance(name, str)]
        if len(names) != len(value):
            self._warn(place, "not all elements are names", "the others are ignored")
        if names:
            out["required"] = list(dict.fromkeys(names))

    def _flag(self, value: Any, out: dict[str, Any], place: str) -> None:
        if self._is(bool, value, place, "true or false"):
            out[place.rsplit("/", 1)[-1]] = value

    def _xml(self, value: Any, out: dict[str, Any], place: str) -> None:
        if self._direction == "request" and self._is(dict, value, place, "an object"):
            out["xml"] = value

    def _media(self, value: Any, out: dict[str, Any], place: str) -> None:
        """Keeps `contentMediaType` and `contentEncoding`, with which 3.1 declares that a text is a file."""
        if self._is(str, value, place, "text") and self._direction == "request":
            out[place.rsplit("/", 1)[-1]] = value

    def _format(self, value: Any, out: dict[str, Any], place: str) -> None:
        if self._is(str, value, place, "text"):
            out["format"] = value

    def _dependent(self, value: Any, out: dict[str, Any], place: str) -> None:
        if self._is(dict, value, place, "an object"):
            out["dependentRequired"] = {
                name: [other for other in others if isinstance(other, str)]
                for name, others in value.items()
                if isinstance(others, list)
            }

    def _examples(self, raw: dict[str, Any], out: dict[str, Any], place: str) -> None:
        found = [raw[key] for key in ("example", "x-example") if key in raw]
        several = raw.get("examples")
        if isinstance(several, list):
            found += several
        elif isinstance(several, dict):
            found += [one.get("value", one) if isinstance(one, dict) else one for one in several.values()]
        found = [value for value in found if self._is_of_its_format(value, out, at(place, "example"))]
        if found:
            out["examples"] = found
        if "default" in raw and self._is_of_its_format(raw["default"], out, at(place, "default")):
            out["default"] = raw["default"]

    def _is_of_its_format(self, value: Any, out: dict[str, Any], place: str) -> bool:
        kind = FORMATS.get(out.get("format", ""))
        if kind is None or not isinstance(value, str) or out.get("type", "string") != "string" or kind.is_valid(value):
            return True
        self._document.warn(place, f"{shown(value)} is no {out['format']}", "not used")
        return False

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

    def _is(self, kind: type, value: Any, place: str, expected: str) -> bool:
        if isinstance(value, kind):
            return True
        self._warn(place, f"{expected} is expected, found {shown(value)}", "ignored")
        return False

    def _warn(self, place: str, what: str, instead: str) -> None:
        self._document.warn(place, what, instead)


_MEANT_SIBLINGS = frozenset(["nullable", "x-nullable", "readOnly", "writeOnly", "default", "example"])

_Handler: TypeAlias = Callable[[SchemaNormaliser, Any, dict[str, Any], str], None]
_HANDLERS: dict[str, _Handler] = {
    "multipleOf": SchemaNormaliser._multiple,
    "pattern": SchemaNormaliser._pattern,
    "enum": SchemaNormaliser._enum,
    "const": SchemaNormaliser._const,
    "required": SchemaNormaliser._required,
    "format": SchemaNormaliser._format,
    "xml": SchemaNormaliser._xml,
    "contentMediaType": SchemaNormaliser._media,
    "contentEncoding": SchemaNormaliser._media,
    "dependentRequired": SchemaNormaliser._dependent,
    **dict.fromkeys(("uniqueItems", "readOnly", "writeOnly"), SchemaNormaliser._flag),
    **dict.fromkeys(_COUNTS, SchemaNormaliser._count),
}


def _is_option_of(option: Any, kind: str) -> bool:
    python_types: dict[str, type | tuple[type, ...]] = {
        "string": str,
        "integer": int,
        "number": (int, float),
        "boolean": bool,
    }
    expected = python_types.get(kind)
    if expected is None:
        return True
    return isinstance(option, expected) and (kind == "boolean" or not isinstance(option, bool))


def _converted(option: Any, kind: str) -> Any:
    """Returns `option` as a value of type `kind`, or None."""
    if kind == "string":
        return json.dumps(option) if isinstance(option, (bool, int, float)) else None
    if not isinstance(option, str):
        return None
    if kind == "boolean":
        return {"true": True, "false": False}.get(option.strip().lower())
    try:
        number = float(option)
    except ValueError:
        return None
    if not math.isfinite(number):
        return None
    return int(number) if number.is_integer() else number if kind == "number" else None


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
