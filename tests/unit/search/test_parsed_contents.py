"""JSON is tried as soon as an operation fails because it parses a content that it was not sent."""

import json
from random import Random

import pytest

from wimble.http.binding import http_operation
from wimble.http.request_building import build_request
from wimble.http.undeclared_room import with_undeclared_inputs
from wimble.model.evaluation import Evaluation
from wimble.model.observation import Cause, Exchange, Observation
from wimble.model.testcase import Call, TestCase
from wimble.search.archive.archive import Improvement
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.generators.probes.undeclared_inputs import UndeclaredInputs
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings

(RESET,) = with_undeclared_inputs([http_operation(id="POST /reset", method="POST", path="/reset")])
EMPTY = Call(RESET, tuple(given.template for given in RESET.inputs))


class Refused(Exchange):
    def value(self):
        return {"message": "Malformed JSON in request body"}


class OtherRefusal(Exchange):
    def value(self):
        return {"message": "the code has six digits"}


def failed(message):
    return Observation(
        call_index=0, outcome="failed", outcome_keys=("500",), exchange=Exchange(), cause=Cause(message=message)
    )


def refused(exchange):
    return Observation(call_index=0, outcome="refused", outcome_keys=("400",), exchange=exchange)


def after(observation):
    sampler = Sampler((RESET,), Settings(), Random(1))
    generator = UndeclaredInputs((), sampler, Random(1))
    test_case = TestCase((EMPTY,))
    evaluation = Evaluation(test_case=test_case, observations=(observation,), reached={}, hints=())
    generator.observe(Outcome(Proposal(test_case, generator), evaluation, Improvement((), ())))
    return sampler, generator


@pytest.mark.parametrize(
    "observation", [failed("SyntaxError: Unexpected end of JSON input"), refused(Refused())], ids=["failed", "refused"]
)
def test_json_is_tried_first_and_sent_by_most_later_calls(observation):
    sampler, generator = after(observation)
    request = build_request(generator.propose(0.0).test_case.calls[0])
    assert isinstance(json.loads(request.body), dict)
    sent = [build_request(sampler.learned.applied(EMPTY, ())).body for _ in range(50)]
    assert sum(isinstance(body, bytes) and body.startswith(b"{") for body in sent) > 35


@pytest.mark.parametrize(
    "observation", [failed("TypeError: x is not a function"), refused(OtherRefusal())], ids=["failed", "refused"]
)
def test_other_errors_do_not_ask_for_it(observation):
    sampler, _ = after(observation)
    assert RESET.id not in sampler.learned.parsed
    assert all(not build_request(sampler.learned.applied(EMPTY, ())).body for _ in range(20))
