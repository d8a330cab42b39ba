"""Documents made for commands: what their collection's schema demands, and values that are those of inputs."""

from __future__ import annotations

import json
from random import Random

import pytest

from wimble.databases.mongo.collection_schema import columns_of_schema
from wimble.databases.mongo.documents_to_insert import document_wanted
from wimble.databases.mongo.mongo_statements import document_statement
from wimble.model.database import ColumnRules, Database, InsertRows, Table, TableName, TableRules, UniqueKey
from wimble.model.setup import setup_comments
from wimble.model.setup_kinds.database_action import inserted_rows
from wimble.model.setup_kinds.insert_document import InsertDocument
from wimble.model.testcase import TestCase
from wimble.solve.patterns.regex import matches
from wimble.state.model_rules import with_rules

SCHEMA = {
    "bsonType": "object",
    "required": ["card", "kind", "address"],
    "properties": {
        "card": {"bsonType": "string", "pattern": "^[A-Z]{2}-[0-9]{4}$"},
        "kind": {"enum": ["adult", "child"]},
        "age": {"bsonType": "int", "minimum": 3, "maximum": 5},
        "address": {
            "bsonType": "object",
            "required": ["city"],
            "properties": {
                "city": {"bsonType": "string", "minLength": 2, "maxLength": 4},
                "zip": {"bsonType": "string"},
            },
        },
        "loans": {"bsonType": "array", "items": {"bsonType": "object"}},
        "since": {"bsonType": "date"},
    },
}
TABLE = Table(
    name=TableName("members"), columns=columns_of_schema(SCHEMA), primary_key=("_id",), unique=(UniqueKey(("card",)),)
)


def made(condition, table=TABLE, documents=(), seed=0, share=0.0):
    """The document as it is inserted."""
    statement = document_statement("members.find", [{"find": "members", "filter": condition}])
    row = document_wanted(statement, table, documents, Random(seed), share)
    action = InsertDocument(
        genes=tuple(cell.gene for cell in row.cells), database="d", table=row.table.name,
        columns=tuple(cell.column for cell in row.cells),
    )  # fmt: skip
    (rows,) = inserted_rows(TestCase((), (action,)))
    assert isinstance(rows, InsertRows)
    return dict(zip(rows.columns, rows.rows[0], strict=True)), row, action


@pytest.mark.parametrize("seed", range(20))
def test_what_the_schema_needs_is_there_as_it_wants_it(seed):
    document, _, _ = made({"age": {"$gt": {"$numberInt": "3"}}}, seed=seed)
    assert set(document) == {"_id", "card", "kind", "age", "address"}
    assert matches("^[A-Z]{2}-[0-9]{4}$", "", document["card"])
    assert document["kind"] in ("adult", "child")
    assert document["age"] == 4
    assert 2 <= len(document["address"]["city"]) <= 4 and set(document["address"]) == {"city"}
    assert len(document["_id"]["$oid"]) == 24


def test_what_only_a_model_wants_is_never_left_out():
    """The API writes no document without it, so that what fails without it is no fault."""
    models = [TableRules(table="members", columns={"card": ColumnRules(type="text", not_null=True)})]
    plain = Database(id="d", dialect="mongo", tables=(Table(name=TableName("members"), columns=()),))
    table = with_rules(plain, models).table(TableName("members"))
    assert all("card" in made({"a": "b"}, table, seed=seed)[0] for seed in range(200))


@pytest.mark.parametrize(
    ("element", "is_right"),
    [
        ("text", lambda one: isinstance(one, str)),
        ("objectid", lambda one: len(one["$oid"]) == 24),
        ("timestamp", lambda one: "T" in one["$date"]),
        ("json", None),
        (None, None),
    ],
)
def test_lists_of_a_model_are_lists_of_its_elements_and_those_of_documents_are_empty(element, is_right):
    models = [TableRules(table="members", columns={"tags": ColumnRules(type="array", element=element)})]
    plain = Database(id="d", dialect="mongo", tables=(Table(name=TableName("members"), columns=()),))
    table = with_rules(plain, models).table(TableName("members"))
    tags = [one["tags"] for seed in range(60) if "tags" in (one := made({"a": "b"}, table, seed=seed, share=1.0)[0])]
    elements = [element for one in tags for element in one]
    assert tags
    assert all(map(is_right, elements)) and elements if is_right is not None else elements == []


def test_no_document_is_made_under_a_key_that_is_null():
    statement = document_statement("members.find", [{"find": "members", "filter": {"_id": None}}])
    assert document_wanted(statement, TABLE, (), Random(0), 0.0) is None
    assert made({"age": None})[0]["age"] is None


def test_what_is_asked_of_the_documents_in_a_list_is_in_its_first():
    document, _, _ = made({"loans.title": "Emma", "loans.days": {"$gte": {"$numberInt": "9"}}})
    assert document["loans"] == [{"title": "Emma", "days": 9}]


def test_what_one_document_of_a_list_has_to_meet_can_be_linked_field_by_field():
    document, row, _ = made({"loans": {"$elemMatch": {"title": "Emma", "due": {"$date": {"$numberLong": "0"}}}}})
    assert document["loans"] == [{"title": "Emma", "due": {"$date": "1970-01-01T00:00:00.000Z"}}]
    assert {cell.column.name: cell.operand for cell in row.cells}["loans.0.title"] == "Emma"


def test_values_in_lists_keep_their_types():
    document, _, _ = made({"seen": {"$all": [{"$date": {"$numberLong": "0"}}, {"$oid": "0" * 24}, "x"]}})
    assert document["seen"] == [{"$date": "1970-01-01T00:00:00.000Z"}, {"$oid": "0" * 24}, "x"]


def test_types_that_json_has_not_are_extended():
    document, row, action = made({"since": {"$date": {"$numberLong": "1000"}}, "_id": {"$oid": "0" * 24}})
    assert document["since"] == {"$date": "1970-01-01T00:00:01.000Z"}
    assert document["_id"] == {"$oid": "0" * 24}
    operands = {cell.column.name: cell.operand for cell in row.cells}
    assert operands["since"] == "1970-01-01T00:00:01.000Z"
    (comment,) = setup_comments(TestCase((), (action,)))
    assert comment.startswith("# needs: db.members.insertOne(EJSON.deserialize({")
    assert json.loads(comment[comment.index("(", 40) + 1 : -2])["_id"] == {"$oid": "0" * 24}


def test_unique_values_are_not_those_that_are_there():
    table = Table(
        name=TableName("members"),
        columns=columns_of_schema({"required": ["n"], "properties": {"n": {"bsonType": "int", "minimum": 1, "maximum": 2}}}),
        unique=(UniqueKey(("n",)),),
    )  # fmt: skip
    for seed in range(10):
        document, _, _ = made({"x": "y"}, table, [{"n": 1}], seed)
        assert document.get("n") != 1


def test_an_unknown_collection_gets_what_is_asked_and_what_others_have():
    document, _, _ = made({"x.y": "z"}, None, [{"_id": 1, "seen": True}], share=1.0)
    assert document["x"] == {"y": "z"}
    assert isinstance(document["seen"], bool)


def test_fields_of_models_count_as_columns():
    models = [
        TableRules(
            table="members",
            columns={
                "card": ColumnRules(type="text", not_null=True, min_length=3, max_length=3),
                "loans": ColumnRules(type="array"),
                "loans.0.days": ColumnRules(type="integer", not_null=True, low=1, high=1),
            },
        )
    ]
    plain = Database(id="d", dialect="mongo", tables=(Table(name=TableName("members"), columns=()),))
    table = with_rules(plain, models).table(TableName("members"))
    document, _, _ = made({"kind": "a"}, table)
    assert len(document["card"]) == 3 and "loans" not in document
    document, _, _ = made({"loans.title": "a"}, table)
    assert document["loans"] == [{"days": 1, "title": "a"}] or document["loans"] == [{"title": "a", "days": 1}]


def test_what_comes_from_elsewhere_than_the_collection_is_not_looked_for_there():
    def statement(*pipeline):
        return document_statement("members.aggregate", [{"aggregate": "members", "pipeline": list(pipeline)}])

    assert statement({"$changeStream": {}}, {"$match": {"operationType": "insert"}}) is None
    assert statement({"$match": {"kind": "child"}}).condition == {"kind": "child"}
