"""A test whose rows the database refuses would fail in the suite, whatever its calls answer."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import pytest

from wimble.engine.search_phase import without_refused_rows
from wimble.engine.verified import ROWS_REFUSED, Run, agreed
from wimble.genes import Gene, IntegerGene, LinkedGene
from wimble.model.database import Column, TableName
from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation
from wimble.model.setup import InsertAction, inserted_numbers, inserted_rows
from wimble.model.targets import TargetTable
from wimble.model.testcase import SetupAction, TestCase, setup_index
from wimble.search.mio import MioStrategy
from wimble.settings import Settings
from wimble.types import OperationId


def row(value: int, key: Gene | None = None) -> InsertAction:
    columns = (
        Column(name="id", type_name="integer", type="integer"),
        Column(name="of", type_name="integer", type="integer"),
    )
    return InsertAction(
        genes=(IntegerGene(value), key or IntegerGene(value)), database="main", dialect="sqlite",
        table=TableName("users"), columns=columns,
    )  # fmt: skip


def test_the_search_goes_on_without_the_rows_that_were_refused():
    """What points to one of them keeps the value that it had."""
    link = LinkedGene(setup_index(1), 0, (), IntegerGene(0))
    proposed = TestCase((), (row(1), row(2), row(3, link), row(4)))
    run = Evaluation(test_case=proposed, observations=(), reached={}, refused_rows=(1, 3))

    seen = without_refused_rows(run)

    assert [one.rows for one in inserted_rows(seen.test_case)] == [((1, 1),), ((3, 2),)]
    assert seen.proposed is proposed
    assert seen.refused_rows == ()
    assert without_refused_rows(seen) is seen


def test_the_strategy_knows_what_it_has_proposed_all_the_same():
    operation = Operation(id=OperationId("GET /a"), method="GET", path="/a")
    strategy = MioStrategy([operation], TargetTable(), Settings(), Random(1))
    proposed = strategy.next_test_case(0.0)
    strategy.observe(
        Evaluation(test_case=TestCase(proposed.calls), proposed=proposed, observations=(), reached={}), 0.0
    )
    assert not strategy._in_flight


def test_numbers_are_those_of_setup_actions():
    test_case = TestCase((), (SetupAction(()), row(1), SetupAction(()), row(2)))
    assert inserted_numbers(test_case, ("", "duplicate key")) == (3,)


@pytest.mark.parametrize("numbers", [(1, 1), (0, 1)])
def test_it_is_left_out_and_its_fault_says_why(numbers):
    evaluations = [
        Evaluation(test_case=TestCase(()), observations=(), reached={}, refused_rows=tuple(range(n))) for n in numbers
    ]
    candidate = SimpleNamespace(fault_key="fault")
    runs = [Run(candidate, one.test_case, one, []) for one in evaluations]
    context = SimpleNamespace(fault_notes={})

    assert agreed(context, runs, evaluations) is None
    assert context.fault_notes == {"fault": ROWS_REFUSED}
