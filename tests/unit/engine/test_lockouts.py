"""A SUT that takes nothing any more, for a mode that stays in its memory."""

from __future__ import annotations

import pytest

from wimble.engine.monitors.lockouts import WINDOW, Lockouts
from wimble.http.binding import http_operation
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation
from wimble.model.observation import Cause
from wimble.model.testcase import Call, TestCase
from wimble.types import OperationId

CLOSED = Cause(file="/app/mode.js", line=20)


def answered(status: int, path: str, method: str = "POST", cause: Cause | None = CLOSED) -> Evaluation:
    test_case = TestCase((Call(http_operation(id=OperationId(f"{method} {path}"), method=method, path=path), ()),))
    response = HttpResponse(status, (), b"")
    observation = http_observation(call_index=0, request=HttpRequest(method, path), response=response, cause=cause)
    return Evaluation(test_case=test_case, observations=(observation,), reached={})


def note(lockouts: Lockouts, n: int, status: int, *, n_operations: int = 4, cause: Cause | None = CLOSED) -> int:
    """How many calls it took to be locked out; `n` where it is not."""
    for number in range(n):
        if lockouts.is_locked_out:
            return number
        lockouts.note(answered(status, f"/{number % n_operations}", cause=cause))
    return n


def test_one_error_for_all_that_write_is_a_lock_out():
    lockouts = Lockouts()
    note(lockouts, 100, 200)
    assert note(lockouts, 100, 503) == WINDOW * 7 // 10
    lockouts.forget()
    assert not lockouts.is_locked_out


@pytest.mark.parametrize("cause", [CLOSED, None])
def test_where_it_comes_from_need_not_be_known(cause):
    assert note(Lockouts(), 100, 503, cause=cause) == WINDOW


def test_a_fault_of_one_or_two_operations_is_none():
    assert note(Lockouts(), 300, 500, n_operations=2) == 300


def test_refusals_and_errors_of_many_kinds_are_none():
    assert note(Lockouts(), 300, 403) == 300
    lockouts = Lockouts()
    for number in range(300):
        lockouts.note(answered(500, f"/{number % 9}", cause=Cause(file="/app/a.js", line=number % 3)))
        assert not lockouts.is_locked_out


def test_calls_that_only_read_say_nothing():
    lockouts = Lockouts()
    for number in range(300):
        lockouts.note(answered(503, f"/{number % 9}", "GET"))
    assert not lockouts.is_locked_out


def test_starts_become_rare_where_they_do_not_help_for_long():
    """And frequent again where they do."""
    lockouts = Lockouts()
    taken = []
    for _ in range(4):
        note(lockouts, 20, 200)
        taken.append(note(lockouts, 1000, 503) + 20)
        lockouts.forget()
    assert taken == [20 + WINDOW * 7 // 10, 2 * WINDOW, 4 * WINDOW, 8 * WINDOW]
    note(lockouts, 2000, 200)
    assert note(lockouts, 1000, 503) == WINDOW * 7 // 10
    lockouts.forget()
    assert note(lockouts, 1000, 503) == WINDOW


def test_other_starts_change_nothing():
    lockouts = Lockouts()
    note(lockouts, WINDOW - 10, 503)
    lockouts.forget()
    assert note(lockouts, 1000, 503) == WINDOW
