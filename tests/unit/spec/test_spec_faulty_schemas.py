"""Schemas that are hard or impossible to keep to: kept to where that can be, warned of where not."""

from random import Random

import pytest

from wimble.genes import probabilities
from wimble.http.request_building import build_request
from wimble.model.testcase import Call
from wimble.spec.openapi.openapi_operations import load_openapi


@pytest.fixture(autouse=True)
def no_odd_values(monkeypatch):
    monkeypatch.setattr(probabilities, "VIOLATION_PROBABILITY", 0.0)


def loaded(*parameters, body=None):
    operation = {"parameters": list(parameters), "responses": {}}
    if body is not None:
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    document = {"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"post": operation}}}
    return load_openapi(document, "t.json")


def samples(specification, n=30):
    (operation,) = specification.operations
    rng = Random(1)
    return [
        Call(operation, tuple(spec.template.sampled(rng) for spec in operation.inputs)) for _ in range(n)
    ]  # fmt: skip


def bodies(schema):
    specification = loaded(body=schema)
    return [call.genes[0].phenotype() for call in samples(specification)], specification.warnings


def test_one_of_is_met_by_one_choice_only():
    small = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    large = {"type": "object", "properties": {"b": {"type": "string"}, "a": {"type": "string"}}, "required": ["b"]}
    values, warnings = bodies({"oneOf": [small, large]})
    assert all(("a" in value) != ("b" in value) for value in values)
    assert {key for value in values for key in value} >= {"a", "b"}
    assert warnings == ()


def test_choices_that_always_overlap_are_warned_of():
    option = {"type": "object", "properties": {"a": {"type": "string"}}}
    values, (warning,) = bodies({"oneOf": [option, dict(option)]})
    assert values
    assert "`oneOf` whose choices overlap" in warning
    assert "#/paths/~1a/post" in warning


def test_a_format_holds_beside_its_pattern():
    values, _ = bodies({"type": "string", "format": "date", "pattern": r"^\d{4}-\d{2}-\d{2}$"})
    assert all(1 <= int(value[5:7]) <= 12 and 1 <= int(value[8:]) <= 31 for value in values)
    values, _ = bodies({"type": "string", "format": "date", "pattern": r"^never-\d$"})
    assert all(value.startswith("never-") for value in values), "where both cannot be, the pattern is kept to"


def test_a_property_that_no_value_meets_is_left_out_and_a_body_warned_of():
    impossible = {"allOf": [{"type": "string"}, {"type": "integer"}]}
    values, warnings = bodies({"type": "object", "properties": {"no": impossible, "yes": {"type": "integer"}}})
    assert not any("no" in value for value in values)
    assert warnings == ()
    _, (warning,) = bodies(impossible)
    assert "a schema that contradicts itself" in warning


def test_examples_that_are_not_of_their_format_are_not_used_and_warned_of():
    values, (warning,) = bodies({"type": "string", "format": "uuid", "example": "4f4e4e1-c824"})
    assert "4f4e4e1-c824" not in values
    assert "'4f4e4e1-c824' is no uuid; not used" in warning


def test_a_required_array_is_never_empty_on_its_way():
    items = {"type": "array", "items": {"type": "string", "minLength": 1}}
    specification = loaded({"name": "tags", "in": "query", "required": True, "schema": items})
    assert all("tags=" in build_request(call).target for call in samples(specification))


def test_an_exploded_object_is_a_cookie_for_each_property():
    schema = {
        "type": "object",
        "required": ["x", "y"],
        "properties": {"x": {"type": "integer", "enum": [1]}, "y": {"type": "integer", "enum": [2]}},
    }
    for explode, cookie in ((None, "x=1; y=2"), (True, "x=1; y=2"), (False, "at=x%2C1%2Cy%2C2")):
        parameter = {"name": "at", "in": "cookie", "required": True, "schema": schema}
        specification = loaded(parameter if explode is None else {**parameter, "explode": explode})
        assert dict(build_request(samples(specification, 1)[0]).headers)["Cookie"] == cookie


def test_an_array_in_the_style_cookie_is_a_cookie_for_each_item():
    schema = {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 2, "maxItems": 2, "uniqueItems": True}
    for explode, cookies in (
        (None, {"at=a; at=b", "at=b; at=a"}),
        (False, {"at=a,b", "at=b,a", "at=a%2Cb", "at=b%2Ca"}),
    ):
        parameter = {"name": "at", "in": "cookie", "style": "cookie", "required": True, "schema": schema}
        specification = loaded(parameter if explode is None else {**parameter, "explode": explode})
        assert not specification.warnings
        assert dict(build_request(samples(specification, 1)[0]).headers)["Cookie"] in cookies
