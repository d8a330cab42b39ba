"""Small sets of candidates that together cover all that any of them covers. Greedy and deterministic.

A smallest set cover cannot be found in reasonable time. The greedy one is larger by a logarithmic factor at most (V.
Chvátal, "A Greedy Heuristic for the Set-Covering Problem", Mathematics of Operations Research 4(3), 1979).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from heapq import heapify, heappop, heappush
from typing import TypeAlias, TypeVar

T = TypeVar("T", bound=Hashable)

Rank: TypeAlias = Callable[[int, int], tuple[float, ...]]
"""Returns a sort key for the number of items that a candidate adds, and its cost. The least key is the best; the key
must not improve if the number of items falls.
"""


def most_items(n_new: int, cost: int) -> tuple[float, ...]:
    """Ranks the candidate that adds most items first; of equals the cheaper one."""
    return (-n_new, cost)


def most_items_per_cost(n_new: int, cost: int) -> tuple[float, ...]:
    """Ranks the candidate that adds most items per cost first."""
    return (-n_new / cost,)


def greedy_cover(candidates: Sequence[tuple[int, Collection[T]]], rank: Rank) -> list[int]:
    """Returns the indexes of chosen candidates in the order of choice; of equals the earlier one is chosen.

    A candidate is its cost and what it covers.
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
        else:  # gains only decrease, so the first candidate whose gain is up to date is the best
            heappush(heap, (now, index))
    return chosen


def smallest_cover(candidates: Sequence[tuple[int, Collection[T]]]) -> list[int]:
    """Returns the indexes of chosen candidates, ascending.

    Takes the candidate that covers most of what is missing, of equals the cheaper, then the earlier one. At the end,
    candidates that later choices made superfluous are removed, the most costly first.
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
