"""Hints of conflicts become test cases: with the input as it is elsewhere, or with a row that has its value."""

from random import Random

import pytest

from wimble.genes import StringGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest
from wimble.model.database import Column, Database, DatabaseCommand, Table, TableName, UniqueKey
from wimble.model.evaluation import Crash, Evaluation
from wimble.model.hints import QueryHint
from wimble.model.observation import Cause
from wimble.model.setup_kinds.database_action import inserted_rows
from wimble.model.targets import TargetTable
from wimble.model.testcase import Call, TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.search.generators.edits.conflicting_writes import MAX_WAITING, ConflictingWrites
from wimble.search.generators.edits.entry_edits import EntryEdits
from wimble.search.generators.edits.queued_edits import QueuedEdits
from wimble.search.generators.generator import Proposal
from wimble.search.mio import MioStrategy
from wimble.settings import Settings
from wimble.techniques import switched_off
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
OPERATION = http_operation(
    id=OperationId("POST /users"),
    method="POST",
    path="/users",
    inputs=(HttpInput(name="email", location="query", template=StringGene("kari@x.no"), required=True),),
)


def evaluated(email: str = "kari@x.no", rows=(), *, wanted: bool = True, crashes=(), n_hints: int = 1) -> Evaluation:
    test_case = TestCase((Call(OPERATION, (StringGene(email),)),))
    text = "SELECT * FROM users WHERE email = ?"
    hint = QueryHint(
        target=TargetId(-1), call=0, wanted=wanted, database=DATABASE, tables={"users": rows},
        command=DatabaseCommand(database="main", call=0, site="", text=text, params=(email,)),
    )  # fmt: skip
    return Evaluation(
        test_case=test_case, reached={}, crashes=crashes, conflicts=(hint,) * n_hints,
        observations=(http_observation(call_index=0, request=HttpRequest("POST", f"/users?email={email}")),),
    )  # fmt: skip


def taken(conflicts: ConflictingWrites) -> list[TestCase]:
    found = []
    while (one := conflicts.take()) is not None:
        found.append(one)
    return found


def emails(test_case: TestCase) -> list[object]:
    sent = [call.genes[0].phenotype() for call in test_case.calls]
    rows = [dict(zip(one.columns, row, strict=True))["email"] for one in inserted_rows(test_case) for row in one.rows]
    return [*sent, *rows]


def test_a_value_that_is_taken_already_and_a_row_that_takes_the_value():
    conflicts = ConflictingWrites(EntryEdits(Random(1), JAVASCRIPT))
    conflicts.add(evaluated(rows=({"id": 1, "email": "ola@x.no"},)))
    assert conflicts.is_ready()
    assert [emails(one) for one in taken(conflicts)] == [["ola@x.no"], ["kari@x.no", "kari@x.no"]]
    assert not conflicts.is_ready()


def test_a_row_follows_the_input_whatever_becomes_of_it():
    conflicts = ConflictingWrites(EntryEdits(Random(1), JAVASCRIPT))
    conflicts.add(evaluated())
    (brought,) = taken(conflicts)
    assert brought.setup
    changed = TestCase((Call(OPERATION, (StringGene("else@x.no"),)),), brought.setup)
    assert emails(changed) == ["else@x.no", "else@x.no"]


def test_what_is_pointed_to_and_not_there_is_another_value():
    conflicts = ConflictingWrites(EntryEdits(Random(1), JAVASCRIPT))
    conflicts.add(evaluated(rows=({"id": 1, "email": "kari@x.no"},), wanted=False))
    (other,) = taken(conflicts)
    assert emails(other) != ["kari@x.no"]


def test_of_a_sut_that_is_lost_nothing_is_tried_again():
    conflicts = ConflictingWrites(EntryEdits(Random(1), JAVASCRIPT))
    conflicts.add(evaluated(crashes=(Crash(kind="died", call_index=0, cause=Cause()),)))
    assert not conflicts.is_ready()


def test_what_waits_is_bounded():
    conflicts = ConflictingWrites(EntryEdits(Random(1), JAVASCRIPT))
    for _ in range(3):
        conflicts.add(evaluated(n_hints=MAX_WAITING))
    assert len(taken(conflicts)) == MAX_WAITING


@pytest.mark.parametrize("is_on", [True, False])
def test_the_search_tries_them_unless_they_are_switched_off(is_on):
    settings = Settings(switched_off=switched_off(() if is_on else ("conflicts",)))
    strategy = MioStrategy([OPERATION], TargetTable(), settings, Random(1), JAVASCRIPT)
    strategy.observe(evaluated(), 0.0)
    proposed = [strategy.next_test_case(0.1) for _ in range(60)]
    assert any(one.setup for one in proposed) == is_on


def test_they_do_not_wait_until_nothing_else_is_left_to_edit(monkeypatch):
    edited = TestCase((Call(OPERATION, (StringGene("edited"),)),))
    monkeypatch.setattr(QueuedEdits, "propose", lambda own, progress: Proposal(edited, own))
    strategy = MioStrategy([OPERATION], TargetTable(), Settings(), Random(2), JAVASCRIPT)
    strategy.observe(evaluated(), 0.0)
    proposed = [strategy.next_test_case(0.1) for _ in range(600)]
    assert any(one.setup for one in proposed)
