"""Shapes: what they say does not depend on the order of values, and their schemas describe all of the values."""

from random import Random

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wimble.describe.shape_schemas import SchemaMaker
from wimble.describe.shapes import MAX_MEMBERS, Shape, is_made_up, merged, shape_of
from wimble.genes.taint_markers import made_up_name

KEYS = st.one_of(
    st.sampled_from(["id", "name", "createdAt", "tags", "2024-01-01", "a@b.co", "", "k3j9x"]), st.text(max_size=4)
)
TEXTS = st.one_of(
    st.text(max_size=70),
    st.sampled_from(
        ["open", "closed", "2024-02-29T10:00:00Z", "2024-02-29", "ada@example.com", "https://example.com/a"]
    ),
    st.uuids().map(str),
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=6)),
    max_leaves=15,
)
LISTS = st.lists(VALUES, max_size=6)


@given(LISTS)
def test_each_value_is_valid_against_the_schema_of_all(values):
    schema = SchemaMaker(["open", "closed"]).schema(shape_of(values))
    validator = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
    for value in values:
        validator.validate(value)


@given(LISTS, LISTS)
def test_merging_is_commutative(one, other):
    assert merged(shape_of(one), shape_of(other)) == merged(shape_of(other), shape_of(one))


@given(LISTS, LISTS, LISTS)
def test_merging_is_associative(one, two, three):
    a, b, c = shape_of(one), shape_of(two), shape_of(three)
    assert merged(merged(a, b), c) == merged(a, merged(b, c))


@given(LISTS, LISTS)
def test_merging_shapes_is_adding_values(one, other):
    assert merged(shape_of(one), shape_of(other)) == shape_of(one + other)


@given(LISTS)
def test_merging_changes_neither_shape(values):
    one, other = shape_of(values), shape_of(values)
    merged(one, other).add({"id": {"deep": [1]}})
    assert one == other == shape_of(values)


@given(
    st.permutations([{f"key{chr(97 + n % 26)}{chr(97 + n // 26)}": n} for n in range(MAX_MEMBERS + 20)]),
    st.integers(1, MAX_MEMBERS),
)
def test_too_many_members_are_data_in_any_order(values, cut):
    shape = shape_of(values)
    assert shape.is_map
    assert shape.members == {}
    assert shape == merged(shape_of(values[:cut]), shape_of(values[cut:]))


def schema_of(*values, constants=()):
    return SchemaMaker(constants).schema(shape_of(values))


@pytest.mark.parametrize(
    ("values", "schema"),
    [
        ([], {}),
        ([None], {"type": "null"}),
        ([1, 2], {"type": "integer"}),
        ([1, 2.5], {"type": "number"}),
        ([1, "a"], {"type": ["string", "integer"]}),
        ([1, None], {"type": ["integer", "null"]}),
        ([[]], {"type": "array", "items": {}}),
        ([[1], ["a"]], {"type": "array", "items": {"type": ["string", "integer"]}}),
        ([[1], {}], {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "object"}]}),
        (["2024-02-29", "2023-01-31"], {"type": "string", "format": "date"}),
        (["2024-02-29", "2023-02-29"], {"type": "string"}),
        (["2024-02-29T10:00:00.123Z"], {"type": "string", "format": "date-time"}),
        (["ada@example.com", "a@b.co"], {"type": "string", "format": "email"}),
        (["8e6b1f6a-1c5e-4f2c-9b1d-0a2b3c4d5e6f"], {"type": "string", "format": "uuid"}),
        (["8e6b1f6a-1c5e-4f2c-9b1d-0a2b3c4d5e6f", ""], {"type": "string"}),
        (["https://example.com/a?b=c"], {"type": "string", "format": "uri"}),
    ],
)
def test_schema_of_values(values, schema):
    assert schema_of(*values) == schema


def test_members_that_all_objects_have_are_required():
    assert schema_of({"id": 1, "note": "x"}, {"id": 2}) == {
        "type": "object",
        "properties": {"id": {"type": "integer"}, "note": {"type": "string"}},
        "required": ["id"],
    }


def test_keys_that_are_data_are_no_properties():
    assert schema_of({"2024-01-01": 3, "2024-01-02": 4}, {"total": 7, "2024-01-03": 0}) == {
        "type": "object",
        "properties": {"total": {"type": "integer"}},
        "additionalProperties": {"type": "integer"},
    }


def test_objects_of_one_type_without_common_keys_are_maps():
    stock = [{"apple": 1, "pear": 2}, {"plum": 3, "fig": 1}, {"lime": 3, "date": 4, "nut": 9}]
    assert schema_of(*stock) == {"type": "object", "additionalProperties": {"type": "integer"}}


def test_few_constants_of_the_code_are_an_enumeration():
    states = ["open", "closed"] * 5
    assert schema_of(*states, constants={"open", "closed", "other"}) == {"type": "string", "enum": ["closed", "open"]}
    assert schema_of(*states, None, constants={"open", "closed"})["enum"] == ["closed", "open", None]
    assert schema_of(*states, constants={"open"}) == {"type": "string"}
    assert schema_of("open", "closed", constants={"open", "closed"}) == {"type": "string"}


def test_a_shape_is_bounded():
    shape = Shape()
    nested = []
    for _ in range(200):
        nested = [nested]
    shape.add(nested)
    shape.add({f"name{chr(97 + n % 26)}{chr(97 + n // 26)}": "x" * n for n in range(676)})
    assert len(shape.members) <= MAX_MEMBERS
    depth, inner = 0, shape
    while inner.elements is not None:
        depth, inner = depth + 1, inner.elements
    assert depth < 30


def test_names_that_the_search_makes_up_look_like_it():
    rng = Random(1)
    assert all(is_made_up(made_up_name(rng)) for _ in range(500))
