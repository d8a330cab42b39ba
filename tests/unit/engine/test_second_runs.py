"""The second run of a test needs a fresh start only if the test does something else where other tests ran before."""

from __future__ import annotations

import pytest

from engine_parts import new_verification
from wimble.engine.candidates.candidate import Candidate
from wimble.engine.stability.repeated_runs import Run
from wimble.engine.stability.verification import Verification
from wimble.engine.verify import verify_phase
from wimble.engine.verify.verify_phase import _verified
from wimble.http.binding import http_operation
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation
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
    monkeypatch.setattr(verify_phase, "run_of", lambda *_: next(left))
    before = verification.worker.n_restarts
    test = _verified(verification, run('{"id": 1}'))
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
