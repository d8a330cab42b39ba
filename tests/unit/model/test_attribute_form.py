"""Items of DynamoDB are sent with the type of each value; in the body of an answer they are plain."""

import json

import pytest

from wimble.model.setup_kinds.attribute_form import with_types
from wimble.model.setup_kinds.body_forms import MARK, text_parts


@pytest.mark.parametrize(
    ("plain", "typed"),
    [
        ({"paid": True}, {"paid": {"BOOL": True}}),
        ({"port": "NO"}, {"port": {"S": "NO"}}),
        ({"n": 3, "rate": 0.5}, {"n": {"N": "3"}, "rate": {"N": "0.5"}}),
        ({"gone": None}, {"gone": {"NULL": True}}),
        ({"tags": ["a", {"b": 1}]}, {"tags": {"L": [{"S": "a"}, {"M": {"b": {"N": "1"}}}]}}),
    ],
)
def test_values_of_an_item_tell_their_types(plain, typed):
    assert with_types({"Item": plain, "ConsumedCapacity": {"Units": 1}}) == {
        "Item": typed,
        "ConsumedCapacity": {"Units": 1},
    }


def test_items_stand_in_lists_and_in_tables():
    assert with_types({"Items": [{"a": 1}, {}], "Count": 2}) == {"Items": [{"a": {"N": "1"}}, {}], "Count": 2}
    assert with_types({"Responses": {"orders": [{"a": 1}]}}) == {"Responses": {"orders": [{"a": {"N": "1"}}]}}
    assert with_types({"Responses": [{"Item": {"a": 1}}]}) == {"Responses": [{"Item": {"a": {"N": "1"}}}]}


@pytest.mark.parametrize("body", [[], "text", None, {"Item": "text"}, {"Items": 3}])
def test_bodies_of_another_shape_are_sent_as_they_are(body):
    assert with_types(body) == body


def test_the_form_is_sent_as_json():
    (text,) = text_parts("attributes", {"Item": {"a": "b"}})
    assert text.endswith(MARK)
    assert json.loads(text) == {"Item": {"a": {"S": "b"}}}
