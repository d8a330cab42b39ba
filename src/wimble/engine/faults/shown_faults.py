"""Finds of phases after the search: notes and tests of faults, and the lines of functions of libraries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from wimble.library.function_binding import function_of
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.observation import Cause
from wimble.model.operation import Operation
from wimble.model.suite import BodyCheck, VerifiedCall, VerifiedTest
from wimble.model.targets import TargetTable
from wimble.oracles.oracle import NO_CAUSE


class ShownFaults(NamedTuple):
    """Notes on faults, and their tests, of a phase that follows the suite."""

    notes: Mapping[tuple[str, ...], str] = {}
    """By the finding's key: what the fault needs."""
    tests: Sequence[VerifiedTest] = ()


NOTHING_SHOWN = ShownFaults()


def shown_test(finding: Finding, evaluation: Evaluation, name: str) -> VerifiedTest:
    """Returns the test that makes the calls of an evaluation, and asserts what each of them did."""
    return VerifiedTest(
        name=name,
        kind="fault",
        test_case=evaluation.test_case,
        calls=tuple(
            VerifiedCall(observation=one, checks=(BodyCheck(pointer=(), kind="equals", value=True),))
            for one in evaluation.observations
        ),
        findings=(finding,),
    )


def cause_in(table: TargetTable, evaluations: Iterable[Evaluation], operation: Operation) -> Cause:
    """Returns the line of an operation's function, if the program gives it that name; evaluations: full ones of it."""
    name = function_of(operation).own_name
    for evaluation in evaluations:
        ran = [table[one] for one in sorted(evaluation.covered()) if table[one].kind == "function"]
        named = [one for one in ran if one.detail == name] or (ran if len(ran) == 1 else [])
        if named:
            return Cause(file=named[0].file, line=named[0].line)
    return NO_CAUSE
