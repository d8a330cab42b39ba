"""Makes the test case of a candidate smaller, with few fresh starts of the SUT.

A call that only prepares state must not be dropped because an earlier try has left that state behind. So tries run on
the SUT as it is at first, and the smallest test case has to hold on a fresh start in the end if it has fewer calls. If
it does not, calls are added to it until it does (candidates/needed_steps.py). If none are found, the last of the kept
test cases that holds is found by bisection; from there on, each try that holds on the SUT as it is has to hold on a
fresh start, too.

The state can also prevent what a fresh start would show: an address that may be used once. A try that does not hold is
repeated on a fresh start if the test case that it was made from does not hold either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.needed_steps import find_needed
from wimble.engine.candidates.trials import Trials
from wimble.engine.session.phase_time import PhaseLimit
from wimble.model.setup import without_refused
from wimble.model.testcase import TestCase
from wimble.search.minimise.minimiser import minimise_test
from wimble.search.resources.references import reordered, with_only

MAX_TRIES: Final = 60
"""Maximum number of evaluations per test. Dropping calls takes a few, each optional input one, each value up to
three.
"""
MAX_RESTARTS: Final = 12
"""How many tries with fewer calls may run on a fresh SUT: that is enough to halve a test of 10 calls down to 1 or 2."""
MAX_INPUT_RESTARTS: Final = 4
"""How many tries with other inputs may run on a fresh SUT: the first ones make all inputs of a call plain at once."""
SHARE_OF_COVERAGE: Final = 0.5
"""Share of these numbers for a test that shows no fault: fewer people read it."""
MAX_PROOFS_OF_INPUTS: Final = 2
"""How many starts may find out which simpler inputs of a test that shows no fault hold on a fresh SUT."""
SHORT_CALLS: Final = 4
"""A test of so few calls that shows no fault keeps them all if the first attempt to leave out some does not hold on a
fresh SUT: to find out which of them it needs takes a start each.
"""
MAX_PROOFS_IN_SHORT: Final = 1
"""How many starts may find out which simpler inputs of such a test hold."""
BRIEF_TRIES: Final = 10
"""Maximum number of evaluations for a test that is made smaller before there is time for more."""
MAX_HUNG: Final = 12
"""How many evaluations may wait for an answer that does not come."""
MAX_HUNG_ANSWERS: Final = 4
"""How many of them may be with other answers of services alone: where an answer keeps a loop going, most others do."""
USUAL_CALLS: Final = 10
"""Each call beyond this number adds two tries, and every second one a fresh start. State-setters are added as whole
test cases, although only one or two of their calls are needed.
"""


def made_smaller(trials: Trials, candidate: Candidate, limit: PhaseLimit) -> Candidate:
    """Returns the candidate with a minimised test case.

    If that has other inputs than the candidate's test case, but not fewer calls, verification is the first to run it on
    a fresh SUT.
    """
    if candidate.needs_all_calls:
        tries = _Tries(trials, candidate, limit, is_careful=True, keeps_calls=True)
        return replace(candidate, test_case=tries.smallest())
    hopeful = _Tries(trials, candidate, limit, is_careful=False)
    smallest = hopeful.smallest()
    if hopeful.is_unproven and not limit.is_reached and not trials.shows_fresh(candidate, smallest):
        if candidate.was_shown_twice and not trials.shows_fresh(candidate, candidate.test_case):
            return candidate  # it needs other test cases before it, which verification looks for
        return _made_smaller_again(trials, candidate, hopeful.kept, limit)
    return replace(candidate, test_case=smallest)


def made_smaller_briefly(trials: Trials, candidate: Candidate, limit: PhaseLimit) -> Candidate:
    """Returns the candidate with a test case that few tries have made smaller, on the SUT as it is.

    If it has fewer calls, it has to hold on a fresh SUT, too, unless the candidate is order-independent: then
    verification finds that out.
    """
    tries = _Tries(trials, candidate, limit, is_careful=False, keeps_calls=candidate.needs_all_calls, is_brief=True)
    smallest = tries.smallest()
    if tries.is_unproven and not candidate.is_order_independent and not trials.shows_fresh(candidate, smallest):
        return candidate
    return replace(candidate, test_case=smallest)


def _made_smaller_again(trials: Trials, candidate: Candidate, kept: Sequence[TestCase], limit: PhaseLimit) -> Candidate:
    """Returns the candidate with a smaller test case that holds on a fresh SUT.

    kept: the candidate's test case, which holds, and those that were made from it, each from the one before it. The
    last one does not hold.
    """
    is_read = candidate.fault_key is not None  # by many, so each of its inputs is worth a start
    if not is_read and len(candidate.test_case.calls) <= SHORT_CALLS:
        return _with_simpler_inputs(trials, candidate, limit, MAX_PROOFS_IN_SHORT)
    enough = _with_needed_calls(trials, candidate, kept, limit)
    if enough is None:
        proven = _last_proven(trials, candidate, kept[:-1], limit)
        return made_smaller_with_care(trials, replace(candidate, test_case=proven), limit)
    with_calls = replace(candidate, test_case=enough)
    if not is_read:
        return _with_simpler_inputs(trials, with_calls, limit, MAX_PROOFS_OF_INPUTS)
    tries = _Tries(trials, with_calls, limit, is_careful=True, keeps_calls=True)
    return replace(candidate, test_case=tries.smallest())


def _with_simpler_inputs(trials: Trials, candidate: Candidate, limit: PhaseLimit, most_starts: int) -> Candidate:
    """Returns the candidate with all of its calls, and inputs as simple as is proven with so many starts."""
    tries = _Tries(trials, candidate, limit, is_careful=False, keeps_calls=True)
    tries.smallest()
    return replace(candidate, test_case=_last_proven(trials, candidate, tries.kept, limit, most_starts))


def _with_needed_calls(
    trials: Trials, candidate: Candidate, kept: Sequence[TestCase], limit: PhaseLimit
) -> TestCase | None:
    """Returns the calls that are left in the last test case with those that they need on a fresh SUT; None if that was
    not found.
    """
    whole = candidate.test_case
    left = left_calls(kept)
    others = [index for index in range(len(whole.calls)) if index not in left]

    def with_others(numbers: Sequence[int]) -> TestCase:
        return with_only(whole, [*left, *(others[number] for number in numbers)])

    most_hung = trials.n_hung + MAX_HUNG
    needed = find_needed(
        len(others),
        start=lambda: trials.make_fresh_for(candidate, whole),
        shows_after=lambda numbers: trials.shows(candidate, with_others(numbers)),
        should_stop=lambda: limit.is_reached or trials.n_hung >= most_hung,
        was_refuted=trials.last_fresh is kept[-1],
    )
    return None if needed is None else with_others(needed)


def left_calls(kept: Sequence[TestCase]) -> list[int]:
    """Returns which calls of the first test case are left in the last one, each of which lacks a series of calls of the
    one before it, or all calls of an operation, or none.
    """
    left = list(range(len(kept[0].calls)))
    for before, after in pairwise(kept):
        orders = _orders_with(len(after.calls), before)
        order = next((order for order in orders if reordered(before, order).calls == after.calls), None)
        if order is not None:
            left = [left[index] for index in order]
    return left


def _orders_with(n_calls: int, before: TestCase) -> Iterator[list[int]]:
    """Yields the calls that may be left when the minimiser has dropped some, as indices."""
    n_dropped = len(before.calls) - n_calls
    if n_dropped <= 0:
        return
    for start in range(n_calls + 1):
        yield [index for index in range(len(before.calls)) if not start <= index < start + n_dropped]
    for operation in dict.fromkeys(call.operation.id for call in before.calls):
        order = [index for index, call in enumerate(before.calls) if call.operation.id != operation]
        if len(order) == n_calls:
            yield order


def _last_proven(
    trials: Trials,
    candidate: Candidate,
    kept: Sequence[TestCase],
    limit: PhaseLimit,
    most_starts: int = MAX_RESTARTS,
) -> TestCase:
    """Returns the last of the kept test cases if it holds on a fresh SUT, else one that does although the next one does
    not, as far as that is found with so many starts. The first one is known to hold.
    """
    holds, fails = 0, len(kept)
    number = fails - 1
    for _ in range(most_starts):
        if fails - holds <= 1 or limit.is_reached:
            break
        if trials.shows_fresh(candidate, kept[number]):
            holds = number
        else:
            fails = number
        number = (holds + fails) // 2
    return kept[holds]


def made_smaller_with_care(trials: Trials, candidate: Candidate, limit: PhaseLimit) -> Candidate:
    """Returns the candidate with a minimised test case that holds on a fresh SUT."""
    return replace(candidate, test_case=_Tries(trials, candidate, limit, is_careful=True).smallest())


class _Tries:
    """The tries of one candidate."""

    def __init__(
        self,
        trials: Trials,
        candidate: Candidate,
        limit: PhaseLimit,
        *,
        is_careful: bool,
        keeps_calls: bool = False,
        is_brief: bool = False,
    ) -> None:
        """is_careful: whether each try that is kept has to show on a fresh SUT. keeps_calls: whether all calls are
        known to be needed. is_brief: whether there are few tries, and no start but one after a try that ended the SUT.
        """
        self._is_brief = is_brief
        self._keeps_calls = keeps_calls
        self._trials = trials
        self._candidate = candidate
        self._limit = limit
        self._is_careful = is_careful
        self._most_hung = trials.n_hung + MAX_HUNG
        self._n_hung_answers = 0
        self._n_unusual = max(0, len(candidate.test_case.calls) - USUAL_CALLS)
        self.kept = [candidate.test_case]
        """The candidate's test case, and those that were made from it, each from the one before it."""
        share = 1.0 if candidate.fault_key is not None else SHARE_OF_COVERAGE
        self._restarts_left = {
            True: int(share * (MAX_RESTARTS + self._n_unusual / 2)),
            False: int(share * MAX_INPUT_RESTARTS),
        }
        if is_brief:
            self._restarts_left = {True: 1, False: 0}
        """By whether the try has fewer calls. A start after a try that ended the SUT counts, too."""
        self._holding: TestCase | None = None
        """The last test case that has shown in the state that earlier tries left."""
        self.is_unproven = False
        """Whether a test case with fewer calls was kept that has not run on a fresh SUT."""

    def smallest(self) -> TestCase:
        """Returns the smallest test case that is found."""
        most_tries = BRIEF_TRIES if self._is_brief else MAX_TRIES + 2 * self._n_unusual
        return minimise_test(self._candidate.test_case, self._is_kept, most_tries, as_applied=lambda _: self.kept[-1])

    def _is_kept(self, test_case: TestCase) -> bool:
        if self._limit.is_reached or self._trials.n_hung >= self._most_hung:
            return False
        if self._keeps_calls and len(test_case.calls) < len(self.kept[-1].calls):
            return False
        is_of_setup = test_case.calls == self.kept[-1].calls
        if is_of_setup and self._n_hung_answers >= MAX_HUNG_ANSWERS:
            return False
        n_hung = self._trials.n_hung
        is_shown = self._is_shown_fresh(test_case)
        if is_of_setup and self._trials.n_hung > n_hung:
            self._n_hung_answers += 1
        if is_shown:
            # A simpler key may be that of a row which is there already, and then that row serves as well.
            self.kept.append(without_refused(test_case, self._trials.refused))
        return is_shown

    def _is_shown_fresh(self, test_case: TestCase) -> bool:
        """Whether a try shows on a fresh SUT, as far as that can be told with few starts."""
        has_fewer_calls = len(test_case.calls) < len(self.kept[-1].calls)
        if self._trials.worker.freshness.is_lost and not self._may_restart(has_fewer_calls):
            return False
        if not self._is_stale_for(test_case):
            return self._shows(test_case)
        if self._holds(test_case):
            if not self._is_careful:
                self.is_unproven = self.is_unproven or has_fewer_calls
                return True
        elif not self._is_stale_for(test_case) or self.kept[-1] is self._holding or self._holds(self.kept[-1]):
            return False  # the state that earlier tries left does not prevent it
        if self._is_brief or not self._may_restart(has_fewer_calls):
            return False
        return self._trials.shows_fresh(self._candidate, test_case)

    def _may_restart(self, has_fewer_calls: bool) -> bool:
        """Whether one more start may be used; it then counts."""
        if self._restarts_left[has_fewer_calls] <= 0:
            return False
        self._restarts_left[has_fewer_calls] -= 1
        return True

    def _holds(self, test_case: TestCase) -> bool:
        """Whether the test case shows in the state that earlier tries left."""
        is_shown = self._shows(test_case)
        if is_shown:
            self._holding = test_case
        return is_shown

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
        if candidate.is_steady and len(test_case.calls) == len(candidate.test_case.calls):
            return False
        needs_start = candidate.needs_start or starts.depends_on_state(test_case)
        # A fault that needs no start as it is may need one with fewer calls, which others may have made before it.
        is_free = candidate.is_order_independent and candidate.fault_key is None
        return is_stale and needs_start and not is_free and not freshness.is_lost
