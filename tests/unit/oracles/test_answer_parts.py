"""Which parts of a declared answer a body shows, and which it opens."""

import json

import pytest

from wimble.model.parts import MAX_PARTS
from wimble.oracles.documents.answer_parts import SchemaParts

BOOK = {
    "type": "object",
    "required": ["id"],
    "properties": {"id": {"type": "integer"}, "state": {"enum": ["new", "sold"]}, "gift": {"type": "boolean"}},
}


def shown(schema, *bodies):
    parts, found = SchemaParts(schema, "GET /x 200"), {}
    for body in bodies:
        for name, is_shown in parts.of_body(json.dumps(body).encode(), body).items():
            found[name.removeprefix("GET /x 200 ")] = found.get(name.removeprefix("GET /x 200 "), False) or is_shown
    return {name for name, was in found.items() if was}, {name for name, was in found.items() if not was}


def test_optional_properties_values_and_booleans():
    assert shown(BOOK, {"id": 1, "state": "new"}) == (
        {"#/ with state", "#/ without gift", "#/properties/state is 'new'"},
        {"#/ without state", "#/ with gift", "#/properties/state is 'sold'"},
    )
    assert shown(BOOK, {"id": 1, "gift": True})[1] == {"#/ with state", "#/ without gift", "#/properties/gift is False"}


def test_required_properties_are_no_parts():
    assert not any("id" in name for names in shown(BOOK, {"id": 1}) for name in names)


def test_lists_are_empty_and_filled_unless_that_is_ruled_out():
    assert shown({"type": "array", "items": {"type": "integer"}}, []) == ({"#/ empty"}, {"#/ filled"})
    assert shown({"type": "array", "minItems": 1}, [1]) == ({"#/ filled"}, set())


def test_null_in_both_ways_of_saying_it():
    assert shown({"type": ["string", "null"]}, "x") == ({"#/ is not null"}, {"#/ is null"})
    assert shown({"anyOf": [{"type": "string"}, {"type": "null"}]}, None) == ({"#/anyOf/1 taken"}, {"#/anyOf/0 taken"})


def test_alternatives_are_those_that_the_value_meets_and_are_looked_into():
    pets = {"oneOf": [{"$ref": "#/$defs/Dog"}, {"$ref": "#/$defs/Cat"}]}
    pets["$defs"] = {
        "Dog": {"type": "object", "required": ["bark"], "properties": {"bark": {"type": "boolean"}}},
        "Cat": {"type": "object", "required": ["lives"], "properties": {"lives": {"enum": [7, 9]}}},
    }
    assert shown(pets, {"lives": 9}) == (
        {"#/oneOf/1 taken", "#/$defs/Cat/properties/lives is 9"},
        {"#/oneOf/0 taken", "#/$defs/Cat/properties/lives is 7"},
    )


def test_components_are_the_same_wherever_they_are_shown():
    schema = {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/Book"}, "$defs": {"Book": BOOK}}
    name = "#/$defs/Book with state"
    assert all(name in SchemaParts(schema, of).of_body(b"1", [{"id": 1}]) for of in ("GET /x 200", "GET /y 200"))


def test_one_element_that_shows_a_part_is_enough():
    schema = {"type": "array", "minItems": 1, "items": BOOK}
    assert {"#/items with state", "#/items without state"} <= shown(schema, [{"id": 1}, {"id": 2, "state": "new"}])[0]


@pytest.mark.parametrize("body", [None, 5, "text", [], {"id": "x", "state": []}])
@pytest.mark.parametrize(
    "schema", [BOOK, True, {"enum": "no list"}, {"properties": []}, {"oneOf": [{"type": "nothing"}, {}]}]
)
def test_answers_and_schemas_may_be_anything(schema, body):
    shown(schema, body)


def test_there_is_an_end_to_parts():
    wide = {"type": "object", "properties": {f"p{number}": {} for number in range(MAX_PARTS)}}
    assert len(SchemaParts(wide, "GET /x 200").of_body(b"{}", {})) == MAX_PARTS


def test_a_schema_that_holds_itself_comes_to_an_end():
    tree = {
        "$ref": "#/$defs/Node",
        "$defs": {"Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}},
    }
    assert shown(tree, {"next": {"next": {}}}) == ({"#/$defs/Node with next", "#/$defs/Node without next"}, set())
