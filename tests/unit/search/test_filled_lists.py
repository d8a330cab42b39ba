"""A list is read after several rows were added to a table that it asks."""

from random import Random

from fake_sut import operation
from msgspec.structs import replace
from proposed import proposed_after

from wimble.genes import IntegerGene, ObjectGene, OptionalGene, StringGene
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import Call, TestCase
from wimble.search.generators.variations.filled_lists import FilledLists
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings
from wimble.types import ABSENT

LOAN = ObjectGene((("book", StringGene("Emma")),))
API = {
    one.id: one
    for one in (
        replace(operation("POST", "/users"), entrance="sign-up"),
        operation("POST", "/loans", body=LOAN),
        operation("GET", "/loans", status=OptionalGene(StringGene("open"))),
        operation("GET", "/loans/{id}", id=IntegerGene()),
        operation("GET", "/health"),
    )
}
SIGN_UP = Call(API["POST /users"], ())
BORROW = Call(API["POST /loans"], (LOAN,), user="emma")
LIST = Call(API["GET /loans"], (OptionalGene(StringGene("open")),))
ONE = Call(API["GET /loans/{id}"], (IntegerGene(1),))
HEALTH = Call(API["GET /health"], ())
TEXTS = {
    SIGN_UP: "INSERT INTO users (name) VALUES ('e')",
    BORROW: "INSERT INTO loans (book) VALUES (1)",
    LIST: "SELECT * FROM loans",
    ONE: "SELECT * FROM loans",
    HEALTH: "SELECT * FROM users",
}


def evaluation(*calls: Call, status: int = 200) -> Evaluation:
    return Evaluation(
        test_case=TestCase(calls),
        observations=tuple(
            http_observation(index, HttpRequest("GET", "/"), HttpResponse(status, (), b"{}"))
            for index in range(len(calls))
        ),
        reached={},
        interactions=tuple(
            DatabaseCommand(
                database="d", dialect="sqlite", call=index, site="a.js:5", text=TEXTS[call], returned=1, affected=1
            )
            for index, call in enumerate(calls)
        ),
    )


def proposed(*evaluations: Evaluation, max_calls: int = 10) -> list[TestCase]:
    generator = FilledLists(Sampler(list(API.values()), Settings(), Random(1)), max_calls)
    return proposed_after(generator, evaluations)


def test_what_has_added_a_row_is_done_again_before_each_list_of_the_table_whichever_is_seen_first():
    filled, read = evaluation(SIGN_UP, BORROW, BORROW), evaluation(LIST)
    for order in ((filled, read), (read, filled)):
        twice, other, three_times = proposed(*order, filled, read)
        assert twice.calls[:-1] == (SIGN_UP, BORROW, BORROW)
        assert three_times.calls[:-1] == (SIGN_UP, BORROW, BORROW, BORROW)
        assert [call.operation.id for call in other.calls[:-1]] == ["POST /users", "POST /loans", "POST /loans"]
        assert {call.user for call in other.calls[1:]} == {"emma"}
        for test_case in (twice, other, three_times):
            assert test_case.calls[-1].operation.id == "GET /loans"
            assert test_case.calls[-1].genes[0].phenotype() is ABSENT


def test_the_table_of_users_is_asked_for_who_calls_and_one_resource_is_no_list():
    assert not proposed(evaluation(SIGN_UP), evaluation(HEALTH))
    assert not proposed(evaluation(BORROW), evaluation(ONE))


def test_refused_calls_show_nothing_and_no_test_case_is_too_long():
    assert not proposed(evaluation(BORROW, status=400), evaluation(LIST))
    assert not proposed(evaluation(BORROW), evaluation(LIST), max_calls=3)
