"""Test cases in which what was made and used is made and used once more.

What both share (a job with one position, the number of the next invoice, a budget) may be used up by then, and a
program that does not look goes on: no target leads there.
"""

from __future__ import annotations

from collections.abc import Iterator

from wimble.model.testcase import TestCase
from wimble.search.resources.references import iter_references, mapped_call


def made_again(test_case: TestCase) -> Iterator[TestCase]:
    """Yields the test case with its last call, if that changes something, and the call that has made what it uses, once
    more. What that one refers to is the same.
    """
    calls = test_case.calls
    last = len(calls) - 1
    makers = [gene.call for address, gene in iter_references(test_case) if address.call == last]
    if not makers or calls[last].operation.is_safe:
        return
    maker, new = max(makers), len(calls)
    again = mapped_call(calls[last], lambda call: new if call == maker else call)
    yield TestCase((*calls, calls[maker], again), test_case.setup)
