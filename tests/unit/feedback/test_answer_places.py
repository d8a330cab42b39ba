"""Where a member of a name belongs in the answers of services."""

import base64
import json
from random import Random

import pytest

from hint_samples import hint
from wimble.feedback import apply_edit, edits_from_hints
from wimble.feedback.answers.answer_places import object_paths, place_at, places_in_answers
from wimble.genes.signed_token import claims_in
from wimble.http.binding import http_operation
from wimble.model.setup_kinds.answer import BODY, new_answer
from wimble.model.testcase import Call, TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.search.access.own_tokens import issued_token
from wimble.types import OperationId

CALL = Call(http_operation(id=OperationId("POST /sessions"), method="POST", path="/sessions"), ())


def bodies_with(name, value, body):
    test_case = TestCase((CALL,), (new_answer("https://login.example:443", "POST", "/token", body=body),))
    made = [test_case.with_gene(*place) for _, place in places_in_answers(name, value, test_case)]
    return [one.setup[0].body(one) for one in made]


def place_body(path, value, body):
    test_case = TestCase((CALL,), (new_answer("https://queue.example:443", "POST", "/", body=body),))
    place = place_at(test_case, 0, path, value)
    assert place is not None
    return test_case.with_gene(*place).setup[0].body(test_case.with_gene(*place))


def test_a_list_of_which_a_named_member_is_read_becomes_an_object():
    test_case = TestCase((CALL,), (new_answer("https://rates.example:443", "GET", "/latest", body={"rates": [{}]}),))
    for path, body in ((("rates", "USD"), {"rates": {"USD": 2}}), (("rates", "0"), {"rates": [2]})):
        place = place_at(test_case, 0, path, 2)
        assert place is not None
        assert test_case.with_gene(*place).setup[0].genes[BODY].phenotype() == body


def test_a_claim_is_added_to_the_token_that_an_answer_holds():
    made = bodies_with("claims.is_admin", False, {"id_token": issued_token(Random(1))})
    claims = [claims_in(body["id_token"].split(".")[1]) for body in made]
    assert any(one.get("is_admin") is False for one in claims)


@pytest.mark.parametrize("value", ["a", "ab", "abc", "restricted"])
def test_the_claims_of_a_token_have_no_padding_whatever_their_length(value):
    for seed in range(8):
        made = bodies_with("claims.zone", value, {"id_token": issued_token(Random(seed), role="x" * seed)})
        assert [body["id_token"] for body in made if "=" in body["id_token"]] == []


def test_a_claim_that_the_token_has_is_not_added():
    token = issued_token(Random(1))
    name = next(iter(claims_in(token.split(".")[1])))
    assert all(body["id_token"] == token for body in bodies_with(name, "x", {"id_token": token}))


@pytest.mark.parametrize("written", [json.dumps, lambda held: base64.b64encode(json.dumps(held).encode()).decode()])
def test_a_member_is_added_to_the_document_that_a_text_holds(written):
    held = {"order": {"id": 7}}
    made = bodies_with("order.isPaid", True, {"payload": written(held)})
    assert {"payload": written({"order": {"id": 7, "isPaid": True}})} in [
        {"payload": written(json.loads(_plain(body["payload"])))} for body in made
    ]


def _plain(text):
    return text if text.startswith("{") else base64.b64decode(text + "==").decode()


def test_a_boolean_claim_is_negated_though_the_answer_has_other_booleans():
    answer = new_answer(
        "https://login.example:443", "POST", "/token", body={"is_new": True, "id_token": issued_token(Random(1))}
    )
    test_case = TestCase((CALL,), (answer,))
    hints = [hint(True, "===", False, name="claims.email_verified")]
    edited = [apply_edit(test_case, edit) for edit in edits_from_hints(test_case, hints, Random(1), JAVASCRIPT)]
    claims = [claims_in(one.setup[0].body(one)["id_token"].split(".")[1]) for one in edited]
    assert any(one["email_verified"] is False for one in claims)


def test_texts_without_a_document_have_no_members():
    assert list(object_paths({"note": "a { b }", "name": "eyJ is no token", "text": '"'})) == [()]


def test_a_text_within_a_text_gets_the_member_of_its_document():
    held = {"Body": json.dumps({"Message": "{}"})}
    made = place_body(("Body", "Message", "type"), "lost", held)
    assert json.loads(json.loads(made["Body"])["Message"]) == {"type": "lost"}
    assert ("Body", "Message") in list(object_paths(held))


def test_a_member_with_capitals_may_have_underscores_in_the_answer():
    made = bodies_with("message.errorCode", 30006, {"status": "undelivered"})
    assert {"status": "undelivered", "errorCode": 30006} in made
    assert {"status": "undelivered", "error_code": 30006} in made
    assert not any("is_open" in body for body in bodies_with("line.IsOpen", True, {"status": "undelivered"}))
