"""Finds 5xx answers: the SUT failed at something that it should have handled.

Not findings: 501, which says on purpose that a function is not implemented, and 503 with Retry-After, which asks the
client to come back later; and after a request to another service, what says that this has failed (upstream.py).
"""

from __future__ import annotations

import msgspec

from wimble.http.binding import binding_of
from wimble.http.exchange import request_of, response_of
from wimble.http.http_messages import HttpResponse
from wimble.model.evaluation import Finding
from wimble.model.observation import Observation
from wimble.oracles.databases.database_refusals import refusal_key
from wimble.oracles.databases.stored_rows import is_about_made_text, told_of_databases
from wimble.oracles.failures.signed_claims import is_about_signed_claim
from wimble.oracles.failures.upstream import FAILURE, PASSED_ON, is_passed_on
from wimble.oracles.messages.message_shapes import (
    body_message,
    message_shape,
    on_one_line,
    shortened,
    with_short_statement,
    without_invocation,
)
from wimble.oracles.messages.stored_texts import stored_texts
from wimble.oracles.oracle import NO_CAUSE, CallView, Oracle, Verdict, answer_key, place_of, place_of_thrown
from wimble.oracles.security.code_injection import NAME as CODE_INJECTION
from wimble.oracles.security.injection import keys_of_refused_inputs

NAME = "server-error"


def is_server_error(response: HttpResponse) -> bool:
    """Whether the answer counts as a fault: a 5xx, except 501 and 503 with Retry-After."""
    if response.status < 500 or response.status == 501:
        return False
    return not (response.status == 503 and response.header("retry-after") is not None)


def tells_of_failed_service(finding: Finding) -> bool:
    """Whether the finding is an answer that says that another service has failed."""
    return finding.oracle == NAME and finding.status in PASSED_ON


def judge_call(view: CallView) -> Verdict:
    response = response_of(view.observation)
    if response is None or response.status < 500 or not is_server_error(response):
        return []
    if is_passed_on(view, response.status):
        return []
    finding = _finding(view, view.observation, response)
    message = finding.cause.message
    evaluation, index = view.evaluation, view.observation.call_index
    is_own_doing = (
        is_about_made_text(evaluation, message)
        or view.written.explain(evaluation.test_case, index, message)
        or is_about_signed_claim(evaluation, index, message)
    )
    return [] if is_own_doing else [finding]


def _finding(view: CallView, observation: Observation, response: HttpResponse) -> Finding:
    cause = place_of_thrown(view, observation.cause or NO_CAUSE)
    message = cause.message or body_message(response)
    if not cause.message and message:
        cause = msgspec.structs.replace(cause, message=message)
    said = without_invocation(message)
    operation = view.operation.id
    place = answer_key(cause) or (operation, str(response.status))
    request = request_of(observation)
    path = binding_of(view.operation).path
    key = refusal_key(message, place, request, path) or (
        *place,
        message_shape(message, request, stored_texts(view.evaluation.test_case, observation.call_index)),
    )
    answers = f"{operation} answers {response.status}"
    return Finding(
        oracle=NAME,
        key=(NAME, *key),
        operation=operation,
        status=response.status,
        title=f"{answers}: {shortened(with_short_statement(on_one_line(said)))}" if message else answers,
        observed=f"status {response.status}"
        + (f": {shortened(said, 300)}" if message else "")
        + place_of(cause)
        + told_of_databases(view.evaluation, observation.call_index, message),
        expected="an answer below 500: whatever a client sends, the server should handle it",
        cause=cause,
        call_index=observation.call_index,
        part_of=keys_of_refused_inputs(view),
    )


ORACLE = Oracle(
    NAME,
    judge_call,
    yields_to=frozenset(["process-died", "sql-injection", "nosql-injection", CODE_INJECTION, FAILURE]),
    outcomes=frozenset(["failed"]),
)
