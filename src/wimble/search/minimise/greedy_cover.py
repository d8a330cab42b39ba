"""Small sets of candidates that together cover all that any of them covers. Greedy and deterministic.

A set cover that is smallest cannot be found in reasonable time; the greedy one is at most a logarithmic factor larger
(V. Chvátal, "A Greedy Heuristic for the Set-Covering Problem", Mathematics of Operations Research 4(3), 1979).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from heapq import heapify, heappop, heappush
from typing import TypeAlias, TypeVar

T = TypeVar("T", bound=Hashable)

Rank: TypeAlias = Callable[[int, int], tuple[float, ...]]
"""(number of items that a candidate adds, its cost) -> sort key, the best first; may only get worse with fewer
items."""


def most_items(n_new: int, cost: int) -> tuple[float, ...]:
    """The candidate that adds most comes first, then the cheaper one."""
    return (-n_new, cost)


def most_items_per_cost(n_new: int, cost: int) -> tuple[float, ...]:
    """The candidate that adds most per cost comes first."""
    return (-n_new / cost,)


def greedy_cover(candidates: Sequence[tuple[int, Collection[T]]], rank: Rank) -> list[int]:
    """Indexes in the order in which they were chosen; of equals the earlier one.

    A candidate is (cost, what it covers).
    """
    covers = [frozenset(items) for _, items in candidates]
    costs = [cost for cost, _ in candidates]
    missing = set[T]().union(*covers)
    heap = [(rank(len(items), costs[index]), index) for index, items in enumerate(covers) if items]
    heapify(heap)
    chosen: list[int] = []
    while missing:
        promised, index = heappop(heap)
        n_new = len(missing & covers[index])
        if not n_new:
            continue
        now = rank(n_new, costs[index])
        if now == promised:
            chosen.append(index)
            missing -= covers[index]
        else:  # gains only ever shrink, so the first one whose gain is up to date is the best
            heappush(heap, (now, index))
    return chosen


def smallest_cover(candidates: Sequence[tuple[int, Collection[T]]]) -> list[int]:
    """Indexes of chosen candidates, ascending.

    Takes the candidate that covers most of what is missing; then the cheaper one; then the earlier one. At the end,
    candidates that the later choices made superfluous are left out again, the most costly first.
    """
    return sorted(_without_superfluous(candidates, greedy_cover(candidates, most_items)))


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
