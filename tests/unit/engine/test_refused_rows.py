"""A test whose rows the database refuses would fail in the suite, whatever its calls answer."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from types import SimpleNamespace

import pytest

from engine_parts import new_verification
from wimble.engine.candidates.candidate import Candidate
from wimble.engine.search_phase import without_refused_rows
from wimble.engine.stability.repeated_runs import ROWS_REFUSED, Run, agreed
from wimble.execute.setup_appliers import apply_setup
from wimble.genes import Gene, IntegerGene, LinkedGene
from wimble.http.binding import http_operation
from wimble.model.database import Column, TableName
from wimble.model.evaluation import Evaluation
from wimble.model.setup_kinds.database_action import inserted_rows
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.targets import TargetTable
from wimble.model.testcase import SetupAction, TestCase, setup_index
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.search.mio import MioStrategy
from wimble.settings import Settings
from wimble.types import OperationId


def row(value: int, key: Gene | None = None) -> InsertRow:
    columns = (
        Column(name="id", type_name="integer", type="integer"),
        Column(name="of", type_name="integer", type="integer"),
    )
    return InsertRow(
        genes=(IntegerGene(value), key or IntegerGene(value)), database="main", dialect="sqlite",
        table=TableName("users"), columns=columns,
    )  # fmt: skip


def test_the_search_goes_on_without_the_rows_that_were_refused():
    """What points to one of them keeps the value that it had."""
    link = LinkedGene(setup_index(1), 0, (), IntegerGene(0))
    proposed = TestCase((), (row(1), row(2), row(3, link), row(4)))
    run = Evaluation(test_case=proposed, observations=(), reached={}, refused_setup=(1, 3))

    seen = without_refused_rows(run)

    assert [one.rows for one in inserted_rows(seen.test_case)] == [((1, 1),), ((3, 2),)]
    assert seen.proposed is proposed
    assert seen.refused_setup == ()
    assert without_refused_rows(seen) is seen


def test_the_strategy_knows_what_it_has_proposed_all_the_same():
    operation = http_operation(id=OperationId("GET /a"), method="GET", path="/a")
    strategy = MioStrategy([operation], TargetTable(), Settings(), Random(1), JAVASCRIPT)
    proposed = strategy.next_test_case(0.0)
    strategy.observe(
        Evaluation(test_case=TestCase(proposed.calls), proposed=proposed, observations=(), reached={}), 0.0
    )
    assert not strategy._in_flight


def test_numbers_are_those_of_setup_actions():
    class Refusing:
        """Refuses the last of the actions that it is given."""

        def apply_setup(self, test_case: TestCase, numbers: Sequence[int]) -> tuple[str, ...]:
            return ("",) * (len(numbers) - 1) + ("duplicate key",)

        def reset(self) -> bool:
            return True

    test_case = TestCase((), (SetupAction(()), row(1), row(2), SetupAction(()), row(3)))
    accepting = SimpleNamespace(apply_setup=lambda _, numbers: ("",) * len(numbers))
    assert apply_setup(test_case, {InsertRow: Refusing(), SetupAction: accepting}) == (2, 4)


@pytest.mark.parametrize("numbers", [(1, 1), (0, 1)])
def test_it_is_left_out_and_its_fault_says_why(numbers):
    evaluations = [
        Evaluation(test_case=TestCase(()), observations=(), reached={}, refused_setup=tuple(range(n))) for n in numbers
    ]
    empty = TestCase(())
    candidate = Candidate(test_case=empty, fault_key=("fault",), targets=frozenset(), original=empty)
    runs = [Run(candidate, one.test_case, one) for one in evaluations]
    verification = new_verification()

    assert agreed(verification, runs, evaluations) is None
    assert verification.fault_notes == {("fault",): ROWS_REFUSED}
