"""Pages that lead on without end are seen once, and end in later test cases."""

from random import Random

import msgspec
import pytest

from wimble.http.binding import http_operation
from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.setup_kinds.answer import BODY, Answer, new_answer
from wimble.model.testcase import Call, TestCase
from wimble.search.external import endless_pages
from wimble.search.external.endless_pages import MAX_PAGES, EndlessPages
from wimble.types import OperationId

ORIGIN = "https://api.huts.example:443"


@pytest.fixture(autouse=True)
def _always(monkeypatch):
    monkeypatch.setattr(endless_pages, "ENDLESS_PROBABILITY", 0.0)


def answered(*answers):
    operation = http_operation(id=OperationId("GET /huts"), method="GET", path="/huts", inputs=())
    return TestCase((Call(operation, ()),), answers)


def page(body, **changes):
    return new_answer(ORIGIN, "GET", "/huts", body=body, **changes)


def observe(pages, test_case, *, n_requests=MAX_PAGES + 1, target="/huts?page=2", sent="", answered_by=0):
    request = ExternalRequest(
        call=0, site="", n=0, origin=ORIGIN, method="GET", target=target, body=sent, answered_by=answered_by
    )
    requests = [msgspec.structs.replace(request, n=n, occurrence=n) for n in range(n_requests)]
    pages.observe(Evaluation(test_case=test_case, observations=(), reached={}, interactions=tuple(requests)))


def taught(test_case, n_requests, target="/huts?page=2"):
    pages = EndlessPages(Random(1))
    observe(pages, test_case, n_requests=n_requests, target=target)
    return pages


def bodies(test_case):
    return [(one.occurrence, one.genes[BODY].phenotype()) for _, one in test_case.setup_of(Answer)]


def outcomes(test_case):
    return [(one.occurrence, one.outcome) for _, one in test_case.setup_of(Answer)]


@pytest.mark.parametrize(
    ("body", "target", "last"),
    [
        ({"huts": [{}], "next": 2}, "/huts?page=2", {"huts": [{}], "next": None}),
        ({"huts": [{}], "total": 9}, "/huts?page=2", {"huts": [], "total": 9}),
        ([{}], "/huts?page=2", []),
        (
            {"huts": [{"open": True}], "page": {"more": True}},
            "/huts?page=2",
            {"huts": [{"open": True}], "page": {"more": False}},
        ),
        ({"Result": {"IsTruncated": "true"}}, "/huts?page=2", {"Result": {"IsTruncated": "false"}}),
        ({"huts": [], "next": "c"}, "/huts?after=c", {"huts": [], "next": None}),
        ({"pages": 400, "pageSize": 20}, "/huts?page=2", {"pages": 0, "pageSize": 0}),
    ],
)
def test_endless_pages_end_in_later_test_cases(body, target, last):
    test_case = answered(page(body))
    pages = taught(test_case, MAX_PAGES + 1, target)
    assert bodies(pages.ended(test_case)) == [(0, body), (None, last)]
    assert pages.ended(pages.ended(test_case)) == pages.ended(test_case)


def test_a_header_that_leads_on_is_not_sent_with_the_last_page():
    link = {"link": '<https://api.huts.example/huts?page=2>; rel="next"', "x-rate": "9"}
    test_case = answered(page([{}], headers=link))
    ended = taught(test_case, MAX_PAGES + 1).ended(test_case)
    assert bodies(ended) == [(0, [{}]), (None, [{}])]
    assert ended.setup[1].headers(ended) == {"content-type": "application/json", "x-rate": "9"}


def test_a_cursor_in_the_body_of_the_next_request_leads_on():
    body = {"issues": {"pageInfo": {"hasNextPage": "yes", "endCursor": "c"}}}
    pages, first = EndlessPages(Random(1)), answered(page(body))
    observe(pages, first, sent='{"variables":{"after":"c"}}')
    last = {"issues": {"pageInfo": {"hasNextPage": "yes", "endCursor": None}}}
    assert bodies(pages.ended(first)) == [(0, body), (None, last)]
    observe(pages, pages.ended(first), answered_by=1)  # that did not end them
    bare = {"issues": {"pageInfo": {"hasNextPage": None, "endCursor": None}}}
    assert bodies(pages.ended(first)) == [(0, body), (None, bare)]
    observe(pages, pages.ended(first), answered_by=1)
    assert outcomes(pages.ended(first)) == [(0, "answer"), (None, "reset")]


def test_a_job_that_is_never_done_is_answered_once():
    pages, pending = EndlessPages(Random(1)), answered(page({}))
    observe(pages, pending)
    ended = [(0, "answer"), (None, "reset")]
    assert outcomes(pages.ended(pending)) == ended == outcomes(pages.ended(pages.ended(pending)))
    assert outcomes(pages.ended(answered(page({}, outcome="slow")))) == [(0, "slow"), (None, "reset")]
    known = answered(page({"status": "new"}, occurrence=1), page({}))
    assert outcomes(pages.ended(known)) == [(1, "answer"), (2, "answer"), (None, "reset")]


def test_a_program_that_never_gives_up_is_seen_once():
    pages, failing = EndlessPages(Random(1)), answered(page({}, status=503))
    observe(pages, failing)
    assert outcomes(pages.ended(failing)) == [(0, "answer"), (None, "reset")]
    succeeding = answered(page({}))
    assert pages.ended(succeeding) is succeeding


def test_requests_without_a_planned_answer_end_in_later_test_cases_of_the_operation():
    pages, unplanned = EndlessPages(Random(1)), answered()
    observe(pages, unplanned, target="/huts?page=2", answered_by=None)
    assert outcomes(pages.ended(unplanned)) == [(1, "reset")]
    assert outcomes(pages.ended(answered(page({})))) == [(None, "answer")]
    assert pages.ended(TestCase(())) == TestCase(())


def test_an_answer_without_what_led_on_ends_as_if_nothing_were_known():
    pages = taught(answered(page({"cursor": "abcde"})), MAX_PAGES + 1, "/huts?after=abcde")
    ended = pages.ended(answered(page({"other": {"cursor": "fghij", "more": "true"}})))
    assert bodies(ended)[-1] == (None, {"other": {"cursor": "fghij", "more": "false"}})
    assert bodies(pages.ended(answered(page({"cursor": None})))) == [(None, {"cursor": None})]


def test_other_answers_stay_as_they_are():
    test_case = answered(page({"next": 2}))
    assert taught(test_case, MAX_PAGES).ended(test_case) is test_case
    pages = taught(test_case, MAX_PAGES + 1)
    for other in (answered(page({}, status=503)), answered(page({}, outcome="hang")), answered()):
        assert pages.ended(other) is other
    failing = answered(page({}, status=503))
    assert taught(failing, MAX_PAGES + 1).ended(test_case) is test_case


def test_a_second_page_of_its_own_may_be_endless_as_well():
    second = page({"next": 2})
    pages = taught(answered(second), MAX_PAGES + 1)
    ended = pages.ended(answered(page({}, occurrence=0), second))
    assert bodies(ended) == [(0, {}), (1, {"next": 2}), (None, {"next": None})]
