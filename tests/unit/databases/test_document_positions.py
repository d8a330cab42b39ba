"""Where an input stands in a command of MongoDB, and what would be syntax there."""

import pytest

from wimble.databases.injections.probes import HEAD, TAIL
from wimble.databases.mongo.document_positions import positions_in_document
from wimble.model.database import DatabaseCommand


def positions(condition, value="zqfirst"):
    command = DatabaseCommand(
        database="d",
        dialect="mongo",
        call=0,
        site="",
        text="jobs.find",
        params=({"find": "jobs", "filter": condition},),
    )
    return {one.name: one.templates for one in positions_in_document(command, value)}


@pytest.mark.parametrize(
    ("condition", "name"),
    [
        ({"title": "zqfirst"}, "operand"),
        ({"title": {"$regex": "^zqfirst", "$options": "i"}}, "expression"),
        ({"title": {"$regularExpression": {"pattern": "zqfirst", "options": ""}}}, "expression"),
        ({"$or": [{"title": {"$not": {"$regex": "zqfirst"}}}]}, "expression"),
        ({"$where": "this.title == 'zqfirst'"}, "program"),
        ({"zqfirst": 1}, "name"),
    ],
)
def test_the_position_decides_what_is_syntax(condition, name):
    assert list(positions(condition)) == [name]


def test_what_no_regular_expression_may_contain():
    templates = positions({"title": {"$regex": "zqfirst"}})["expression"]
    assert templates == (f"{HEAD}({TAIL}", f"{HEAD}[{TAIL}")


def test_other_values_have_no_position():
    assert positions({"title": {"$regex": "other"}, "city": "zqsecond"}) == {}
