"""A queue of what is tried next for a target: what came closest to its outcome, and of that, what was found last."""

from __future__ import annotations

import heapq
from collections import deque
from itertools import chain, islice
from typing import Final, Generic, TypeVar

from wimble.solve.path_conditions import Path, Scalar

NO_DISTANCE: Final = 1.0
"""Of a path without the target's own condition."""
MOST_OF_EXPRESSION: Final = 0.5
"""The greatest distance of a condition that an expression has."""
EMPTY: Final = 2.0
_T = TypeVar("_T")


class NearestFirst(Generic[_T]):
    """A queue by distance; equal ones are taken in the reverse order of their arrival.

    Where nothing is known of the distance, the first and the last that arrived take turns: one path is followed to its
    end, and others are looked at that are short yet.
    """

    def __init__(self) -> None:
        self._distances: list[float] = []
        """A heap of those that items have."""
        self._items: dict[float, deque[_T]] = {}
        self._is_turn_of_first = False

    def __len__(self) -> int:
        return sum(len(items) for items in self._items.values())

    @property
    def nearest(self) -> float:
        """The distance of the next item; greater than all distances if there is none."""
        return self._distances[0] if self._distances else EMPTY

    def add(self, item: _T, distance: float = NO_DISTANCE) -> None:
        """Adds an item with its distance, or that of what it was made of."""
        if distance not in self._items:
            heapq.heappush(self._distances, distance)
            self._items[distance] = deque()
        self._items[distance].append(item)

    def pop(self) -> _T:
        """Takes the next item."""
        distance = self._distances[0]
        items = self._items[distance]
        is_first = distance == NO_DISTANCE and self._is_turn_of_first
        if distance == NO_DISTANCE:
            self._is_turn_of_first = not self._is_turn_of_first
        item = items.popleft() if is_first else items.pop()
        if not items:
            heapq.heappop(self._distances)
            del self._items[distance]
        return item

    def latest(self, count: int) -> list[_T]:
        """Returns the nearest items, of equal ones the last that arrived."""
        by_distance = (reversed(self._items[distance]) for distance in sorted(self._distances))
        return list(islice(chain.from_iterable(by_distance), count))


def distance_of(path: Path, number: int) -> float:
    """Returns how far a condition of a path is from its other outcome, in [0, 1]."""
    node = path.nodes[path.without_negation(path.entries[number].node)]
    if len(node.args) != 2:
        return NO_DISTANCE
    left, right = (path.nodes[arg].value for arg in node.args)
    if isinstance(left, str) and isinstance(right, str):
        return _scaled(_difference(left, right))
    return _scaled(abs(_number(left) - _number(right)))


def distance_by(h: float) -> float:
    """Returns the distance for a condition of which only h in [0, 1) is known: a loop has counted what it compares, for
    example. It is greater than all distances of conditions over inputs, and less than none.
    """
    return NO_DISTANCE - (NO_DISTANCE - MOST_OF_EXPRESSION) * h


def _scaled(difference: float) -> float:
    return MOST_OF_EXPRESSION * difference / (difference + 1)


def _number(value: Scalar) -> float:
    return 0.0 if isinstance(value, str) else float(value)


def _difference(left: str, right: str) -> float:
    """Returns by how much texts differ in length, and how far the first different character is from the end."""
    size = max(len(left), len(right))
    same = next((at for at, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
    return abs(len(left) - len(right)) + size - same
