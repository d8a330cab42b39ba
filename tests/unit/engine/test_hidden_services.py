"""An answer that the SUT keeps hides its service: other answers are tried after fresh starts, as long as these help."""

import msgspec
import pytest

from wimble.engine.monitors.hidden_services import (
    EVALUATIONS_PER_START,
    MAX_VAIN,
    HiddenServices,
)
from wimble.http.binding import http_operation
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest
from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.setup_kinds.answer import new_answer
from wimble.model.testcase import Call, TestCase
from wimble.types import OperationId

ORIGIN = "https://config.example:443"
OPERATION = http_operation(id=OperationId("GET /prices"), method="GET", path="/prices", inputs=())
PLACE = ("GET /prices", ORIGIN, "GET", "/settings")


def evaluation(number, *, is_asked, operation=OPERATION, outcome="answer"):
    """An evaluation with a planned answer of its own, which the SUT asks for or not."""
    request = ExternalRequest(call=0, site="", n=0, origin=ORIGIN, method="GET", target="/settings", answered_by=0)
    return Evaluation(
        test_case=TestCase(
            (Call(operation, ()),), (new_answer(ORIGIN, "GET", "/settings", body={"n": number}, outcome=outcome),)
        ),
        observations=(http_observation(0, HttpRequest(method="GET", target="/prices")),),
        reached={},
        interactions=(request,) if is_asked else (),
    )


def hidden_evaluation(again):
    """What comes of a test case whose answer is not asked for after a fresh start either."""
    return msgspec.structs.replace(evaluation(0, is_asked=False), test_case=again.test_case)


def kept(monitor, *, first=0):
    """Brings a monitor to where the SUT has kept an answer, and a start may come."""
    for number in range(EVALUATIONS_PER_START):
        monitor.note(evaluation(first + number, is_asked=True), start=0)
    return monitor


def test_another_answer_that_is_not_asked_for_runs_again_once():
    monitor = kept(HiddenServices())
    first, second = evaluation(100, is_asked=False), evaluation(101, is_asked=False)
    assert monitor.note(first, start=0) == (first.test_case, (PLACE,))
    assert monitor.note(first, start=0) is None
    assert monitor.note(second, start=0) == (second.test_case, (PLACE,))


def test_it_waits_until_a_start_may_come_which_is_asked_only_if_one_is_due():
    monitor, asked = kept(HiddenServices()), []
    first = evaluation(100, is_asked=False)
    assert monitor.note(first, start=0, may_start=lambda: asked.append("too early")) is None
    assert monitor.note(evaluation(0, is_asked=True), start=0, may_start=lambda: True) == (first.test_case, (PLACE,))
    monitor.note(evaluation(0, is_asked=True), start=0, may_start=lambda: asked.append("for nothing"))
    assert asked == ["too early"]


def test_an_answer_that_was_got_before_does_not():
    monitor = kept(HiddenServices())
    assert monitor.note(evaluation(1, is_asked=False), start=0) is None


def test_a_failure_of_connecting_is_never_asked_for():
    assert kept(HiddenServices()).note(evaluation(100, is_asked=False, outcome="refused"), start=0) is None


def test_nothing_is_hidden_that_was_not_asked_for_since_the_start_or_by_another_operation():
    assert kept(HiddenServices()).note(evaluation(100, is_asked=False), start=1) is None
    other = http_operation(id=OperationId("GET /health"), method="GET", path="/health", inputs=())
    assert kept(HiddenServices()).note(evaluation(100, is_asked=False, operation=other), start=0) is None


@pytest.mark.parametrize(("is_asked", "expected"), [(False, MAX_VAIN), (True, 20)])
def test_places_for_which_starts_are_in_vain_are_given_up(is_asked, expected):
    monitor = HiddenServices()
    n_starts = 0
    for number in range(20):
        kept(monitor, first=1000 * number)
        hidden = monitor.note(evaluation(1000 * number + 500, is_asked=False), start=0)
        if hidden:
            n_starts += 1
            again = evaluation(1000 * number + 500, is_asked=is_asked)
            monitor.note_again(again, hidden.places, start=0, is_success=True)
    assert n_starts == expected


def test_starts_come_seldom_once_they_show_nothing_new():
    monitor = HiddenServices()
    n_starts = 0
    for number in range(2000):
        kept_answer = evaluation(-number, is_asked=True)
        hidden = monitor.note(kept_answer, start=0) or monitor.note(evaluation(number + 1, is_asked=False), start=0)
        if hidden:
            n_starts += 1
            monitor.note_again(evaluation(number + 1, is_asked=True), hidden.places, start=0, is_success=False)
    assert 20 < n_starts < 50


def test_starts_that_are_in_vain_for_one_place_make_those_for_others_seldom():
    monitor = HiddenServices()
    n_starts = n_late = 0
    for number in range(400):
        operation = http_operation(id=OperationId(f"GET /p{number % 40}"), method="GET", path="/p", inputs=())
        monitor.note(evaluation(-number, is_asked=True, operation=operation), start=0)
        hidden = monitor.note(evaluation(number + 1, is_asked=False, operation=operation), start=0)
        if hidden:
            n_starts += 1
            n_late += number >= 200
            monitor.note_again(hidden_evaluation(hidden), hidden.places, start=0, is_success=False)
    assert n_starts < 25
    assert n_late < 5


def test_long_starts_that_show_nothing_wait_until_they_are_a_small_share_of_the_time():
    monitor = kept(HiddenServices())
    first, second = evaluation(100, is_asked=False), evaluation(101, is_asked=False)
    assert monitor.note(first, start=0, elapsed_s=20.0) == (first.test_case, (PLACE,))
    monitor.note_again(evaluation(100, is_asked=True), (PLACE,), start=1, is_success=False, start_s=10.0)
    for number in range(EVALUATIONS_PER_START):
        monitor.note(evaluation(number, is_asked=True), start=1, elapsed_s=30.0)
    assert monitor.note(second, start=1, elapsed_s=30.0) is None
    assert monitor.note(evaluation(0, is_asked=True), start=1, elapsed_s=50.0) == (second.test_case, (PLACE,))


def test_an_answer_that_was_not_planned_may_be_kept_too():
    monitor = HiddenServices()
    asked = evaluation(0, is_asked=True)
    request = msgspec.structs.replace(asked.interactions[0], answered_by=None)
    unplanned = msgspec.structs.replace(asked, test_case=TestCase(asked.test_case.calls, ()), interactions=(request,))
    for _ in range(EVALUATIONS_PER_START):
        assert monitor.note(unplanned, start=0) is None
    hidden = evaluation(1, is_asked=False)
    assert monitor.note(hidden, start=0) == (hidden.test_case, (PLACE,))


def test_what_comes_too_early_for_a_start_waits_for_it():
    monitor = kept(HiddenServices())
    first, *early = (evaluation(number, is_asked=False) for number in (100, 101, 102))
    monitor.note_again(evaluation(100, is_asked=True), monitor.note(first, start=0).places, start=1, is_success=True)
    assert [monitor.note(one, start=1) for one in early] == [None, None]
    nothing = evaluation(100, is_asked=True)
    due = [monitor.note(nothing, start=1) for _ in range(EVALUATIONS_PER_START)]
    assert [again.test_case for again in due if again] == [one.test_case for one in reversed(early)]


def test_an_edit_comes_before_newer_test_cases():
    monitor = kept(HiddenServices())
    first, edit, *mutants = (evaluation(number, is_asked=False) for number in range(100, 104))
    monitor.note_again(evaluation(100, is_asked=True), monitor.note(first, start=0).places, start=1, is_success=True)
    assert monitor.note(edit, start=1, is_edit=True) is None
    assert [monitor.note(one, start=1) for one in mutants] == [None, None]
    assert monitor.note(evaluation(100, is_asked=True), start=1) == (edit.test_case, (PLACE,))


def test_an_answer_that_has_covered_something_new_comes_back_after_another_one():
    monitor = HiddenServices()
    good, bad = evaluation(7, is_asked=True), evaluation(8, is_asked=True)
    for _ in range(EVALUATIONS_PER_START):
        monitor.note(good, start=0, is_success=True)
    hidden = msgspec.structs.replace(good, interactions=())
    assert monitor.note(hidden, start=0) is None, "it is the one that is kept"
    monitor.note_again(bad, (PLACE,), start=1, is_success=False)
    for _ in range(EVALUATIONS_PER_START - 1):
        monitor.note(msgspec.structs.replace(bad, interactions=()), start=1)
    assert monitor.note(hidden, start=1) == (good.test_case, (PLACE,))


@pytest.mark.parametrize(("reply", "is_hidden"), [("200", True), ("503", False), ("reset", False)])
def test_a_service_that_is_asked_after_another_one_is_not_hidden_by_the_failure_of_that(reply, is_hidden):
    def asked(number, reply, *targets):
        requests = tuple(
            ExternalRequest(
                call=0, site="", n=n, origin=ORIGIN, method="GET", target=target, reply=reply,
                answered_by=0 if target == "/settings" else None,
            )
            for n, target in enumerate(targets)
        )  # fmt: skip
        return msgspec.structs.replace(evaluation(number, is_asked=False), interactions=requests)

    monitor = HiddenServices()
    for number in range(EVALUATIONS_PER_START):
        monitor.note(asked(number, "200", "/stock", "/settings"), start=0)
    again = monitor.note(asked(100, reply, "/stock"), start=0)
    assert (again is not None) is is_hidden
