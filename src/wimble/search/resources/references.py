"""Keeps references between calls valid while calls are added, removed and reordered.

References point to earlier calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

import msgspec

from wimble.genes import Gene, ReferenceGene, iter_genes
from wimble.model.observation import Observation, call_resolver
from wimble.model.setup import with_moved_calls
from wimble.model.testcase import Call, GeneAddress, TestCase
from wimble.types import Json


def iter_references(test_case: TestCase) -> Iterator[tuple[GeneAddress, ReferenceGene]]:
    """Yields the references in the calls and setup actions of a test case, with their addresses."""
    for address, gene in test_case.iter_genes():
        if isinstance(gene, ReferenceGene):
            yield address, gene


ResolvedReferences: TypeAlias = dict[tuple[int, str], Json]
"""Values by the index of an earlier call and a pointer into its response."""


def resolved_references(test_case: TestCase, observations: Sequence[Observation]) -> ResolvedReferences:
    """Returns the values of the references of a test case when it ran."""
    if len(test_case.calls) < 2:
        return {}
    resolve = call_resolver(observations)
    return {
        (reference.call, reference.pointer): resolve(reference.call, reference.pointer)
        for _, reference in iter_references(test_case)
    }


def has_valid_references(test_case: TestCase) -> bool:
    """Whether each reference points to an earlier call."""
    return all(0 <= reference.call < address.call for address, reference in iter_references(test_case))


def mapped_references(gene: Gene, new_index: Callable[[int], int | None]) -> Gene:
    """Returns the gene with each reference moved to `new_index(its call)`.

    If that is None, the fallback replaces the reference.
    """
    if isinstance(gene, ReferenceGene):
        call = new_index(gene.call)
        if call is None:
            return mapped_references(gene.fallback, new_index)
        return gene if call == gene.call else msgspec.structs.replace(gene, call=call)
    for index, child in enumerate(gene.children()):
        mapped = mapped_references(child, new_index)
        if mapped is not child:
            gene = gene.with_child(index, mapped)
    return gene


def mapped_call(call: Call, new_index: Callable[[int], int | None]) -> Call:
    """Returns the call with its references mapped as by `mapped_references`; the same call if nothing changes."""
    genes = tuple(mapped_references(gene, new_index) for gene in call.genes)
    if all(new is old for new, old in zip(genes, call.genes, strict=True)):
        return call
    return Call(call.operation, genes, call.user)


def earlier_only(gene: Gene, own_call: int) -> Gene:
    """Returns the gene of call `own_call` without references to that call or later ones.

    It is needed when an inner gene becomes part of the phenotype again that was not part of it while calls moved.
    """
    if all(inner.call < own_call for _, inner in iter_genes(gene) if isinstance(inner, ReferenceGene)):
        return gene
    return mapped_references(gene, lambda call: call if call < own_call else None)


def reordered(test_case: TestCase, order: Sequence[int]) -> TestCase:
    """Returns a test case of the calls at these old indexes, in this order; each at most once.

    A reference to a call that was removed or now comes later goes to the nearest earlier call of the same operation. If
    there is none, the fallback replaces the reference.
    """
    calls = test_case.calls
    position = {old: new for new, old in enumerate(order)}
    result: list[Call] = []
    for new, old in enumerate(order):

        def new_index(wanted: int, new: int = new) -> int | None:
            moved = position.get(wanted)
            if moved is not None and moved < new:
                return moved
            if not 0 <= wanted < len(calls):
                return None
            operation = calls[wanted].operation
            return next((i for i in range(new - 1, -1, -1) if result[i].operation is operation), None)

        result.append(mapped_call(calls[old], new_index))
    return TestCase(tuple(result), with_moved_calls(test_case.setup, position))


def inserted(test_case: TestCase, index: int, new_calls: Sequence[Call]) -> TestCase:
    """Returns a copy with calls inserted before call `index`. References in `new_calls` have indexes of the result."""
    by = len(new_calls)
    later = tuple(
        mapped_call(call, lambda call: call + by if call >= index else call) for call in test_case.calls[index:]
    )
    moved = {old: old + by if old >= index else old for old in range(len(test_case.calls))}
    return TestCase((*test_case.calls[:index], *new_calls, *later), with_moved_calls(test_case.setup, moved))


def with_only(test_case: TestCase, calls: Iterable[int]) -> TestCase:
    """Returns a copy with only the calls at these indexes and the calls whose answers they use."""
    kept: set[int] = set()
    waiting = list(calls)
    used: dict[int, set[int]] = {}
    for address, reference in iter_references(test_case):
        used.setdefault(address.call, set()).add(reference.call)
    while waiting:
        call = waiting.pop()
        if call not in kept:
            kept.add(call)
            waiting += used.get(call, ())
    return reordered(test_case, sorted(kept))


def without_call(test_case: TestCase, index: int) -> TestCase:
    """Returns a copy without call `index`. References to it are re-bound, or replaced by their fallbacks."""
    return reordered(test_case, [i for i in range(len(test_case.calls)) if i != index])
