"""The smart start gives way while a guard lets nothing in."""

from random import Random

import pytest
from fake_sut import operation

from wimble.http.entrances import with_entrances
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation
from wimble.search.archive.archive import Improvement
from wimble.search.generators.generator import Outcome
from wimble.search.generators.samples.initial_test_cases import N_LATEST, InitialTestCases
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings

API = with_entrances([operation("GET", f"/part{number}") for number in range(2 * N_LATEST)])


def answered(generator, status):
    """Has the generator propose a test case, whose call gets this answer."""
    proposal = generator.propose(0.0)
    seen = (http_observation(0, HttpRequest("GET", "/"), HttpResponse(status, (), b"")),)
    evaluation = Evaluation(test_case=proposal.test_case, observations=seen, reached={})
    generator.observe(Outcome(proposal, evaluation, Improvement()))


def share_admitted(generator):
    return sum(generator.admission(generator, 0.0) for _ in range(400)) / 400


@pytest.fixture
def generator():
    return InitialTestCases(Sampler(API, Settings(), Random(1)))


def test_each_operation_is_called_alone_whatever_is_denied(generator):
    for _ in API:
        assert share_admitted(generator) == 1.0
        answered(generator, 401)


def test_what_follows_is_seldom_tried_while_all_is_denied(generator):
    for _ in API:
        answered(generator, 401)
    assert 0.1 < share_admitted(generator) < 0.3


@pytest.mark.parametrize("status", [200, 400, 500])
def test_one_call_that_is_let_in_ends_that(generator, status):
    for _ in API:
        answered(generator, 401)
    answered(generator, status)
    assert share_admitted(generator) == 1.0
