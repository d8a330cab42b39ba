"""Feedback-directed sampling: which uncovered target to work on next. It does not use test cases.

The rule is the focused variant of "quickest" ([MIO] §3.3, and [EvoMaster], which developed from it):

1. Stay with the target chosen last while it still has *allowance*: fewer samplings since its last improvement than
   twice the number that the last improvement took, or than MIN_ALLOWANCE.
2. Else the target with allowance whose last improvement took the fewest samplings.
3. Else the target sampled least since its last improvement.

Each `FAIR_PERIOD`th choice takes all targets in turn. So a target that improves forever by ever smaller steps (a
floating-point distance) cannot starve the others.

Another rule was tried and rejected: of equally near targets the one with more statements behind it first. On etherpad,
seed 1, it was ahead early (5,083 targets after 4,650 calls instead of 3,896) and behind after 20,000 calls (5,161
instead of 5,304); on the bookshop it ended at 547 and 550 instead of 551 and 552.
"""

from __future__ import annotations

from collections import deque
from heapq import heappop, heappush

from wimble.types import TargetId

FAIR_PERIOD = 5
"""A fifth of all choices takes targets in turn; a larger share would interrupt series of quick improvements."""


GREEDY_CHOICES = 100
GREEDY_SHARE = 0.1
"""If a target was chosen more than GREEDY_CHOICES times and in more than this share of all choices, its improvements no
longer count. A branch that depends on the clock (`expires - Date.now()`) improves by a millisecond each time; one
took two thirds of a search.
"""

MIN_ALLOWANCE = 10
"""Minimum number of samplings after an improvement: one quick success does not predict the next. Of 11 guards among 60
branches that no input can satisfy, 10 found 6.3; the formula without a minimum found 4.5.
"""


class _State:
    """The state of one uncovered target. `version` distinguishes stale heap items from valid ones."""

    __slots__ = ("allowance", "choices", "cost", "samplings", "version")

    def __init__(self, allowance: int) -> None:
        self.choices = 0
        self.samplings = 0
        self.allowance = allowance
        self.cost = max(1, allowance // 2)
        self.version = 0

    @property
    def has_allowance(self) -> bool:
        return self.samplings < self.allowance


class TargetChooser:
    """Uncovered targets in the order in which to sample them.

    An operation takes O(log n) time (amortised). Of equal targets the one that was added to the heap first comes first.
    """

    def __init__(self, fair_period: int = FAIR_PERIOD) -> None:
        """fair_period: each such choice takes targets in turn; 1: all choices do."""
        self._fair_period = fair_period
        self._states: dict[TargetId, _State] = {}
        self._quick: list[tuple[int, int, TargetId, int]] = []
        self._rest: list[tuple[int, int, TargetId, int]] = []
        self._round: deque[TargetId] = deque()
        self._current: TargetId | None = None
        self._n_pushes = 0
        self._n_choices = 0

    def __len__(self) -> int:
        return len(self._states)

    def __contains__(self, target: TargetId) -> bool:
        return target in self._states

    def vain_samplings(self, target: TargetId) -> int:
        """Returns the samplings since the last improvement of a target that has used up its allowance; else 0."""
        state = self._states[target]
        return state.samplings if state.samplings > state.allowance else 0

    def samplings(self, target: TargetId) -> int:
        """Returns how often the target was chosen since it last improved."""
        return self._states[target].samplings

    def add(self, target: TargetId, allowance: int) -> None:
        """Adds a target that was reached for the first time. allowance: how many samplings it gets to show progress."""
        state = _State(allowance)
        self._states[target] = state
        self._round.append(target)
        self._push(target, state)

    def improved(self, target: TargetId) -> None:
        """Notes that the target's best h rose."""
        state = self._states[target]
        if state.choices > max(GREEDY_CHOICES, GREEDY_SHARE * self._n_choices):
            return
        state.cost = max(1, state.samplings)
        state.allowance = max(MIN_ALLOWANCE, 2 * state.cost)
        state.samplings = 0
        state.version += 1
        self._push(target, state)

    def remove(self, target: TargetId) -> None:
        """Removes a target, since it is covered."""
        self._states.pop(target, None)
        if self._current == target:
            self._current = None

    def choose(self) -> TargetId | None:
        """Returns the next target to work on, and counts it as sampled; None if there is none."""
        if not self._states:
            return None
        self._n_choices += 1
        if self._n_choices % self._fair_period == 0:
            return self._sampled(self._next_in_turn())
        current = self._current
        if current is None or not self._states[current].has_allowance:
            current = self._pop(self._quick)
            if current is None:
                current = self._pop(self._rest)
            assert current is not None, "each uncovered target has a live item"
        self._current = current
        return self._sampled(current)

    def _next_in_turn(self) -> TargetId:
        while (target := self._round.popleft()) not in self._states:
            pass
        self._round.append(target)
        return target

    def _sampled(self, target: TargetId) -> TargetId:
        state = self._states[target]
        state.choices += 1
        state.samplings += 1
        state.version += 1
        self._push(target, state)
        return target

    def _push(self, target: TargetId, state: _State) -> None:
        self._n_pushes += 1
        if state.has_allowance:
            heappush(self._quick, (state.cost, self._n_pushes, target, state.version))
        heappush(self._rest, (state.samplings, self._n_pushes, target, state.version))
        if len(self._rest) > 64 + 4 * len(self._states):
            self._rest = self._live(self._rest)
        if len(self._quick) > 64 + 4 * len(self._states):
            self._quick = self._live(self._quick)

    def _live(self, heap: list[tuple[int, int, TargetId, int]]) -> list[tuple[int, int, TargetId, int]]:
        """Returns the heap without stale items. The time is amortised over the pushes."""
        return sorted(item for item in heap if self._is_live(item))

    def _is_live(self, item: tuple[int, int, TargetId, int]) -> bool:
        state = self._states.get(item[2])
        return state is not None and state.version == item[3]

    def _pop(self, heap: list[tuple[int, int, TargetId, int]]) -> TargetId | None:
        while heap:
            item = heappop(heap)
            if self._is_live(item):
                return item[2]
        return None
