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
