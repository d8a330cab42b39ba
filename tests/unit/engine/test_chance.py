"""What a SUT does by chance is not taken for what it does, however the first runs fell."""

from collections.abc import Iterator

import pytest

from engine_parts import new_coordinator, new_verification
from wimble.engine.candidates.candidate import Candidate
from wimble.engine.session.budget import Budget
from wimble.engine.session.phase_time import PhaseLimit
from wimble.engine.stability.repeated_runs import BY_CHANCE, Run
from wimble.engine.stability.verification import Verification
from wimble.engine.verify import second_runs
from wimble.engine.verify.second_runs import CHEAP_REPEATS, ERRATIC_RUNS, REPEATS_OF_CHANCE, _holding_today, _verified
from wimble.http.binding import http_operation
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.library.invocation import FunctionExchange, Invocation
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.observation import Cause
from wimble.model.run_conditions import Conditions
from wimble.model.testcase import Call, TestCase
from wimble.settings import Settings
from wimble.types import OperationId

KEY = ("server-error", "GET /coin")


def run(status: int, method: str = "GET", n_random_values: int = 0) -> Run:
    operation = http_operation(id=OperationId(f"{method} /coin"), method=method, path="/coin")
    case = TestCase((Call(operation, ()),))
    response = HttpResponse(status, (("content-type", "text/html"),), b"<p>x</p>")
    observation = http_observation(call_index=0, request=HttpRequest(method, "/coin"), response=response)
    finding = Finding(
        oracle="server-error", key=KEY, operation=operation.id, status=status, title="", observed="", expected="",
        cause=Cause(), call_index=0,
    )  # fmt: skip
    return Run(
        Candidate(test_case=case, fault_key=KEY, targets=frozenset(), original=case),
        case,
        Evaluation(
            test_case=case,
            observations=(observation,),
            reached={},
            n_random_values=n_random_values,
            findings=(finding,) if status == 500 else (),
        ),
    )


@pytest.fixture
def verification() -> Verification:
    return new_verification()


def scripted(
    monkeypatch: pytest.MonkeyPatch, *statuses: int, method: str = "GET", n_random_values: int = 0
) -> Iterator[int]:
    """Runs answer so, one after the other; what is left tells how many there were."""
    left = iter(statuses)
    monkeypatch.setattr(second_runs, "run_of", lambda *_: run(next(left), method, n_random_values))
    return left


def unlimited(verification: Verification) -> PhaseLimit:
    budget = Budget(max_time_s=None, max_calls=1)
    return PhaseLimit(budget, verification.coordinator.stop, until=1.0)


def test_a_fault_that_repeats_have_not_is_looked_at_again_and_left_out(
    monkeypatch: pytest.MonkeyPatch, verification: Verification
) -> None:
    scripted(monkeypatch, 500, *[500] * (CHEAP_REPEATS - 1), 200, *[200] * ERRATIC_RUNS)
    assert _verified(verification, run(500), unlimited(verification)) is None
    assert verification.fault_notes == {KEY: BY_CHANCE}


def test_a_fault_of_fresh_starts_only_stays(monkeypatch: pytest.MonkeyPatch, verification: Verification) -> None:
    left = scripted(monkeypatch, 500, *[200] * CHEAP_REPEATS, *[500] * ERRATIC_RUNS, 0)
    test = _verified(verification, run(500), unlimited(verification))
    assert test is not None
    assert test.kind == "fault"
    assert next(left) == 0, "each of them was run"


def test_a_fault_that_changes_something_is_not_repeated_on_one_start(
    monkeypatch: pytest.MonkeyPatch, verification: Verification
) -> None:
    left = scripted(monkeypatch, 500, 0, method="POST")
    assert _verified(verification, run(500, "POST"), unlimited(verification)) is not None
    assert next(left) == 0


def test_one_lucky_run_more_does_not_make_a_fault_one_of_today(
    monkeypatch: pytest.MonkeyPatch, verification: Verification
) -> None:
    scripted(monkeypatch, 500, 200, method="POST")
    assert _holding_today(verification, [run(500, "POST")], [0], unlimited(verification)) == {}
    scripted(monkeypatch, 500, 500, method="POST")
    assert list(_holding_today(verification, [run(500, "POST")], [0], unlimited(verification))) == [0]


def test_where_the_clock_is_not_ours_nothing_depends_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(url="http://127.0.0.1:1")
    verification = new_verification(coordinator=new_coordinator(settings))
    scripted(monkeypatch)
    assert _holding_today(verification, [run(500)], [0], unlimited(verification)) == {}


def test_a_test_that_draws_is_run_once_more_from_a_fresh_start_where_draws_are_low(
    monkeypatch: pytest.MonkeyPatch, verification: Verification
) -> None:
    seen = []
    answers = {None: 500, "high": 500, "low": 200}

    def tossed(_context: object, _candidate: object, _test_case: object, conditions: Conditions) -> Run:
        seen.append(conditions.random_bias)
        return run(answers[conditions.random_bias], "POST", n_random_values=1)

    monkeypatch.setattr(second_runs, "run_of", tossed)
    assert _verified(verification, run(500, "POST", n_random_values=1), unlimited(verification)) is None
    assert verification.fault_notes == {KEY: BY_CHANCE}
    assert seen == ["high", "low", "low"], "what differs is looked at from a start of its own"
    answers["low"] = 500
    assert _verified(verification, run(500, "POST", n_random_values=1), unlimited(verification)) is not None


def test_what_functions_of_a_library_do_by_chance_is_looked_at_more_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    verification = new_verification(coordinator=new_coordinator(Settings(library="lib")))
    monkeypatch.setattr(
        second_runs, "exchange_of_function", lambda _: FunctionExchange(Invocation(operation="f", arguments=()))
    )
    statuses = [200] * (2 + REPEATS_OF_CHANCE - 1)
    scripted(monkeypatch, *statuses, 404, n_random_values=1)
    runs = second_runs._run_again(verification, run(200, n_random_values=1))
    second_runs._are_doubtful(verification, runs)
    assert len(runs.evaluations) >= REPEATS_OF_CHANCE, "they count, not only as a reason for more"
    assert second_runs._is_decided(runs)
    assert second_runs.agreed(verification, runs.runs, runs.evaluations) is None
