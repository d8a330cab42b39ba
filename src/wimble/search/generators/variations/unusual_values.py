"""Neighbours of a test case with values that a program accepts and stores, and does not expect where it uses them: an
empty list, 0 or the least number, the greatest one that is allowed, a number that no column of four bytes holds, a
name that it does not know, and a text with an empty part.

A later call takes the first element, divides, adds 1 (there is no month 13), or looks the name up in a table; a
database refuses the number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Final

from wimble.genes import ArrayGene, Gene, IntegerGene, NumberGene, ReferenceGene, StringGene
from wimble.genes.date_texts import to_time
from wimble.genes.taint_markers import is_like_marker, taint_marker
from wimble.model.testcase import GeneAddress, TestCase

MAX_CHANGED: Final = 6
"""Maximum number of values of one kind that are changed, each alone."""
MAX_HUGE: Final = 2
"""Maximum number of numbers that are made huge, each alone."""
MAX_WITH_NUMBER: Final = 60
"""Length of a text up to which a number in it is changed."""
_NUMBER: Final = re.compile(r"(?<![A-Za-z0-9.])[0-9]+(?![A-Za-z0-9.-])")
"""A number that is no part of a word, of a date or of another number."""
HUGE: Final = 2**31
"""The least number that is too large for the usual integers of databases."""


def with_empty_lists(test_case: TestCase, stays: Callable[[int], bool]) -> Iterator[TestCase]:
    """Yields the test case with each list empty that may be, those of the last call first.

    stays: whether the call with this index keeps its inputs.
    """
    yield from _changed(test_case, stays, _emptied)


def with_least_numbers(test_case: TestCase, stays: Callable[[int], bool]) -> Iterator[TestCase]:
    """Yields the test case with each number, but those that name a resource, 0 or the least that it may be; also a
    number within a text that no document describes: `*/5`.
    """
    yield from _changed(test_case, stays, _least)


def with_greatest_numbers(test_case: TestCase, stays: Callable[[int], bool]) -> Iterator[TestCase]:
    """Yields the test case with each number, but those that name a resource, the greatest that it may be, if one is."""
    yield from _changed(test_case, stays, _greatest)


def with_huge_numbers(test_case: TestCase) -> Iterator[TestCase]:
    """Yields the test case with each whole number of its last call, also one that names a resource, beyond 32 bits."""
    last = len(test_case.calls) - 1
    found = [
        (address, changed)
        for address, gene in test_case.iter_genes()
        if address.call == last and (changed := _huge(gene)) is not None
    ]
    for address, changed in found[:MAX_HUGE]:
        yield test_case.with_gene(address, changed)


def with_unknown_names(test_case: TestCase, stays: Callable[[int], bool], rng: Random) -> Iterator[TestCase]:
    """Yields the test case with each free text of the calls before its last one that may be a name, unknown."""
    last = len(test_case.calls) - 1
    yield from _changed(test_case, lambda call: call == last or stays(call), partial(_unknown, rng=rng))


def with_empty_parts(test_case: TestCase, call: int, text: str, separator: str) -> Iterator[TestCase]:
    """Yields the test case with a text that the program splits, of several parts, one of which is empty: `Ann  Lee`,
    split at spaces. It is one of the call in which it is split, or of an earlier one, which has stored it.
    """
    changed = f"{text}{separator}{separator}{text[:1]}"
    genes = [(address, gene) for address, gene in test_case.iter_genes() if 0 <= address.call <= call]
    for address, gene in sorted(genes, key=lambda one: -one[0].call):
        if not gene.children() and gene.phenotype() == text:
            longer = gene.with_value(changed)
            if longer is not None and (not isinstance(longer, StringGene) or longer.is_valid()):
                yield test_case.with_gene(address, longer)
            return


def _changed(
    test_case: TestCase, stays: Callable[[int], bool], change: Callable[[Gene], Gene | None]
) -> Iterator[TestCase]:
    found = [
        ((-address.call, len(address.path)), address, changed)
        for address, gene in test_case.iter_genes()
        if address.call >= 0
        and not stays(address.call)
        and not _names_a_resource(test_case, address)
        and (changed := change(gene)) is not None
    ]
    for _, address, changed in sorted(found, key=lambda one: one[0])[:MAX_CHANGED]:
        yield test_case.with_gene(address, changed)


def _names_a_resource(test_case: TestCase, address: GeneAddress) -> bool:
    operation = test_case.calls[address.call].operation
    return not address.path and any(subject.input_index == address.input for subject in operation.subjects)


def _emptied(gene: Gene) -> Gene | None:
    if not isinstance(gene, ArrayGene) or gene.min_items or not gene.items:
        return None
    return gene.with_items(())


def _least(gene: Gene) -> Gene | None:
    if isinstance(gene, StringGene):
        return _with_zero(gene)
    if not isinstance(gene, (IntegerGene, NumberGene)):
        return None
    is_above_zero = gene.minimum is not None and gene.minimum > 0
    is_below_zero = gene.maximum is not None and gene.maximum < 0
    least = gene.minimum if is_above_zero or is_below_zero else 0
    return gene.with_value(least) if least is not None and least != gene.value else None


def _with_zero(gene: StringGene) -> Gene | None:
    """Returns the text with 0 in place of its only number; None for a date, and for what the search has made up."""
    is_made_up = is_like_marker(gene.value) or len(gene.value) > MAX_WITH_NUMBER
    if is_made_up or gene.format or gene.pattern or to_time(gene.value) is not None:
        return None
    numbers = _NUMBER.findall(gene.value)
    if len(numbers) != 1 or not numbers[0].strip("0"):
        return None
    changed = gene.with_text(_NUMBER.sub("0", gene.value))
    return changed if changed.is_valid() else None


def _greatest(gene: Gene) -> Gene | None:
    if not isinstance(gene, (IntegerGene, NumberGene)) or gene.maximum is None or gene.maximum >= HUGE:
        return None
    return gene.with_value(gene.maximum) if gene.maximum not in (gene.value, 0) else None


def _huge(gene: Gene) -> Gene | None:
    own = gene.fallback if isinstance(gene, ReferenceGene) else gene
    if not isinstance(own, IntegerGene) or (own.maximum is not None and own.maximum < HUGE):
        return None
    return own.with_value(HUGE) if own.value != HUGE else None


def _unknown(gene: Gene, rng: Random) -> Gene | None:
    if not isinstance(gene, StringGene) or gene.format or gene.pattern or is_like_marker(gene.value):
        return None
    if not gene.value or to_time(gene.value) is not None:
        return None
    unknown = gene.with_text(taint_marker(rng))
    return unknown if unknown.is_valid() else None
