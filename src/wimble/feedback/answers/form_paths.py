"""Translates paths in what a parser has made of an answer into paths in the answer's body.

Parsers of one form differ: the text of an XML attribute `a` is read as `@_a`, `@a`, `$.a` or `a`, and an element that
occurs once is a value or a list of one; rows of CSV are the result itself, or a member of it.
"""

from __future__ import annotations

from typing import Final

from wimble.feedback.input_to_state.json_paths import value_at
from wimble.model.setup_kinds.body_forms import (
    EVENT_FIELDS,
    SEPARATORS,
    XML_ATTRIBUTE,
    XML_TEXT,
    BodyForm,
    has_event_fields,
)
from wimble.types import Absent, Json

_ATTRIBUTES: Final = frozenset({"$", "_attributes", "attributes", "attr"})
"""Members that hold the attributes of an element."""
_TEXTS: Final = frozenset({"_", "#text", "_text", "$text", "$t", "__text"})
"""Members that hold the text of an element."""
_MAX_DEPTH: Final[dict[BodyForm, int]] = {"ini": 2, "colons": 1}
"""How deep members of a form are nested."""
_PREFIXES: Final = ("@_", "@", "$")


def path_in_body(form: BodyForm, path: tuple[str, ...], body: Json | Absent) -> tuple[str, ...] | None:
    """Returns the path in the body of an answer of that form; None if the body has no such place.

    Paths in the body itself are returned unchanged.
    """
    if form == "xml":
        return _in_xml(path, body)
    if form in SEPARATORS:
        first_row = next((at for at, name in enumerate(path) if name.isdigit()), None)
        return None if first_row is None else path[first_row:][:2]
    if form == "events":
        return _in_data(path, body)
    if form == "html":
        return None  # what parsers make of it are objects of their own, which selectors find
    return path if len(path) <= _MAX_DEPTH.get(form, len(path)) else None


def _in_data(path: tuple[str, ...], body: Json | Absent) -> tuple[str, ...]:
    """Returns the path in the data of a server-sent event, which may be one of its fields."""
    event = value_at(body, path[:1])
    if len(path) < 2 or not has_event_fields(event) or (path[1] in EVENT_FIELDS and path[1] != "data"):
        return path
    return path if path[1] == "data" else (path[0], "data", *path[1:])


def _in_xml(path: tuple[str, ...], body: Json | Absent) -> tuple[str, ...] | None:
    found: tuple[str, ...] = ()
    is_attribute = False
    for name in path:
        held = value_at(body, found)
        if name.isdigit() and not isinstance(held, list):
            if name != "0":
                return None
            continue
        if isinstance(held, list) and not name.isdigit():
            found += ("0",)
        if name in _ATTRIBUTES and not (isinstance(held, dict) and name in held):
            is_attribute = True
            continue
        found += (_xml_name(name, is_attribute=is_attribute),)
        is_attribute = False
    return found or None


def _xml_name(name: str, *, is_attribute: bool) -> str:
    if name in _TEXTS:
        return XML_TEXT
    prefix = next((one for one in _PREFIXES if name.startswith(one) and len(name) > len(one)), "")
    bare = name.removeprefix(prefix)
    return f"{XML_ATTRIBUTE}{bare}" if prefix or is_attribute else bare


def with_root(path: tuple[str, ...], body: Json | Absent) -> Json | Absent:
    """Returns the body of an XML answer in which the path can begin: a document has one root, named by the path."""
    is_other = isinstance(body, dict) and len(body) == 1 and path[0] not in body
    return {path[0]: {}} if is_other and not path[0].startswith(XML_ATTRIBUTE) else body
