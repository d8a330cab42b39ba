"""Answers of gRPC services: messages that decode, and the statuses by which they refuse.

Without the definition of a message, the empty one is sent: each field then has its default value, in any message.
"""

from __future__ import annotations

from random import Random
from typing import Final

from wimble.genes import ArrayGene, Gene
from wimble.model.external import INTERNAL_ERROR, ExternalRequest
from wimble.model.setup_kinds.answer import GRPC_STATUS, GRPC_STATUSES, Answer, grpc_answer, new_answer
from wimble.model.setup_kinds.body_forms import CONTENT_TYPES
from wimble.spec.protobuf.grpc_methods import GrpcAnswer
from wimble.spec.protobuf.message_genes import message_gene

EMPTY_MESSAGE: Final = "AAAAAAA="
"""One message of no bytes, as it is sent: in base64."""
STATUSES: Final = (5, 14, 4, 16, 7, 3, 8, 6, 9, 13, 10, 2, 11, 12, 1, 15)
"""All statuses but success, those that programs handle most often first: not found, unavailable, too late, ..."""
INSIDE: Final = (2, 13)
"""Statuses of errors inside a service: unknown, internal."""
N_DRAWN: Final = 3
"""Messages that are tried at first."""
N_OF_STREAM: Final = 3
"""Messages of a stream."""


def is_grpc(request: ExternalRequest) -> bool:
    """Whether the client speaks gRPC or gRPC-Web, to which no other answer makes sense."""
    return any(
        name.lower() == "content-type" and value.startswith(CONTENT_TYPES["grpc"]) for name, value in request.headers
    )


def defined_answers(request: ExternalRequest, answer: GrpcAnswer | None, rng: Random) -> list[Answer]:
    """Returns messages of the type that a request asks for. answer: what the definition of its method says, if any."""
    return [] if answer is None else [_of_definition(_place(request), answer, rng) for _ in range(N_DRAWN)]


def grpc_answers(request: ExternalRequest) -> list[Answer]:
    """Returns the answers that any method may give: the empty message, and all refusals."""
    place = _place(request)
    empty = new_answer(*place, body=EMPTY_MESSAGE, form="grpc", headers={GRPC_STATUS: GRPC_STATUSES[0]})
    return [empty, *(_refusal(place, status) for status in STATUSES)]


def _place(request: ExternalRequest) -> tuple[str, str, str]:
    return request.origin, request.method, request.path


def _of_definition(place: tuple[str, str, str], answer: GrpcAnswer, rng: Random) -> Answer:
    gene: Gene = message_gene(answer.shape).sampled(rng)
    if answer.is_stream:
        gene = ArrayGene(gene, tuple(gene.sampled(rng) for _ in range(N_OF_STREAM)))
    return grpc_answer(*place, message=answer.shape, gene=gene)


def _refusal(place: tuple[str, str, str], status: int) -> Answer:
    message = INTERNAL_ERROR if status in INSIDE else "error-message"
    headers = {"content-type": CONTENT_TYPES["grpc"], GRPC_STATUS: str(status), "grpc-message": message}
    return new_answer(*place, headers=headers)
