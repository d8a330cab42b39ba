"""Tokens that a test signs may claim what an earlier answer has told."""

import pytest
from suite_samples import answer, operation

from wimble.emit.javascript import JsResponse, js_text
from wimble.emit.python_source import py_text
from wimble.emit.reference_sources import request_templates
from wimble.genes import AffixedGene, CarriedGene, ObjectGene, ReferenceGene, SignedTokenGene, StringGene
from wimble.genes.numbers import IntegerGene
from wimble.http.entrances import with_entrances
from wimble.http.exchange import http_observation
from wimble.http.request_building import build_request
from wimble.model.observation import call_resolver
from wimble.model.suite import VerifiedCall, VerifiedTest
from wimble.model.testcase import Call, TestCase

KEY = "fa5cfea89f7bc895"
MADE = {"owner": "ada", "id": 7, "nick": "ada@"}


def template_with(**claims):
    """Returns the template of a call with a token of these claims, after a call that answers MADE."""
    make, change = with_entrances([operation("POST", "/parcels"), operation("PATCH", "/parcels")])
    token = SignedTokenGene(KEY, ObjectGene(tuple(claims.items())))
    carried = CarriedGene((("header Authorization", AffixedGene("Bearer ", token)),))
    calls = (Call(make, (CarriedGene(),)), Call(change, (carried,)))
    made = http_observation(0, build_request(calls[0]), answer(201, MADE))
    changed = http_observation(1, build_request(calls[1], call_resolver([made])), answer(200, {}))
    seen = tuple(VerifiedCall(observation=one, checks=()) for one in (made, changed))
    test = VerifiedTest(name="t", kind="success", test_case=TestCase(calls), calls=seen, findings=(), reason="")
    return request_templates(test)[1]


def shown(template):
    (authorization,) = [value for name, value in template.headers if name == "Authorization"]
    return js_text(authorization, [JsResponse("made", "made.json")]), py_text(authorization, ["made"])


def test_claims_refer_to_the_answer():
    template = template_with(
        sub=ReferenceGene(0, "/owner", StringGene("x")),
        nr=ReferenceGene(0, "/id", IntegerGene(1)),
        role=StringGene("a"),
    )
    javascript, python = shown(template)
    assert javascript == f"`Bearer ${{sut.jwt('{KEY}', {{ sub: made.json.owner, nr: made.json.id, role: 'a' }})}}`"
    assert 'jwt("fa5cfea89f7bc895", {"sub": made.json["owner"], "nr": made.json["id"], "role": "a"})' in python
    assert {one.call for one in template.references()} == {0}


@pytest.mark.parametrize(
    "sub", [AffixedGene("a-", ReferenceGene(0, "/owner", StringGene("x"))), StringGene("ada")], ids=["part", "none"]
)
def test_a_reference_that_is_part_of_a_claim_becomes_what_was_sent(sub):
    template = template_with(sub=sub)
    javascript, python = shown(template)
    assert "wimbleReference" not in javascript + python and "ada" in javascript
    assert not list(template.references())
