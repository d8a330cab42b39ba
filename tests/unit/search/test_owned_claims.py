"""A token that is signed with the program's key names the user whom its own test case has signed up."""

import json
from random import Random

from fake_sut import operation

from wimble.genes import AffixedGene, ObjectGene, ReferenceGene, StringGene
from wimble.http.entrances import with_entrances
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation
from wimble.model.hints import TokenKeyHint
from wimble.model.testcase import Call, TestCase
from wimble.search.access.access import Access
from wimble.search.access.made_up import signed_in
from wimble.search.access.openings import Entry
from wimble.search.access.user_calls import UserCalls
from wimble.search.access.ways import BEARER, Way
from wimble.types import TargetId

USER = ObjectGene((("email", StringGene("ann@example.com")), ("password", StringGene("Passw0rd!"))))
SIGN_UP, LOGIN, ME = with_entrances(
    [operation("POST", "/register", USER), operation("POST", "/login", USER), operation("GET", "/me")]
)
KEY = "0" * 16
ID = "8b1f2d6e-0c0d-4a55-9c6f-6f3f2f9b7a10"


def signed_up(access: Access, claims: dict, answer: dict) -> None:
    """Has the access see a sign-up, and a login in which the program signs a token with these claims."""
    calls = tuple(Call(one, tuple(given.template for given in one.inputs)) for one in (SIGN_UP, LOGIN))
    bodies = (answer, {"token": "***"})
    observations = tuple(
        http_observation(index, HttpRequest("POST", "/"), HttpResponse(200, (), json.dumps(body).encode()))
        for index, body in enumerate(bodies)
    )
    hint = TokenKeyHint(target=TargetId(1), call=1, key=KEY, algorithm="HS256", claims=claims)
    access.observe(
        Evaluation(test_case=TestCase(calls), observations=observations, reached={}, hints=(hint,)),
    )


def test_the_claim_refers_to_the_answer_of_the_sign_up_that_comes_before():
    access = Access([SIGN_UP, LOGIN, ME], Random(1))
    user_calls = UserCalls(access, Random(1))
    signed_up(access, {"sub": ID, "plan": "free"}, {"id": ID, "plan": "free"})
    access.openings.note(ME, Entry(KEY, Way((BEARER,)), is_signed=True))
    begun = next(start for _ in range(20) if (start := user_calls.begun(ME)).calls)
    assert [call.operation.id for call in begun.calls] == [SIGN_UP.id]
    call = user_calls.carrying(Call(ME, tuple(given.template for given in ME.inputs)), begun.calls)
    assert isinstance(call.genes[-1].fields[0][1], AffixedGene)
    claims = dict(signed_in(call.genes[-1])[1].claims.fields)
    assert isinstance(claims["sub"], ReferenceGene)
    assert (claims["sub"].call, claims["sub"].pointer) == (0, "/id")
    assert claims["plan"].phenotype() == "free"


def test_a_user_of_another_test_case_is_never_named():
    access = Access([SIGN_UP, LOGIN, ME], Random(1))
    signed_up(access, {"sub": ID}, {"id": ID})
    token = access.signed_tokens.token(Way((BEARER,)), KEY, ME.id)
    assert ID not in str(signed_in(token)[1].claims.phenotype())


def test_claims_that_no_answer_has_stay_as_they_were_signed():
    access = Access([SIGN_UP, LOGIN, ME], Random(1))
    signed_up(access, {"sub": ID, "aud": "shop", "ok": True}, {"ok": True, "shop": "shop"})
    claims = signed_in(access.signed_tokens.token(Way((BEARER,)), KEY, ME.id))[1].claims.phenotype()
    assert (claims["sub"], claims["aud"], claims["ok"]) == (ID, "shop", True)


def test_the_claim_names_the_user_also_if_the_sign_up_is_refused_since_that_user_is_known():
    access = Access([SIGN_UP, LOGIN, ME], Random(1))
    signed_up(access, {"sub": "ann@example.com"}, {"email": "ann@example.com"})
    sign_up = Call(SIGN_UP, tuple(given.template for given in SIGN_UP.inputs))
    token = access.signed_tokens.token(Way((BEARER,)), KEY, ME.id, (sign_up,))
    claims = dict(signed_in(token)[1].claims.fields)
    assert isinstance(claims["sub"], ReferenceGene)
    assert claims["sub"].fallback.phenotype() == "ann@example.com"
