"""A phase ends at the latest after the call that runs, and what has run as it is written is kept."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from engine_parts import ManualClock, ScriptedSut, calls_of, new_coordinator, new_worker
from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.candidates.trials import Trials
from wimble.engine.faults.provenance_log import Provenance, ProvenanceLog
from wimble.engine.minimise.minimise_phase import run_minimise
from wimble.engine.session import phase_time
from wimble.engine.session.budget import Budget
from wimble.engine.session.phase_time import RACES_BY, OutOfTime, PhaseLimit
from wimble.engine.stability import repeated_runs
from wimble.engine.stability.repeated_runs import run_of
from wimble.engine.stability.verification import Verification
from wimble.engine.verify.rehearsals import SHARE_OF_STATE_SETTERS, rehearsed_files
from wimble.engine.verify.verify_phase import VerifiedSuite, run_verify
from wimble.http.exchange import http_observation
from wimble.model.evaluation import Evaluation, Reached
from wimble.model.targets import Target, TargetTable
from wimble.model.testcase import TestCase
from wimble.settings import Settings
from wimble.types import TargetId

START_S = 2.0
CALL_S = 0.1
SLUGGISH_S = 0.6
ALLOWANCE_S = 30.0
IN_ONE_FILE = StartPolicy(shares_start=True, has_one_file=True)


class TimedSut(ScriptedSut):
    """Takes time for starts and calls, and sends none any more once the time is over."""

    def __init__(self, clock: ManualClock, call_s: Callable[[str], float] = lambda _: CALL_S) -> None:
        super().__init__()
        self._clock, self._call_s = clock, call_s

    def restart(self) -> None:
        super().restart()
        self._clock.now_s += START_S

    def reached(self, test_case: TestCase) -> dict[TargetId, Reached]:
        return {TargetId(0): Reached(1.0, 0)}

    def evaluate(self, test_case: TestCase, **options: Any) -> Evaluation:
        whole = super().evaluate(test_case, **options)
        observations = []
        for call, observation in zip(test_case.calls, whole.observations, strict=True):
            if self.ends_s is not None and self._clock.now_s >= self.ends_s:
                request = observation.exchange.request  # type: ignore[attr-defined]
                observation = http_observation(observation.call_index, request, failure="not-sent")
            else:
                ends_s = self.ends_s if self.ends_s is not None and self.cuts_calls else math.inf
                answered_s = self._clock.now_s + self._call_s(call.operation.id)
                self._clock.now_s = min(answered_s, ends_s)
                if answered_s > ends_s:
                    request = observation.exchange.request  # type: ignore[attr-defined]
                    observation = http_observation(observation.call_index, request, failure="timeout")
            observations.append(observation)
        return replace(whole, observations=tuple(observations))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> ManualClock:
    clock = ManualClock()
    monkeypatch.setattr(phase_time, "time", clock)
    monkeypatch.setattr(repeated_runs, "time", clock)
    return clock


class Run:
    """What follows a search of 30 s."""

    def __init__(self, clock: ManualClock, call_s: Callable[[str], float] = lambda _: CALL_S) -> None:
        self.clock = clock
        self.sut = TimedSut(clock, call_s)
        table = TargetTable()
        table.register(Target("line", "a.js", 1, 0))
        self.coordinator = new_coordinator(Settings(command=("node",), max_time_s=ALLOWANCE_S), table=table)
        self.coordinator.budget = Budget(max_time_s=ALLOWANCE_S, max_calls=None, clock=clock.monotonic)
        self.coordinator.budget.note_calls(1000)
        clock.now_s += ALLOWANCE_S
        self.coordinator.budget.stop_clock()
        self.begun_s = clock.now_s
        self.worker = new_worker(self.sut, self.coordinator, clock)
        self.worker.restart()

    @property
    def spent_s(self) -> float:
        return self.clock.now_s - self.begun_s

    def verified(self, candidates: list[Candidate]) -> VerifiedSuite:
        phase = run_verify(self.coordinator, self.worker, candidates, IN_ONE_FILE)
        while True:
            try:
                next(phase)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]


def candidates_of(*test_cases: TestCase) -> list[Candidate]:
    return [
        Candidate(test_case=one, fault_key=None, targets=frozenset([TargetId(0)]), original=one) for one in test_cases
    ]


def test_no_call_is_sent_once_the_time_is_over(clock: ManualClock) -> None:
    run = Run(clock)
    limit = PhaseLimit(run.coordinator.budget, run.coordinator.stop, until=0.5)
    with run.worker.within(limit):
        run.worker.evaluate(calls_of("GET /a"))
        clock.now_s = run.begun_s + 0.5 * ALLOWANCE_S - 1.5 * CALL_S
        with pytest.raises(OutOfTime):
            run.worker.evaluate(calls_of("GET /a", "GET /b", "GET /c", "GET /d"))
    assert run.spent_s == pytest.approx(0.5 * ALLOWANCE_S, abs=CALL_S)
    assert len(run.worker.evaluate(calls_of("GET /a", "GET /b")).observations) == 2, "the limit was of that phase"


def test_in_one_file_the_first_pass_is_the_rehearsal(clock: ManualClock) -> None:
    run = Run(clock)
    candidates = candidates_of(*(calls_of(f"POST /{number}") for number in range(8)))
    suite = run.verified(candidates)
    assert [test.test_case for test in suite.tests] == [one.test_case for one in candidates]
    assert run.sut.n_starts == 3, "that of the first pass, which was there, one more today, and one on another day"


def test_as_many_tests_run_as_can_run_often_enough(clock: ManualClock) -> None:
    run = Run(clock)
    suite = run.verified(candidates_of(*(calls_of(f"POST /{number}") for number in range(300))))
    assert len(suite.tests) > 40
    assert run.spent_s <= ALLOWANCE_S * RACES_BY + START_S
    assert all("answered differently" not in warning for warning in run.coordinator.notices.warnings)


def test_one_test_whose_calls_take_long_takes_no_time_from_the_others(clock: ManualClock) -> None:
    run = Run(clock, lambda operation: 3.0 if operation == "GET /slow" else CALL_S)
    others = [calls_of(f"POST /{number}") for number in range(10)]
    suite = run.verified(candidates_of(*others[:5], calls_of("GET /slow", "GET /slow"), *others[5:]))
    assert [test.test_case for test in suite.tests] == others
    assert run.spent_s <= ALLOWANCE_S * RACES_BY + START_S


def test_what_takes_long_on_another_day_only_ends_the_file_there(clock: ManualClock) -> None:
    run = Run(clock)
    run.sut._call_s = lambda _: 4.0 if run.sut.is_another_day else CALL_S
    suite = run.verified(candidates_of(*(calls_of(f"POST /{number}", "GET /a") for number in range(12))))
    assert 0 < len(suite.tests) < 12
    assert run.spent_s <= ALLOWANCE_S * RACES_BY + 4.0
    n_left = 12 - len(suite.tests)
    assert any(one.startswith(f"{n_left} tests were not run") for one in run.coordinator.notices.warnings)


def test_tests_that_take_long_come_last_if_there_is_time_for_them(clock: ManualClock) -> None:
    run = Run(clock, lambda operation: 1.5 if operation == "GET /slow" else CALL_S)
    slow, *others = calls_of("GET /slow"), *(calls_of(f"POST /{number}") for number in range(4))
    suite = run.verified(candidates_of(slow, *others))
    assert [test.test_case for test in suite.tests] == [*others, slow]


def test_what_takes_long_is_not_measured_and_the_others_are(clock: ManualClock) -> None:
    run = Run(clock, lambda operation: 8.0 if operation == "GET /slow" else CALL_S)
    others = [calls_of(f"GET /{number}") for number in range(10)]
    candidates = candidates_of(calls_of("GET /slow", "GET /slow"), *others)
    list(run_minimise(run.coordinator, run.worker, candidates))
    assert set(others) <= set(run.sut.ran)
    assert run.spent_s < 8.0


def test_minimising_ends_after_the_call_that_runs(clock: ManualClock) -> None:
    run = Run(clock, lambda _: 5.0)
    candidates = candidates_of(*(calls_of(*["POST /a"] * 10) for _ in range(3)))
    minimised = run_minimise(run.coordinator, run.worker, candidates)
    while True:
        try:
            next(minimised)
        except StopIteration:
            break
    assert run.spent_s <= ALLOWANCE_S * phase_time.MINIMISED_BY + 5.0


def test_where_there_is_no_time_for_a_rehearsal_the_first_pass_stands_for_it_though_a_fault_did_not_show(
    clock: ManualClock,
) -> None:
    run = Run(clock)
    tests = candidates_of(*(calls_of(f"POST /{number}") for number in range(60)))
    fault = replace(candidates_of(calls_of("GET /once"))[0], fault_key=("f",), targets=frozenset())
    suite = run.verified([fault, *tests])
    assert len(suite.tests) > 40
    assert run.sut.n_starts == 3


def test_in_a_rehearsal_what_a_test_may_need_before_it_takes_no_time_from_the_others(clock: ManualClock) -> None:
    run = Run(clock, lambda _: SLUGGISH_S)
    verification = Verification(run.coordinator, Trials(run.worker, IN_ONE_FILE))
    missing = frozenset([TargetId(7)])
    candidates = [
        replace(one, targets=missing, provenance=Provenance(ProvenanceLog(), 0))
        for one in candidates_of(*(calls_of(f"POST /{number}") for number in range(6)))
    ]
    chosen = [run_of(verification, one, one.test_case) for one in candidates]
    limit = PhaseLimit(run.coordinator.budget, run.coordinator.stop, until=0.9)
    begun_s, left_s = clock.now_s, limit.left_s
    files = rehearsed_files(verification, chosen, limit)
    assert [trial.test.test_case for trial in files["all"].trials] == [one.test_case for one in candidates]
    n_starts = 1 + 1  # one since calls may still be at work
    usual_s = n_starts * START_S + len(candidates) * SLUGGISH_S
    assert usual_s < clock.now_s - begun_s <= usual_s + SHARE_OF_STATE_SETTERS * left_s + 0.01
