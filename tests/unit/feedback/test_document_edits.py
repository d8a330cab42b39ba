"""A call, the command that it ran on MongoDB: what is tried to see whether inputs become syntax."""

from random import Random

from wimble.feedback import apply_edit, edits_from_hints
from wimble.genes import ObjectGene, StringGene
from wimble.model.database import Command, Database, Table, TableName
from wimble.model.evaluation import QueryHint
from wimble.model.operation import Input, Operation
from wimble.model.testcase import Call, TestCase
from wimble.types import OperationId, TargetId

USERS = Database(id="d", dialect="mongo", tables=(Table(name=TableName("users"), columns=()),))


def bodies(word: str, condition: dict, media_type: str = "application/json") -> list[object]:
    """What the call sends after each edit."""
    body = ObjectGene((("word", StringGene(word)),))
    given = Input(name="body", location="body", template=body, media_type=media_type)
    operation = Operation(id=OperationId("POST /x"), method="POST", path="/x", inputs=(given,))
    test_case = TestCase((Call(operation, (body,)),))
    hint = QueryHint(
        target=TargetId(1),
        call=0,
        wanted=True,
        command=Command(
            database="d", call=0, site="", text="users.find", params=({"find": "users", "filter": condition},)
        ),
        database=USERS,
        tables={"users": ()},
    )
    edits = edits_from_hints(test_case, [hint], Random(1))
    return [apply_edit(test_case, edit).calls[0].genes[0].phenotype() for edit in edits]


def test_a_text_that_a_field_is_compared_with_becomes_an_operator():
    assert {"word": {"$ne": None}} in bodies("kq7", {"name": "kq7"})
    assert {"word": {"$ne": None}} in bodies("kq7", {"$or": [{"a": 1}, {"name": {"$not": "kq7"}}]})


def test_only_json_holds_objects_and_only_operands_become_operators():
    assert {"word": {"$ne": None}} not in bodies("kq7", {"name": "kq7"}, "application/x-www-form-urlencoded")
    assert {"word": {"$ne": None}} not in bodies("kq7", {"name": {"$in": ["kq7"]}})


def test_a_literal_of_a_program_gets_a_quote():
    assert {"word": "kq7's"} in bodies("kq7", {"$where": "this.name == 'kq7'"})
    assert {"word": "kq7's"} in bodies("kq7", {"$and": [{"a": 1}, {"$where": 'return this["name"] == "kq7"'}]})
    assert bodies("kq7", {"$where": "this.name == 'fixed'"}) == []
