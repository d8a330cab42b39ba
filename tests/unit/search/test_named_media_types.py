"""Contents under the media types that the program's texts name, where all usual ones are answered alike."""

from random import Random

import pytest

from wimble.genes import StringGene
from wimble.http.binding import http_operation
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.http.request_building import build_request
from wimble.http.undeclared_room import BODY_FORMS, with_undeclared_inputs
from wimble.model.evaluation import Evaluation
from wimble.model.learned_input import LearnedInput
from wimble.model.testcase import Call, TestCase
from wimble.search.archive.archive import Improvement
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.generators.probes.undeclared_inputs import UndeclaredInputs
from wimble.search.learned.content_forms import UNREAD
from wimble.search.learned.members import with_input
from wimble.search.learned.named_media_types import MULTIPART, USUAL_NAMES, NamedMediaTypes, form_named, with_name
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings
from wimble.types import OperationId

(POST,) = with_undeclared_inputs([http_operation(id=OperationId("POST /a"), method="POST", path="/a", inputs=())])
FORMS = [media_type for media_type, _ in BODY_FORMS]
REFUSED = (UNREAD, "415")


def sampled():
    return Call(POST, tuple(given.template.sampled(Random(1)) for given in POST.inputs))


def answered(status):
    return http_observation(0, HttpRequest("POST", "/a"), HttpResponse(status, (), b""))


def names(texts, usual=REFUSED):
    return [one.name for one in NamedMediaTypes(texts, Random(1)).trials(POST, usual)]


def test_names_are_those_of_the_program_and_usual_ones_if_it_refuses_the_type():
    texts = ["/a/b", "application/x-foo+json; v=1", 7, "application/json", "image/*", "+json", "text/ csv"]
    own = ["application/x-foo+json", "image/png", "application/vnd.api+json"]
    assert names(texts) == [*own, *(one for one in USUAL_NAMES if one not in own)]
    assert names(texts, ("failed", "500")) == own
    assert names(texts, None) == [], "one of the usual types is read"


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("application/merge-patch+json", "application/json"),
        ("application/atom+xml", "application/xml"),
        ("application/jsonl", "application/x-ndjson"),
        ("text/csv", "text/plain"),
    ],
)
def test_the_name_tells_how_the_content_is_written(name, form):
    assert FORMS[form_named(name, FORMS)] == form


def test_a_name_counts_that_is_answered_otherwise():
    types = NamedMediaTypes(["text/csv"], Random(1))
    assert list(types.trials(POST, REFUSED))
    assert list(types.trials(POST, REFUSED)) == [], "they are made once"
    call = with_name(sampled(), "text/csv")
    assert types.observe(call, answered(415)) is None
    assert types.observe(call, answered(401)) is None, "it is turned away before"
    assert types.observe(sampled(), answered(400)) is None
    assert types.observe(call, answered(400)) == "text/csv"


def test_the_search_sends_contents_under_the_name_that_is_taken():
    sampler = Sampler([POST], Settings(), Random(1))
    generator = UndeclaredInputs([], sampler, Random(1), ["text/csv"])
    pending = [TestCase((sampled(),))]
    for _ in range(60):
        test_case = pending.pop() if pending else generator.propose(0.0).test_case
        headers = dict(build_request(test_case.calls[0]).headers)
        sent = headers.get("content-type", headers.get("Content-Type"))
        evaluation = Evaluation(
            test_case=test_case, observations=(answered(400 if sent == "text/csv" else 415),), reached={}
        )
        generator.observe(Outcome(Proposal(test_case), evaluation, Improvement()))
        if not generator.is_ready():
            break
    requests = [build_request(sampler.learned.applied(sampled(), ())) for _ in range(40)]
    with_content = [dict(request.headers) for request in requests if request.body]
    assert len(with_content) > 20
    assert all(headers.get("content-type") == "text/csv" for headers in with_content)
    assert all("Content-Type" not in headers for headers in with_content)


def test_the_first_multipart_of_an_operation_that_succeeds_is_sent_once_more_without_its_boundary():
    member = LearnedInput(location="body", path=("title",))
    call = with_input(sampled(), member, StringGene("a"), form=FORMS.index(MULTIPART))
    generator = UndeclaredInputs([], Sampler([POST], Settings(), Random(1)), Random(1), [])
    test_case = TestCase((call,))
    for status, n_tried in ((400, 0), (200, 1), (200, 0)):
        seen = Evaluation(test_case=test_case, observations=(answered(status),), reached={})
        generator.observe(Outcome(Proposal(test_case), seen, Improvement()))
        proposed = iter(lambda: generator.propose(0.0) if generator.is_ready() else None, None)
        requests = [build_request(one.test_case.calls[-1]) for one in proposed]
        sent = [dict(one.headers).get("content-type") for one in requests]
        assert sent.count(MULTIPART) == n_tried
