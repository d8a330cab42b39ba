"""What a service may do with a request, in the order in which it is tried: first success and unavailability, then the
other usual results. Protocols of their own (mail, WebSockets, gRPC, proxies) have few of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from wimble.model.external import CERTIFICATE_FAULTS, INTERNAL_ERROR, ExternalRequest, MockOutcome
from wimble.model.setup_kinds.answer import SWITCHING_PROTOCOLS, Answer, new_answer
from wimble.model.setup_kinds.body_forms import BodyForm
from wimble.search.external.connect_answers import is_rpc
from wimble.search.external.standard_answers import END_OF_STREAM
from wimble.types import ABSENT, Absent, Json


class ServiceResult(msgspec.Struct, frozen=True):
    """One thing that a service may do with a request."""

    status: int = 200
    body: Json | Absent = ABSENT
    form: BodyForm = "json"
    outcome: MockOutcome = "answer"
    headers: tuple[tuple[str, str], ...] = ()


REFUSAL: Final[Json] = {"error": {"type": "error-type", "code": "error-code", "message": "error-message"}}
"""What services say of an error: many clients make an error of their own of it, and see none without it."""
FLAT_REFUSAL: Final[Json] = {
    "error": "error-name",
    "error_description": "error-description",
    "code": 53171,
    "status": 404,
    "name": "error-name",
    "type": "error-type",
    "title": "error-title",
    "detail": "error-detail",
    "message": "error-message",
    "errors": [{"code": "error-code", "message": "error-message", "reason": "error-reason"}],
}
"""The same at other usual places."""
FLAT_SUCCESS: Final[Json] = {
    "ok": True,
    "success": True,
    "status": "success",
    "code": 0,
    "message": "ok",
    "error": None,
    "data": {},
    "result": {},
}
"""How services say in a body that all went well: clients of some see a failure without it."""
MOVED: Final = "/moved"
"""Where an invented redirect leads: what is asked for there is the program's own request once more."""
MALFORMED: Final = ServiceResult(200, '{"a":', form="text", headers=(("content-type", "application/json"),))
MALFORMED_EVENT: Final = ServiceResult(200, [{"data": '{"a":'}], form="events")
"""For clients that ask for events only: others see a malformed text, which they get anyway."""
INSIDES: Final[Json] = {"message": INTERNAL_ERROR, "error": {"message": INTERNAL_ERROR}}
"""What a service says that fails and tells of its insides, which are not for the callers of the program."""
FIRST: Final = (ServiceResult(200, {}), ServiceResult(503, INSIDES))
OF_HEAD: Final = ServiceResult(200, headers=(("content-type", "application/json"), ("content-length", "7919")))
"""Success of a HEAD request, whose answer has headers only; the length is a number that is recognised."""
OTHERS: Final = (
    ServiceResult(outcome="refused"),
    ServiceResult(outcome="no_host"),
    ServiceResult(outcome="timed_out"),
    ServiceResult(outcome="reset"),
    ServiceResult(201, {}),
    ServiceResult(204),
    ServiceResult(400, REFUSAL),
    ServiceResult(401, REFUSAL),
    ServiceResult(429, REFUSAL, headers=(("retry-after", "1"),)),
    ServiceResult(
        500, f"<html><body>{INTERNAL_ERROR}</body></html>", form="text", headers=(("content-type", "text/html"),)
    ),
    ServiceResult(200, []),
    ServiceResult(200, FLAT_SUCCESS),
    MALFORMED,
    ServiceResult(200, "text", form="text"),
    ServiceResult(200, "", form="text"),
    ServiceResult(200, None),
    ServiceResult(302, headers=(("location", MOVED),)),
    ServiceResult(200, {}, headers=(("content-encoding", "gzip"),)),
    ServiceResult(402, REFUSAL),
    ServiceResult(403, REFUSAL),
    ServiceResult(409, REFUSAL),
    ServiceResult(404, FLAT_REFUSAL),
    ServiceResult(422, FLAT_REFUSAL),
    ServiceResult(304),
    ServiceResult(200, {}, outcome="truncated"),
    ServiceResult(200, [{}, {}]),
    ServiceResult(200, [{}], form="lines"),
    ServiceResult(200, [{}, END_OF_STREAM], form="events"),
    ServiceResult(200, [{"event": "message", "data": {}}], form="events"),
    ServiceResult(200, {"root": {}}, form="xml"),
    ServiceResult(200, {}, form="form"),
    ServiceResult(200, [{"column": "cell-1", "other": "cell-2"}], form="csv"),
    ServiceResult(outcome="try_again"),
    ServiceResult(outcome="closed"),
    ServiceResult(outcome="expired"),
    ServiceResult(200, {}, outcome="slow"),
    ServiceResult(outcome="hang"),
    MALFORMED_EVENT,
)
"""Results that are tried once, those that programs handle most often first."""
OF_PROXY: Final = (
    ServiceResult(407, headers=(("proxy-authenticate", 'Basic realm="proxy"'),)),
    ServiceResult(502),
    ServiceResult(403, "text", form="text"),
)
"""What a proxy answers that refuses to pass a connection on."""
EARLY: Final = frozenset({"refused", "no_host", "timed_out", "reset"})
"""Outcomes that each operation tries early with each service: programs tell them apart by the codes of errors, and what
one operation does says nothing of another's."""
OF_MAIL: Final = (ServiceResult(200), ServiceResult(550), ServiceResult(450))
"""What a mail server says to a mail: accepted, refused, to be sent again later. The codes are those of SMTP."""
OF_WEB_SOCKET: Final = (
    ServiceResult(SWITCHING_PROTOCOLS, [{}], form="messages"),
    ServiceResult(SWITCHING_PROTOCOLS, [{}, {}, {}], form="replies"),
    ServiceResult(SWITCHING_PROTOCOLS, [{}, {}, {}], form="messages", headers=(("connection", "close"),)),
    ServiceResult(503, INSIDES),
)
"""What happens to a WebSocket: it opens with a message, answers each message of the client, ends after its messages, or
does not open.
"""


def first_results(request: ExternalRequest) -> tuple[ServiceResult, ...]:
    """Returns what is tried first with a request. gRPC and Connect have answers of their own
    (grpc_answers.py, connect_answers.py)."""
    if request.asks_proxy:
        return OF_PROXY
    if request.is_mail:
        return OF_MAIL
    if request.opens_web_socket:
        return OF_WEB_SOCKET
    return () if is_rpc(request) else FIRST


def other_results(request: ExternalRequest) -> Iterator[tuple[int, ServiceResult]]:
    """Yields the other results that a service can have, with their indices. Answers of HTTP are left out where the
    client speaks another protocol.
    """
    only_failures = first_results(request) is not FIRST
    asks_for_events = any(name.lower() == "accept" and "event-stream" in value for name, value in request.headers)
    for kind, result in enumerate(OTHERS):
        if result is MALFORMED_EVENT and not asks_for_events and '"stream":true' not in request.body:
            continue
        if is_possible(result, request.origin) and not (only_failures and result.outcome == "answer"):
            yield kind, result


def is_possible(result: ServiceResult, origin: str) -> bool:
    """Whether a service can do so: only TLS has certificates."""
    return result.outcome not in CERTIFICATE_FAULTS or origin.startswith("https:")


def answer_with(result: ServiceResult, request: ExternalRequest | Answer, path: str) -> Answer:
    """Returns the answer that gives a request, or requests with another answer, this result."""
    if request.method == "HEAD" and result is FIRST[0]:
        result = OF_HEAD
    return new_answer(
        request.origin,
        request.method,
        path,
        status=result.status,
        body=result.body,
        outcome=result.outcome,
        form=result.form,
        headers=dict(result.headers),
    )
