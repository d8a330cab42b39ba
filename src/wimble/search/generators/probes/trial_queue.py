"""In which order trials of undeclared inputs are run.

Trials of inputs that the program was seen to read come first, those of the latest test cases before others: they stand
where the search has just got to. All others have their turns in between: other media types, files, and the calls with
inputs that nobody has asked for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final, Generic, TypeVar

T = TypeVar("T")

MAX_WAITING: Final = 400
"""Maximum number of trials of each kind that wait; more are dropped, and sampling tries their inputs."""
OTHERS_PERIOD: Final = 3
"""Each such turn is for other trials, if any wait."""


class TrialQueue(Generic[T]):
    """Trials that wait."""

    def __init__(self) -> None:
        self._reads: deque[list[T]] = deque()
        self._n_reads = 0
        self._others: deque[T] = deque()
        self._n_taken = 0

    def __len__(self) -> int:
        return self._n_reads + len(self._others)

    def put_reads(self, trials: Iterable[T]) -> None:
        """Adds trials of inputs that one call has read, in their order."""
        group = list(trials)[: max(0, MAX_WAITING - self._n_reads)]
        if group:
            self._reads.append(group[::-1])
            self._n_reads += len(group)

    def put_others(self, trials: Iterable[T]) -> None:
        self._others.extend(list(trials)[: max(0, MAX_WAITING - len(self._others))])

    def take(self) -> T | None:
        """Returns the next trial; None if none waits."""
        self._n_taken += 1
        is_for_others = self._n_taken % OTHERS_PERIOD == 0
        if self._others and (is_for_others or not self._reads):
            return self._others.popleft()
        if not self._reads:
            return None
        group = self._reads[-1]
        trial = group.pop()
        self._n_reads -= 1
        if not group:
            self._reads.pop()
        return trial
