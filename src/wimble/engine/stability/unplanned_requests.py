"""Requests to services for which a test case plans no answer: a test that sends one fails in the suite."""

from __future__ import annotations

from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest


def unplanned_requests(evaluation: Evaluation) -> list[ExternalRequest]:
    """Returns the first request to each place for which no answer was planned."""
    if not evaluation.interactions:
        return []
    found: dict[tuple[str, str, str], ExternalRequest] = {}
    for request in evaluation.interactions_of(ExternalRequest):
        if request.answered_by is None and not request.asks_proxy:
            found.setdefault((request.origin, request.method, request.path), request)
    return list(found.values())
