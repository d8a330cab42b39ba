"""Hints of conflicts become test cases: with the input as it is elsewhere, or with a row that has its value."""

from random import Random

import pytest

from wimble.genes import StringGene
from wimble.model.database import Column, Command, Database, Table, TableName, UniqueKey
from wimble.model.evaluation import Cause, Crash, Evaluation, Observation, QueryHint
from wimble.model.http import HttpRequest
from wimble.model.operation import Input, Operation
from wimble.model.setup import inserted_rows
from wimble.model.targets import TargetTable
from wimble.model.testcase import Call, TestCase
from wimble.search.conflicts import MAX_WAITING, Conflicts
from wimble.search.mio import MioStrategy
from wimble.settings import Settings
from wimble.techniques import Techniques
from wimble.types import OperationId, TargetId

USERS = Table(
    name=TableName("users"),
    columns=(
        Column(name="id", type_name="integer", type="integer", is_nullable=False, is_identity=True),
        Column(name="email", type_name="text", type="text", is_nullable=False),
    ),
    primary_key=("id",),
    unique=(UniqueKey(("email",)),),
)
DATABASE = Database(id="main", dialect="sqlite", tables=(USERS,))
OPERATION = Operation(
    id=OperationId("POST /users"),
    method="POST",
    path="/users",
    inputs=(Input(name="email", location="query", template=StringGene("kari@x.no"), required=True),),
)


def evaluated(email: str = "kari@x.no", rows=(), *, wanted: bool = True, crashes=(), n_hints: int = 1) -> Evaluation:
    test_case = TestCase((Call(OPERATION, (StringGene(email),)),))
    text = "SELECT * FROM users WHERE email = ?"
    hint = QueryHint(
        target=TargetId(-1), call=0, wanted=wanted, database=DATABASE, tables={"users": rows},
        command=Command(database="main", call=0, site="", text=text, params=(email,)),
    )  # fmt: skip
    return Evaluation(
        test_case=test_case, reached={}, crashes=crashes, conflicts=(hint,) * n_hints,
        observations=(Observation(call_index=0, request=HttpRequest("POST", f"/users?email={email}")),),
    )  # fmt: skip


def taken(conflicts: Conflicts) -> list[TestCase]:
    found = []
    while (one := conflicts.take()) is not None:
        found.append(one)
    return found


def emails(test_case: TestCase) -> list[object]:
    sent = [call.genes[0].phenotype() for call in test_case.calls]
    rows = [dict(zip(one.columns, row, strict=True))["email"] for one in inserted_rows(test_case) for row in one.rows]
    return [*sent, *rows]


def test_a_value_that_is_taken_already_and_a_row_that_takes_the_value():
    conflicts = Conflicts(Random(1))
    conflicts.add(evaluated(rows=({"id": 1, "email": "ola@x.no"},)))
    assert conflicts
    assert [emails(one) for one in taken(conflicts)] == [["ola@x.no"], ["kari@x.no", "kari@x.no"]]
    assert not conflicts


def test_a_row_follows_the_input_whatever_becomes_of_it():
    conflicts = Conflicts(Random(1))
    conflicts.add(evaluated())
    (brought,) = taken(conflicts)
    assert brought.setup
    changed = TestCase((Call(OPERATION, (StringGene("else@x.no"),)),), brought.setup)
    assert emails(changed) == ["else@x.no", "else@x.no"]


def test_what_is_pointed_to_and_not_there_is_another_value():
    conflicts = Conflicts(Random(1))
    conflicts.add(evaluated(rows=({"id": 1, "email": "kari@x.no"},), wanted=False))
    (other,) = taken(conflicts)
    assert emails(other) != ["kari@x.no"]


def test_of_a_sut_that_is_lost_nothing_is_tried_again():
    conflicts = Conflicts(Random(1))
    conflicts.add(evaluated(crashes=(Crash(kind="died", call_index=0, cause=Cause()),)))
    assert not conflicts


def test_what_waits_is_bounded():
    conflicts = Conflicts(Random(1))
    for _ in range(3):
        conflicts.add(evaluated(n_hints=MAX_WAITING))
    assert len(taken(conflicts)) == MAX_WAITING


@pytest.mark.parametrize("is_on", [True, False])
def test_the_search_tries_them_unless_they_are_switched_off(is_on):
    settings = Settings(techniques=Techniques(conflicts=is_on))
    strategy = MioStrategy([OPERATION], TargetTable(), settings, Random(1))
    strategy.observe(evaluated(), 0.0)
    proposed = [strategy.next_test_case(0.1) for _ in range(60)]
    assert any(one.setup for one in proposed) == is_on
