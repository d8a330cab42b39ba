"""Tests with a start of their own for faults that a shared start does not show by themselves.

Where starts are slow, the tests of a file share one, and each test case of a fault has been made smaller behind others.
Its requests alone may then not show it, although the report says that they do: others have built up what it needs, or
have used up what it needs, so that it has no test at all. Such faults are tried on a start of their own with the time
that is left, those without a test first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

from msgspec.structs import replace

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.fault_prefix import Rebuilt, rebuild_by_provenance, rebuild_from_history, rebuilt
from wimble.engine.candidates.trials import Trials
from wimble.engine.faults.fault_book import Witness
from wimble.engine.minimise.shrinking import made_smaller
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.phase_time import FAULTS_ALONE_BY, OutOfTime, PhaseLimit
from wimble.engine.stability.expected_requests import with_expected_requests
from wimble.engine.stability.repeated_runs import BEHIND_OTHERS, NOT_AGAIN, Run, agreed, renamed
from wimble.engine.stability.shown_runs import shapes_of
from wimble.engine.stability.verification import Verification
from wimble.engine.verify.late_tests import run_alone
from wimble.engine.verify.secrets_in_tests import without_secrets
from wimble.engine.verify.verify_phase import VerifiedSuite
from wimble.engine.worker.worker import Worker
from wimble.errors import TargetError
from wimble.model.run_conditions import start_conditions
from wimble.model.suite import VerifiedTest

MAX_SHAPES: Final = 3
"""Number of test cases of a fault that are tried as they are, each on a start of its own."""


def with_faults_alone(
    coordinator: Coordinator, worker: Worker, candidates: Sequence[Candidate], suite: VerifiedSuite
) -> VerifiedSuite:
    """Returns the suite with tests of the faults that its tests do not show on a start of their own."""
    if not suite.starts.shares_start:
        return suite
    starts = replace(suite.starts, shares_start=False)
    verification = Verification(coordinator, Trials(worker, starts))
    limit = PhaseLimit(coordinator.budget, coordinator.stop, until=FAULTS_ALONE_BY)
    work = _Work(verification, limit, suite.tests)
    try:
        with worker.within(limit):
            work.run(candidates)
    except OutOfTime:
        pass  # the others keep what is known of them
    except TargetError as error:
        verification.warn(f"faults were not tried on starts of their own to the end: {error.what}")
    finally:
        worker.sut.move_clock(False)
        worker.sut.live_under(start_conditions(coordinator.settings))
    notes = {**suite.fault_notes, **verification.fault_notes}
    shown = {finding.key for test in work.tests for finding in test.findings}
    kept = {key: note for key, note in notes.items() if key not in shown}
    return replace(suite, tests=tuple(renamed([*suite.tests, *work.tests])), fault_notes=kept)


class _Work:
    """Makes the tests, as far as there is time."""

    def __init__(self, verification: Verification, limit: PhaseLimit, tests: Iterable[VerifiedTest]) -> None:
        self._verification = verification
        self._limit = limit
        self._tested = {finding.key for test in tests for finding in test.findings}
        self.tests: list[VerifiedTest] = []

    def run(self, candidates: Iterable[Candidate]) -> None:
        """Tries the faults in doubt: first what their test cases and the makers of their resources show, and then what
        ran before them, which takes many starts.
        """
        left = []
        for candidate in self._in_doubt(candidates):
            first = self._by_itself(candidate)
            if first is None:
                left.append(candidate)
            else:
                self._verify(candidate, first)
        for candidate in left:
            first = self._with_history(candidate)
            if first is not None:
                self._verify(candidate, first)

    def _in_doubt(self, candidates: Iterable[Candidate]) -> list[Candidate]:
        """Returns the faults that have no test, those that end the process first, and then those that may show behind
        other tests only.
        """
        faults = [one for one in candidates if one.fault_key is not None]
        missing = [one for one in faults if one.fault_key not in self._tested]
        missing.sort(key=lambda one: not one.ends_its_start)
        tested = [one for one in faults if one.fault_key in self._tested and _may_need_others(one)]
        tested.sort(key=lambda one: not one.was_missed)
        for one in tested:
            if one.was_missed:
                self._verification.note_fault(one.fault_key, BEHIND_OTHERS)
        return [*missing, *tested]

    def _by_itself(self, candidate: Candidate) -> Run | None:
        """Returns a run of the first of the candidate's shapes that shows its fault on a start of its own."""
        for shape in shapes_of(candidate)[:MAX_SHAPES]:
            run = self._shown(replace(candidate, test_case=shape))
            if run is not None:
                return run
        trials, resources = self._verification.trials, self._verification.coordinator.resources
        return self._smaller(candidate, partial(rebuild_by_provenance, trials, resources))

    def _with_history(self, candidate: Candidate) -> Run | None:
        trials, limit = self._verification.trials, self._limit
        return self._smaller(candidate, partial(rebuild_from_history, trials, limit=limit))

    def _smaller(self, candidate: Candidate, rebuild: Callable[[Candidate, Witness], Rebuilt | None]) -> Run | None:
        """Returns a run of the test case that is rebuilt from what has run before the fault, made smaller."""
        if not self._has_time():
            return None
        found = rebuilt(candidate, rebuild)
        return None if found is None else self._shown(made_smaller(self._verification.trials, found, self._limit))

    def _shown(self, candidate: Candidate) -> Run | None:
        """Returns a run that shows the fault, and expects all requests that the SUT sends to services."""
        if not self._has_time():
            return None
        alone = replace(candidate, is_polluter=True)
        run = run_alone(self._verification, alone, is_later=False)
        if not candidate.is_shown_by(run.evaluation):
            self._note(candidate, NOT_AGAIN)
            return None
        expecting = with_expected_requests(run.test_case, run.evaluation)
        return run if expecting is run.test_case else self._shown(replace(candidate, test_case=expecting))

    def _verify(self, candidate: Candidate, first: Run) -> None:
        if candidate.fault_key in self._tested and first.test_case == candidate.test_case:
            self._verification.withdraw_note(candidate.fault_key)  # its test shows it by itself as well
            return
        if not (self._has_time() and without_secrets(self._verification, [first])):
            return
        again = run_alone(self._verification, first.candidate, is_later=True)
        test = agreed(self._verification, [first, again], [first.evaluation, again.evaluation])
        if test is not None:
            self.tests.append(replace(test, starts_anew=True))

    def _has_time(self) -> bool:
        return self._limit.has_left(self._verification.worker.start_s)

    def _note(self, candidate: Candidate, note: str) -> None:
        if candidate.fault_key not in self._tested:
            self._verification.note_fault(candidate.fault_key, note)


def _may_need_others(candidate: Candidate) -> bool:
    """Whether it was seen not to show at another place in the order, or has lost calls since then."""
    n_calls = len(candidate.test_case.calls)
    return candidate.was_missed or any(len(shape.calls) > n_calls for shape in shapes_of(candidate))
