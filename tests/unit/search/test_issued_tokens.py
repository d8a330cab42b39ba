"""Tokens in answers of services are signed with keys of our own, as their claims are when they are sent."""

from random import Random

import pytest

from wimble.feedback.answers.answer_places import place_at
from wimble.genes.signed_token import claims_in
from wimble.http.binding import http_operation
from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.hints import TokenClaimsHint
from wimble.model.setup_kinds.answer import BODY, new_answer
from wimble.model.testcase import Call, TestCase
from wimble.own_keys import OWN_KEYS, key_set, own_token, signed_again
from wimble.search.access.own_tokens import KeyAnswers, is_needed_key_answer, issued_token
from wimble.search.archive.archive import Improvement
from wimble.search.external.service_knowledge import ServiceKnowledge
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.generators.services.first_answers import SeenRequests
from wimble.search.generators.services.issued_claims import IssuedClaims
from wimble.types import OperationId

ORIGIN = "https://login.example:443"
OPERATION = http_operation(id=OperationId("POST /sessions"), method="POST", path="/sessions", inputs=())
ISSUED = new_answer(ORIGIN, "POST", "/token", body={"session": {"jwt": issued_token(Random(1))}})
KEYS = new_answer(ORIGIN, "GET", "/all-of-them", body=key_set())


def case(*answers):
    return TestCase((Call(OPERATION, ()),), answers)


def claims_of(test_case):
    return claims_in(test_case.setup[0].body(test_case)["session"]["jwt"].split(".")[1])


@pytest.mark.parametrize("key", OWN_KEYS)
def test_a_token_with_other_claims_is_signed_again(key):
    head, _, signature = own_token({"sub": "a"}, key).split(".")
    claims = own_token({"sub": "b"}, key).split(".")[1]
    assert signed_again(f"{head}.{claims}.{signature}") == own_token({"sub": "b"}, key)
    assert signed_again(f"{claims}.{head}.{signature}") == f"{claims}.{head}.{signature}", "a token of others"


def test_an_answer_whose_claims_were_edited_sends_a_token_that_is_signed_as_they_are_now():
    test_case = case(ISSUED)
    edited = test_case.with_gene(*place_at(test_case, 0, ("session", "jwt", "roles"), ["admin"]))
    token = edited.setup[0].body(edited)["session"]["jwt"]
    assert claims_of(edited)["roles"] == ["admin"]
    assert token == own_token(claims_of(edited), OWN_KEYS[0])


def test_claims_that_a_library_demands_are_put_into_the_token_once():
    generator = IssuedClaims()
    hint = TokenClaimsHint(target=1, call=0, demands={"iss": ["https://id.example"], "aud": ["web", "app"], "jti": []})
    seen = Evaluation(test_case=case(KEYS, ISSUED), observations=(), reached={}, hints=(hint,))
    for _ in range(2):
        generator.observe(Outcome(Proposal(seen.test_case, generator), seen, Improvement()))
    made = generator.propose(0.0).test_case
    claims = claims_of(TestCase(made.calls, made.setup[1:]))
    assert (claims["iss"], claims["aud"]) == ("https://id.example", "web")
    assert not generator.is_ready()


def test_a_request_of_a_call_that_gets_such_a_token_may_be_for_our_keys():
    asked = ExternalRequest(call=0, site="", n=0, origin=ORIGIN, method="GET", target="/all-of-them")
    requests = SeenRequests(ServiceKnowledge(Random(1)))
    requests.observe(Evaluation(test_case=case(ISSUED), observations=(), reached={}, interactions=(asked,)))
    assert any(one.setup[-1].genes[BODY].phenotype() == key_set() for one in requests.first)


def test_the_answer_with_our_keys_is_kept_for_later_test_cases_with_such_tokens():
    asked = ExternalRequest(call=0, site="", n=0, origin=ORIGIN, method="GET", target="/all-of-them", answered_by=1)
    known, seen = KeyAnswers(), case(ISSUED, KEYS)
    known.note(Evaluation(test_case=seen, observations=(), reached={}, interactions=(asked,)))
    assert known.given_to(case(ISSUED)) == seen
    assert known.given_to(case()) == case()
    assert is_needed_key_answer(KEYS, seen) and not is_needed_key_answer(KEYS, case(KEYS))
