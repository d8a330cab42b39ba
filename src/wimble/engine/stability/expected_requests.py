"""Requests to services for which a test plans no answer get one: what they have got, so that the test expects them."""

from __future__ import annotations

from msgspec.structs import replace

from wimble.engine.stability.repeated_runs import Run
from wimble.model.evaluation import Evaluation
from wimble.model.external import UNPLANNED_STATUS, ExternalRequest
from wimble.model.setup_kinds.answer import new_answer
from wimble.model.testcase import TestCase


def with_expected_requests(test_case: TestCase, evaluation: Evaluation) -> TestCase:
    """Returns the test case with an answer for each request of its evaluation that had none. Proxies pass on by
    themselves.

    The answers say 404 with an empty JSON object, as the mock server does. Links stay valid, since they come last.
    """
    places = _unplanned(evaluation)
    if not places:
        return test_case
    expected = (new_answer(origin, method, path, status=UNPLANNED_STATUS, body={}) for origin, method, path in places)
    return TestCase(test_case.calls, (*test_case.setup, *expected), test_case.at_once)


def expecting(run: Run) -> Run:
    """Returns the run with its requests planned as they were answered, so that its evaluation stays what it is."""
    test_case = with_expected_requests(run.test_case, run.evaluation)
    if test_case is run.test_case:
        return run
    return replace(run, candidate=replace(run.candidate, test_case=test_case, original=test_case), test_case=test_case)


def expects_all(run: Run) -> bool:
    """Whether the run sent no request to a service that its test does not expect."""
    return not _unplanned(run.evaluation)


def _unplanned(evaluation: Evaluation) -> dict[tuple[str, str, str], None]:
    """Returns origin, method and path of the requests that no answer was planned for."""
    return dict.fromkeys(
        (request.origin, request.method, request.path)
        for request in evaluation.interactions_of(ExternalRequest)
        if request.answered_by is None and not request.asks_proxy
    )
