"""Rate limits: when nothing but refusals comes, and what is worth trying then."""

from wimble.engine.monitors.monitors import Monitors
from wimble.engine.monitors.rate_limits import KNOWN_STREAK, MAX_VAIN_RESTARTS, STREAK, RateLimit
from wimble.http.binding import http_operation
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import Call, TestCase
from wimble.types import OperationId


def noted(throttling, *statuses, retry_after="900", is_search=True):
    headers = (("retry-after", retry_after),)
    throttling.note(
        [
            http_observation(call_index=0, request=HttpRequest("GET", "/"), response=HttpResponse(status, headers, b""))
            for status in statuses
        ],
        is_search=is_search,
    )


def test_refusals_in_a_row_are_a_limit_and_others_are_not():
    throttling = RateLimit()
    noted(throttling, *([429, 429, 200] * STREAK))
    assert not throttling.is_throttled
    noted(throttling, *([429] * STREAK))
    assert throttling.is_throttled


def test_fresh_starts_are_tried_until_they_bring_nothing():
    throttling = RateLimit()
    for _ in range(5):
        noted(throttling, 200, *([429] * STREAK))
        assert throttling.is_throttled
        assert throttling.may_restart()
    tries = []
    for _ in range(MAX_VAIN_RESTARTS):
        noted(throttling, *([429] * STREAK))
        tries.append(throttling.may_restart())
    assert tries == [True, False]


def test_a_limit_that_a_fresh_start_has_lifted_is_recognised_sooner():
    throttling = RateLimit()
    noted(throttling, 200, *([429] * KNOWN_STREAK))
    assert not throttling.is_throttled, "it may be the limit of one operation"
    noted(throttling, *([429] * STREAK))
    assert throttling.may_restart()
    noted(throttling, 200, *([429] * KNOWN_STREAK))
    assert throttling.is_throttled
    assert throttling.may_restart()
    noted(throttling, *([429] * KNOWN_STREAK))
    assert throttling.is_throttled
    assert throttling.may_restart(), "the first fresh start that lifts nothing"
    noted(throttling, *([429] * KNOWN_STREAK))
    assert not throttling.is_throttled, "it is another limit now"


def test_calls_before_a_test_case_may_be_why_it_was_refused():
    throttling = RateLimit()
    noted(throttling, *([200] * 5), *([429] * STREAK))
    assert not throttling.has_refused(1), "it is not known what a fresh start does"
    throttling.may_restart()
    noted(throttling, *([200] * 5), 429)
    assert throttling.has_refused(1)
    assert throttling.has_refused(5)
    assert not throttling.has_refused(6), "six calls use up the limit themselves"
    throttling.may_restart()
    noted(throttling, 200)
    assert not throttling.has_refused(1)


def test_the_warning_counts_the_calls_of_the_search():
    throttling = RateLimit()
    noted(throttling, 200, *([429] * STREAK))
    noted(throttling, *([429] * 40), is_search=False)
    assert f"{STREAK} of {STREAK + 1} calls" in throttling.warning()


def test_short_waits_are_waited_and_long_ones_are_told():
    throttling = RateLimit()
    noted(throttling, *([429] * STREAK), retry_after="2")
    assert throttling.wait_s() == 2.0
    noted(throttling, 429, retry_after="Wed, 21 Oct 2026 07:28:00 GMT")
    assert throttling.wait_s() == 0.0
    noted(throttling, 429, retry_after="900")
    assert throttling.wait_s() == 0.0
    assert throttling.warning() == (
        f"rate limit: {STREAK + 2} of {STREAK + 2} calls were answered with 429 (too many requests, with Retry-After: 900); "
        "disable the limit, or raise it, when the SUT is tested"
    )


def test_a_few_refusals_are_not_worth_a_word():
    throttling = RateLimit()
    noted(throttling, 429, 200)
    assert throttling.warning() == ""


def test_calls_that_were_not_sent_end_no_row_of_refusals():
    operation = http_operation(id=OperationId("GET /"), method="GET", path="/", inputs=())
    test_case = TestCase((Call(operation, ()), Call(operation, ())))
    observations = tuple(
        http_observation(call_index=at, request=HttpRequest("GET", "/"), response=HttpResponse(status, (), b""))
        for at, status in enumerate((200, 429))
    )
    monitors = Monitors()
    for _ in range(STREAK):
        kept = Evaluation(test_case=test_case, observations=observations, reached={}, n_kept=1)
        assert not list(monitors.note(kept, is_search=True))
    assert monitors.rate_limit.is_throttled
    assert [observation.call_index for _, observation in kept.sent_calls()] == [1]
