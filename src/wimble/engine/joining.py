"""Joins test cases to one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import add

from wimble.model.testcase import Call, TestCase
from wimble.search.references import mapped_call


def concatenated(test_cases: Sequence[TestCase]) -> TestCase:
    """One test case with the calls of all, references to earlier calls moved along."""
    calls: list[Call] = []
    for test_case in test_cases:
        offset = len(calls)
        calls += [mapped_call(call, partial(add, offset)) for call in test_case.calls]
    return TestCase(tuple(calls), test_cases[-1].setup)
