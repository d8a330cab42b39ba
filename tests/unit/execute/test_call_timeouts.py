"""How long calls are waited for that may well have no answer, such as while a mocked service hangs."""

from __future__ import annotations

import time

from wimble.execute.timeouts import CallTimeouts
from wimble.types import OperationId

GET = OperationId("GET /prices")


def test_a_suspect_call_is_waited_for_longer_before_the_program_has_shown_how_fast_it_is():
    timeouts = CallTimeouts(10.0)
    assert timeouts.timeout_s(GET, is_suspect=True) == 2.0
    timeouts.note_answer(0.004)
    assert timeouts.timeout_s(GET, is_suspect=True) == 1.0
    assert timeouts.timeout_s(GET) == 10.0


def test_a_slow_program_gets_more_time():
    timeouts = CallTimeouts(10.0)
    timeouts.note_answer(0.08)
    assert timeouts.timeout_s(GET, is_suspect=True) == 1.6
    timeouts.note_answer(3.0)
    assert timeouts.timeout_s(GET, is_suspect=True) == 2.0


def test_an_operation_that_was_silent_once_gets_the_shortest_time():
    timeouts = CallTimeouts(10.0)
    timeouts.note_answer(0.004)
    timeouts.note_silence(GET)
    assert timeouts.timeout_s(GET, is_suspect=True) == timeouts.timeout_s(GET) == 0.5


def test_silence_is_confirmed_once_with_the_full_time():
    timeouts = CallTimeouts(10.0)
    timeouts.note_answer(0.004)
    timeouts.note_silence(GET, 1.0)
    assert timeouts.timeout_s(GET, is_final=True) == 10.0
    assert timeouts.timeout_s(GET) == 0.5
    timeouts.note_silence(GET, 10.0)
    assert timeouts.timeout_s(GET, is_final=True) == 0.5
    assert timeouts.timeout_s(OperationId("GET /others"), is_final=True) == 10.0


def test_a_traced_call_is_waited_for_shortly_and_says_nothing_of_others():
    timeouts = CallTimeouts(10.0)
    timeouts.note_answer(0.004)
    timeouts.trace(True)
    assert timeouts.timeout_s(GET) == timeouts.timeout_s(GET, is_final=True) == 2.0
    timeouts.note_answer(1.5)
    timeouts.note_silence(GET, 2.0)
    timeouts.trace(False)
    assert timeouts.timeout_s(GET) == 10.0
    assert timeouts.timeout_s(GET, is_suspect=True) == 1.0


def test_no_call_is_sent_once_the_time_is_over():
    timeouts = CallTimeouts(10.0)
    assert not timeouts.is_over
    timeouts.end_at(time.monotonic() - 1.0)
    assert timeouts.is_over
    timeouts.end_at(time.monotonic() + 60.0)
    assert not timeouts.is_over


def test_a_call_that_asks_services_without_an_end_is_waited_for_shortly_once_silence_is_confirmed():
    timeouts = CallTimeouts(10.0)
    timeouts.note_answer(0.2)
    assert timeouts.repeating_s(GET) == 2.0
    assert timeouts.repeating_s(GET, is_final=True) == 10.0
    timeouts.note_silence(GET, 10.0)
    assert timeouts.repeating_s(GET, is_final=True) == 0.5


def test_a_loop_that_surely_has_no_end_needs_no_full_time():
    timeouts = CallTimeouts(10.0)
    timeouts.note_silence(GET, 2.0, is_sure=True)
    assert timeouts.is_confirmed(GET)


def test_of_a_function_that_has_hung_the_mean_of_its_own_calls_counts():
    timeouts = CallTimeouts(2.0)
    for _ in range(99):
        timeouts.note_return(GET, 0.001)
    timeouts.note_return(GET, 0.3)
    timeouts.note_return(OperationId("f"), 0.05)
    timeouts.note_silence(GET)
    timeouts.note_silence(OperationId("f"))
    assert timeouts.timeout_s(GET) == 0.5, "one long call is no reason to wait for each that has no end"
    assert timeouts.timeout_s(OperationId("f")) == 2.0
