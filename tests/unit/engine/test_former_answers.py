"""What ran with an answer that the SUT keeps has that answer in its test case, so that a fresh start shows the same."""

import msgspec
import pytest

from wimble.engine.monitors.former_answers import FormerAnswers
from wimble.genes import LinkedGene, StringGene
from wimble.http.binding import http_operation
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest
from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.setup_kinds.answer import BODY, answer_of_gene, new_answer
from wimble.model.testcase import Call, TestCase
from wimble.types import OperationId

ORIGIN = "https://config.example:443"
PLACE = (ORIGIN, "GET", "/settings")
OPERATION = http_operation(id=OperationId("GET /prices"), method="GET", path="/prices", inputs=())
RIGHT = new_answer(*PLACE, body={"region": "eu"})
OTHER = new_answer(*PLACE, body={"region": "xx"})
DOWN = new_answer(*PLACE, outcome="refused")


def evaluation(*setup, is_asked, answered_by=0):
    request = ExternalRequest(call=0, site="", n=0, origin=ORIGIN, method="GET", target="/settings")
    return Evaluation(
        test_case=TestCase((Call(OPERATION, ()),), setup),
        observations=(http_observation(0, HttpRequest(method="GET", target="/prices")),),
        reached={},
        interactions=(msgspec.structs.replace(request, answered_by=answered_by),) if is_asked else (),
    )


def after(first=RIGHT, *, is_kept=True):
    former = FormerAnswers(lambda operation, place: is_kept and (operation, place) == (OPERATION.id, PLACE))
    former.note(first, evaluation(first, is_asked=True).test_case)
    return former


def test_a_planned_answer_that_was_not_asked_for_is_replaced_by_the_one_that_is_kept():
    planned = evaluation(OTHER, is_asked=False)
    given = after().given_to(planned)
    assert given.test_case.setup == (RIGHT,)
    assert given.proposed is planned.test_case


def test_a_test_case_without_an_answer_gets_it():
    assert after().given_to(evaluation(is_asked=False)).test_case.setup == (RIGHT,)


@pytest.mark.parametrize(
    "seen",
    [
        evaluation(OTHER, is_asked=True),
        evaluation(is_asked=True, answered_by=None),
        evaluation(DOWN, is_asked=False),
        evaluation(RIGHT, is_asked=False),
    ],
    ids=["asked for", "asked for without a plan", "not connected", "the same"],
)
def test_all_else_stays_as_it_is(seen):
    assert after().given_to(seen) is seen


def test_nothing_is_given_where_the_sut_is_not_known_to_keep_it_or_has_started_since():
    seen = evaluation(OTHER, is_asked=False)
    assert after(is_kept=False).given_to(seen) is seen
    former = after()
    former.forget()
    assert former.given_to(seen) is seen


def test_an_answer_has_the_values_to_which_it_was_linked():
    linked = answer_of_gene(*PLACE, status=200, gene=LinkedGene(-2, BODY, (), StringGene("old")))
    source = new_answer(ORIGIN, "GET", "/other", body="new")
    former = FormerAnswers(lambda operation, place: True)
    former.note(linked, evaluation(linked, source, is_asked=True).test_case)
    (given,) = former.given_to(evaluation(OTHER, is_asked=False)).test_case.setup
    assert given.genes[BODY].phenotype() == "new"
