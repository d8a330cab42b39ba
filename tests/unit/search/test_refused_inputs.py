"""Calls learn from refusals, layer by layer."""

import json
from random import Random

from fake_sut import operation

from wimble.genes import IntegerGene, ObjectGene, OptionalGene, StringGene
from wimble.http.exchange import HttpExchange
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.testcase import Call, TestCase
from wimble.search.sampling.refused_inputs import RefusedInputs
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings

REQUEST = HttpRequest("POST", "/pay/x")
PAY = operation(
    "POST",
    "/pay/{region}",
    region=StringGene(),
    body=ObjectGene(
        (
            ("currency", StringGene()),
            ("count", IntegerGene()),
            ("to", OptionalGene(ObjectGene((("iban", OptionalGene(StringGene())),)))),
        )
    ),
)


def judge(call):
    """An API that tells one thing at a time."""
    values = [gene.phenotype() for gene in call.genes]
    region, body = values
    if region not in ("north", "south"):
        return 400, {"error": "Unknown region, allowed: north, south"}
    if body["currency"] not in ("XAU", "XAG"):
        return 400, {"message": ["currency must be one of the following values: XAU, XAG"]}
    if not 7300 <= body["count"] <= 7310:
        return 422, {"detail": [{"loc": ["body", "count"], "msg": "must be between 7300 and 7310"}]}
    if "iban" not in (body.get("to") or {}):
        return 400, {"errors": [{"path": "to.iban", "message": "is required"}]}
    if "reference" not in body:
        return 400, {"error": '"reference" is required'}
    return 200, {}


def answer(call):
    status, body = judge(call)
    response = HttpResponse(status, (("content-type", "application/json"),), json.dumps(body).encode())
    return HttpExchange(REQUEST, response)


def calls_until_accepted(refused, seed, limit=300):
    rng = Random(seed)
    for count in range(1, limit + 1):
        call = Call(PAY, tuple(given.template.sampled(rng) for given in PAY.inputs))
        if refused is not None:
            call = refused.applied(call, ())
        exchange = answer(call)
        if exchange.response.status == 200:
            return count
        if refused is not None:
            refused.observe(call, exchange)
    return limit + 1


def test_five_layers_of_validation_open_one_by_one():
    assert max(calls_until_accepted(RefusedInputs(Random(seed)), seed) for seed in range(10)) < 120
    assert calls_until_accepted(None, 1) == 301


def test_a_call_of_an_operation_that_refused_nothing_is_left_alone():
    call = Call(PAY, tuple(given.template for given in PAY.inputs))
    assert RefusedInputs(Random(1)).applied(call, ()) is call


def test_answers_that_are_not_about_the_input_tell_nothing():
    refused = RefusedInputs(Random(1))
    call = Call(PAY, tuple(given.template for given in PAY.inputs))
    for status in (200, 401, 403, 404, 429, 500):
        response = HttpResponse(status, (), b'{"error": "currency must be one of: XAU"}')
        refused.observe(call, HttpExchange(REQUEST, response))
    assert refused.applied(call, ()) is call


def test_only_searches_that_see_nothing_else_read_refusals():
    """The sampler of a search with an agent makes the same calls whatever is refused."""

    def sampled(**options):
        sampler = Sampler([PAY], Settings(), Random(3), **options)
        call = Call(PAY, tuple(given.template.sampled(Random(1)) for given in PAY.inputs))
        if sampler._refused is not None:
            sampler._refused.observe(call, answer(call))
        return [sampler.sample() for _ in range(40)]

    def regions(test_cases: list[TestCase]) -> set[object]:
        return {call.genes[0].phenotype() for test_case in test_cases for call in test_case.calls}

    assert "north" in regions(sampled(reads_refusals=True))
    assert "north" not in regions(sampled())
