"""Test cases that wait, of which the operations have one each in turn.

What is covered early gives many of them. In one queue, those of operations that succeed late would wait behind all of
these, or find no room at all.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from wimble.model.testcase import TestCase
from wimble.types import OperationId


class WaitingInTurn:
    """The oldest test case of an operation comes first."""

    def __init__(self, most: int) -> None:
        """most: how many wait at most. If there are more, the newest of the operation with most of them are dropped."""
        self._most = most
        self._queues: dict[OperationId, deque[TestCase]] = {}
        """Those of the operation whose turn is next come first."""
        self._n_waiting = 0

    def __len__(self) -> int:
        return self._n_waiting

    def add(self, operation: OperationId, test_cases: Iterable[TestCase]) -> None:
        added = list(test_cases)
        if added:
            self._queues.setdefault(operation, deque()).extend(added)
            self._n_waiting += len(added)
        while self._n_waiting > self._most:
            max(self._queues.values(), key=len).pop()
            self._n_waiting -= 1

    def take(self) -> TestCase:
        operation, queue = next(iter(self._queues.items()))
        del self._queues[operation]
        self._n_waiting -= 1
        taken = queue.popleft()
        if queue:
            self._queues[operation] = queue  # behind the others
        return taken
