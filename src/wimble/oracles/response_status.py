"""Statuses that the document does not declare for the operation.

Only where it declares any, and neither a range nor `default` fits. Not findings, since documents leave them out as a
matter of course and frameworks give them before any code of the SUT runs: rejections of the request as such
(`UNREMARKABLE`) and redirects (a slash at the end, a login page). Other 4xx count where the operation declares at least
one error: a document that speaks of success only has not promised anything about failures. 5xx is left to
`server-error`.
"""

from __future__ import annotations

from wimble.http.binding import binding_of
from wimble.http.exchange import response_of
from wimble.model.evaluation import Finding
from wimble.oracles.oracle import NO_CAUSE, CallView, Oracle, Verdict

NAME = "response-status"

UNREMARKABLE = frozenset(
    [400, 401, 403, 404, 405, 406, 408, 411, 412, 413, 414, 415, 416, 417, 421, 422, 426, 428, 429, 431]
)
_UNDESCRIBED_METHODS = frozenset(["OPTIONS", "HEAD", "TRACE"])
"""Answered by routers and CORS handlers, not by what the document describes."""


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
        )
    ]


ORACLE = Oracle(NAME, judge_call, yields_to=frozenset(["process-died"]))
