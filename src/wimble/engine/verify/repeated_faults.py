"""What runs after the search tell of faults: a run looks at everything there, as the search does not.

The statement that gave an answer, and what explains it, decide which findings are one fault. So they are found out
whether tests are asked for or not.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping

import msgspec

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.selection import candidate_of
from wimble.engine.events import Event, PhaseStarted
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.phase_time import VERIFIED_BY, PhaseLimit
from wimble.engine.worker.worker import Worker
from wimble.errors import TargetError
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.observation import Observation
from wimble.model.run_conditions import AS_TESTS_RUN
from wimble.model.suite import VerifiedTest
from wimble.model.testcase import TestCase

FaultKey = tuple[str, ...]


class RepeatedFault(msgspec.Struct, frozen=True):
    """A run that has shown a fault again."""

    finding: Finding
    test_case: TestCase
    observations: tuple[Observation, ...]


def of_tests(tests: Iterable[VerifiedTest]) -> dict[FaultKey, RepeatedFault]:
    """Returns, for each fault, the shortest test that shows it."""
    repeated: dict[FaultKey, RepeatedFault] = {}
    for test in sorted(tests, key=lambda test: len(test.calls)):
        for finding in test.findings:
            observations = tuple(call.observation for call in test.calls)
            repeated.setdefault(finding.key, RepeatedFault(finding, test.test_case, observations))
    return repeated


def repeat_faults(coordinator: Coordinator, worker: Worker) -> Generator[Event, None, Mapping[FaultKey, RepeatedFault]]:
    """Runs the shortest test case of each fault once more, if no tests are made.

    All run on one start, and those that do not show their fault there on a start of their own.
    """
    candidates = [candidate_of(fault) for fault in coordinator.faults]
    repeated: dict[FaultKey, RepeatedFault] = {}
    if not candidates:
        return repeated
    yield PhaseStarted(phase="faults")
    worker.sut.live_under(AS_TESTS_RUN)
    limit = PhaseLimit(coordinator.budget, coordinator.stop, until=VERIFIED_BY)
    try:
        worker.make_fresh(entirely=True)
        missing = [one for one in candidates if not limit.is_reached and not _note(worker, one, repeated)]
        for candidate in missing:
            if limit.is_reached:
                break
            worker.make_fresh(entirely=True)
            _note(worker, candidate, repeated)
    except (KeyboardInterrupt, TargetError):
        pass  # the other faults are told as the search has seen them
    yield from coordinator.notices.take_events()
    return repeated


def _note(worker: Worker, candidate: Candidate, repeated: dict[FaultKey, RepeatedFault]) -> bool:
    """Runs a candidate, and adds the faults that it shows. Returns whether its own is known by then."""
    assert candidate.fault_key is not None
    if candidate.fault_key not in repeated:
        evaluation = worker.evaluate(candidate.test_case, full=True, linger_s=candidate.linger_s)
        for finding in evaluation.findings:
            repeated.setdefault(finding.key, _of_run(finding, evaluation))
    return candidate.fault_key in repeated


def _of_run(finding: Finding, evaluation: Evaluation) -> RepeatedFault:
    return RepeatedFault(finding, evaluation.test_case, evaluation.observations)
