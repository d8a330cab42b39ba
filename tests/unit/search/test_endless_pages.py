"""Pages that lead on without end are seen once, and end in later test cases."""

from random import Random

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


def taught(test_case, n_requests, target="/huts?page=2"):
    pages = EndlessPages(Random(1))
    sent = [
        ExternalRequest(call=0, site="", n=n, origin=ORIGIN, method="GET", target=target, occurrence=n, answered_by=0)
        for n in range(n_requests)
    ]
    pages.observe(Evaluation(test_case=test_case, observations=(), reached={}, interactions=tuple(sent)))
    return pages


def bodies(test_case):
    return [(one.occurrence, one.genes[BODY].phenotype()) for _, one in test_case.setup_of(Answer)]


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
    ],
)
def test_endless_pages_end_in_later_test_cases(body, target, last):
    test_case = answered(page(body))
    pages = taught(test_case, MAX_PAGES + 1, target)
    assert bodies(pages.ended(test_case)) == [(0, body), (None, last)]
    assert pages.ended(pages.ended(test_case)) == pages.ended(test_case)


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
