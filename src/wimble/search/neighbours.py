"""Test cases next to one that has just covered something new: the same with one optional input left out, with null where it may stand, or
with more of its rows.

Faults of the kind "the handler takes it for given" hide behind code that is covered already, so no target leads to them. What
covers something new has passed the guards before it; from there, leaving out an input is one step, and so is null in a column that nobody
compares with anything, or a second row where one was looked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import msgspec

from wimble.genes import NullableGene, OptionalGene
from wimble.model.setup import MAX_SETUP, with_copy
from wimble.model.testcase import GeneAddress, TestCase
from wimble.search.references import has_valid_references

MAX_PER_TEST_CASE = 8
"""Neighbours of one kind; test cases with more optional inputs are covered by random sampling well enough."""
MORE_ROWS = 2
"""Programs sort, group and compare where there are several; a query for each row shows by two different numbers of them."""
MAX_WAITING = 512
"""A start that covers much at once brings many; the oldest are tried first, and what does not fit is dropped."""


def neighbours(test_case: TestCase, rng: Random) -> Iterator[TestCase]:
    """All kinds of them. rng: for the keys of further rows."""
    yield from without_one_optional(test_case)
    yield from with_more_rows(test_case, rng)
    yield from with_nulls(test_case)


def without_one_optional(test_case: TestCase) -> Iterator[TestCase]:
    """For each optional input of the last call that is present, outermost first: the test case without it."""
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
    """The test case with further rows like the last that it brings, which no other row belongs to."""
    last = len(test_case.setup) - 1
    if last < 0 or len(test_case.setup) + MORE_ROWS > MAX_SETUP:
        return
    more = test_case
    for _ in range(MORE_ROWS):
        more = with_copy(more, last, rng)
    if more is not test_case:
        yield more


def with_nulls(test_case: TestCase) -> Iterator[TestCase]:
    """The test case with null wherever the rows that it brings may have it; then with null in each of these alone, for a fault behind one
    column may hide those behind others; and in each input of the last call that may be null."""
    last = len(test_case.calls) - 1
    found = [
        address
        for address, gene in test_case.iter_genes()
        if (address.call < 0 or address.call == last) and isinstance(gene, NullableGene) and not gene.is_null
    ]
    columns = [address for address in found if address.call < 0]
    if len(columns) > 1:
        nulled = test_case
        for address in reversed(columns):  # what is within another comes before that
            nulled = _nulled(nulled, address)
        yield nulled
    inputs = sorted((len(address.path), address) for address in found if address.call == last)
    for address in (*columns[:MAX_PER_TEST_CASE], *(address for _, address in inputs[:MAX_PER_TEST_CASE])):
        neighbour = _nulled(test_case, address)
        if has_valid_references(neighbour):
            yield neighbour


def _nulled(test_case: TestCase, address: GeneAddress) -> TestCase:
    return test_case.with_gene(address, msgspec.structs.replace(test_case.gene_at(address), is_null=True))
