"""Calls that do not find what another call of the same test has just shown."""

import pytest

from wimble.genes import StringGene
from wimble.http.declarations import HttpInput
from wimble.http.http_messages import HttpRequest
from wimble.model.observation import Mistake
from wimble.oracles.databases.not_found import NAME


def found(make, judge, *calls):
    """calls: (method, path as sent, status, body)."""
    made = []
    for method, target, status, body in calls:
        path = "/members" if target == "/members" else "/members/{id}"
        request = HttpRequest(method, target)
        made.append((make.operation(method, path), make.answer(status, body), make.Cause(), request))
    return [one.title for one in judge(make.evaluation(*made)) if one.oracle == NAME]


SKU = HttpInput(name="sku", location="path", template=StringGene("a"))
MADE = ("POST", "/members", 201, {"id": 7, "name": "Ida"})
READ = ("GET", "/members/7", 200, {"id": 7})
DENIED = ("DELETE", "/members/7", 404, {"error": "no such member"})


def test_what_was_made_or_read_is_denied(make, judge):
    assert found(make, judge, MADE, DENIED) == ["DELETE /members/{id} answers 404 for what POST /members has made"]
    assert found(make, judge, READ, DENIED) == ["DELETE /members/{id} answers 404 for what GET /members/{id} answers"]
    assert len(found(make, judge, MADE, READ, DENIED)) == 1


@pytest.mark.parametrize(
    "calls",
    [
        (DENIED,),
        (MADE, ("DELETE", "/members/8", 404, {})),
        (MADE, ("GET", "/members/7", 404, {})),
        (MADE, ("DELETE", "/members/7", 403, {})),
        (("POST", "/members", 422, {"id": 7}), DENIED),
        (("GET", "/members/7", 404, {}), DENIED),
        (("GET", "/members/7", 200, b""), DENIED),
        (("GET", "/members/7", 200, None), DENIED),
        (MADE, ("DELETE", "/members/7", 204, b""), DENIED),
        (("POST", "/members", 201, {"name": "7"}), DENIED),
    ],
)
def test_what_is_not_known_to_be_there_may_be_denied(make, judge, calls):
    assert found(make, judge, *calls) == []


@pytest.mark.parametrize(("name", "n_found"), [("A-7", 1), ("7", 0)])
def test_a_member_called_like_the_parameter_is_what_names_the_resource(make, judge, name, n_found):
    delete = make.operation("DELETE", "/parts/{sku}", inputs=(SKU,))
    calls = (
        (make.operation("POST", "/parts"), make.answer(201, {"id": 7, "sku": "A-7"}), make.Cause(),
         HttpRequest("POST", "/parts")),
        (delete, make.answer(404, {}), make.Cause(), HttpRequest("DELETE", f"/parts/{name}")),
    )  # fmt: skip
    assert len([one for one in judge(make.evaluation(*calls)) if one.oracle == NAME]) == n_found


def test_what_a_promise_may_have_let_pass_shows_nothing(make, judge):
    promise = Mistake("/p/app.js", 7, "a Promise was used as a value (tested for truth)", is_fault=True)
    read = (make.operation("GET", "/members/{id}"), make.answer(200, {"id": 7}), make.Cause(mistakes=(promise,)),
            HttpRequest("GET", "/members/7"))  # fmt: skip
    delete = (make.operation("DELETE", "/members/{id}"), make.answer(404, {}), make.Cause(),
              HttpRequest("DELETE", "/members/7"))  # fmt: skip
    assert [one for one in judge(make.evaluation(read, delete)) if one.oracle == NAME] == []


def test_another_user_may_be_denied(make, judge):
    read, delete = (
        (make.operation(method, "/members/{id}"), make.answer(status, {"id": 7}), make.Cause(),
         HttpRequest(method, "/members/7", (("Authorization", f"Bearer {token}"),)))
        for method, status, token in (("GET", 200, "a"), ("DELETE", 404, "b"))
    )  # fmt: skip
    assert [one for one in judge(make.evaluation(read, delete)) if one.oracle == NAME] == []


@pytest.mark.parametrize(("sent", "n_found"), [((("X-Tenant", "acme"),), 1), ((("X-Tenant", "other"),), 0), ((), 0)])
def test_a_header_may_say_whose_resources_are_meant(make, judge, sent, n_found):
    post = HttpRequest("POST", "/members", (("Content-Type", "application/json"), ("x-tenant", "acme")))
    delete = HttpRequest("DELETE", "/members/7", sent)
    calls = (
        (make.operation("POST", "/members"), make.answer(201, {"id": 7}), make.Cause(), post),
        (make.operation("DELETE", "/members/{id}"), make.answer(404, {}), make.Cause(), delete),
    )
    assert len([one for one in judge(make.evaluation(*calls)) if one.oracle == NAME]) == n_found
