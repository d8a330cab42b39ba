"""Joins several test cases into one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import add

from wimble.model.setup import shifted
from wimble.model.testcase import Call, SetupAction, TestCase
from wimble.search.resources.references import mapped_call


def concatenated(test_cases: Sequence[TestCase]) -> TestCase:
    """Returns one test case with the calls and setup actions of all.

    References to earlier calls are shifted accordingly.
    """
    calls: list[Call] = []
    setup: list[SetupAction] = []
    for test_case in test_cases:
        offset = len(calls)
        setup += shifted(test_case.setup, offset, len(setup))
        calls += [mapped_call(call, partial(add, offset)) for call in test_case.calls]
    return TestCase(tuple(calls), tuple(setup))
