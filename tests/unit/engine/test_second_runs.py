"""The second run of a test needs a fresh start only if the test does something else where other tests ran before."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine_parts import Answer, ScriptedSut, calls_of, new_verification
from wimble.engine.candidates.candidate import Candidate
from wimble.engine.session.phase_time import PhaseLimit
from wimble.engine.stability.repeated_runs import Run, agreed
from wimble.engine.stability.verification import Verification
from wimble.engine.verify import second_runs
from wimble.engine.verify.second_runs import ERRATIC_RUNS, _verified
from wimble.http.binding import http_operation
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.suite import VerifiedTest
from wimble.model.testcase import Call, TestCase
from wimble.types import OperationId

POST = http_operation(id=OperationId("POST /notes"), method="POST", path="/notes")
CASE = TestCase((Call(POST, ()),))


def run(body: str, n_random_values: int = 0) -> Run:
    response = HttpResponse(201, (("content-type", "application/json"),), body.encode())
    observation = http_observation(call_index=0, request=HttpRequest("POST", "/notes"), response=response)
    return Run(
        Candidate(test_case=CASE, fault_key=None, targets=frozenset(), original=CASE),
        CASE,
        Evaluation(test_case=CASE, observations=(observation,), reached={}, n_random_values=n_random_values),
    )


@pytest.fixture
def verification() -> Verification:
    verification = new_verification()
    verification.worker.freshness.note(run("{}").evaluation)  # another test has run
    return verification


def fresh_starts(monkeypatch: pytest.MonkeyPatch, verification: Verification, *runs: Run) -> int:
    """Verifies a test whose first answer has the id 1, and whose next runs are these. Returns the number of starts."""
    left = iter(runs)
    monkeypatch.setattr(second_runs, "run_of", lambda *_: next(left))
    before = verification.worker.n_restarts
    coordinator = verification.coordinator
    test = _verified(verification, run('{"id": 1}'), PhaseLimit(coordinator.budget, coordinator.stop, until=1.0))
    assert test is not None
    assert [check.value for check in test.calls[0].checks] == [1]
    assert next(left, None) is None, "each of them was run"
    return verification.worker.n_restarts - before


def test_what_does_the_same_after_other_tests_needs_no_start(
    monkeypatch: pytest.MonkeyPatch, verification: Verification
) -> None:
    assert fresh_starts(monkeypatch, verification, run('{"id": 1}')) == 0


def test_no_assertion_is_lost_because_other_tests_have_run(
    monkeypatch: pytest.MonkeyPatch, verification: Verification
) -> None:
    assert fresh_starts(monkeypatch, verification, run('{"id": 2}'), run('{"id": 1}')) == 1


def test_what_draws_random_values_has_a_start(monkeypatch: pytest.MonkeyPatch, verification: Verification) -> None:
    drawn = run('{"id": 1}', n_random_values=1)
    assert fresh_starts(monkeypatch, verification, drawn, run('{"id": 1}')) == 1


def test_a_test_whose_second_run_asks_a_service_for_what_it_does_not_expect_is_left_out(
    monkeypatch: pytest.MonkeyPatch, verification: Verification
) -> None:
    """Another test has left the answer in a cache of the SUT before the first run, and none before the second one."""
    first = run("{}")
    asked = ExternalRequest(call=0, site="", n=0, origin="https://id.example:443", method="POST", target="/token")
    again = replace(first, evaluation=replace(first.evaluation, interactions=(asked,)))
    for runs, is_kept in (([first, first], True), ([first, again], False)):
        test = agreed(verification, runs, [one.evaluation for one in runs])
        assert (test is not None) is is_kept


class DiceSut(ScriptedSut):
    """Answers with a number that is another one in each run."""

    def __init__(self) -> None:
        super().__init__(self._answer)
        self._n_rolls = 0

    def _answer(self, memory: dict[str, Any], operation: str) -> Answer:
        self._n_rolls += 1
        memory["visits"] = memory.get("visits", 0) + 1
        if operation == "POST /visits":
            return 200, {"visits": memory["visits"], "roll": self._n_rolls / 7}
        return 200, {"roll": self._n_rolls / 7}


def test_tests_that_depend_on_chance_share_their_further_starts() -> None:
    sut = DiceSut()
    verification = new_verification(sut)
    worker = verification.worker
    tests = [calls_of(f"GET /dice/{number}") for number in range(3)]
    firsts = []
    for one in tests:
        candidate = Candidate(test_case=one, fault_key=None, targets=frozenset(), original=one)
        firsts.append(Run(candidate, one, worker.evaluate(one, full=True)))
    n_before, verified = sut.n_starts, list[VerifiedTest]()
    coordinator = verification.coordinator
    list(
        second_runs.second_runs(
            verification, firsts, verified, PhaseLimit(coordinator.budget, coordinator.stop, until=1.0)
        )
    )
    assert [one.test_case for one in verified] == tests
    assert sut.n_starts - n_before == 1 + ERRATIC_RUNS, "one for the file, and those that all of them share"


def test_what_is_the_same_on_fresh_starts_only_asserts_it() -> None:
    sut = DiceSut()
    verification = new_verification(sut)
    coordinator, verified = verification.coordinator, list[VerifiedTest]()
    firsts = []
    dice, counted = calls_of("POST /dice"), calls_of("POST /visits")
    for one in (dice, counted):
        verification.worker.restart()
        candidate = Candidate(test_case=one, fault_key=None, targets=frozenset(), original=one)
        firsts.append(Run(candidate, one, verification.worker.evaluate(one, full=True)))
    limit = PhaseLimit(coordinator.budget, coordinator.stop, until=1.0)
    n_before = sut.n_starts
    list(second_runs.second_runs(verification, firsts, verified, limit))
    n_second = 2
    assert sut.n_starts - n_before == n_second + 1 + ERRATIC_RUNS, "behind the other once, then first on shared starts"
    visits = next(one for one in verified if one.test_case == counted)
    assert [check.value for check in visits.calls[0].checks] == [1]


def test_what_may_be_so_by_chance_takes_no_starts_that_there_is_no_time_for(monkeypatch: pytest.MonkeyPatch) -> None:
    sut = DiceSut()
    verification = new_verification(sut)
    worker, coordinator = verification.worker, verification.coordinator
    one = calls_of("GET /dice/1")
    candidate = Candidate(test_case=one, fault_key=None, targets=frozenset(), original=one)
    firsts = [Run(candidate, one, worker.evaluate(one, full=True))]
    limit = PhaseLimit(coordinator.budget, coordinator.stop, until=1.0)
    left = iter([False] * 5)
    monkeypatch.setattr(PhaseLimit, "is_reached", property(lambda _: next(left, True)))
    n_before, verified = sut.n_starts, list[VerifiedTest]()
    list(second_runs.second_runs(verification, firsts, verified, limit))
    assert verified == []
    assert sut.n_starts - n_before < ERRATIC_RUNS
    assert any("may depend on chance were not run often enough" in one for one in coordinator.notices.warnings)
