"""Makes calls for the inferred document: the simplest accepted call of each operation, with readable values and less.

They are recorded like all calls; what they show is found when the document is made.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Final

from wimble.describe.call_records import OperationRecord
from wimble.describe.inferred_document import best_example
from wimble.describe.readable_calls import left_out_variants, rough_leaves, with_readable
from wimble.engine.events import Event, FindingFound, PhaseStarted
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.phase_time import DESCRIBED_BY, PhaseLimit
from wimble.engine.worker.worker import Worker
from wimble.errors import TargetError
from wimble.model.testcase import TestCase

SHARE_OF_CALLS: Final = 0.1
"""The calls of this phase, as a share of those of the search."""
LEAST_CALLS: Final = 200
MAX_SHARE_OF_START: Final = 0.3
"""Largest share of the time that a start of the SUT may take. Else the calls go to the SUT as the search has left it,
and end with it.
"""
MAX_SINGLE: Final = 8
"""Number of values that are replaced one by one if the SUT refuses all at once."""
MAX_LEFT_OUT: Final = 30
"""Number of inputs and members of one operation that are left out."""


def run_description(coordinator: Coordinator, worker: Worker) -> Generator[Event, None, None]:
    """Runs the calls, up to a share of the search's budget."""
    records = [one for one in coordinator.records.of(coordinator.specification.operations) if one.n_accepted]
    if not records:
        return
    yield PhaseStarted(phase="describe")
    limit = PhaseLimit(coordinator.budget, coordinator.stop, until=DESCRIBED_BY)
    trials = _Trials(coordinator, worker, limit)
    try:
        with coordinator.records.examining_all():
            if trials.has_time_to_start:
                worker.make_fresh()  # the state that the search has made is no example
            for number, record in enumerate(records):
                if limit.is_reached or trials.is_spent or trials.is_stuck:
                    break
                yield from trials.look_at(record, 1 + trials.n_left // (len(records) - number))
                yield coordinator.progress("describe", (number + 1) / len(records))
    except TargetError as error:
        coordinator.notices.warn(f"the calls for the inferred document ended early: {error.what}")
    yield from coordinator.notices.take_events()


class _Trials:
    """Runs variants of accepted calls."""

    def __init__(self, coordinator: Coordinator, worker: Worker, limit: PhaseLimit) -> None:
        self._coordinator = coordinator
        self._worker = worker
        self._limit = limit
        self.n_left = max(LEAST_CALLS, round(SHARE_OF_CALLS * coordinator.budget.calls))
        self._outcome = ""

    @property
    def is_spent(self) -> bool:
        return self.n_left <= 0

    @property
    def has_time_to_start(self) -> bool:
        """Whether a start of the SUT takes little of the time. The tests need what it would take of theirs."""
        return self._limit.allows(self._worker.start_s, MAX_SHARE_OF_START)

    @property
    def is_stuck(self) -> bool:
        """Whether a call has ended the SUT, and there is no time to start it again."""
        return self._worker.freshness.is_lost and not self.has_time_to_start

    def look_at(self, record: OperationRecord, n_calls: int) -> Iterator[Event]:
        """Looks for a readable example of an operation, then for inputs that it does not need.

        n_calls: about how many calls may be made for it.
        """
        example = best_example(record)
        if example is None or example.test_case is None:
            return
        until = max(0, self.n_left - n_calls)
        test_case = example.test_case
        self._outcome = ""
        if not (yield from self._is_same(test_case)):
            return
        test_case = yield from self._made_readable(test_case, until)
        n_needed = 0
        for _ in range(MAX_LEFT_OUT):
            variants = list(left_out_variants(test_case))
            if n_needed >= len(variants) or self.n_left <= until:
                return
            if (yield from self._is_same(variants[n_needed])):
                test_case = variants[n_needed]
            else:
                n_needed += 1

    def _made_readable(self, test_case: TestCase, until: int) -> Generator[Event, None, TestCase]:
        leaves = rough_leaves(test_case)
        changed = with_readable(test_case, leaves)
        if changed == test_case:
            return test_case
        if (yield from self._is_same(changed)):
            return changed
        for leaf in leaves[:MAX_SINGLE]:
            changed = with_readable(test_case, [leaf])
            if self.n_left <= until:
                break
            if changed != test_case and (yield from self._is_same(changed)):
                test_case = changed
        return test_case

    def _is_same(self, test_case: TestCase) -> Generator[Event, None, bool]:
        """Runs the test case. Returns whether its last call has the status that this operation's first one had."""
        coordinator, history = self._coordinator, self._worker.history
        if coordinator.stop.is_requested or self.is_stuck:
            return False
        self.n_left -= len(test_case.calls)
        evaluation = self._worker.evaluate(test_case)
        budget = coordinator.budget
        calls, elapsed_s = budget.calls, budget.elapsed_s
        for fault in coordinator.faults.note(
            evaluation, evaluation.findings, history, calls=calls, elapsed_s=elapsed_s
        ):
            coordinator.journal.note_fault(fault)
            yield FindingFound(finding=fault.finding, calls=calls, elapsed_s=elapsed_s)
        history.note(evaluation)
        last = evaluation.observations[-1]
        self._outcome = self._outcome or (last.outcome_key if last.outcome in ("ok", "redirected") else "none")
        return last.outcome_key == self._outcome
