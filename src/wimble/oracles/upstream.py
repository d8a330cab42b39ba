"""Finds what services that the SUT calls bring to light: their failures that become errors of the SUT, and credentials
that the SUT sends to them and hands to its own caller.

Not findings: 502, 503, 504 and 424, which say that another service has failed.
"""

from __future__ import annotations

import re
from typing import Final

from wimble.http.exchange import response_of
from wimble.model.evaluation import Finding
from wimble.model.external import ExternalRequest, shown_origin
from wimble.model.setup_kinds.answer import OUTCOME_WORDS, Answer
from wimble.oracles.oracle import NO_CAUSE, CallView, Oracle, Verdict, place_of

FAILURE: Final = "upstream-failure"
LEAK: Final = "leaked-credentials"
PASSED_ON: Final = frozenset({424, 502, 503, 504})
"""Statuses with which an API says that a service has failed (RFC 9110, 15.6; RFC 4918, 11.4)."""
MIN_SECRET: Final = 12
"""Characters of a credential that is looked for in answers; shorter texts occur by chance."""
_CREDENTIAL: Final = re.compile(r"authorization|proxy-authorization|(x-)?api-?key|x-auth-token|x-access-token", re.I)
_UNREADABLE: Final = re.compile(
    r"Cannot (?:read|destructure) propert|is not iterable|is not a function|in JSON|is not valid JSON|JSON input"
    r"|fetch failed|terminated|aborted|socket hang up|status code \d|E[A-Z]{4,}|Invalid (?:time|date)"
)
"""What errors say if an answer lacks what the program needs, or did not come."""


def is_passed_on(view: CallView, status: int) -> bool:
    """Whether the call called a service, and the status says that this has failed."""
    return status in PASSED_ON and bool(view.evaluation.interactions) and bool(_requests(view))


def _requests(view: CallView) -> list[ExternalRequest]:
    return view.evaluation.interactions_of(ExternalRequest, view.observation.call_index)


def _judge_failure(view: CallView) -> Verdict:
    response = response_of(view.observation)
    if response is None or response.status < 500 or not view.evaluation.interactions or response.status in PASSED_ON:
        return []
    cause = view.observation.cause or NO_CAUSE
    requests = _requests(view)
    if not requests:
        return []
    request = requests[-1]
    is_failure = not request.reply.isdigit() or int(request.reply) >= 400
    if not is_failure and not _UNREADABLE.search(cause.message):
        return []
    operation = view.operation.id
    answer = _answer_of(request, view)
    path = request.path if answer is None else answer.path
    return [
        Finding(
            oracle=FAILURE,
            key=(FAILURE, operation, request.origin, request.method, path),
            operation=operation,
            status=response.status,
            title=f"{operation} answers {response.status} if {shown_origin(request.origin)} fails",
            observed=f"status {response.status} after {_told(request, answer)}" + place_of(cause),
            expected="502, 503, 504 or an answer without the service: a client cannot mend what another service does",
            cause=cause,
            call_index=view.observation.call_index,
        )
    ]


def _answer_of(request: ExternalRequest, view: CallView) -> Answer | None:
    setup, number = view.evaluation.test_case.setup, request.answered_by
    action = setup[number] if number is not None and number < len(setup) else None
    return action if isinstance(action, Answer) else None


def _told(request: ExternalRequest, answer: Answer | None) -> str:
    if answer is None or answer.outcome == "answer":
        return f"{request.place} was answered {request.reply}"
    return f"{request.place}: {OUTCOME_WORDS[answer.outcome]}"


def _judge_leak(view: CallView) -> Verdict:
    if not view.evaluation.interactions:
        return []
    response = response_of(view.observation)
    if response is None:
        return []
    text = view.observation.exchange.text()
    for request in _requests(view):
        for name, value in request.headers:
            secret = value.rpartition(" ")[2]
            if _CREDENTIAL.fullmatch(name) and len(secret) >= MIN_SECRET and secret in text:
                return [_leak(view, request, name, response.status)]
    return []


def _leak(view: CallView, request: ExternalRequest, name: str, status: int) -> Finding:
    operation = view.operation.id
    service = shown_origin(request.origin)
    return Finding(
        oracle=LEAK,
        key=(LEAK, operation, request.origin, name.lower()),
        operation=operation,
        status=status,
        title=f"{operation} answers with the credentials that it sends to {service}",
        observed=f"the answer holds the value of the header {name} of {request.place}",
        expected="credentials of the API for other services stay in the API",
        cause=view.observation.cause or NO_CAUSE,
        call_index=view.observation.call_index,
    )


FAILURE_ORACLE = Oracle(FAILURE, _judge_failure, yields_to=frozenset(["process-died"]))
LEAK_ORACLE = Oracle(LEAK, _judge_leak)
