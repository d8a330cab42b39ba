"""Recognises the part of a call to which a schema was applied, by the value that the validation library got.

The value may be a copy with converted members: a framework parses it, defaults are added, texts are trimmed. So the
part that is most like it is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from wimble.genes import Gene
from wimble.model.testcase import Call
from wimble.model.validation import OPTIONAL, AppliedSchema, Validation
from wimble.spec.graphql.call_gene import CallGene
from wimble.types import ABSENT, Json

MIN_LIKENESS: Final = 0.6
MAX_DEPTH: Final = 4
MIN_TEXT: Final = 3
"""Length of a scalar's text from which it identifies an input."""
SHORT_LIKENESS: Final = 0.5
"""Likeness of equal shorter texts, which is too little for a scalar, and enough for a member of an object."""
PARTS: Final = {
    "body": "body",
    "query": "query",
    "params": "path",
    "param": "path",
    "path": "path",
    "headers": "header",
    "header": "header",
    "cookies": "cookie",
}
"""Names under which schemas of whole requests have the parts of a call."""
ELEMENTS: Final = "*"
"""Stands for all elements of a list in a place that a library names."""
_PARAMETERS: Final = ("query", "path", "header", "cookie")


class ValidatedPlace(msgspec.Struct, frozen=True):
    """A part of the calls of an operation."""

    location: str
    """`body`, `query`, `path`, `header`, `cookie`."""
    path: tuple[str, ...] = ()
    """Names that lead from the part to the value; empty for the whole part."""
    pointer: tuple[str, ...] = ()
    """Names of members that lead to the part's own schema, in a schema of several parts."""
    is_certain: bool = True
    """False for a part that was guessed, since the value was empty."""


def places_of(call: Call, one: Validation) -> list[ValidatedPlace]:
    """Returns the parts of the call to which the schema was applied; none if nothing in the call is like the value."""
    if one.place:
        return [ValidatedPlace(one.place[0], one.place[1:])]
    value = one.value
    if value is ABSENT or value == {}:
        return _guessed(call)
    found = _likest(call, value)
    if found is not None:
        return [found]
    if isinstance(value, dict) and value and value.keys() <= PARTS.keys():
        return list(_of_parts(call, value))
    return []


def of_list(applied: AppliedSchema, place: ValidatedPlace) -> tuple[AppliedSchema, ValidatedPlace]:
    """Returns the schema of the list, and its place, for a schema that was applied to its elements (`items.*.sku`).

    Other schemas and places are returned as they are.
    """
    if ELEMENTS not in place.path:
        return applied, place
    at = place.path.index(ELEMENTS)
    schema: dict[str, Any] = {"$ref": "#/$defs/element"}
    for name in reversed(place.path[at:]):
        if name == ELEMENTS:
            schema = {"type": "array", "items": schema}
        else:
            schema = {"type": "object", "properties": {name: schema}}
            if not applied.is_optional:
                schema["required"] = [name]
    # What is asked of elements does not ask for the list.
    schema |= {"$defs": {"element": moved_references(applied.schema, "#/$defs/element")}, OPTIONAL: True}
    whole = msgspec.structs.replace(place, path=place.path[:at])
    return AppliedSchema.of(applied.library, schema), whole


def moved_references(schema: Any, place: str) -> Any:
    """Returns the schema with its references to `#/...` leading to `PLACE/...`, where it is put."""
    if isinstance(schema, dict):
        moved = {name: moved_references(value, place) for name, value in schema.items()}
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference.startswith("#"):
            moved["$ref"] = f"{place}{reference[1:]}"
        return moved
    return [moved_references(one, place) for one in schema] if isinstance(schema, list) else schema


def _guessed(call: Call) -> list[ValidatedPlace]:
    """Returns where an empty value may come from: the content that the call left out, else its query."""
    if is_whole_document(call):
        return []
    if any(given.role == "content" for given in call.operation.inputs):
        content = _content(call)
        if content is ABSENT or content == {}:
            return [ValidatedPlace("body", is_certain=False)]
    return [ValidatedPlace("query", is_certain=False)] if not _parameters(call, "query") else []


def _of_parts(call: Call, value: dict[str, Any]) -> Iterator[ValidatedPlace]:
    for name in value:
        location = PARTS[name]
        sent = _content(call) if location == "body" else _parameters(call, location)
        part = value[name]
        if part is None or part == {} or likeness(part, sent) >= MIN_LIKENESS or location == "header":
            yield ValidatedPlace(location, pointer=(name,))


def _likest(call: Call, value: Json) -> ValidatedPlace | None:
    best, best_place, is_doubtful = MIN_LIKENESS, None, False
    for place, sent in _iter_parts(call):
        found = likeness(value, sent)
        is_doubtful = found == best if found >= best and best_place is not None else is_doubtful
        # Of parts that are alike, the first one stays: outer parts come before inner ones.
        if found > best or (found == best and best_place is None):
            best, best_place = found, place
    # The same text in several members (a user's address, sent under all usual names) tells of none of them.
    return None if is_doubtful and not isinstance(value, (dict, list)) else best_place


def is_whole_document(call: Call) -> bool:
    """Whether the content of the call is a document of GraphQL, of which only the variables can be changed."""
    return any(isinstance(gene, CallGene) for gene in call.genes)


def _iter_parts(call: Call) -> Iterator[tuple[ValidatedPlace, Json]]:
    content = _content(call)
    if content is not ABSENT:
        yield from ((ValidatedPlace("body", path), part) for path, part in _iter_members(content, (), 0))
    for location in _PARAMETERS:
        sent = _parameters(call, location)
        if location == "header":
            # Clients send headers of their own.
            sent = {**{name.lower(): value for name, value in sent.items()}, "host": ABSENT}
        yield ValidatedPlace(location), sent
        if location != "header":
            for name, one in sent.items():
                yield ValidatedPlace(location, (name,)), one
        # A JSON document may hold the value below members of its own.
        for name in _json_parameters(call, location):
            members = _iter_members(sent.get(name, ABSENT), (name,), 0)
            yield from ((ValidatedPlace(location, path), part) for path, part in members if len(path) > 1)


def _iter_members(value: Json, path: tuple[str, ...], depth: int) -> Iterator[tuple[tuple[str, ...], Json]]:
    yield path, value
    if isinstance(value, dict) and depth < MAX_DEPTH:
        for name, member in value.items():
            yield from _iter_members(member, (*path, name), depth + 1)


def _content(call: Call) -> Json:
    for given, gene in zip(call.operation.inputs, call.genes, strict=True):
        if given.role == "content":
            return gene.phenotype()
    return ABSENT


def sent_part(call: Call, location: str, path: tuple[str, ...]) -> Json:
    """Returns the value of a part of the call; ABSENT if it is not sent."""
    value = _content(call) if location == "body" else _parameters(call, location)
    for name in path:
        value = value.get(name, ABSENT) if isinstance(value, dict) else ABSENT
    return value


def _parameters(call: Call, location: str) -> dict[str, Json]:
    sent: dict[str, Json] = {}
    for given, gene in zip(call.operation.inputs, call.genes, strict=True):
        if given.sent_in == location and given.role != "content":
            value = _value(gene)
            if value is not ABSENT and given.name:
                sent[given.name] = value
            elif isinstance(value, dict):
                sent |= value
    return sent


def _json_parameters(call: Call, location: str) -> list[str]:
    inputs = call.operation.inputs
    return [given.name for given in inputs if given.sent_in == location and given.role != "content" and given.is_json]


def _value(gene: Gene) -> Json:
    return gene.phenotype()


def likeness(value: Json, sent: Json) -> float:
    """Returns how like a value of the SUT is to one that was sent, from 0 to 1."""
    if isinstance(value, dict) and isinstance(sent, dict):
        return _of_objects(value, sent)
    if isinstance(value, list) and isinstance(sent, list):
        if len(value) != len(sent):
            return 0.3
        return sum(likeness(*pair) for pair in zip(value, sent, strict=True)) / len(value) if value else 0.9
    if isinstance(value, (dict, list)) or isinstance(sent, (dict, list)):
        return 0.0
    text, sent_text = _text(value), _text(sent)
    if text != sent_text:
        return 0.0
    return 1.0 if len(text) >= MIN_TEXT else SHORT_LIKENESS


def _of_objects(value: dict[str, Json], sent: dict[str, Json]) -> float:
    if "$date" in value:
        return 0.0
    names = value.keys() | sent.keys()
    shared = value.keys() & sent.keys()
    if not names:
        return 0.9
    if not shared:
        return 0.0
    alike = sum(_is_like(value[name], sent[name]) for name in shared)
    # A member that only the SUT has may be a default; one that it lacks may have been dropped.
    return 0.5 * len(shared) / len(names) + 0.5 * alike / len(shared)


def _is_like(value: Json, sent: Json) -> float:
    if sent is ABSENT or value is None:
        return 1.0
    if isinstance(value, dict) and "$date" in value:
        return 1.0 if isinstance(sent, str) else 0.0
    if isinstance(value, str) and isinstance(sent, str):
        return 1.0 if value.strip().lower() == sent[: max(len(value), 1)].strip().lower() else 0.0
    return likeness(value, sent)


def _text(value: Json) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
