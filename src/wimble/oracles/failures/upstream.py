"""Finds what services that the SUT calls bring to light: their failures that become errors of the SUT, and what the SUT
hands to its own caller: credentials that it sends to them, and what they say of their insides.

Not findings: 502, 503, 504 and 424, which say that another service has failed.
"""

from __future__ import annotations

import base64
import contextlib
import re
from collections.abc import Iterator, Sequence
from typing import Final
from urllib.parse import parse_qsl, urlsplit

import msgspec

from wimble.http.exchange import request_of, response_of
from wimble.json_texts import held_json
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.external import CONNECT_OUTCOMES, INTERNAL_ERROR, ExternalRequest, shown_origin
from wimble.model.observation import Cause
from wimble.model.setup_kinds.answer import GRPC_STATUS, GRPC_STATUSES, OUTCOME_WORDS, Answer, answer_to
from wimble.model.testcase import TestCase
from wimble.model.validation import ANSWER
from wimble.oracles.messages.message_shapes import title_of
from wimble.oracles.oracle import NO_CAUSE, CallView, Oracle, Verdict, cause_key, place_of
from wimble.types import OperationId

FAILURE: Final = "upstream-failure"
LEAK: Final = "leaked-credentials"
INTERNALS: Final = "leaked-internals"
PASSED_ON: Final = frozenset({424, 502, 503, 504})
"""Statuses with which an API says that a service has failed (RFC 9110, 15.6; RFC 4918, 11.4)."""
REDIRECTED: Final = frozenset({"301", "302", "303", "307", "308"})
MIN_SECRET: Final = 12
"""Characters of a credential that is looked for in answers; shorter texts occur by chance."""
_CREDENTIAL: Final = re.compile(r"authorization|proxy-authorization|(x-)?api-?key|x-auth-token|x-access-token", re.I)
_SECRET_FIELD: Final = re.compile(r"(client_?)?secret|password|passwd|api_?key|(access_|auth_)?token|key|appid", re.I)
"""Names of fields in which credentials are sent."""
_UNREADABLE: Final = re.compile(
    r"Cannot (?:read|destructure) propert|is not iterable|is not a function|in JSON|is not valid JSON|JSON input"
    r"|fetch failed|terminated|aborted|socket hang up|status code \d|E[A-Z]{4,}|Invalid (?:time|date)"
    r"|(?:Invalid|parse) URL|(?i:\bpars(?:e|ing) error|\b(?:line|column|position|offset):? \d)"
)
"""What errors say if an answer lacks what the program needs, is not of the form that a parser reads (these name the
place in the text), or did not come.
"""
_LACKING: Final = re.compile(r"Cannot (?:read|destructure) propert|is not iterable|is not a function")
_EXPECTED: Final = "502, 503, 504 or an answer without the service: a client cannot mend what another service does"
_EXPECTED_AFTER_ANSWER: Final = (
    "502, or an answer without the service: what another service answers is checked before it is used"
)
_NOT_CONNECTED: Final = re.compile(r"\bfetch failed$|\bconnect E[A-Z]+|\bgetaddrinfo E[A-Z_]+")
"""What clients say if they could not connect."""
_UNREACHABLE: Final = re.compile(
    r"fetch failed|getaddrinfo|connect |E[A-Z]{4,}|[Cc]onnection|[Nn]etwork|[Tt]ime|\bcertificate\b|^AggregateError$"
)
"""What errors say if there is no connection. Those of several addresses may be joined in one that says nothing."""


class _FailedRequest(msgspec.Struct, frozen=True):
    """A request of the SUT to a service. `path` is a template. `told`: what came of it, in words."""

    origin: str
    method: str
    path: str
    site: str
    told: str
    is_failure: bool
    """Whether the service has failed; otherwise its answer was not what the program expects."""

    def called_by(self, operation: OperationId) -> tuple[str, ...]:
        """Returns the line that has sent it, or else what tells it from the program's other requests."""
        return (self.site, operation) if self.site else (self.origin, operation, self.method, self.path)

    @property
    def when(self) -> str:
        return "after a failure of" if self.is_failure else "after an answer of"


def is_passed_on(view: CallView, status: int) -> bool:
    """Whether the status says that a service has failed which the operation calls.

    This call may not have called it: a circuit breaker that is open answers without. A service on this machine is none
    that was seen, but an error tells that it cannot be reached.
    """
    if status not in PASSED_ON:
        return False
    message = view.observation.cause.message if view.observation.cause is not None else ""
    return view.calls_services or _down(view) is not None or _NOT_CONNECTED.search(message) is not None


def service_before(evaluation: Evaluation, call_index: int) -> str:
    """Returns the origin of the service that a call has called last, or could not connect to; empty if of none."""
    down = _planned_down(evaluation)
    requests = evaluation.interactions_of(ExternalRequest, call_index) if evaluation.interactions else []
    return down.origin if down is not None else requests[-1].origin if requests else ""


def _down(view: CallView) -> Answer | None:
    return _planned_down(view.evaluation)


def _planned_down(evaluation: Evaluation) -> Answer | None:
    """Returns the planned answer of a service to which connecting fails: a request to it is never seen."""
    setup = evaluation.test_case.setup
    return next((one for one in setup if isinstance(one, Answer) and one.outcome in CONNECT_OUTCOMES), None)


def _requests(view: CallView) -> list[ExternalRequest]:
    if not view.evaluation.interactions:
        return []
    return view.evaluation.interactions_of(ExternalRequest, view.observation.call_index)


def _judge_failure(view: CallView) -> Verdict:
    response = response_of(view.observation)
    if response is None or response.status < 500 or response.status in PASSED_ON:
        return []
    cause = view.observation.cause or NO_CAUSE
    failed = _failed(view, cause)
    if failed is None:
        return []
    operation = view.operation.id
    said = f" ({title_of(cause.message)})" if cause.message else ""
    return [
        Finding(
            oracle=FAILURE,
            # What one statement cannot take is mended there, whatever the service has done; and of requests at once,
            # which one it was is not always known.
            key=(FAILURE, *(cause_key(cause) or failed.called_by(operation))),
            operation=operation,
            status=response.status,
            title=f"{operation} answers {response.status} {failed.when} {shown_origin(failed.origin)}{said}",
            observed=f"status {response.status} after {failed.told}" + place_of(cause),
            expected=_EXPECTED if failed.is_failure else _EXPECTED_AFTER_ANSWER,
            cause=cause,
            call_index=view.observation.call_index,
        )
    ]


def _failed(view: CallView, cause: Cause) -> _FailedRequest | None:
    """Returns the request whose outcome the program could not handle; None if there is none."""
    down = _down(view)
    if down is not None and _UNREACHABLE.search(cause.message):
        place = f"{down.method} {shown_origin(down.origin)}{down.path}"
        told = f"{place}: {OUTCOME_WORDS[down.outcome]}"
        return _FailedRequest(down.origin, down.method, down.path, "", told=told, is_failure=True)
    requests = [one for one in _requests(view) if not _has_nothing_to_read(one)]
    if not requests:
        return None
    request = _blamed(requests, cause)
    test_case = view.evaluation.test_case
    answer = answer_to(request, test_case)
    refusal = _grpc_refusal(answer, test_case)
    is_failure = not request.reply.isdigit() or int(request.reply) >= 400 or bool(refusal)
    if not (is_failure or _UNREADABLE.search(cause.message) or _is_answer_refused(view)):
        return None
    path = request.path if answer is None else answer.path
    told = f"{request.place} was answered with status {refusal} of gRPC" if refusal else _told(request, answer)
    return _FailedRequest(request.origin, request.method, path, request.site, told=told, is_failure=is_failure)


def _has_nothing_to_read(request: ExternalRequest) -> bool:
    """Whether it is a mail that was accepted. It may be on its way while the next call is answered, too."""
    return request.is_mail and request.reply.startswith("2")


def _grpc_refusal(answer: Answer | None, test_case: TestCase) -> str:
    """Returns the status of gRPC by which an answer refuses; empty if it does not."""
    status = "" if answer is None else answer.headers(test_case).get(GRPC_STATUS, "")
    return "" if status == GRPC_STATUSES[0] else status


def _blamed(requests: Sequence[ExternalRequest], cause: Cause) -> ExternalRequest:
    """Returns the latest request that can have led to the error: of requests at once, any may have been the last.

    What lacks a member is an answer that was read, and so mostly a success.
    """
    fitting = [one for one in requests if one.reply.startswith("2")] if _LACKING.search(cause.message) else []
    return (fitting or requests)[-1]


def _is_answer_refused(view: CallView) -> bool:
    """Whether a schema that the SUT applies to an answer has refused it."""
    return any(
        one.call == view.observation.call_index and one.place[:1] == (ANSWER,) and one.is_valid is False
        for one in view.evaluation.validations
    )


def _told(request: ExternalRequest, answer: Answer | None) -> str:
    if answer is None or answer.outcome == "answer":
        return f"{request.place} was answered {request.reply}"
    return f"{request.place}: {OUTCOME_WORDS[answer.outcome]}"


def _judge_leak(view: CallView) -> Verdict:
    requests = _requests(view)
    response = response_of(view.observation)
    if response is None or not requests:
        return []
    text = view.observation.exchange.text()
    own = request_of(view.observation)
    given = f"{own.target} {own.headers} {own.body!r}"
    for request in requests:
        for name, secret in _secrets(request):
            # What the caller has sent itself is no secret to the caller.
            if len(secret) >= MIN_SECRET and secret in text and secret not in given:
                return [_leak(view, request, name, response.status)]
    return []


def _secrets(request: ExternalRequest) -> Iterator[tuple[str, str]]:
    """Yields (where it stands, credential) of what a request carries."""
    for name, value in request.headers:
        if _CREDENTIAL.fullmatch(name):
            scheme, _, secret = value.rpartition(" ")
            yield f"header {name}", secret
            if scheme.lower() == "basic":
                with contextlib.suppress(ValueError):
                    yield f"header {name}", base64.b64decode(secret).decode("latin-1").partition(":")[2]
    for part, fields in (("query", urlsplit(request.target).query), ("body", request.body)):
        for name, value in parse_qsl(fields) if "=" in fields else ():
            if _SECRET_FIELD.fullmatch(name):
                yield f"{part} field {name}", value
    if request.body.startswith("{"):
        yield from _secret_members(request.body)


def _secret_members(body: str) -> Iterator[tuple[str, str]]:
    members = held_json(body)
    for name, value in members.items() if isinstance(members, dict) else ():
        if isinstance(value, str) and _SECRET_FIELD.fullmatch(name):
            yield f"body member {name}", value


def _sent_at(request: ExternalRequest) -> str:
    return f", sent at {request.site}" if request.site else ""


def _leak(view: CallView, request: ExternalRequest, name: str, status: int) -> Finding:
    operation = view.operation.id
    service = shown_origin(request.origin)
    return Finding(
        oracle=LEAK,
        key=(LEAK, operation, request.site or request.origin, name.lower().rpartition(" ")[2]),
        operation=operation,
        status=status,
        title=f"{operation} answers with the credentials that it sends to {service}",
        observed=f"the answer holds the value of the {name} of {request.place}{_sent_at(request)}",
        expected="credentials of the API for other services stay in the API",
        cause=view.observation.cause or NO_CAUSE,
        call_index=view.observation.call_index,
    )


def _judge_internals(view: CallView) -> Verdict:
    """An error that a service reports of its own insides, of which a line stands in the SUT's answer."""
    response = response_of(view.observation)
    if response is None:
        return []
    for request in _requests(view):
        answer = answer_to(request, view.evaluation.test_case)
        if answer is None or answer.outcome != "answer" or request.reply != str(answer.status):
            continue
        says_so = INTERNAL_ERROR in _error_of(answer, view.evaluation.test_case)
        if says_so and INTERNAL_ERROR in view.observation.exchange.text():
            return [_internals(view, request, answer, response.status)]
    return []


def _redirected(view: CallView, request: ExternalRequest) -> ExternalRequest:
    """Returns the request that was redirected to this one, or the request itself."""
    requests = _requests(view)
    before = requests[: requests.index(request)]
    while before and before[-1].reply in REDIRECTED and before[-1].origin == request.origin:
        request = before.pop()
    return request


def _error_of(answer: Answer, test_case: TestCase) -> str:
    """Returns what an answer says of an error inside the service; empty if it tells of none."""
    said = answer.text(test_case) if answer.status >= 500 else ""
    told = answer.headers(test_case).get("grpc-message", "") if _grpc_refusal(answer, test_case) else ""
    return f"{said}{told}"


def _internals(view: CallView, request: ExternalRequest, answer: Answer, status: int) -> Finding:
    operation = view.operation.id
    service = shown_origin(request.origin)
    asked = _redirected(view, request)  # one that was redirected is mended where it is sent
    path = (answer_to(asked, view.evaluation.test_case) or answer).path
    called_at = (asked.site,) if asked.site else (asked.origin, asked.method, path)
    return Finding(
        oracle=INTERNALS,
        key=(INTERNALS, operation, *called_at),
        operation=operation,
        status=status,
        title=f"{operation} answers with the text of an error inside {service}",
        observed=f"the answer holds what {_told(request, answer)} says of its insides{_sent_at(asked)}",
        expected="what failed inside another service is for logs; a caller learns that the service has failed",
        cause=view.observation.cause or NO_CAUSE,
        call_index=view.observation.call_index,
    )


FAILURE_ORACLE = Oracle(FAILURE, _judge_failure, yields_to=frozenset(["process-died"]), outcomes=frozenset(["failed"]))
LEAK_ORACLE = Oracle(LEAK, _judge_leak, reads_interactions=True)
INTERNALS_ORACLE = Oracle(INTERNALS, _judge_internals, yields_to=frozenset([FAILURE]), reads_interactions=True)
