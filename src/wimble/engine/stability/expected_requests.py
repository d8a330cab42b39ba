"""Requests to services for which a test plans no answer get one: what they have got, so that the test expects them."""

from __future__ import annotations

from msgspec.structs import replace

from wimble.engine.stability.repeated_runs import Run
from wimble.engine.stability.unplanned_requests import unplanned_requests
from wimble.model.evaluation import Evaluation
from wimble.model.external import UNPLANNED_STATUS, ExternalRequest
from wimble.model.setup_kinds.answer import Answer, new_answer
from wimble.model.testcase import TestCase


def with_expected_requests(test_case: TestCase, evaluation: Evaluation) -> TestCase:
    """Returns the test case with an answer for each request of its evaluation that had none. Proxies pass on by
    themselves.

    The answers say 404 with an empty JSON object, as the mock server does, and that mail is accepted. Links stay valid,
    since they come last.
    """
    unplanned = unplanned_requests(evaluation)
    if not unplanned:
        return test_case
    return TestCase(test_case.calls, (*test_case.setup, *map(_as_answered, unplanned)), test_case.at_once)


def _as_answered(request: ExternalRequest) -> Answer:
    place = request.origin, request.method, request.path
    return new_answer(*place) if request.is_mail else new_answer(*place, status=UNPLANNED_STATUS, body={})


def expecting(run: Run) -> Run:
    """Returns the run with its requests planned as they were answered, so that its evaluation stays what it is."""
    test_case = with_expected_requests(run.test_case, run.evaluation)
    if test_case is run.test_case:
        return run
    return replace(run, candidate=replace(run.candidate, test_case=test_case, original=test_case), test_case=test_case)


def expects_all(run: Run) -> bool:
    """Whether the run sent no request to a service that its test does not expect."""
    return not unplanned_requests(run.evaluation)
