"""What was made and used is made and used once more."""

from random import Random

from fake_sut import operation

from wimble.genes import IntegerGene, ReferenceGene
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import Call, TestCase
from wimble.search.archive.archive import Improvement
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.generators.variations.made_again import made_again
from wimble.search.generators.variations.neighbours import Neighbours
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings

JOB, APPLY = operation("POST", "/jobs"), operation("POST", "/jobs/{id}/applications", id=IntegerGene())
HIRE = operation("POST", "/applications/{id}/hire", id=IntegerGene())
SHOW = operation("GET", "/applications/{id}", id=IntegerGene())


def made_by(call: int) -> ReferenceGene:
    return ReferenceGene(call, "/id", IntegerGene(1))


def hired(last: Call) -> TestCase:
    return TestCase((Call(JOB, ()), Call(APPLY, (made_by(0),)), last))


def test_what_both_share_stays_the_same():
    (again,) = made_again(hired(Call(HIRE, (made_by(1),))))
    assert again.calls[3:] == (Call(APPLY, (made_by(0),)), Call(HIRE, (made_by(3),)))


def test_reads_and_what_uses_nothing_have_none():
    assert list(made_again(hired(Call(SHOW, (made_by(1),))))) == []
    assert list(made_again(hired(Call(HIRE, (IntegerGene(1),))))) == []


def test_it_comes_after_the_first_use():
    test_case = hired(Call(HIRE, (made_by(1),)))
    seen = tuple(http_observation(index, HttpRequest("POST", "/"), HttpResponse(200, (), b"{}")) for index in range(3))
    generator = Neighbours(Sampler([JOB, APPLY, HIRE, SHOW], Settings(), Random(1)), Random(1), 10)
    evaluation = Evaluation(test_case=test_case, observations=seen, reached={})
    generator.observe(Outcome(Proposal(test_case), evaluation, Improvement()))
    proposed = []
    while generator.is_ready():
        proposed.append(generator.propose(0.0).test_case)
    assert next(made_again(test_case)) in proposed
