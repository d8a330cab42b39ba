"""The search: evaluates the strategy's test cases until the budget is spent, the user stops it, or the SUT is lost.

For the report of a killed run it evaluates the test cases that were kept, instead of the strategy's.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import cycle
from typing import Final

import msgspec

from wimble.engine.boot.joining_routes import JoiningRoutes
from wimble.engine.boot.known_services import ServicesInProject
from wimble.engine.events import Event, FindingFound
from wimble.engine.monitors.hidden_services import HiddenServices
from wimble.engine.monitors.open_breakers import OpenBreakers
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.stability.lasting_changes import SHARE, LastingChanges
from wimble.engine.worker.worker import Worker
from wimble.errors import TargetError
from wimble.execute.sut.sut import Sut
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.external import ExternalRequest
from wimble.model.result import StoppedBy
from wimble.model.run_conditions import search_conditions, start_conditions
from wimble.model.setup import without_refused
from wimble.model.testcase import TestCase
from wimble.types import OperationId

PROGRESS_INTERVAL_S: Final = 0.1
CALLS_BETWEEN_RESTARTS: Final = 10_000
"""Maximum number of calls between two starts. A SUT that keeps state grows with each test: lists get long, answers
slow, and faults depend on accumulated data. A fresh start every 10,000 calls costs about 3 % at 1,000 calls/s. The
limit is in calls, so that runs can be repeated.
"""
CALLS_PER_START: Final = 100
"""As how many calls a start of a library counts in searches with a budget in calls."""
MAX_REFUSED: Final = 100
"""Number of test cases in a row that are left out at most."""


def proposals(coordinator: Coordinator) -> Iterator[TestCase]:
    """Yields the test cases that the strategy proposes, until the budget is spent."""
    budget = coordinator.budget
    while not budget.is_spent:
        yield coordinator.strategy.next_test_case(budget.progress())


def run_search(
    coordinator: Coordinator,
    workers: Sequence[Worker],
    test_cases: Iterable[TestCase],
    joining: JoiningRoutes | None = None,
) -> Generator[Event, None, StoppedBy]:
    """Yields progress and findings, and returns what ended the search.

    workers: they evaluate in turn, for one archive. At present a run has one.
    joining: has routes join that are registered during the search.
    """
    budget, stop, notices = coordinator.budget, coordinator.stop, coordinator.notices
    budget.restart_clock()
    next_progress_s = 0.0
    stopped_by: StoppedBy
    for worker in workers:
        worker.sut.live_under(search_conditions(coordinator.settings))
    try:
        for worker in workers:
            worker.monitors.slowdown.forget()
        explorers = cycle([_Explorer(coordinator, worker, joining) for worker in workers])
        for test_case in test_cases:
            if stop.is_requested:
                break
            explorer = next(explorers)
            yield from explorer.evaluate(test_case)
            if joining is not None:
                joining.observe(explorer.sut.api, coordinator)
            coordinator.statistics.note_curve(
                budget, n_targets=coordinator.strategy.archive.n_covered, n_faults=len(coordinator.faults)
            )
            if budget.elapsed_s >= next_progress_s:
                next_progress_s = budget.elapsed_s + PROGRESS_INTERVAL_S
                progress = coordinator.progress("search")
                coordinator.journal.note_progress(progress)
                yield progress
            explorer.freshen()
            explorer.prepare_end()
        stopped_by = "interrupt" if stop.is_requested else budget.ended_by
    except TargetError as error:
        stopped_by = "sut"
        notices.warn("the search ended early: " + "; ".join(line.strip() for line in error.lines()[:-1]))
    except KeyboardInterrupt:
        stopped_by = "interrupt"
    finally:
        budget.stop_clock()
        for worker in workers:
            worker.deferred.catch_up()
            worker.sut.live_under(start_conditions(coordinator.settings))
    yield from notices.take_events()
    progress = coordinator.progress("search")
    coordinator.journal.note_progress(progress, is_last=True)
    yield progress
    return stopped_by


class _Explorer:
    """Evaluates test cases on one worker, and lets the strategy learn from them."""

    def __init__(self, coordinator: Coordinator, worker: Worker, joining: JoiningRoutes | None = None) -> None:
        self._coordinator = coordinator
        self._worker = worker
        self._joining = joining
        self._services = ServicesInProject(coordinator.settings.working_dir)
        self._hidden = HiddenServices()
        self._breakers = OpenBreakers()
        self._changes = (
            LastingChanges(
                coordinator.specification.operations, self._run_beside, worker.restart, coordinator.changing_functions
            )
            if coordinator.settings.library
            else None
        )
        self._n_refused = 0
        """Number of test cases in a row."""
        self._is_end_prepared = False
        self._n_told = 0
        """Number of covered targets that were reported to the worker."""

    @property
    def sut(self) -> Sut:
        return self._worker.sut

    def _evaluate_of_library(self, test_case: TestCase, changes: LastingChanges) -> Iterator[Event]:
        """Evaluates a test case of a library, and starts the library afresh after one that changes what others return.
        It is left out if such starts have used up their share of the search."""
        if self._refuses(test_case, changes):
            return
        evaluation, _ = yield from self._evaluate(test_case)
        if not self._coordinator.budget.is_spent:
            changes.note(evaluation)

    def _refuses(self, test_case: TestCase, changes: LastingChanges) -> bool:
        if not changes.has_changed(test_case) or self._n_refused >= MAX_REFUSED:
            self._n_refused = 0
            return False
        budget = self._coordinator.budget
        spent = changes.n_starts * (CALLS_PER_START if budget.is_repeatable else self._worker.start_s)
        self._n_refused += 1
        return spent > SHARE * (budget.calls if budget.is_repeatable else budget.elapsed_s)

    def _run_beside(self, test_case: TestCase) -> Evaluation | None:
        """Runs a test case of which the search learns nothing."""
        evaluation = self.sut.evaluate(test_case, want_hints=False)
        if evaluation.is_sut_lost:
            self._worker.restart()
        return None if evaluation.is_sut_lost or evaluation.has_hung or evaluation.n_random_values else evaluation

    def evaluate(self, test_case: TestCase) -> Iterator[Event]:
        """Evaluates a test case; once more after a fresh start, if the SUT has kept what services have answered."""
        worker = self._worker
        if self._changes is not None:
            yield from self._evaluate_of_library(test_case, self._changes)
            return
        is_edit = self._coordinator.strategy.is_edit(test_case)
        evaluation, is_success = yield from self._evaluate(test_case)
        elapsed_s = None if self._coordinator.budget.is_repeatable else self._coordinator.budget.elapsed_s
        again = self._hidden.note(
            evaluation,
            start=worker.n_restarts,
            is_success=is_success,
            is_edit=is_edit,
            elapsed_s=elapsed_s,
            may_start=worker.has_start_ahead,
        )
        shut = self._breakers.note(evaluation, start=worker.n_restarts, elapsed_s=elapsed_s)
        if not self._coordinator.settings.command or self._coordinator.budget.is_spent:
            return
        if again is None:
            if shut is not None and worker.has_start_ahead():
                yield from self._evaluate_after_breaker(test_case, shut)
            return
        start_s = worker.timed_restart()
        evaluation, is_success = yield from self._evaluate(again.test_case)
        self._hidden.note_again(
            evaluation, again.places, start=worker.n_restarts, is_success=is_success, start_s=start_s
        )

    def _evaluate_after_breaker(self, test_case: TestCase, operation: OperationId) -> Iterator[Event]:
        start_s = self._worker.timed_restart()
        evaluation, is_success = yield from self._evaluate(test_case)
        self._breakers.note_again(
            evaluation, operation, start=self._worker.n_restarts, is_success=is_success, start_s=start_s
        )

    def _evaluate(self, test_case: TestCase) -> Generator[Event, None, tuple[Evaluation, bool]]:
        """Returns the evaluation of what was planned, and whether it has covered something new."""
        coordinator, worker = self._coordinator, self._worker
        budget, strategy = coordinator.budget, coordinator.strategy
        progress = budget.progress()
        covered = strategy.archive.covered_since(self._n_told)
        self._n_told += len(covered)
        worker.deferred.add(strategy.prepare)
        if worker.freshness.is_lost:
            worker.start_if_lost()
            worker.sut.keep_standbys()  # it may end again
        evaluation = worker.explore(
            test_case, covered=covered, wants_hints=strategy.wants_hints, full=strategy.wants_all(test_case)
        )
        budget.note_calls(len(test_case.calls) - evaluation.n_kept)
        ran = without_refused_rows(evaluation)
        evaluation = self._hidden.as_after_start(ran, start=worker.n_restarts)
        improvement = strategy.observe(evaluation, progress)
        if self._joining is not None:
            self._joining.read(evaluation, coordinator)
        if improvement.is_kept:
            coordinator.provenances.note(strategy.archive.n_added, worker.history.provenance)
        if improvement.newly_covered:
            budget.note_improvement()
            coordinator.statistics.note_covered(improvement.newly_covered, coordinator.table)
            coordinator.journal.note_test_case(evaluation.test_case)
        if evaluation.interactions:
            coordinator.services.note(evaluation)
            self._services.learn(strategy.sampler.services, evaluation.interactions_of(ExternalRequest))
            coordinator.harvest.note(evaluation)
            recorded = coordinator.harvest.take()
            if recorded:
                strategy.sampler.services.add_recorded(recorded)
        for note in (*strategy.take_failures(), *worker.sut.take_notes()):
            coordinator.notices.warn(note)
        yield from self._note_faults(evaluation, evaluation.findings)
        for earlier in evaluation.late:
            worker.deferred.catch_up()  # its history includes this evaluation
            yield from self._note_faults(earlier, coordinator.judge(earlier))
        if coordinator.notices.has_events:
            yield from coordinator.notices.take_events()
        return ran, bool(improvement.newly_covered)

    def _note_faults(self, evaluation: Evaluation, findings: Sequence[Finding]) -> Iterator[Event]:
        budget, history, deferred = self._coordinator.budget, self._worker.history, self._worker.deferred
        calls, elapsed_s = budget.calls, budget.elapsed_s
        new = self._coordinator.faults.note(evaluation, findings, history, calls=calls, elapsed_s=elapsed_s)
        deferred.add(history.note, evaluation)
        for fault in new:
            self._coordinator.journal.note_fault(fault)
            yield FindingFound(finding=fault.finding, calls=calls, elapsed_s=budget.elapsed_s)

    def prepare_end(self) -> None:
        """Begins the first start after the search ahead of its use, once the search has as long left as that takes."""
        coordinator, worker = self._coordinator, self._worker
        left_s = coordinator.budget.left_s
        is_due = left_s is not None and left_s <= worker.start_s
        if is_due and not self._is_end_prepared and coordinator.settings.writes_tests:
            self._is_end_prepared = True
            if not worker.sut.has_standby:
                worker.sut.keep_standbys(1)

    def freshen(self) -> None:
        """Starts the SUT afresh if it holds much data of test cases, or is degraded by it."""
        worker = self._worker
        if worker.freshness.is_dirty and self._is_worth_a_start():
            worker.restart()
        if worker.monitors.rate_limit.is_throttled:
            self._outlast_rate_limit()

    def _is_worth_a_start(self) -> bool:
        worker, monitors, settings = self._worker, self._worker.monitors, self._coordinator.settings
        if worker.freshness.n_calls >= CALLS_BETWEEN_RESTARTS:
            return True
        if not settings.command:
            return False
        if monitors.lockouts.is_locked_out:
            return True
        is_by_the_clock = not self._coordinator.budget.is_repeatable
        return is_by_the_clock and monitors.slowdown.is_worth_a_start(worker.start_s)

    def _outlast_rate_limit(self) -> None:
        """Starts the SUT afresh. If wimble cannot do that, or if it did not help, waits as long as the SUT asks for."""
        rate_limit = self._worker.monitors.rate_limit
        if self._coordinator.settings.command and rate_limit.may_restart():
            self._worker.restart()
        else:
            time.sleep(rate_limit.wait_s())


def without_refused_rows(evaluation: Evaluation) -> Evaluation:
    """Returns the evaluation with a test case that lacks the rows that the database has refused.

    That test case has the same effect, and a generated test can insert its rows.
    """
    if not evaluation.refused_setup:
        return evaluation
    test_case = without_refused(evaluation.test_case, evaluation.refused_setup)
    return msgspec.structs.replace(evaluation, test_case=test_case, proposed=evaluation.test_case, refused_setup=())
