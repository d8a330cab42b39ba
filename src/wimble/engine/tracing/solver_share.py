"""How much of a search the solver may have.

A search with a budget in time waits for it so long, and one with a budget in calls reads answers that took so much
work, in units that do not depend on the machine. Both shares have a part that every search grants, and one that targets
earn: a target whose own condition was found to depend on the inputs, although the search does not cover it, needs the
solver, and one that was solved shows that it helps. So a SUT that has few such targets pays little.
"""

from __future__ import annotations

from math import inf
from typing import Final

import msgspec

from wimble.engine.session.budget import Budget
from wimble.types import TargetId

LEAST_S: Final = 4.0
SHARE_OF_SEARCH: Final = 0.1
"""How long the search may wait for the solver in all, beside its share of the time that the search has taken."""
MOST_OF_SEARCH: Final = 0.7
"""The same with all that was earned."""
LEAST_WORK: Final = 48_000_000
WORK_PER_CALL: Final = 4_000
"""The same for a budget in calls, in units of the solver's work: some seconds, and a millisecond per call."""
EARNED_S: Final = 0.5
EARNED_WORK: Final = 2_000_000
"""What a target earns once when its condition is known, and once more when it is solved."""


class ShareLimits(msgspec.Struct, frozen=True):
    """What a search grants the solver."""

    least_s: float = LEAST_S
    of_search: float = SHARE_OF_SEARCH
    most_of_search: float = MOST_OF_SEARCH
    least_work: int = LEAST_WORK
    work_per_call: int = WORK_PER_CALL
    most_earned: float = inf
    """How many times what it grants in any case may be earned as well, of a budget in calls."""


IN_ROUNDS: Final = ShareLimits()
BESIDE: Final = ShareLimits(least_s=1.0, of_search=0.05, most_of_search=0.12, least_work=16_000_000, most_earned=1.0)
"""For a search that goes on while the solver works: it waits only while test cases are traced, and for answers that a
budget in calls needs at that moment."""
LEAST_SHARE_OF_ROUND: Final = 0.25
"""Of the least; if less is left, no round is begun. With a budget in time, what is left also has to be twice what the
starts of the last round took: else a round is hardly more than these."""


class SolverShare:
    """Counts what the solver has taken."""

    def __init__(self, budget: Budget, limits: ShareLimits = IN_ROUNDS) -> None:
        self._budget = budget
        self._limits = limits
        self._spent_s = 0.0
        self._begun_s: float | None = None
        self._starts_s = 0.0
        """How long the starts with and without tracing took in the last round."""
        self._work = 0
        """What the answers took that were read; their order does not depend on time, and so neither does this sum."""
        self._earned: set[tuple[TargetId, bool]] = set()

    def begin(self) -> None:
        """Notes that a round begins."""
        self._begun_s = self._budget.elapsed_s

    def end(self) -> None:
        """Notes that the round is over."""
        if self._begun_s is not None:
            self._spent_s += self._budget.elapsed_s - self._begun_s
        self._begun_s = None

    def note_starts(self, starts_s: float) -> None:
        """Notes how long the starts of a round took, before and after it."""
        self._starts_s = starts_s

    def note_work(self, work: int) -> None:
        """Adds what an answer took that was read."""
        self._work += work

    def earn(self, target: TargetId, *, is_solved: bool) -> None:
        """Grants more for a target whose condition depends on inputs, or that was solved; once each."""
        self._earned.add((target, is_solved))

    @property
    def may_begin(self) -> bool:
        """Whether enough is left for a round."""
        left_s = self.left_s()
        return self.left >= LEAST_SHARE_OF_ROUND and (left_s is None or left_s >= 2 * self._starts_s)

    @property
    def left(self) -> float:
        """What is left; 1.0 is the least that a search grants in all."""
        left_s = self.left_s()
        if left_s is not None:
            return left_s / self._limits.least_s
        limits = self._limits
        granted = limits.least_work + limits.work_per_call * self._budget.calls
        earned = min(EARNED_WORK * len(self._earned), limits.most_earned * granted)
        return (granted + earned - self._work) / limits.least_work

    def left_s(self) -> float | None:
        """Returns for how long the search may still wait; None for no limit: a budget in calls."""
        if self._budget.is_repeatable:
            return None
        now_s = self._budget.elapsed_s
        spent_s = self._spent_s + (0.0 if self._begun_s is None else now_s - self._begun_s)
        limits = self._limits
        granted_s = min(limits.of_search * now_s + EARNED_S * len(self._earned), limits.most_of_search * now_s)
        return max(0.0, limits.least_s + granted_s - spent_s)
