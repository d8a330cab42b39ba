"""What test cases of a search are looked at in before they may become tests."""

from __future__ import annotations

from typing import Any

from engine_parts import FakeDatabases, new_coordinator
from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.selection import candidate_of, candidates_for_coverage, describe_targets
from wimble.engine.faults.fault_book import Fault, Witness
from wimble.genes import IntegerGene, LinkedGene, ReferenceGene
from wimble.http.binding import http_operation
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest
from wimble.model.database import Column, DatabaseHome, TableName
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.observation import Cause
from wimble.model.operation import Operation
from wimble.model.setup import value_of
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.targets import Target, TargetTable
from wimble.model.testcase import Call, TestCase
from wimble.search.archive.archive import Solution
from wimble.types import OperationId, TargetId

MAKE = http_operation(id=OperationId("POST /books"), method="POST", path="/books")
LIST = http_operation(id=OperationId("GET /books"), method="GET", path="/books")
READ = http_operation(id=OperationId("GET /books/{id}"), method="GET", path="/books/{id}")
COLUMN = Column(name="id", type_name="INTEGER", type="integer")


def call(operation: Operation, *genes: Any) -> Call:
    return Call(operation, genes)


LONG = TestCase((call(LIST), call(MAKE), call(READ, ReferenceGene(1, "/id", IntegerGene(3))), call(LIST)))


def row(database: str, *genes: Any) -> InsertRow:
    columns = (COLUMN,) * len(genes)
    return InsertRow(database=database, dialect="sqlite", table=TableName("books"), columns=columns, genes=genes)


class Setup:
    def __init__(self, *, homes: tuple[DatabaseHome, ...] = ()) -> None:
        table = TargetTable()
        table.register(Target("line", "a.js", 1, 0))
        self.coordinator = new_coordinator(table=table)
        self.databases = FakeDatabases(homes)

    def chosen(self, *solutions: Solution) -> list[Candidate]:
        return list(candidates_for_coverage(solutions, self.coordinator, self.databases))


def fault(test_case: TestCase, call_index: int) -> Fault:
    finding = Finding(
        oracle="server-error",
        key=("server-error", "x"),
        operation=READ.id,
        status=500,
        title="",
        observed="",
        expected="",
        cause=Cause(),
        call_index=call_index,
    )
    evaluation = Evaluation(test_case=test_case, observations=(), reached={})
    witness = Witness(finding, evaluation, ())
    return Fault(id="F1", witnesses=[witness], operations={}, found_after_calls=1, found_after_s=0.0)


def operations(test_case: TestCase) -> list[Operation]:
    return [one.operation for one in test_case.calls]


def test_a_fault_is_looked_for_first_in_its_call_and_those_that_it_needs() -> None:
    one = candidate_of(fault(LONG, 2))
    assert [operations(shape) for shape in one.shapes] == [[MAKE, READ], [LIST, MAKE, READ, LIST]]


def test_a_fault_whose_calls_are_all_needed_has_one_shape() -> None:
    needed = TestCase(LONG.calls[1:2])
    one = candidate_of(fault(needed, 0))
    assert one.core is None and one.shapes == [needed]


def test_coverage_keeps_what_covered_it_and_the_whole_to_fall_back_on() -> None:
    (one,) = Setup().chosen(Solution(LONG, (TargetId(0),), 7, frozenset([2])))
    assert one.core is not None and operations(one.core) == [MAKE, READ]
    assert one.test_case is LONG and one.shapes == [LONG]


def test_what_calls_an_operation_that_has_hung_is_known_to_take_long() -> None:
    setup = Setup()
    exchange = http_observation(0, HttpRequest("POST", "/books"), failure="timeout")
    hung = Evaluation(test_case=TestCase((call(MAKE),)), observations=(exchange,), reached={})
    setup.coordinator.statistics.note(hung, is_search=True)
    reads, makes = setup.chosen(
        Solution(TestCase((call(LIST),)), (TargetId(0),), 7, frozenset([0])),
        Solution(LONG, (TargetId(0),), 8, frozenset([2])),
    )
    assert (reads.ends_its_start, makes.ends_its_start) == (False, True)


def test_rows_that_no_test_can_put_in_are_taken_from_what_is_there_for_coverage() -> None:
    file = DatabaseHome(id="file", driver="better-sqlite3", name="/srv/shop.sqlite", host="", port=0, is_file=True)
    kept, gone = row("file", LinkedGene(-2, 0, (), IntegerGene(1))), row("memory", IntegerGene(7))
    solution = Solution(TestCase(LONG.calls, (kept, gone)), (TargetId(0),), 7, frozenset([2]))
    setup = Setup(homes=(file,))

    (one,) = setup.chosen(solution)

    assert [action.database for action in one.original.setup if isinstance(action, InsertRow)] == ["file"]
    assert value_of(one.original, one.original.setup[0].genes[0]) == 7, "what was linked to it keeps its value"
    assert one.core is not None and len(one.core.setup) == 1
    (told,) = setup.coordinator.notices.warnings
    assert told.startswith("1 test cases")


def test_rows_stay_in_what_shows_a_fault() -> None:
    test_case = TestCase(LONG.calls, (row("memory", IntegerGene(7)),))
    one = candidate_of(fault(test_case, 2))
    assert len(one.original.setup) == 1, "the fault is told, with what it needs, though no test is written"


def test_outcomes_are_told_as_answers_of_an_api_and_as_facts_about_a_library():
    table = TargetTable()
    of_api, of_library = (
        table.register_outcome("GET /books", "200"),
        table.register_outcome("parse", "throws TypeError"),
    )
    assert describe_targets(frozenset([of_api]), table, "/app") == "shows the answer GET /books 200"
    assert describe_targets(frozenset([of_library]), table, "/app") == "shows that parse throws TypeError"
