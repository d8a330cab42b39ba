"""Neighbours of test cases that have just covered something.

A neighbour lacks one optional input, has null where it is allowed, or has more rows. Handlers that rely on the presence
of an input fail in code that is covered already, so no target leads to such faults. A test case that covers something
new has passed the checks before it. From there, leaving out an input is one step, and so is null in a column that is
never compared, or a second row where one was expected.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from random import Random

import msgspec

from wimble.genes import NullableGene, OptionalGene
from wimble.model.setup import MAX_SETUP, with_copy
from wimble.model.testcase import GeneAddress, TestCase
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.resources.references import has_valid_references

MAX_PER_TEST_CASE = 8
"""Maximum number of neighbours of one kind. If a test case has more optional inputs, random sampling reaches the
others.
"""
MORE_ROWS = 2
"""Number of further rows. Programs sort, group and compare rows if there are several. Two different numbers of rows
show whether a program runs one query for each row.
"""
MAX_WAITING = 512
"""Maximum number of waiting neighbours, since the first evaluations cover much at once and give many. The oldest are
tried first; further ones are dropped.
"""


class Neighbours(Generator):
    """Proposes the neighbours of each test case that covers something new, the oldest first."""

    def __init__(self, rng: Random) -> None:
        super().__init__()
        self._rng = rng
        self._waiting: deque[TestCase] = deque()

    def is_ready(self) -> bool:
        return bool(self._waiting)

    def propose(self, progress: float) -> Proposal:
        return Proposal(self._waiting.popleft(), self)

    def observe(self, outcome: Outcome) -> None:
        newly_covered, evaluation = outcome.improvement.newly_covered, outcome.evaluation
        if newly_covered and not evaluation.is_sut_lost and len(self._waiting) < MAX_WAITING:
            self._waiting.extend(neighbours(evaluation.test_case, self._rng))
        if outcome.proposal.generator is self:
            self.credit.add(is_success=bool(newly_covered))


def neighbours(test_case: TestCase, rng: Random) -> Iterator[TestCase]:
    """Yields all neighbours of a test case. rng: for the keys of further rows."""
    yield from without_one_optional(test_case)
    yield from with_more_rows(test_case, rng)
    yield from with_nulls(test_case)


def without_one_optional(test_case: TestCase) -> Iterator[TestCase]:
    """Yields the test case without each optional input of the last call that is present, outermost first."""
    last = len(test_case.calls) - 1
    found = [
        (len(address.path), address)
        for address, gene in test_case.iter_genes()
        if address.call == last and isinstance(gene, OptionalGene) and gene.is_present
    ]
    for _, address in sorted(found)[:MAX_PER_TEST_CASE]:
        neighbour = _without(test_case, address)
        if has_valid_references(neighbour):
            yield neighbour


def _without(test_case: TestCase, address: GeneAddress) -> TestCase:
    return test_case.with_gene(address, msgspec.structs.replace(test_case.gene_at(address), is_present=False))


def with_more_rows(test_case: TestCase, rng: Random) -> Iterator[TestCase]:
    """Yields the test case with copies of the last row that it inserts, since no other row refers to that one."""
    last = len(test_case.setup) - 1
    if last < 0 or len(test_case.setup) + MORE_ROWS > MAX_SETUP:
        return
    more = test_case
    for _ in range(MORE_ROWS):
        more = with_copy(more, last, rng)
    if more is not test_case:
        yield more


def with_nulls(test_case: TestCase) -> Iterator[TestCase]:
    """Yields the test case with nulls.

    First all nullable columns of its rows are null; then each of these alone, since a fault due to one column may hide
    faults due to others; then each nullable input of the last call.
    """
    last = len(test_case.calls) - 1
    found = [
        address
        for address, gene in test_case.iter_genes()
        if (address.call < 0 or address.call == last) and isinstance(gene, NullableGene) and not gene.is_null
    ]
    columns = [address for address in found if address.call < 0]
    if len(columns) > 1:
        nulled = test_case
        for address in reversed(columns):  # inner genes before outer ones
            nulled = _nulled(nulled, address)
        yield nulled
    inputs = sorted((len(address.path), address) for address in found if address.call == last)
    for address in (*columns[:MAX_PER_TEST_CASE], *(address for _, address in inputs[:MAX_PER_TEST_CASE])):
        neighbour = _nulled(test_case, address)
        if has_valid_references(neighbour):
            yield neighbour


def _nulled(test_case: TestCase, address: GeneAddress) -> TestCase:
    return test_case.with_gene(address, msgspec.structs.replace(test_case.gene_at(address), is_null=True))
