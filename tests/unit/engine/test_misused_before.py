"""Faults of libraries that only show after a call with arguments that nobody passes are left out."""

from types import SimpleNamespace

import pytest

from wimble.engine.dropped_faults.misused_before import drop_faults_after_misuse
from wimble.genes import StringGene
from wimble.library.argument_shape import Shape
from wimble.library.function_binding import FunctionBinding, Parameter, function_operation
from wimble.library.invocation import FunctionExchange, Invocation, function_observation
from wimble.model.evaluation import Finding
from wimble.model.suite import VerifiedCall, VerifiedTest
from wimble.model.testcase import Call, TestCase
from wimble.oracles.oracle import NO_CAUSE

RULE = Parameter(name="rule", template=StringGene(), shape=Shape(kinds=("string",)))


class _Faults(list):
    def drop(self, keys):
        self[:] = [fault for fault in self if fault.key not in keys]


def _after(*arguments, oracle="exception"):
    """A test that calls `f('a')`, which fails, after `f` with these arguments."""
    operation = function_operation(
        FunctionBinding(index=0, package="lib", kind="function", path=("f",), parameters=(RULE,)), "f"
    )
    calls = [
        VerifiedCall(
            observation=function_observation(number, FunctionExchange(Invocation(operation="f", arguments=given))),
            checks=(),
        )
        for number, given in enumerate((arguments, ("a",)))
    ]
    finding = Finding(
        oracle=oracle, key=(oracle, "f"), operation=operation.id, title="t", observed="", expected="", cause=NO_CAUSE,
        call_index=1,
    )  # fmt: skip
    test_case = TestCase((Call(operation, ()), Call(operation, ())))
    return VerifiedTest(name="f", kind="fault", test_case=test_case, calls=tuple(calls), findings=(finding,))


@pytest.mark.parametrize(
    ("tests", "is_kept"),
    [
        ([_after()], False),
        ([_after(3)], False),
        ([_after("x", {"map": {"$function": "yes"}})], False),
        ([_after("x")], True),
        ([_after(), _after("x")], True),
        ([], True),
    ],
)
def test_a_fault_is_one_if_a_test_shows_it_after_calls_that_users_make(tests, is_kept):
    warnings = []
    faults = _Faults([SimpleNamespace(key=("exception", "f"), finding=SimpleNamespace(operation="f"))])
    drop_faults_after_misuse(SimpleNamespace(faults=faults, notices=SimpleNamespace(warn=warnings.append)), tests)
    assert bool(faults) is is_kept
    assert len(warnings) == (not is_kept)


def test_changed_prototypes_are_faults_whatever_the_arguments():
    faults = _Faults([SimpleNamespace(key=("prototype-pollution", "f"), finding=SimpleNamespace(operation="f"))])
    drop_faults_after_misuse(SimpleNamespace(faults=faults), [_after(oracle="prototype-pollution")])
    assert faults
