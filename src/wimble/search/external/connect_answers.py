"""Answers of services that are called by the Connect protocol: one message, in JSON or binary, or an error.

The methods are those of gRPC, with the same paths and messages. A message is the whole body, and errors have statuses
of HTTP. Streams are not answered in their own form.
"""

from __future__ import annotations

from random import Random
from typing import Final

from wimble.genes import Gene
from wimble.model.external import INTERNAL_ERROR, ExternalRequest
from wimble.model.setup_kinds.answer import Answer, answer_of_gene, message_answer, new_answer
from wimble.model.setup_kinds.body_forms import CONTENT_TYPES
from wimble.search.external.grpc_answers import N_DRAWN, is_grpc
from wimble.spec.protobuf.grpc_methods import GrpcAnswer
from wimble.spec.protobuf.message_genes import message_gene

ERRORS: Final = {
    "not_found": 404,
    "unavailable": 503,
    "deadline_exceeded": 504,
    "unauthenticated": 401,
    "permission_denied": 403,
    "invalid_argument": 400,
    "resource_exhausted": 429,
    "already_exists": 409,
    "failed_precondition": 400,
    "internal": 500,
    "aborted": 409,
    "unknown": 500,
    "out_of_range": 400,
    "unimplemented": 500,
    "canceled": 500,
    "data_loss": 500,
}
"""All codes, those that programs handle most often first, with their statuses (or one that mutation knows: clients read
the code)."""
INSIDE: Final = ("unknown", "internal")
"""Codes of errors inside a service."""
_VERSION: Final = "connect-protocol-version"


def is_connect(request: ExternalRequest) -> bool:
    """Whether the client asks for one message by Connect."""
    is_message = request.header("content-type") in (CONTENT_TYPES["json"], CONTENT_TYPES["proto"])
    return is_message and any(name.lower() == _VERSION for name, _ in request.headers)


def is_rpc(request: ExternalRequest) -> bool:
    """Whether the client calls a method, so that only messages and errors of its protocol make sense."""
    return is_grpc(request) or is_connect(request)


def defined_messages(request: ExternalRequest, answer: GrpcAnswer | None, rng: Random) -> list[Answer]:
    """Returns messages of the type that a request asks for. answer: what the definition of its method says, if any."""
    return [] if answer is None or answer.is_stream else [_of_definition(request, answer, rng) for _ in range(N_DRAWN)]


def connect_answers(request: ExternalRequest) -> list[Answer]:
    """Returns the answers that any method may give: the empty message, and all errors."""
    place = _place(request)
    if _is_binary(request):
        empty = new_answer(*place, body="", form="base64", headers={"content-type": CONTENT_TYPES["proto"]})
    else:
        empty = new_answer(*place, body={})
    return [empty, *(_error(place, code) for code in ERRORS)]


def _place(request: ExternalRequest) -> tuple[str, str, str]:
    return request.origin, request.method, request.path


def _is_binary(request: ExternalRequest) -> bool:
    return request.header("content-type") == CONTENT_TYPES["proto"]


def _of_definition(request: ExternalRequest, answer: GrpcAnswer, rng: Random) -> Answer:
    gene: Gene = message_gene(answer.shape).sampled(rng)
    if _is_binary(request):
        return message_answer(*_place(request), form="proto", message=answer.shape, gene=gene)
    return answer_of_gene(*_place(request), status=200, gene=gene)


def _error(place: tuple[str, str, str], code: str) -> Answer:
    message = INTERNAL_ERROR if code in INSIDE else "error-message"
    return new_answer(*place, status=ERRORS[code], body={"code": code, "message": message})
