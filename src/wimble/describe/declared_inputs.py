"""Joins what is declared of an input with the values that were accepted: both contribute to its schema."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from wimble.describe.secret_names import is_secret_name
from wimble.describe.shape_schemas import Schema, SchemaMaker
from wimble.describe.shapes import Shape
from wimble.types import Json

_NUMBER_RULES: Final = ("format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_TEXT_RULES: Final = ("format", "pattern", "minLength", "maxLength", "enum", "const")
_LIST_RULES: Final = ("minItems", "maxItems", "uniqueItems")


def joined_schema(declared: Schema, shape: Shape, maker: SchemaMaker, name: str = "") -> Schema:
    """Returns the schema of an input. name: of the member or parameter.

    The declared type stays if an accepted value has it; otherwise the types are those of accepted values. Declared
    rules stay unless a value that is still known contradicts them. Declared members that no accepted call had are
    optional.
    """
    if is_secret_name(name):
        declared = {key: value for key, value in declared.items() if key == "type"}
    if not shape.n_known or not declared:
        return maker.member_schema(name, shape) if shape.n_known else (declared if shape.n_values == 0 else {})
    shape = of_type(shape, declared.get("type")) or shape
    seen = maker.member_schema(name, shape)
    if "anyOf" in declared or "anyOf" in seen:
        return seen
    types = seen.get("type")
    main = types if isinstance(types, str) else next((one for one in types or () if one != "null"), "")
    if main == "object":
        return _joined_object(declared, shape, maker, seen)
    if main == "array" and declared.get("type") == "array":
        items = joined_schema(declared.get("items", {}), shape.elements or Shape(), maker)
        return {**seen, "items": items, **_rules(declared, _LIST_RULES)}
    return _joined_scalar(declared, shape, seen, main)


def of_type(shape: Shape, declared: Json) -> Shape | None:
    """Returns the shape of the values of the declared type, and null; None if there are none, or it is no one type.

    An API that does not check types accepts others as well, which the search has sent to find that out. That is no part
    of what the API offers.
    """
    nulls = shape.n_nulls
    if declared == "string" and shape.n_texts:
        return Shape(n_nulls=nulls, n_texts=shape.n_texts, texts=shape.texts, formats=shape.formats)
    if declared == "integer" and shape.n_integers:
        return Shape(n_nulls=nulls, n_integers=shape.n_integers)
    if declared == "number" and shape.n_integers + shape.n_fractions:
        return Shape(n_nulls=nulls, n_integers=shape.n_integers, n_fractions=shape.n_fractions)
    if declared == "boolean" and shape.n_booleans:
        return Shape(n_nulls=nulls, n_booleans=shape.n_booleans)
    if declared == "array" and shape.n_lists:
        return Shape(n_nulls=nulls, n_lists=shape.n_lists, elements=shape.elements)
    if declared == "object" and shape.n_objects:
        return msgspec.structs.replace(shape, n_texts=0, n_integers=0, n_fractions=0, n_booleans=0, n_lists=0, n_deep=0)
    return None


def _joined_object(declared: Schema, shape: Shape, maker: SchemaMaker, seen: Schema) -> Schema:
    fields: dict[str, Schema] = declared.get("properties", {})
    if not fields and "additionalProperties" in declared:
        return {"type": seen["type"], "additionalProperties": declared["additionalProperties"]}
    properties = dict(seen.get("properties", {}))
    for key, schema in fields.items():
        properties[key] = joined_schema(schema, shape.members.get(key, Shape()), maker, key)
    return {**seen, "properties": properties} if properties else seen


def _joined_scalar(declared: Schema, shape: Shape, seen: Schema, main: str) -> Schema:
    is_of_type = declared.get("type") == main or (declared.get("type") == "number" and main == "integer")
    if "enum" in declared and "type" not in declared:
        is_of_type = True
    if not is_of_type or not isinstance(seen.get("type"), str):
        return seen
    if main != "string":
        return {**seen, "type": declared.get("type", main), **_rules(declared, (*_NUMBER_RULES, "enum", "const"))}
    rules = _rules(declared, _TEXT_RULES)
    return {**seen, **rules} if _keeps_to(shape.texts, rules) else seen


def _rules(declared: Schema, names: tuple[str, ...]) -> Schema:
    return {name: declared[name] for name in names if name in declared}


def _keeps_to(texts: dict[str, int] | None, rules: dict[str, Json]) -> bool:
    """Whether all accepted texts keep to the rules. If there were too many to remember, the declaration is believed."""
    if texts is None:
        return "enum" not in rules and "const" not in rules
    least, most = rules.get("minLength", 0), rules.get("maxLength")
    values = rules.get("enum")
    pattern = _compiled(rules.get("pattern"))
    return all(
        len(text) >= least
        and (most is None or len(text) <= most)
        and (values is None or text in values)
        and (pattern is None or pattern.search(text))
        for text in texts
    )


def _compiled(pattern: str | None) -> re.Pattern[str] | None:
    """Returns the pattern, or None if there is none or Python cannot read it."""
    try:
        return None if pattern is None else re.compile(pattern)
    except re.error:
        return None
