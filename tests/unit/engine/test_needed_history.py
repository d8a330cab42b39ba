"""What a fault needs of all that ran before it is found with few starts, while minimising or in verification."""

from __future__ import annotations

from functools import partial
from typing import Any

from engine_parts import Answer, ScriptedSut, calls_of, new_coordinator, new_worker
from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.fault_prefix import rebuild_from_history, rebuilt
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.candidates.trials import Trials
from wimble.engine.faults.fault_book import Witness
from wimble.engine.minimise.shrinking import made_smaller
from wimble.engine.session.phase_time import PhaseLimit
from wimble.engine.verify.verify_phase import run_verify
from wimble.model.testcase import TestCase

OTHER, STEP, TOTAL = calls_of("POST /other"), calls_of("POST /steps"), calls_of("GET /total")

NEEDED = ["POST /steps", "POST /steps", "GET /total"]


def operations_of(test_case: TestCase) -> list[str]:
    return [call.operation.id for call in test_case.calls]


def broken_after_two_steps(memory: dict[str, Any], operation: str) -> Answer:
    memory[operation] = memory.get(operation, 0) + 1
    return (500, {}) if operation == "GET /total" and memory.get("POST /steps", 0) >= 2 else (200, {})


class Known:
    """A fault that shows after two of many earlier test cases, and never alone."""

    def __init__(self) -> None:
        self.sut = ScriptedSut(broken_after_two_steps)
        self.coordinator = new_coordinator()
        self.worker = new_worker(self.sut, self.coordinator)
        earlier = (*[OTHER] * 20, STEP, *[OTHER] * 25, STEP, *[OTHER] * 15)
        for test_case in earlier:
            self.worker.evaluate(test_case)
        evaluation = self.worker.evaluate(TOTAL)
        (finding,) = evaluation.findings
        self.witness = Witness(finding, evaluation, history=earlier, likely=earlier)
        self.fault = Candidate(
            test_case=TOTAL,
            fault_key=finding.key,
            targets=frozenset(),
            original=TOTAL,
            witnesses=(self.witness,),
        )


def test_the_test_cases_that_a_fault_needs_take_few_starts() -> None:
    known = Known()
    limit = PhaseLimit(known.coordinator.budget, known.coordinator.stop, until=0.5)
    trials = Trials(known.worker, StartPolicy())
    found = rebuild_from_history(trials, known.fault, known.witness, limit)
    assert found is not None and operations_of(found.test_case) == NEEDED
    assert found.needs_all_calls
    assert trials.n_rebuilding <= 10


def test_calls_that_are_known_to_be_needed_take_no_more_starts() -> None:
    known = Known()
    limit = PhaseLimit(known.coordinator.budget, known.coordinator.stop, until=0.5)
    trials = Trials(known.worker, StartPolicy())
    fault = rebuilt(known.fault, partial(rebuild_from_history, trials, limit=limit))
    assert fault is not None
    n_before = known.worker.n_restarts
    assert operations_of(made_smaller(trials, fault, limit).test_case) == NEEDED
    assert known.worker.n_restarts == n_before, "they have no inputs that could be simpler"


def test_a_fault_that_only_seemed_to_need_nothing_gets_what_it_needs() -> None:
    known = Known()
    steady = Candidate(
        test_case=TOTAL,
        fault_key=known.fault.fault_key,
        targets=frozenset(),
        original=TOTAL,
        witnesses=(known.witness,),
        is_steady=True,
    )
    *_, suite = [*_events_and_result(run_verify(known.coordinator, known.worker, [steady], StartPolicy()))]
    (test,) = suite.tests
    assert operations_of(test.test_case) == NEEDED
    assert suite.fault_notes == {}


def _events_and_result(phase: Any) -> Any:
    yield (yield from phase)
