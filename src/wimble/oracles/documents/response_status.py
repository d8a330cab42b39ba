"""Finds statuses that the document does not declare for the operation.

Applies only if the operation declares responses, and neither a range nor `default` covers the status. Not findings:
rejections of the request as such (`UNREMARKABLE`) and redirects (a trailing slash, a login page), since documents
usually omit them and frameworks send them before code of the SUT runs. Other 4xx count only if the operation declares
at least one error: a document that declares successes only makes no statement about failures. 5xx are left to
`server-error`.
"""

from __future__ import annotations

from wimble.http.binding import binding_of
from wimble.http.exchange import response_of
from wimble.model.evaluation import Finding
from wimble.oracles.databases import left_behind
from wimble.oracles.oracle import GIVEN_ANSWERS, NO_CAUSE, CallView, Oracle, Verdict

NAME = "response-status"

UNREMARKABLE = frozenset(
    [400, 401, 403, 404, 405, 406, 408, 411, 412, 413, 414, 415, 416, 417, 421, 422, 426, 428, 429, 431]
)
_UNDESCRIBED_METHODS = frozenset(["OPTIONS", "HEAD", "TRACE"])
"""Routers and CORS handlers answer these methods, so the document does not describe their answers."""


def judge_call(view: CallView) -> Verdict:
    response = response_of(view.observation)
    operation = view.operation
    if response is None or not binding_of(operation).responses:
        return []
    status = response.status
    if (
        status >= 500
        or 300 <= status < 400
        or status in UNREMARKABLE
        or binding_of(operation).method in _UNDESCRIBED_METHODS
    ):
        return []
    if view.contracts.declared(operation, status) is not None:
        return []
    if status >= 400 and not any(spec.status.startswith(("4", "5")) for spec in binding_of(operation).responses):
        return []
    declared = ", ".join(spec.status for spec in binding_of(operation).responses)
    return [
        Finding(
            oracle=NAME,
            key=(NAME, operation.id, str(status)),
            operation=operation.id,
            status=status,
            title=f"{operation.id} answers {status}, which the document does not declare",
            observed=f"status {status}",
            expected=f"one of the declared statuses: {declared}",
            cause=view.observation.cause or NO_CAUSE,
            call_index=view.observation.call_index,
            is_about_document=status >= 400,
        )
    ]


ORACLE = Oracle(NAME, judge_call, yields_to=frozenset(["process-died", left_behind.NAME]), outcomes=GIVEN_ANSWERS)
