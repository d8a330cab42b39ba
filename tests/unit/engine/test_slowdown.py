"""A SUT that has become slower is told from one that is slow."""

import pytest

from engine_parts import ScriptedSut, calls_of, new_coordinator, new_worker
from wimble.engine.monitors.slowdown import ASSUMED_START_S, N_FIRST, PERIOD_IN_STARTS, Slowdown
from wimble.engine.search_phase import _Explorer
from wimble.http.binding import http_operation
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.settings import Settings
from wimble.types import OperationId

READ, WRITE = (
    http_operation(id=OperationId(f"{method} /todos"), method=method, path="/todos") for method in ("GET", "PATCH")
)
LONG_AGO_S = PERIOD_IN_STARTS * ASSUMED_START_S


class Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def answered(operation: Operation, elapsed_s: float) -> Evaluation:
    response = HttpResponse(status=200, headers=(), body=b"")
    observation = http_observation(
        call_index=0, request=HttpRequest("GET", "/todos"), response=response, elapsed_s=elapsed_s
    )
    return Evaluation(test_case=TestCase((Call(operation, ()),)), observations=(observation,), reached={})


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def slowing(clock: Clock) -> Slowdown:
    """Two operations that took 10 ms each at first, long ago."""
    slowing = Slowdown(clock)
    for _ in range(2 * N_FIRST):
        slowing.note(answered(READ, 0.01))
        slowing.note(answered(WRITE, 0.01))
    clock.now_s = LONG_AGO_S
    return slowing


def test_one_operation_that_takes_much_longer_is_enough(slowing):
    assert not slowing.is_worth_a_start(0.0)
    for _ in range(5 * N_FIRST):
        slowing.note(answered(WRITE, 0.05))
    assert slowing.is_worth_a_start(0.0)
    slowing.forget()
    assert not slowing.is_worth_a_start(0.0)


def test_one_slow_answer_is_not(slowing):
    slowing.note(answered(WRITE, 0.1))
    assert not slowing.is_worth_a_start(0.0)


def test_a_search_that_turns_to_what_was_always_slow_has_not_slowed_down(clock):
    slowing = Slowdown(clock)
    for number in range(10 * N_FIRST):
        slowing.note(answered(WRITE if number > N_FIRST else READ, 0.5 if number > N_FIRST else 0.01))
    clock.now_s = LONG_AGO_S
    assert not slowing.is_worth_a_start(0.0)


def test_starts_take_a_small_share_of_the_time(slowing, clock):
    for _ in range(5 * N_FIRST):
        slowing.note(answered(WRITE, 0.05))
    assert not slowing.is_worth_a_start(LONG_AGO_S)
    clock.now_s = PERIOD_IN_STARTS * LONG_AGO_S
    assert slowing.is_worth_a_start(LONG_AGO_S)


@pytest.mark.parametrize(
    ("by_time", "command", "restarts"), [(True, ("node",), True), (False, ("node",), False), (True, (), False)]
)
def test_only_a_search_that_the_clock_ends_goes_by_it(monkeypatch, by_time, command, restarts):
    monkeypatch.setattr(Slowdown, "is_worth_a_start", lambda self, start_s: True)
    limits = {"max_time_s": 60.0} if by_time else {"max_time_s": None, "max_calls": 100}
    coordinator = new_coordinator(Settings(command=command, url=None if command else "http://127.0.0.1:1", **limits))
    sut = ScriptedSut()
    worker = new_worker(sut, coordinator)
    worker.evaluate(calls_of("POST /a"))
    _Explorer(coordinator, worker).freshen()
    assert bool(sut.n_starts) is restarts
