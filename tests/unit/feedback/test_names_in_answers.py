"""Names that programs compare in what services answer: elements of XML, columns of rows, members of objects."""

from random import Random

import pytest

from hint_samples import hint
from wimble.feedback import apply_edit, edits_from_hints
from wimble.http.binding import http_operation
from wimble.model.setup_kinds.answer import BODY, HEADERS, new_answer
from wimble.model.testcase import Call, TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.types import OperationId

CALL = Call(http_operation(id=OperationId("GET /a"), method="GET", path="/a"), ())


def renamed(body, form, seen, wanted):
    answer = new_answer("https://a.example:443", "GET", "/a", body=body, form=form)
    case = TestCase((CALL,), (answer,))
    edits = edits_from_hints(case, [hint(seen, "===", wanted, name="tag.name")], Random(1), JAVASCRIPT)
    setups = [apply_edit(case, edit).setup[0] for edit in edits]
    assert all(one.genes[HEADERS] == answer.genes[HEADERS] for one in setups)
    return [one.genes[BODY].phenotype() for one in setups]


@pytest.mark.parametrize(
    ("form", "body", "expected"),
    [
        ("xml", {"root": {}}, {"product": {}}),
        ("xml", {"list": {"root": {"@id": "7"}}}, {"list": {"product": {"@id": "7"}}}),
        ("csv", [{"root": "x", "other": "y"}], [{"product": "x", "other": "y"}]),
        ("json", {"root": 7}, {"product": 7}),
    ],
)
def test_a_name_that_is_compared_becomes_the_wanted_one(form, body, expected):
    assert expected in renamed(body, form, "root", "product")


def test_the_names_of_headers_and_of_a_text_stay():
    assert {"product": {}} not in renamed({"root": {}}, "text", "root", "product")
    assert all("root" in body for body in renamed({"root": {}}, "xml", "content-type", "product"))


def test_a_member_that_a_client_library_has_made_empty_is_put_into_the_answer():
    answer = new_answer("https://a.example:443", "GET", "/a", status=402, body={"error": {"type": "card_error"}})
    case = TestCase((CALL,), (answer,))
    edits = edits_from_hints(case, [hint("", "===", "stolen", name="error.decline_code")], Random(1), JAVASCRIPT)
    bodies = [apply_edit(case, edit).setup[0].genes[BODY].phenotype() for edit in edits]
    assert {"error": {"type": "card_error", "decline_code": "stolen"}} in bodies
