"""A run on a fresh SUT is not made twice."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine_parts import ScriptedSut, calls_of, new_coordinator, new_worker
from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.proofs import MAX_KEPT, Proofs, RunFreshness
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.candidates.trials import Trials
from wimble.model.evaluation import Evaluation
from wimble.model.run_conditions import AS_TESTS_RUN, Conditions
from wimble.model.testcase import TestCase

CASE = calls_of("POST /notes", "GET /notes")
FOR_COVERAGE = Candidate(test_case=CASE, fault_key=None, targets=frozenset(), original=CASE)
FOR_FAULT = replace(FOR_COVERAGE, fault_key=("server-error", "a.js", "1", "TypeError"))
TRIED = Conditions(is_isolated=True, starts_as_tests=True)


class WatchedSut(ScriptedSut):
    """Notes under which conditions test cases run."""

    def __init__(self) -> None:
        super().__init__()
        self.conditions: Conditions | None = None
        self.ran_under: list[Conditions | None] = []

    def live_under(self, conditions: Conditions) -> None:
        self.conditions = conditions

    def evaluate(self, test_case: TestCase, **options: object) -> Evaluation:
        self.ran_under.append(self.conditions)
        return super().evaluate(test_case, **options)


@pytest.fixture
def sut() -> WatchedSut:
    return WatchedSut()


@pytest.fixture
def trials(sut: WatchedSut) -> Trials:
    worker = new_worker(sut, new_coordinator())
    worker.restart()
    return Trials(worker, StartPolicy(), conditions=TRIED)


def test_the_second_time_there_is_neither_a_start_nor_a_run(trials: Trials, sut: WatchedSut) -> None:
    trials.prepare(CASE)
    n_starts = sut.n_starts
    first = trials.fresh_run(FOR_COVERAGE, CASE)
    assert sut.n_starts == n_starts + 1
    n_ran = len(sut.ran_under)
    trials.prepare(CASE)  # the SUT is no longer fresh
    assert trials.fresh_run(FOR_COVERAGE, TestCase(CASE.calls)) is first
    assert (sut.n_starts, len(sut.ran_under)) == (n_starts + 1, n_ran + 1)


def test_verification_need_not_repeat_what_minimising_has_run(trials: Trials, sut: WatchedSut) -> None:
    first = trials.fresh_run(FOR_COVERAGE, CASE)
    assert Trials(trials.worker, StartPolicy(), proofs=trials.proofs).fresh_run(FOR_COVERAGE, CASE) is first


def test_they_run_as_generated_tests_do_and_tries_do_not(trials: Trials, sut: WatchedSut) -> None:
    trials.fresh_run(FOR_COVERAGE, CASE)
    trials.prepare(CASE)
    assert sut.ran_under == [AS_TESTS_RUN, TRIED]


def test_a_fault_needs_a_run_before_which_nothing_was_read(trials: Trials, sut: WatchedSut) -> None:
    trials.prepare(calls_of("GET /notes"))
    n_starts = sut.n_starts
    trials.fresh_run(FOR_COVERAGE, CASE)
    assert sut.n_starts == n_starts, "what only reads leaves the SUT fresh for a test of coverage"
    trials.fresh_run(FOR_FAULT, CASE)
    assert sut.n_starts == n_starts + 1
    trials.fresh_run(FOR_COVERAGE, CASE)
    assert sut.n_starts == n_starts + 1


def test_a_run_on_the_sut_as_it_is_proves_nothing(sut: WatchedSut) -> None:
    worker = new_worker(sut, new_coordinator())
    worker.restart()
    independent = frozenset(call.operation.id for call in CASE.calls)
    trials = Trials(worker, StartPolicy(independent=independent), conditions=TRIED)
    trials.prepare(CASE)
    trials.fresh_run(FOR_COVERAGE, CASE)
    trials.adopt(StartPolicy())
    n_starts = sut.n_starts
    trials.fresh_run(FOR_COVERAGE, CASE)
    assert sut.n_starts == n_starts + 1


def test_the_oldest_runs_are_forgotten() -> None:
    proofs, fresh = Proofs(), RunFreshness(is_untouched=True, linger_s=0.0)
    cases = [calls_of(f"GET /{number}") for number in range(MAX_KEPT + 1)]
    for case in cases:
        proofs.add(fresh, Evaluation(test_case=case, observations=(), reached={}))
    assert proofs.find(cases[0], fresh) is None
    assert all(proofs.find(case, fresh) is not None for case in cases[1:])


def test_what_was_not_waited_for_is_no_proof_for_a_late_error() -> None:
    proofs = Proofs()
    proofs.add(RunFreshness(is_untouched=True, linger_s=0.0), Evaluation(test_case=CASE, observations=(), reached={}))
    assert proofs.find(CASE, RunFreshness(is_untouched=True, linger_s=0.15)) is None
