"""Inputs that are written to columns with a limit are sent with one character too many, or as a larger number."""

import pytest

from wimble.engine.queries.column_limits import ColumnLimits
from wimble.genes import IntegerGene, ObjectGene, StringGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.model.database import Column, Database, DatabaseCommand, ForeignKey, Table, TableName
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import Call, TestCase

BODY = ObjectGene((("name", StringGene("zqname")), ("age", IntegerGene(7)), ("note", StringGene("zqnote"))))
ADD = http_operation(
    id="POST /people",
    method="POST",
    path="/people",
    inputs=(HttpInput(name="body", location="body", media_type="application/json", template=BODY, required=True),),
)
INSERT = "INSERT INTO people (name, note, state) VALUES ($1, $2, 'zqname')"
UPDATE = "UPDATE people SET name = $1, note = $2 WHERE id = 3"


def schema(dialect):
    columns = (
        Column(name="id", type_name="integer", type="integer"),
        Column(name="name", type_name="character varying(20)", type="text", length=20),
        Column(name="note", type_name="longtext", type="text", length=4_294_967_295),
        Column(name="state", type_name="character varying(9)", type="text", length=9),
        Column(name="age", type_name="smallint", type="integer", bits=16),
        Column(name="rate", type_name="numeric(8,2)", type="decimal", precision=8, scale=2),
        Column(name="size", type_name="bigint", type="integer", bits=64),
        Column(name="club_id", type_name="integer", type="integer", bits=32),
    )
    people = Table(
        name=TableName("people"),
        columns=columns,
        foreign_keys=(ForeignKey(("club_id",), TableName("clubs"), ("id",)),),
    )
    return Database(id="d", dialect=dialect, tables=(people,))


def run(text, *, dialect="postgres", affected=1, params=("zqname", "zqnote")):
    command = DatabaseCommand(
        database="d", dialect=dialect, call=0, site="/srv/a.js:3", text=text, params=params, affected=affected
    )
    test_case = TestCase((Call(ADD, (BODY,)),))
    return Evaluation(test_case=test_case, observations=(), reached={}, interactions=(command,))


def proposed(*evaluations, dialect="postgres"):
    limits = ColumnLimits()
    return [
        [(hint.key[2:], *map(len, hint.templates)) for hint in limits.hints(one, {"d": schema(dialect)})]
        for one in evaluations
    ]


@pytest.mark.parametrize("text", [INSERT.replace("'zqname'", "'new'"), UPDATE])
def test_an_input_is_sent_once_with_one_character_too_many(text):
    assert proposed(run(text), run(text)) == [[(("body.0", "people.name"), 21)], []]


@pytest.mark.parametrize("sent", [7, "7", "7.00"])
def test_a_number_is_sent_once_as_the_first_that_is_too_large(sent):
    def numbers(column):
        limits = ColumnLimits()
        written = run(f"UPDATE people SET {column} = $1 WHERE id = 3", params=(sent,))
        return [hint.templates for _ in range(2) for hint in limits.hints(written, {"d": schema("postgres")})]

    assert numbers("age") == [(32_768,)]
    assert numbers("rate") == [(1_000_000,)]
    assert numbers("size") == []
    assert numbers("club_id") == []


def test_an_input_that_is_written_to_two_columns_is_tried_with_both_limits():
    (found,) = proposed(run(INSERT))
    assert found == [(("body.0", "people.name"), 21), (("body.0", "people.state"), 10)]


def test_an_input_that_is_a_part_of_what_is_written_is_tried_as_well():
    part = INSERT.replace("'zqname'", "'new'")
    assert proposed(run(part, params=("by zqname", "zqnote"))) == [[(("body.0", "people.name"), 21)]]
    assert proposed(run(part, params=("by zqnote and zqname", "zqnote"))) == [
        [(("body.0", "people.name"), 21), (("body.2", "people.name"), 21)]
    ]
    assert proposed(run(INSERT)) == [[(("body.0", "people.name"), 21), (("body.0", "people.state"), 10)]]


def test_an_input_that_was_written_otherwise_is_tried_as_well():
    other = INSERT.replace("'zqname'", "'new'")
    assert proposed(run(other, params=("by-ZQ-name", "zqnote"))) == [[(("body.0", "people.name"), 21)]]
    assert proposed(run(other, params=("zqn", "zqnote"))) == [[]]


@pytest.mark.parametrize(
    "evaluation",
    [
        run(INSERT, affected=0),
        run(INSERT.replace("'zqname'", "'new'"), params=("other", "zqnote")),
        run("SELECT * FROM people WHERE name = $1", params=("zqname",)),
    ],
)
def test_what_is_not_written_or_no_input_is_not_tried(evaluation):
    assert proposed(evaluation) == [[]]


def test_sqlite_accepts_texts_of_any_length():
    assert proposed(run(INSERT, dialect="sqlite"), dialect="sqlite") == [[]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT * FROM people WHERE club_id = $1", [2_147_483_648]),
        ('SELECT "p".* FROM "people" AS "p" WHERE "p"."club_id" = $1 AND p.name = $2', [2_147_483_648]),
        ("DELETE FROM people WHERE age < ($1)", [32_768]),
        ("UPDATE people SET name = $2 WHERE club_id IN ($1)", [2_147_483_648]),
        ("SELECT * FROM people WHERE size = $1", []),
        ("SELECT * FROM people WHERE club_id = $1::bigint", []),
        ("SELECT * FROM people WHERE club_id = 7", []),
        ("SELECT * FROM people LIMIT $1", []),
    ],
)
def test_a_number_that_rows_are_looked_for_with_is_sent_once_as_the_first_that_is_too_large(text, expected):
    limits = ColumnLimits()
    looked_up = run(text, params=(7, "zqother"), affected=0)
    found = [hint.templates for _ in range(2) for hint in limits.hints(looked_up, {"d": schema("postgres")})]
    assert found == [(one,) for one in expected]


@pytest.mark.parametrize("dialect", ["mysql", "sqlite"])
def test_databases_that_compare_with_any_number_get_none(dialect):
    looked_up = run("SELECT * FROM people WHERE club_id = ?", params=(7,), dialect=dialect)
    assert proposed(looked_up, dialect=dialect) == [[]]
