"""What test cases of a search are looked at in before they may become tests."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from wimble.engine.candidates import Candidate, choose_candidates
from wimble.engine.faults import Fault, Witness
from wimble.genes import IntegerGene, ReferenceGene
from wimble.model.evaluation import Cause, Evaluation, Finding
from wimble.model.operation import Operation
from wimble.model.targets import Target
from wimble.model.testcase import Call, TestCase
from wimble.search.archive import Solution
from wimble.types import OperationId, TargetId

MAKE = Operation(id=OperationId("POST /books"), method="POST", path="/books")
LIST = Operation(id=OperationId("GET /books"), method="GET", path="/books")
READ = Operation(id=OperationId("GET /books/{id}"), method="GET", path="/books/{id}")


def call(operation: Operation, *genes: Any) -> Call:
    return Call(operation, genes)


LONG = TestCase((call(LIST), call(MAKE), call(READ, ReferenceGene(1, "/id", IntegerGene(3))), call(LIST)))


def chosen(*, faults: Any = (), solutions: Any = ()) -> list[Candidate]:
    context: Any = SimpleNamespace(
        faults=faults,
        strategy=SimpleNamespace(archive=SimpleNamespace(solutions=lambda: solutions)),
        table=[Target("line", "a.js", 1, 0)],
        backgrounds={},
    )
    return choose_candidates(context)


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
    (one,) = chosen(faults=[fault(LONG, 2)])
    assert [operations(shape) for shape in one.shapes] == [[MAKE, READ], [LIST, MAKE, READ, LIST]]


def test_a_fault_whose_calls_are_all_needed_has_one_shape() -> None:
    needed = TestCase(LONG.calls[1:2])
    (one,) = chosen(faults=[fault(needed, 0)])
    assert one.core is None and one.shapes == [needed]


def test_coverage_keeps_what_covered_it_and_the_whole_to_fall_back_on() -> None:
    (one,) = chosen(solutions=[Solution(LONG, (TargetId(0),), 7, frozenset([2]))])
    assert one.core is not None and operations(one.core) == [MAKE, READ]
    assert one.test_case is LONG and one.shapes == [LONG]
