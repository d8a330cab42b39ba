"""Elements of an answer that the program counts come as often as its condition needs them."""

import pytest
from fake_sut import operation

from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest
from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.hints import ComparisonHint
from wimble.model.setup_kinds.answer import BODY, new_answer
from wimble.model.testcase import Call, TestCase
from wimble.search.generators.services.counted_elements import with_counted
from wimble.types import TargetId

ORIGIN = "https://ferries.example:443"


def counted(body, operator, left, right, *, form="json", wanted=True):
    hint = ComparisonHint(target=TargetId(1), call=0, operator=operator, left=left, right=right, wanted=wanted)
    answer = new_answer(ORIGIN, "GET", "/arrivals", body=body, form=form)
    evaluation = Evaluation(
        test_case=TestCase((Call(operation("GET", "/arrivals"), ()),), (answer,)),
        observations=(http_observation(0, HttpRequest("GET", "/arrivals")),),
        reached={},
        interactions=(
            ExternalRequest(call=0, site="", n=0, origin=ORIGIN, method="GET", target="/arrivals", answered_by=0),
        ),
    )
    return [made.setup[number].genes[BODY].phenotype() for number, made in with_counted(evaluation, hint)]


@pytest.mark.parametrize(
    ("operator", "left", "right", "times"),
    [
        ("greater-or-equal", 1, 2, 2),
        ("greater", 1, 2, 3),
        ("greater", 2, 3, 2),
        ("identical", 1, 3, 3),
        ("identical", 3, 1, 0),
        ("greater", 0, 1, 0),
        ("greater", 1, 900, 0),
        ("greater", True, 2, 0),
        ("greater", "1", 2, 0),
        ("less", 1, 2, 0),
    ],
)
def test_elements_are_repeated_as_often_as_the_count_is_short(operator, left, right, times):
    rows = [{"state": "late"}]
    assert counted({"rows": rows}, operator, left, right) == ([{"rows": rows * times}] if times else [])


def test_no_elements_are_repeated_where_few_are_wanted():
    assert counted({"rows": [1]}, "greater", 1, 2, wanted=False) == []


def test_an_element_of_markup_is_repeated_with_what_is_in_it():
    row = {"#text": "a", "td.state": {"#text": "late"}}
    assert counted({"tr.ferry": row}, "greater", 1, 1, form="html") == [{"tr.ferry": [row, row]}]


def test_a_document_in_xml_keeps_one_root():
    feed = {"feed": {"items": {"item": {"state": "late"}}}}
    assert counted(feed, "greater", 1, 1, form="xml") == [
        {"feed": {"items": [{"item": {"state": "late"}}] * 2}},
        {"feed": {"items": {"item": [{"state": "late"}] * 2}}},
    ]


def test_an_answer_without_elements_stays():
    assert counted({"total": 1}, "greater", 1, 1) == []
