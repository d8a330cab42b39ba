import json

import pytest

from wimble.engine.stability.row_order import calls_in_any_order, with_values_of_lists
from wimble.genes.fixed import ConstantGene
from wimble.genes.reference import ReferenceGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.database import Database, DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import Call, TestCase


def calls_of(text: str, dialect: str, *, returned: int | None = 2, params: tuple = ()) -> frozenset[int]:
    command = DatabaseCommand(database="d", call=1, site="", text=text, params=params, returned=returned)
    evaluation = Evaluation(test_case=TestCase(()), observations=(), reached={}, interactions=(command,))
    return calls_in_any_order([evaluation], [Database(id="d", dialect=dialect)])


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * FROM tags",
        "select name from tags where name <> 'x order by y'",
        "WITH t AS (SELECT 1) SELECT * FROM t JOIN tags ON true",
        "(SELECT 1) UNION (SELECT 2)",
    ],
)
def test_several_rows_without_an_order_come_in_any(text):
    assert calls_of(text, "postgres") == {1}
    assert calls_of(text, "postgres", returned=1) == frozenset()
    assert calls_of(text, "postgres", returned=None) == frozenset()


@pytest.mark.parametrize("dialect", ["mysql", "sqlite"])
def test_databases_that_keep_rows_by_their_keys_keep_the_order(dialect):
    assert calls_of("SELECT * FROM tags", dialect) == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * FROM tags ORDER BY name",
        "SELECT * FROM (SELECT * FROM tags\norder\n by name) t",
        "INSERT INTO tags VALUES (1), (2) RETURNING id",
    ],
)
def test_an_order_is_one_wherever_it_stands(text):
    assert calls_of(text, "postgres") == frozenset()


def test_lists_that_a_query_makes_of_rows_have_no_order_either():
    assert calls_of("SELECT coalesce(json_agg(t), '[]') FROM tags t", "postgres", returned=1) == {1}
    assert calls_of("SELECT ARRAY(SELECT name FROM tags)", "postgres", returned=1) == {1}
    assert calls_of("SELECT json_agg(t ORDER BY t.name) FROM tags t", "postgres", returned=1) == frozenset()


def test_documents_without_a_sort():
    assert calls_of("tags.find", "mongo", params=({"filter": {}},)) == {1}
    assert calls_of("tags.find", "mongo", params=({"filter": {}, "sort": {}},)) == {1}
    assert calls_of("tags.find", "mongo", params=({"filter": {}, "sort": {"name": 1}},)) == frozenset()
    assert calls_of("tags.aggregate", "mongo", params=({"pipeline": [{"$match": {}}]},)) == {1}
    assert calls_of("tags.aggregate", "mongo", params=({"pipeline": [{"$sort": {"a": 1}}]},)) == frozenset()
    assert calls_of("tags.count", "mongo", params=({"query": {}},)) == frozenset()


def reading_twice(pointer: str) -> TestCase:
    listing = http_operation(id="GET /tags", method="GET", path="/tags", inputs=())
    by_id = HttpInput(name="id", location="path", required=True, template=ConstantGene("x"))
    reading = http_operation(id="GET /tags/{id}", method="GET", path="/tags/{id}", inputs=(by_id,))
    return TestCase((Call(listing, ()), Call(reading, (ReferenceGene(0, pointer, ConstantGene("x")),))))


def listed(test_case: TestCase, *ids: object) -> Evaluation:
    response = HttpResponse(
        200, (("content-type", "application/json"),), json.dumps({"tags": [{"id": one} for one in ids]}).encode()
    )
    observation = http_observation(call_index=0, request=HttpRequest("GET", "/tags"), response=response)
    return Evaluation(test_case=test_case, observations=(observation,), reached={})


def test_a_reference_into_a_list_becomes_the_value_that_it_stood_for():
    test_case = reading_twice("/tags/1/id")
    runs = [listed(test_case, "a", "b"), listed(test_case, "c", "b")]
    assert with_values_of_lists(test_case, runs, {0}).calls[1].genes == (ConstantGene("b"),)
    assert with_values_of_lists(test_case, runs, {1}) == test_case


@pytest.mark.parametrize("ids", [("a", "c"), ("a",)])
def test_values_that_differ_stay_references(ids):
    """Such as those that the SUT draws."""
    test_case = reading_twice("/tags/1/id")
    runs = [listed(test_case, "a", "b"), listed(test_case, *ids)]
    assert with_values_of_lists(test_case, runs, {0}) == test_case


@pytest.mark.parametrize("pointer", ["/tags/0/id", "/more/0/id", "header:location"])
def test_references_into_one_element_or_nothing_stay(pointer):
    test_case = reading_twice(pointer)
    assert with_values_of_lists(test_case, [listed(test_case, "a")] * 2, {0}) == test_case
