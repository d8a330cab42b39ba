"""How near answers are to the limits that their schemas declare."""

import pytest

from wimble.model.evaluation import Reached
from wimble.oracles.documents.response_limits import BASE_H, MAX_VISITS, Limits


def near(distance):
    return BASE_H + (1 - BASE_H) / (1 + distance)


def measured(schema, body):
    limits = Limits(schema)
    return {"/".join(limits.rules[index]): h for index, h in limits.measured(body).items()}


@pytest.mark.parametrize(
    ("schema", "value", "h"),
    [
        ({"minimum": 0}, 9, near(10)),
        ({"minimum": 0}, 0, near(1)),
        ({"minimum": 0}, -1, 1.0),
        ({"minimum": 0}, -0.25, 1.0),
        ({"exclusiveMinimum": 0}, 0.5, near(0.5)),
        ({"exclusiveMinimum": 0}, 0, 1.0),
        ({"maximum": 10}, 4, near(7)),
        ({"maximum": 10}, 10.5, 1.0),
        ({"exclusiveMaximum": 10}, 10, 1.0),
        ({"minLength": 3}, "four", near(2)),
        ({"minLength": 3}, "\U0001f600a", 1.0),
        ({"maxLength": 3}, "", near(4)),
        ({"maxLength": 3}, "four", 1.0),
        ({"minItems": 1}, [1], near(1)),
        ({"minItems": 1}, [], 1.0),
        ({"maxItems": 2}, [1], near(2)),
        ({"minimum": 0}, 10**400, near(1e300)),
    ],
)
def test_h_rises_towards_a_limit_and_is_1_beyond_it(schema, value, h):
    assert list(measured(schema, value).values()) == [pytest.approx(h)]


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"minimum": 0}, "text"),
        ({"minimum": 0}, True),
        ({"minimum": 0}, None),
        ({"minLength": 1}, 5),
        ({"maxItems": 1}, {}),
    ],
)
def test_limits_of_other_types_do_not_count(schema, value):
    assert measured(schema, value) == {}


def test_what_nothing_can_break_is_no_limit():
    assert not Limits({"minLength": 0, "minItems": 0})
    assert not Limits({"type": "object", "properties": {"a": {"type": "string"}}})
    assert not Limits(None)


BOOK = {
    "type": "object",
    "properties": {"price": {"minimum": 0}, "parts": {"type": "array", "items": {"$ref": "#/$defs/Book"}}},
}


def test_the_nearest_of_many_counts_and_cycles_end():
    schema = {"type": "array", "items": {"$ref": "#/$defs/Book"}, "$defs": {"Book": BOOK}}
    body = [{"price": 40}, {"price": 20, "parts": [{"price": 5, "parts": []}]}]
    assert measured(schema, body) == {"$defs/Book/properties/price/minimum": near(6)}


def test_places_in_objects_tuples_maps_and_combinations():
    schema = {
        "properties": {"pair": {"prefixItems": [{"minimum": 1}], "items": {"maximum": 9}}},
        "additionalProperties": {"anyOf": [{"maxLength": 5}, {"type": "null"}]},
        "allOf": [{"properties": {"pair": {"maxItems": 4}}}],
    }
    assert measured(schema, {"pair": [3, 8], "note": "abc", "none": None}) == {
        "properties/pair/prefixItems/0/minimum": near(3),
        "properties/pair/items/maximum": near(2),
        "additionalProperties/anyOf/0/maxLength": near(3),
        "allOf/0/properties/pair/maxItems": near(3),
    }


def test_alternatives_are_not_measured():
    assert not Limits({"oneOf": [{"minimum": 0}, {"minimum": 5}], "not": {"maximum": 3}})
    assert not Limits({"anyOf": [{"minimum": 0}, {"maxLength": 5}]})


def test_a_schema_that_needs_itself_and_a_huge_body_come_to_an_end():
    schema = {
        "$ref": "#/$defs/A",
        "$defs": {"A": {"allOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/A"}], "minimum": 0}},
    }
    assert measured(schema, 4) == {"$defs/A/minimum": near(5)}
    assert measured({"items": {"minimum": 0}}, [7] * (10 * MAX_VISITS)) == {"items/minimum": near(8)}


DECLARED = {
    "200": {
        "application/json": {
            "properties": {"n": {"minimum": 0}, "book": {"$ref": "#/$defs/Book"}},
            "$defs": {"Book": BOOK},
        }
    }
}


def test_the_judge_names_limits_by_operation_or_component(make, judge):
    op = make.operation(responses=DECLARED)
    evaluation = make.evaluation(
        (op, make.answer(200, {"n": 7, "book": {"price": 1}})),
        (op, make.answer(200, {"n": 3})),
        (op, make.answer(200, {"n": 5})),
    )
    assert judge.limits(evaluation) == {
        "GET /things 200 #/properties/n/minimum": Reached(near(4), 1),
        "#/$defs/Book/properties/price/minimum": Reached(near(2), 0),
    }


def test_a_broken_limit_is_a_finding_of_the_same_place(make, judge):
    evaluation = make.evaluation((make.operation(responses=DECLARED), make.answer(200, {"book": {"price": -1}})))
    (finding,) = judge(evaluation)
    (name,) = judge.limits(evaluation)
    assert judge.limits(evaluation)[name].h == 1.0
    assert name == f"#/{finding.key[-1]}"


def test_answers_that_no_schema_speaks_of_have_no_limits(make, judge):
    op, head = make.operation(responses=DECLARED), make.operation("HEAD", responses=DECLARED)
    evaluation = make.evaluation(
        (op, make.answer(500, {"n": 1})), (op, make.answer(404, {"n": 1})), (op, make.answer(200, b"no JSON")),
        (op, make.answer(200)), (op, "timeout"), (head, make.answer(200, {"n": 1})),
    )  # fmt: skip
    assert judge.limits(evaluation) == {}
