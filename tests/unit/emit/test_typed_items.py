"""An item of DynamoDB is written into tests as it is sent, and as an object."""

from wimble.emit.mock_answers import mock_line
from wimble.model.setup_kinds.answer import new_answer
from wimble.model.testcase import TestCase

TABLES = "https://dynamodb.eu-central-1.amazonaws.com:443"


def test_an_item_is_an_object_with_the_types_of_its_values():
    answer = new_answer(TABLES, "POST", "/", body={"Item": {"paid": True}}, form="attributes")
    line = mock_line(answer, TestCase((), (answer,)))
    assert line.body == {"Item": {"paid": {"BOOL": True}}}
    assert line.headers == {"content-type": "application/x-amz-json-1.0"}
