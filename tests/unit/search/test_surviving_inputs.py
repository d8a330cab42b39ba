"""Inputs that end the SUT become rare once that is known."""

from random import Random

from fake_sut import operation

from wimble.genes import ObjectGene, OptionalGene, ReferenceGene, StringGene
from wimble.http.binding import binding_of
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Crash, Evaluation
from wimble.model.observation import Cause
from wimble.model.testcase import Call, TestCase
from wimble.search.sampling.sampler import Sampler
from wimble.search.sampling.surviving_inputs import SurvivingInputs
from wimble.settings import Settings

MAIL = operation("POST", "/mails", body=ObjectGene((("to", OptionalGene(StringGene())), ("text", StringGene()))))
BOUND = operation("GET", "/mails/{id}", id=StringGene(), q=StringGene())


def evaluated(call: Call, *, dies: bool) -> Evaluation:
    request = HttpRequest(binding_of(call.operation).method, "/mails")
    observation = (
        http_observation(0, request, failure="connection-lost")
        if dies
        else http_observation(0, request, HttpResponse(201, (), b""))
    )
    crashes = (Crash(kind="died", call_index=0, cause=Cause()),) if dies else ()
    return Evaluation(test_case=TestCase((call,)), observations=(observation,), reached={}, crashes=crashes)


def mail(*, has_to: bool, text: str = "hello") -> Call:
    return Call(MAIL, (ObjectGene((("to", OptionalGene(StringGene("nobody"), has_to)), ("text", StringGene(text)))),))


def has_to(call: Call) -> bool:
    return "to" in call.genes[0].phenotype()


def test_an_operation_that_ends_the_sut_mostly_gets_inputs_that_it_has_survived():
    surviving = SurvivingInputs(Random(1))
    surviving.observe(evaluated(mail(has_to=False, text="fine"), dies=False))
    for _ in range(2):
        assert surviving.applied(mail(has_to=True), ()) == mail(has_to=True)
        surviving.observe(evaluated(mail(has_to=True), dies=True))
    applied = [surviving.applied(mail(has_to=True), ()) for _ in range(200)]
    assert 5 < sum(map(has_to, applied)) < 40
    for _ in range(200):
        surviving.observe(evaluated(mail(has_to=False), dies=False))
    assert has_to(surviving.applied(mail(has_to=True), ())), "it ends the SUT too rarely to matter"


def test_what_a_call_is_bound_to_stays():
    surviving = SurvivingInputs(Random(1))
    bound, other = ReferenceGene(0, "/id", StringGene("x")), ReferenceGene(1, "/id", StringGene("y"))
    surviving.observe(evaluated(Call(BOUND, (other, StringGene("fine"))), dies=False))
    for _ in range(2):
        surviving.observe(evaluated(Call(BOUND, (other, StringGene("bad"))), dies=True))
    seen = {surviving.applied(Call(BOUND, (bound, StringGene("bad"))), ()) for _ in range(50)}
    assert {call.genes[0] for call in seen} == {bound}
    assert {call.genes[1].phenotype() for call in seen} == {"fine", "bad"}


def test_a_sampler_learns_which_calls_the_sut_survives():
    sampler = Sampler([MAIL], Settings(), Random(3))
    n_deaths = 0
    for _ in range(300):
        test_case = sampler.sample_for(MAIL)
        dies = has_to(test_case.calls[0])
        n_deaths += dies
        sampler.observe(evaluated(test_case.calls[0], dies=dies))
    assert n_deaths < 60, "without what it has learnt, half of the calls have that input"
