"""A kind of setup action that only this test knows goes through all that asks for no kind in particular."""

from __future__ import annotations

from random import Random

import pytest

from wimble.databases.setup_repair import REPAIRS, repaired_setup
from wimble.emit.setup_calls import SETUP_CALLS, SetupCall, js_setup_lines, py_setup_lines
from wimble.execute.setup_appliers import apply_setup, setup_appliers
from wimble.feedback.hint_readers import edits_from_hints
from wimble.genes import Gene, IntegerGene, OptionalGene, StringGene
from wimble.http.binding import http_operation
from wimble.model.database import DatabaseCommand, Dialect
from wimble.model.evaluation import Evaluation
from wimble.model.hints import ComparisonHint
from wimble.model.setup import setup_comments, with_copy, without_setup
from wimble.model.setup_kinds.database_action import inserted_rows
from wimble.model.setup_kinds.kinds import INSERTS, SETUP_KINDS
from wimble.model.suite import VerifiedTest
from wimble.model.testcase import Call, SetupAction, TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.search.minimise.minimiser import minimise_test
from wimble.types import OperationId, TargetId

CALL = Call(http_operation(id=OperationId("GET /x"), method="GET", path="/x"), ())


class Clock(SetupAction, frozen=True, kw_only=True):
    """Sets a clock before the calls: a number of hours, and the name of a zone or none."""

    def description(self, test_case: TestCase) -> str:
        return f"the clock shows {self.genes[0].phenotype()} h"

    def input_name(self, index: int) -> str:
        return ("hours", "zone")[index]

    def can_hold(self, gene: Gene) -> bool:
        return gene.phenotype() != 0


def clock(hours: int, zone: str = "CET") -> Clock:
    return Clock(genes=(IntegerGene(hours), OptionalGene(StringGene(zone))))


def test_each_kind_has_a_row_in_each_table():
    kinds = set(SETUP_KINDS.values())
    assert set(REPAIRS) == kinds
    assert set(SETUP_CALLS) == kinds
    assert set(setup_appliers(object(), object())) == kinds
    assert set(INSERTS) == set(Dialect.__args__)


def test_it_is_minimised_within_what_it_can_hold():
    test_case = TestCase((CALL,), (clock(700), clock(123)))

    smallest = minimise_test(test_case, lambda candidate: len(candidate.setup) > 0, 200)

    assert len(smallest.setup) == 1
    hours, zone = smallest.setup[0].genes
    assert hours.phenotype() == 1
    assert not zone.is_present


def test_it_is_described_and_removed_and_not_copied():
    test_case = TestCase((CALL,), (clock(7), clock(8)))
    assert setup_comments(test_case) == ("# needs: the clock shows 7 h", "# needs: the clock shows 8 h")
    assert without_setup(test_case, 0).setup == (clock(8),)
    assert with_copy(test_case, 0, Random(1)) is test_case
    assert inserted_rows(test_case) == ()


def test_its_values_are_found_behind_operands():
    test_case = TestCase((CALL,), (clock(7003),))
    hint = ComparisonHint(target=TargetId(1), call=0, operator="identical", left=7003, right=12, wanted=True)

    (edit, *_) = edits_from_hints(test_case, [hint], Random(1), JAVASCRIPT)

    assert edit.address.call == -1
    assert edit.gene.phenotype() == 12


def test_with_a_row_in_the_tables_it_is_repaired_applied_and_written(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(REPAIRS, Clock, lambda changed, before: TestCase(changed.calls, (clock(1),)))
    monkeypatch.setitem(
        SETUP_CALLS, Clock, lambda action, test_case, _: SetupCall("clock", "set", action.genes[0].phenotype())
    )
    set_to: list[int] = []

    class Clocks:
        def apply_setup(self, test_case: TestCase, numbers: list[int]) -> tuple[str, ...]:
            set_to.extend(test_case.setup[number].genes[0].phenotype() for number in numbers)
            return tuple("too late" if value > 23 else "" for value in set_to)

        def reset(self) -> bool:
            return True

    test_case = TestCase((CALL,), (clock(7), clock(24)))
    verified = VerifiedTest(name="a", kind="other", test_case=test_case, calls=())

    assert repaired_setup(test_case, test_case).setup == (clock(1),)
    assert apply_setup(test_case, {Clock: Clocks()}) == (1,)
    assert set_to == [7, 24]
    assert js_setup_lines(verified, ()) == ["await clock.set(7);", "await clock.set(24);", ""]
    assert py_setup_lines(verified, ()) == ["clock.set(7)", "clock.set(24)", ""]


def test_interactions_of_another_kind_are_none_of_the_databases():
    from wimble.model.interaction import Interaction

    class Request(Interaction, frozen=True, kw_only=True):
        host: str

    request = Request(call=0, site="", host="mail.example")
    command = DatabaseCommand(database="d", call=1, site="", text="SELECT 1")
    evaluation = Evaluation(test_case=TestCase(()), observations=(), reached={}, interactions=(request, command))
    assert evaluation.interactions_of(DatabaseCommand) == [command]
    assert evaluation.interactions_of(Request, call=1) == []
