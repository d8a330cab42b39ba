"""Makes JSON Schemas (draft 2020-12) of shapes. Each value that was added to a shape is valid against its schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Final

from wimble.describe.secret_names import is_secret_name
from wimble.describe.shapes import Shape, merged
from wimble.genes.probabilities import MARKER_LENGTH
from wimble.types import Json

Schema = dict[str, Json]
ReferenceOf = Callable[[Shape], str]
"""Returns the name of the component that describes an object; empty if there is none."""

MIN_VALUES_OF_ENUMERATION: Final = 8
"""Number of texts that have to be seen before a set of constants of the code is taken for all of them."""
MAX_ENUMERATION: Final = 8
MIN_KEYS_OF_MAP: Final = 6
"""Number of different keys that objects without any common key must have so that the keys are taken for data."""
MANY_MEMBERS: Final = 40
"""Number of different members above which those that few objects have are taken for data."""
COMMON_SHARE: Final = 0.1
"""Share of the objects that must have a member, if there are many members, so that it is not taken for data."""

MADE_UP_SHARE: Final = 0.02
MANY_OBJECTS: Final = 20
"""Number of objects from which on a member that one or two of them have is rare."""
MAX_TYPES: Final = 2
"""Number of types, apart from null, above which the type says nothing: the SUT takes or stores any value there."""

_MARKER: Final = re.compile(rf"[a-z][a-z0-9]{{{MARKER_LENGTH - 1}}}\Z")
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9_./ -]*\Z")


class SchemaMaker:
    """Makes schemas. constants: texts in the code of the SUT."""

    def __init__(self, constants: Collection[str] = (), reference_of: ReferenceOf = lambda _: "") -> None:
        self._constants = constants
        self._reference_of = reference_of

    def schema(self, shape: Shape) -> Schema:
        """Returns the schema of a value; {} if nothing is known of it."""
        if shape.n_deep or shape.n_known == 0:
            return {"type": "null"} if shape.n_nulls and not shape.n_deep else {}
        if n_types(shape) > MAX_TYPES:
            return {}
        kinds = [kind for kind in (self._scalar(shape), self._list(shape), self._object(shape)) if kind]
        if len(kinds) == 1:
            return with_null(kinds[0]) if shape.n_nulls else kinds[0]
        return {"anyOf": [*kinds, {"type": "null"}] if shape.n_nulls else kinds}

    def member_schema(self, name: str, shape: Shape) -> Schema:
        """Returns the schema of a member or parameter. That of a secret says nothing about its values."""
        schema = self.schema(shape)
        if is_secret_name(name):
            schema = {key: value for key, value in schema.items() if key not in ("format", "enum")}
        return schema

    def _scalar(self, shape: Shape) -> Schema:
        if shape.n_scalars == 0:
            return {}
        types = []
        if shape.n_texts:
            types.append("string")
        if shape.n_fractions:
            types.append("number")
        elif shape.n_integers:
            types.append("integer")
        if shape.n_booleans:
            types.append("boolean")
        if len(types) > 1:
            return {"type": types}
        return {"type": types[0], **(self._text_rules(shape) if shape.n_texts else {})}

    def _text_rules(self, shape: Shape) -> Schema:
        if shape.formats:
            return {"format": min(shape.formats)}
        values = enumeration(shape, self._constants)
        return {"enum": values} if values else {}

    def _list(self, shape: Shape) -> Schema:
        if shape.n_lists == 0:
            return {}
        return {"type": "array", "items": self.schema(shape.elements) if shape.elements is not None else {}}

    def _object(self, shape: Shape) -> Schema:
        if shape.n_objects == 0:
            return {}
        name = self._reference_of(shape)
        return {"$ref": f"#/components/schemas/{name}"} if name else self.object_schema(shape)

    def object_schema(self, shape: Shape) -> Schema:
        """Returns the schema of the objects of a shape, in full even if a component describes them."""
        members, entries, is_map = split_members(shape)
        schema: Schema = {"type": "object"}
        if members:
            schema["properties"] = {key: self.member_schema(key, member) for key, member in members.items()}
        required = [key for key, member in members.items() if member.n_values == shape.n_objects]
        if required:
            schema["required"] = required
        # If the values under keys that are data have nothing in common, there is nothing to say of them.
        if is_map and entries is not None and is_uniform(entries):
            schema["additionalProperties"] = self.schema(entries)
        return schema


def with_null(schema: Schema) -> Schema:
    """Returns a schema that also allows null."""
    if "$ref" in schema or "anyOf" in schema:
        return {"anyOf": [*schema.get("anyOf", [schema]), {"type": "null"}]}
    types = schema["type"]
    nullable = {**schema, "type": [*(types if isinstance(types, list) else [types]), "null"]}
    if "enum" in schema:
        nullable["enum"] = [*schema["enum"], None]
    return nullable


def enumeration(shape: Shape, constants: Collection[str]) -> list[str]:
    """Returns the texts if they are few constants of the code, and seen often enough to be all; else [].

    An input that takes any text, and a member that shows one, has other texts as well after a search.
    """
    texts = shape.texts
    if texts is None or shape.n_texts < MIN_VALUES_OF_ENUMERATION or not 2 <= len(texts) <= MAX_ENUMERATION:
        return []
    return sorted(texts) if all(text in constants and _WORD.match(text) for text in texts) else []


def split_members(shape: Shape) -> tuple[dict[str, Shape], Shape | None, bool]:
    """Returns the members of the objects that have names, the values under other keys, and whether these are data.

    Members stay in the order in which they came.
    """
    members = shape.members
    if len(members) >= MIN_KEYS_OF_MAP and _is_keyed_by_data(shape):
        other = data = set(members)
    else:
        data = set[str]()
        if len(members) > MANY_MEMBERS:
            data = {key for key, one in members.items() if one.n_values < COMMON_SHARE * shape.n_objects}
        other = data | {key for key, one in members.items() if may_be_made_up(key) and _is_rare(one, shape)}
    entries = shape.entries
    for key in (key for key in members if key in other):
        entries = merged(entries, members[key])
    return {key: one for key, one in members.items() if key not in other}, entries, shape.has_data_keys or bool(data)


def may_be_made_up(key: str) -> bool:
    """Whether a name looks like those that the search makes up. Many real names do as well."""
    return _MARKER.match(key) is not None


def _is_rare(member: Shape, shape: Shape) -> bool:
    return member.n_values <= max(2, MADE_UP_SHARE * shape.n_objects) and shape.n_objects >= MANY_OBJECTS


def _is_keyed_by_data(shape: Shape) -> bool:
    """Whether the objects have no key in common, but values of one type."""
    members = list(shape.members.values())
    if shape.n_objects < 3 or any(2 * member.n_values > shape.n_objects for member in members):
        return False
    together = merged(None, None)
    for member in members:
        together = merged(together, member)
    return is_uniform(together)


def is_uniform(shape: Shape) -> bool:
    """Whether all values have one type, apart from null."""
    return shape.n_deep == 0 and n_types(shape) == 1


def n_types(shape: Shape) -> int:
    """Returns the number of types of values, apart from null; integers and fractions are one."""
    numbers = shape.n_integers + shape.n_fractions
    return sum(n > 0 for n in (numbers, shape.n_texts, shape.n_booleans, shape.n_lists, shape.n_objects))
