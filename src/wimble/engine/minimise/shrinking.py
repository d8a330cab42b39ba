"""Makes the test case of a candidate smaller, with few fresh starts of the SUT.

A call that only prepares state must not be dropped because an earlier try has left that state behind. So tries with
fewer calls run on the SUT as it is at first, and the smallest test case has to hold on a fresh start in the end. Only
if it does not, each try with fewer calls gets a fresh start.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.trials import Trials
from wimble.engine.session.phase_time import PhaseLimit
from wimble.model.testcase import TestCase
from wimble.search.minimise.minimiser import minimise_test

MAX_TRIES: Final = 60
"""Maximum number of evaluations per test. Dropping calls takes a few, each optional input one, each value up to
three.
"""
MAX_RESTARTS: Final = 12
"""How many of these evaluations may run on a fresh SUT: that is enough to halve a test of 10 calls down to 1 or 2."""
USUAL_CALLS: Final = 10
"""Each call beyond this number adds two tries and two fresh starts. State-setters are added as whole test cases,
although only one or two of their calls are needed.
"""


def made_smaller(trials: Trials, candidate: Candidate, limit: PhaseLimit) -> Candidate:
    """Returns the candidate with a minimised test case."""
    hopeful = _Tries(trials, candidate, limit, is_careful=False)
    smallest = hopeful.smallest()
    if hopeful.is_unproven and not limit.is_reached:
        trials.make_fresh_for(candidate, smallest)
        if not trials.shows(candidate, smallest):
            smallest = _Tries(trials, candidate, limit, is_careful=True).smallest()
    return replace(candidate, test_case=smallest)


class _Tries:
    """The tries of one candidate. Tries with other inputs run on the SUT as it is; verification checks the result."""

    def __init__(self, trials: Trials, candidate: Candidate, limit: PhaseLimit, *, is_careful: bool) -> None:
        """is_careful: whether each try with fewer calls needs a fresh SUT."""
        self._trials = trials
        self._candidate = candidate
        self._limit = limit
        self._is_careful = is_careful
        self._extra = 2 * max(0, len(candidate.test_case.calls) - USUAL_CALLS)
        self._smallest = candidate.test_case
        self._n_restarts = 0
        self.is_unproven = False
        """Whether a test case with fewer calls was kept that has not run on a fresh SUT."""

    def smallest(self) -> TestCase:
        """Returns the smallest test case that is found."""
        return minimise_test(self._candidate.test_case, self._is_kept, MAX_TRIES + self._extra)

    def _is_kept(self, test_case: TestCase) -> bool:
        if self._limit.is_reached:
            return False
        has_fewer_calls = len(test_case.calls) < len(self._smallest.calls)
        is_shown = self._is_shown_fresh(test_case) if has_fewer_calls else self._shows(test_case)
        if is_shown:
            self._smallest = test_case
        return is_shown

    def _is_shown_fresh(self, test_case: TestCase) -> bool:
        """Whether a try with fewer calls shows on a fresh SUT, as far as that can be told without one."""
        if not self._is_stale_for(test_case):
            return self._shows(test_case)
        if not self._is_careful:
            if self._shows(test_case):
                self.is_unproven = True
                return True
            if self._shows(self._smallest):
                return False  # the state that earlier tries left does not prevent it
        if self._n_restarts >= MAX_RESTARTS + self._extra:
            return False
        self._n_restarts += 1
        self._trials.worker.restart()
        return self._shows(test_case)

    def _shows(self, test_case: TestCase) -> bool:
        return self._trials.shows(self._candidate, test_case)

    def _is_stale_for(self, test_case: TestCase) -> bool:
        """Whether the SUT may be in another state than a fresh one, in a way that matters for the test case."""
        candidate, starts = self._candidate, self._trials.starts
        if starts.shares_start:
            # Such tests run in the state that others left; verification restores calls that they need.
            return False
        freshness = self._trials.worker.freshness
        # Calls that only read may cause a fault, for example by their number.
        is_stale = freshness.is_dirty or (candidate.fault_key is not None and freshness.n_calls > 0)
        needs_start = candidate.needs_start or starts.depends_on_state(test_case)
        return is_stale and needs_start and not candidate.is_order_independent and not freshness.is_lost
