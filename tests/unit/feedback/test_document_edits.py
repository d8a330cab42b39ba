"""A call, the command that it ran on MongoDB: what is tried to see whether inputs become syntax."""

from random import Random

from wimble.feedback import apply_edit, edits_from_hints
from wimble.genes import Gene, ObjectGene, StringGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.model.database import Database, DatabaseCommand, Table, TableName
from wimble.model.hints import QueryHint
from wimble.model.testcase import Call, TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.types import OperationId, TargetId

USERS = Database(id="d", dialect="mongo", tables=(Table(name=TableName("users"), columns=()),))


def bodies(word: str, condition: dict, media_type: str = "application/json") -> list[object]:
    """What the call sends after each edit."""
    body = ObjectGene((("word", StringGene(word)),))
    given = HttpInput(name="body", location="body", template=body, media_type=media_type)
    return phenotypes(given, body, condition)


def phenotypes(given: HttpInput, gene: Gene, condition: dict) -> list[object]:
    operation = http_operation(id=OperationId("POST /x"), method="POST", path="/x", inputs=(given,))
    test_case = TestCase((Call(operation, (gene,)),))
    hint = QueryHint(
        target=TargetId(1),
        call=0,
        wanted=True,
        command=DatabaseCommand(
            database="d", call=0, site="", text="users.find", params=({"find": "users", "filter": condition},)
        ),
        database=USERS,
        tables={"users": ()},
    )
    edits = edits_from_hints(test_case, [hint], Random(1), JAVASCRIPT)
    return [apply_edit(test_case, edit).calls[0].genes[0].phenotype() for edit in edits]


def test_a_text_that_a_field_is_compared_with_becomes_an_operator():
    assert {"word": {"$ne": None}} in bodies("kq7", {"name": "kq7"})
    assert {"word": {"$ne": None}} in bodies("kq7", {"$or": [{"a": 1}, {"name": {"$not": "kq7"}}]})


def test_forms_and_query_strings_hold_objects_of_texts():
    assert {"word": {"$ne": ""}} in bodies("kq7", {"name": "kq7"}, "application/x-www-form-urlencoded")
    given = HttpInput(name="word", location="query", template=StringGene("kq7"))
    assert {"$ne": ""} in phenotypes(given, StringGene("kq7"), {"name": "kq7"})


def test_only_operands_become_operators_and_only_where_objects_can_stand():
    assert not any("$ne" in str(body) for body in bodies("kq7", {"name": "kq7"}, "text/plain"))
    given = HttpInput(name="word", location="header", template=StringGene("kq7"))
    assert not any("$ne" in str(one) for one in phenotypes(given, StringGene("kq7"), {"name": "kq7"}))
    assert {"word": {"$ne": None}} not in bodies("kq7", {"name": {"$in": ["kq7"]}})


def test_a_literal_of_a_program_gets_a_quote():
    assert {"word": "kq7's"} in bodies("kq7", {"$where": "this.name == 'kq7'"})
    assert {"word": "kq7's"} in bodies("kq7", {"$and": [{"a": 1}, {"$where": 'return this["name"] == "kq7"'}]})
    assert bodies("kq7", {"$where": "this.name == 'fixed'"}) == []
