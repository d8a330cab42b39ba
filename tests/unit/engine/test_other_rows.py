"""An input that has found a row by its key is sent with the keys of rows that differ from it."""

import pytest
from msgspec.structs import replace

from wimble.databases.conditions.stored_values import Cells
from wimble.databases.languages import language_of
from wimble.databases.mongo.document_values import ObjectId
from wimble.engine.queries.other_rows import MAX_KEYS, OtherRows
from wimble.genes import StringGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.model.database import Column, Database, DatabaseCommand, InsertRows, Table, TableName
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import Call, TestCase

READ = http_operation(
    id="GET /authors/{id}",
    method="GET",
    path="/authors/{id}",
    inputs=(HttpInput(name="id", location="path", template=StringGene(""), required=True),),
)
COLUMNS = tuple(
    Column(name=name, type_name=kind, type=kind, is_nullable=name != "id")
    for name, kind in (("id", "integer"), ("name", "text"), ("country", "text"), ("sales", "integer"))
)
SCHEMA = Database(id="d", dialect="sqlite", tables=(Table(name=TableName("authors"), columns=COLUMNS),))
SELECT = "SELECT * FROM authors WHERE id = ?"


def row(key: int, country: str | None, sales: int = 5) -> Cells:
    return {"id": key, "name": f"n{key}", "country": country, "sales": sales}


def looked_up(text=SELECT, *, key="1", params=("1",), returned=1, setup=()):
    command = DatabaseCommand(
        database="d", dialect="sqlite", call=0, site="/srv/a.js:3", text=text, params=params, returned=returned
    )
    test_case = TestCase((Call(READ, (StringGene(key),)),), setup)
    return Evaluation(test_case=test_case, observations=(), reached={}, interactions=(command,))


def proposed(rows, *evaluations):
    other = OtherRows()
    found = []
    for one in evaluations:
        queries = [language_of("sqlite").query(one.interactions[0], SCHEMA)]
        assert queries[0] is not None
        found.append([hint.templates for hint in other.hints(one, queries, lambda *_: rows)])
    return found


def test_the_keys_of_rows_that_differ_are_proposed_once():
    rows = [row(1, "PL"), row(2, "PL"), row(3, None), row(4, "PL", sales=0)]
    assert proposed(rows, looked_up(), looked_up()) == [[("3", "4")], []]


def test_a_key_in_the_text_of_a_command_counts_as_well():
    rows = [row(1, "PL"), row(3, None)]
    assert proposed(rows, looked_up("SELECT * FROM authors WHERE id = '1'", params=())) == [[("3",)]]
    assert proposed(rows, looked_up("SELECT * FROM authors WHERE id = 1", params=())) == [[("3",)]]
    assert proposed(rows, looked_up("SELECT * FROM authors WHERE id = 12", params=())) == [[]]


def test_so_are_the_ids_of_documents_that_lack_a_field():
    keys = [f"6b0a26279d272a2ac676ea8{number}" for number in range(3)]
    documents = [{"_id": ObjectId(key), "name": f"n{key}"} for key in keys]
    documents[1]["referee"] = {"name": "bo"}
    evaluation = looked_up("applications.find", key=keys[0], params=({"filter": {"_id": {"$oid": keys[0]}}},))
    (command,) = evaluation.interactions
    evaluation = replace(evaluation, interactions=(replace(command, dialect="mongo"),))
    schema = Database(id="d", dialect="mongo", tables=(Table(name=TableName("applications"), columns=()),))
    query = language_of("mongo").query(evaluation.interactions[0], schema)
    assert query is not None
    (hint,) = OtherRows().hints(evaluation, [query], lambda *_: documents)
    assert hint.templates == (keys[1],)


def test_rows_of_one_kind_are_represented_by_one_and_rows_of_many_by_a_few():
    assert proposed([row(key, "PL") for key in range(1, 40)], looked_up()) == [[("2",)]]
    many = [row(1, "PL"), *(row(2 + number, "PL" * number) for number in range(4)), row(7, None)]
    ((keys,),) = proposed(many, looked_up())
    assert len(keys) <= MAX_KEYS
    assert "7" in keys


@pytest.mark.parametrize(
    "evaluation",
    [
        looked_up(returned=0),
        looked_up(key="n1", params=("x",)),
        looked_up("SELECT count(*) FROM authors WHERE id = ?"),
        looked_up("UPDATE authors SET name = 'a' WHERE id = ?"),
        looked_up(setup=(InsertRows("d", TableName("authors"), ("id",), ((9,),)),)),
        looked_up(key="PL", params=("PL",)),
    ],
)
def test_what_has_found_no_row_by_its_key_has_no_others(evaluation):
    assert proposed([row(1, "PL"), row(2, "PL"), row(3, None)], evaluation) == [[]]
