"""Checks and repairs the keywords of a schema that hold no schemas themselves.

A keyword with a value of another type is read as its author meant it, if that is clear, and dropped otherwise, with a
warning.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any, Final, Literal, TypeAlias

from wimble.genes.string_formats import FORMATS
from wimble.spec.loading.document import Document, at, shown
from wimble.spec.schemas.described_examples import described_examples
from wimble.spec.schemas.schema_patterns import usable_pattern

Direction = Literal["request", "response"]

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

TWIN_OF: Final = "twinOf"
"""Keyword of converted schemas: name of the member beside this one that has the same value."""
_TWIN: Final = re.compile(r"1/([^/~]+)")
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


class KeywordReader:
    """Reads single keywords into `out`, the converted schema. `place` is the JSON pointer of the schema or keyword."""

    def __init__(self, document: Document, direction: Direction) -> None:
        self._document = document
        self._direction = direction

    def read(self, key: str, value: Any, out: dict[str, Any], place: str) -> None:
        """Reads the keyword at `place`; unknown ones are dropped."""
        if handler := _HANDLERS.get(key):
            handler(self, value, out, place)

    def read_types(self, raw: dict[str, Any], out: dict[str, Any], place: str) -> None:
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

    def read_limits(self, raw: dict[str, Any], out: dict[str, Any], place: str) -> None:
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
        if not self.is_a(str, value, place, "a regular expression"):
            return
        if len(value) > 2 and value[0] == value[-1] == "/":
            self._warn(place, "a regular expression between slashes", "read without them")
            value = value[1:-1]
        pattern = self.usable(value, place)
        if pattern is not None:
            out["pattern"] = pattern

    def usable(self, pattern: str, place: str) -> str | None:
        usable = usable_pattern(pattern)
        if usable is None:
            self._warn(place, f"{shown(pattern)} cannot be used as a regular expression", "ignored")
        return usable

    def _enum(self, value: Any, out: dict[str, Any], place: str) -> None:
        if not self.is_a(list, value, place, "an array"):
            return
        if not value:
            self._warn(place, "no values", "ignored")
            return
        out["enum"] = value

    def fit_options(self, out: dict[str, Any], place: str) -> None:
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
        """Reads a constant, or `{$data: '1/password'}` of ajv: the value is that of the member beside it."""
        twin = _TWIN.fullmatch(value["$data"]) if _is_reference_to_data(value) else None
        if twin is not None:
            out[TWIN_OF] = twin[1]
        elif not _is_reference_to_data(value):
            out["const"] = value

    def _required(self, value: Any, out: dict[str, Any], place: str) -> None:
        if isinstance(value, bool):
            # Draft 3 and parameters: the property itself says that it is required. Too common for a warning.
            return
        if not self.is_a(list, value, place, "an array of names"):
            return
        names = [name for name in value if isinstance(name, str)]
        if len(names) != len(value):
            self._warn(place, "not all elements are names", "the others are ignored")
        if names:
            out["required"] = list(dict.fromkeys(names))

    def _flag(self, value: Any, out: dict[str, Any], place: str) -> None:
        if self.is_a(bool, value, place, "true or false"):
            out[place.rsplit("/", 1)[-1]] = value

    def _xml(self, value: Any, out: dict[str, Any], place: str) -> None:
        if self._direction == "request" and self.is_a(dict, value, place, "an object"):
            out["xml"] = value

    def _media(self, value: Any, out: dict[str, Any], place: str) -> None:
        """Keeps `contentMediaType` and `contentEncoding`, with which 3.1 declares that a text is a file."""
        if self.is_a(str, value, place, "text") and self._direction == "request":
            out[place.rsplit("/", 1)[-1]] = value

    def _format(self, value: Any, out: dict[str, Any], place: str) -> None:
        if self.is_a(str, value, place, "text"):
            out["format"] = value

    def _dependent(self, value: Any, out: dict[str, Any], place: str) -> None:
        if self.is_a(dict, value, place, "an object"):
            out["dependentRequired"] = {
                name: [other for other in others if isinstance(other, str)]
                for name, others in value.items()
                if isinstance(others, list)
            }

    def read_examples(self, raw: dict[str, Any], out: dict[str, Any], place: str) -> None:
        found = [raw[key] for key in ("example", "x-example") if key in raw]
        several = raw.get("examples")
        if isinstance(several, list):
            found += several
        elif isinstance(several, dict):
            found += [one.get("value", one) if isinstance(one, dict) else one for one in several.values()]
        found = [value for value in found if self._is_of_its_format(value, out, at(place, "example"))]
        found = found or described_examples(out, raw.get("description"))
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

    def is_a(self, kind: type, value: Any, place: str, expected: str) -> bool:
        if isinstance(value, kind):
            return True
        self._warn(place, f"{expected} is expected, found {shown(value)}", "ignored")
        return False

    def _warn(self, place: str, what: str, instead: str) -> None:
        self._document.warn(place, what, instead)


def _is_reference_to_data(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {"$data"} and isinstance(value["$data"], str)


_Handler: TypeAlias = Callable[[KeywordReader, Any, dict[str, Any], str], None]
_HANDLERS: dict[str, _Handler] = {
    "multipleOf": KeywordReader._multiple,
    "pattern": KeywordReader._pattern,
    "enum": KeywordReader._enum,
    "const": KeywordReader._const,
    "required": KeywordReader._required,
    "format": KeywordReader._format,
    "xml": KeywordReader._xml,
    "contentMediaType": KeywordReader._media,
    "contentEncoding": KeywordReader._media,
    "dependentRequired": KeywordReader._dependent,
    **dict.fromkeys(("uniqueItems", "readOnly", "writeOnly"), KeywordReader._flag),
    **dict.fromkeys(_COUNTS, KeywordReader._count),
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
