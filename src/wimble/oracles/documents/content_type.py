"""Finds answers whose media type the document does not declare for their status.

An answer without a body is not judged. Most errors come from one handler for the whole API, so for statuses from 400
neither the operation nor the status is part of the key: a framework that writes errors as text/plain is one fault, not
one per operation.
"""

from __future__ import annotations

from wimble.http.binding import binding_of
from wimble.http.exchange import response_of
from wimble.model.evaluation import Finding
from wimble.oracles.databases import left_behind
from wimble.oracles.oracle import GIVEN_ANSWERS, NO_CAUSE, CallView, Oracle, Verdict

NAME = "content-type"


def judge_call(view: CallView) -> Verdict:
    response = response_of(view.observation)
    operation = view.operation
    if response is None or response.status >= 500 or not response.body or binding_of(operation).method == "HEAD":
        return []
    declared = view.contracts.declared(operation, response.status)
    if declared is None or not declared.bodies:
        return []
    media_type = response.media_type
    if declared.body_for(media_type) is not None:
        return []
    status = response.status
    expected = ", ".join(name for name, _ in declared.bodies)
    return [
        Finding(
            oracle=NAME,
            key=(NAME, "errors", media_type) if status >= 400 else (NAME, operation.id, str(status), media_type),
            operation=operation.id,
            status=status,
            title=f"{operation.id} answers {status} "
            + (
                f"as {media_type} instead of the declared {expected}"
                if media_type
                else f"without a content type instead of as the declared {expected}"
            ),
            observed=f"content type {media_type}" if media_type else "a body without a content type",
            expected=f"content type {expected}",
            cause=view.observation.cause or NO_CAUSE,
            call_index=view.observation.call_index,
            is_about_document=status >= 400,
        )
    ]


ORACLE = Oracle(NAME, judge_call, yields_to=frozenset(["process-died", left_behind.NAME]), outcomes=GIVEN_ANSWERS)
