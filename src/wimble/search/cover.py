"""A small set of candidates that together cover all that any of them covers. Greedy, deterministic, linear in its input
but for a heap: it runs once, at the end of a search."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from heapq import heapify, heappop, heappush
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def smallest_cover(candidates: Sequence[tuple[int, Collection[T]]]) -> list[int]:
    """Indexes of chosen candidates, ascending. A candidate is (cost, what it covers).

    Takes the candidate that covers most of what is still uncovered; then the cheaper one; then the earlier one.
    At the end, candidates that the later choices made superfluous are left out again, dearest first.
    """
    missing: set[T] = set()
    for _, covers in candidates:
        missing.update(covers)
    heap = [(-len(set(covers)), cost, index) for index, (cost, covers) in enumerate(candidates)]
    heapify(heap)
    chosen: list[int] = []
    while missing and heap:
        promised, cost, index = heappop(heap)
        gain = len(missing.intersection(candidates[index][1]))
        if gain == -promised and gain:
            chosen.append(index)
            missing.difference_update(candidates[index][1])
        elif gain:  # a lazy greedy step: gains only ever shrink
            heappush(heap, (-gain, cost, index))
    return sorted(_without_superfluous(candidates, chosen))


def _without_superfluous(candidates: Sequence[tuple[int, Collection[T]]], chosen: list[int]) -> list[int]:
    n_covering: dict[T, int] = {}
    for index in chosen:
        for item in set(candidates[index][1]):
            n_covering[item] = n_covering.get(item, 0) + 1
    kept = set(chosen)
    for index in sorted(chosen, key=lambda i: (-candidates[i][0], -i)):
        items = set(candidates[index][1])
        if all(n_covering[item] > 1 for item in items):
            kept.discard(index)
            for item in items:
                n_covering[item] -= 1
    return [index for index in chosen if index in kept]
