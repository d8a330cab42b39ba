"""Setup actions that plan what a service answers when the SUT calls it.

Status, headers and body are genes. The body's gene is a JSON document, which `form` says how to send.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from random import Random
from typing import ClassVar, Final, TypeAlias

import msgspec

from wimble.genes import (
    AnyGene,
    ArrayGene,
    BooleanGene,
    EnumGene,
    Gene,
    IntegerGene,
    JsonTextGene,
    LinkedGene,
    MapGene,
    NumberGene,
    ObjectGene,
    OptionalGene,
    StringGene,
    gene_at,
    iter_genes,
    replaced_at,
)
from wimble.model.external import ExternalRequest, MockOutcome, PlannedAnswer, is_compressed, shown_origin
from wimble.model.protobuf_messages import MessageShape, grpc_frames, message_bytes
from wimble.model.setup import value_of
from wimble.model.setup_kinds.body_forms import (
    CONTENT_TYPES,
    OF_MESSAGES,
    OF_WEB_SOCKET,
    STREAMED,
    BodyForm,
    text_parts,
)
from wimble.model.setup_kinds.checksums import with_checksums
from wimble.model.testcase import SetupAction, TestCase
from wimble.types import ABSENT, Absent, Json

RequestKind: TypeAlias = tuple[str, str, str]
"""(origin, method, path template)."""

STATUS, HEADERS, BODY = range(3)
"""Indices of `Answer.genes`."""
STATUSES: Final = (
    200, 201, 202, 204, 206, 301, 302, 304, 400, 401, 402, 403, 404, 409, 410, 422, 429, 500, 502, 503, 504,
)  # fmt: skip
"""Statuses that mutation draws from; hints can ask for any other."""
SWITCHING_PROTOCOLS: Final = 101
"""The status that opens a WebSocket."""
FIRST_FAILURE: Final = 400
"""The lowest status of an answer that is a failure."""
BODILESS: Final = frozenset({204, 304})
"""Statuses whose answers have no body (RFC 9110, 15.3.5 and 15.4.5)."""
GRPC_STATUS: Final = "grpc-status"
"""The header in which answers of gRPC have their status."""
GRPC_STATUSES: Final = tuple(map(str, range(17)))
"""Statuses of gRPC; the first one is success."""
_TOKEN: Final = re.compile(r"[\w!#$%&'*+.^`|~-]+", re.ASCII)
"""A name that a header may have (RFC 9110, 5.6.2)."""
MAX_SHOWN: Final = 100
"""Characters of a body in a description."""


class Answer(SetupAction, frozen=True, kw_only=True):
    """The reaction of one service to requests of one method and path template."""

    is_received: ClassVar[bool] = True

    origin: str
    method: str
    path: str
    """A path template (model/external.py)."""
    occurrence: int | None = None
    """As `PlannedAnswer.occurrence`."""
    outcome: MockOutcome = "answer"
    form: BodyForm = "json"
    message: MessageShape | None = None
    """Of the forms `grpc` and `proto`: how messages are written. None: the body itself is the messages, in base64."""

    @property
    def place(self) -> tuple[str, str, str, int | None]:
        """Which requests it is for: origin, method, path template, occurrence."""
        return self.origin, self.method, self.path, self.occurrence

    @property
    def is_success(self) -> bool:
        """Whether an answer is sent as planned, and its status is none of a failure."""
        return self.outcome == "answer" and self.status < FIRST_FAILURE

    @property
    def request_kind(self) -> RequestKind:
        """Which requests it is for, whichever of them it answers."""
        return self.origin, self.method, self.path

    @property
    def status(self) -> int:
        """The status; a value that is no final status of HTTP counts as 200, unless it opens a WebSocket."""
        value = self.genes[STATUS].phenotype()
        if value == SWITCHING_PROTOCOLS and self.form in OF_WEB_SOCKET:
            return SWITCHING_PROTOCOLS
        return value if isinstance(value, int) and 200 <= value <= 599 else 200

    def body(self, test_case: TestCase) -> Json | Absent:
        """Returns the body as a JSON document, with links followed and checksums right; ABSENT if there is none."""
        return with_checksums(_rendered(test_case, self.genes[BODY]))

    def headers(self, test_case: TestCase) -> dict[str, str]:
        """Returns the headers that the answer names, in lower case."""
        headers = _rendered(test_case, self.genes[HEADERS])
        if not isinstance(headers, dict):
            return {}
        return {name.lower(): _header_text(value) for name, value in headers.items() if _TOKEN.fullmatch(name)}

    def planned(self, test_case: TestCase, number: int) -> PlannedAnswer:
        """Returns the answer as it is sent. number: index of the action in the test case."""
        headers = self.headers(test_case)
        parts = () if self.status in BODILESS else self._parts(self.body(test_case))
        text, encoding = "".join(parts), "base64" if self.form == "base64" or self.form in OF_MESSAGES else "utf8"
        if is_compressed(headers) and text:
            packed = gzip.compress(_bytes_of(text, encoding), mtime=0)
            text, encoding, parts = base64.b64encode(packed).decode(), "base64", ()
        return PlannedAnswer(
            id=number,
            origin=self.origin,
            method=self.method,
            path=self.path,
            occurrence=self.occurrence,
            outcome=self.outcome,
            status=self.status,
            headers=tuple(headers.items()),
            body=text,
            body_encoding="base64" if encoding == "base64" else "utf8",
            chunks=parts if self.form in STREAMED and parts else None,
            is_reply=self.form == "replies",
        )

    def text(self, test_case: TestCase) -> str:
        """Returns the body as it is sent, before any compression."""
        return "".join(self._parts(self.body(test_case)))

    def has_text(self, text: str, test_case: TestCase) -> bool:
        """Whether the text is the whole body, apart from spaces around it, or the value of a header."""
        return text == self.text(test_case).strip() or text in self.headers(test_case).values()

    def _parts(self, body: Json | Absent) -> tuple[str, ...]:
        if body is ABSENT:
            return ()
        if self.message is not None:
            write = grpc_frames if self.form == "grpc" else message_bytes
            return (base64.b64encode(write(self.message, body)).decode(),)
        return text_parts(self.form, body)

    # -- as a kind of setup action ------------------------------------------------------------------------------------

    def description(self, test_case: TestCase) -> str:
        """Returns a line such as `POST https://api.payments.example/v1/charges answers 200 {"paid":true}`."""
        at = "" if self.occurrence is None else f" (request {self.occurrence + 1})"
        place = f"{self.method} {shown_origin(self.origin)}{self.path}{at}"
        if self.outcome != "answer":
            return f"{place}: {OUTCOME_WORDS[self.outcome]}"
        body = self.body(test_case)
        text = "" if body is ABSENT else json.dumps(body, ensure_ascii=False, separators=(",", ":"))
        return f"{place} answers {self.status} {text[:MAX_SHOWN]}".rstrip()

    def input_name(self, index: int) -> str:
        return ("status", "headers", "body")[index]

    def input_label(self, index: int) -> str:
        return f"{self.input_name(index)} of the answer to {self.method} {shown_origin(self.origin)}{self.path}"

    def is_json_input(self, index: int) -> bool:
        is_text = self.form in ("text", "base64") or (self.form in OF_MESSAGES and self.message is None)
        return index == BODY and not is_text

    def can_hold(self, gene: Gene) -> bool:
        """Whether `gene` may replace another one: headers keep the content type, by which clients choose a parser."""
        if not isinstance(gene, MapGene) or self.genes[BODY].phenotype() is ABSENT or self.form in OF_WEB_SOCKET:
            return True
        return any(name == "content-type" for name, _ in gene.entries)

    def copied(self, rng: Random) -> None:
        """Returns None: a second answer to the same request is never sent."""


OUTCOME_WORDS: Final[dict[MockOutcome, str]] = {
    "answer": "answers",
    "no_host": "the host does not exist",
    "try_again": "the host name cannot be resolved now",
    "refused": "the connection is refused",
    "timed_out": "the connection times out",
    "expired": "its certificate has expired",
    "wrong_name": "its certificate is for another host",
    "self_signed": "its certificate is self-signed",
    "unknown_authority": "its certificate is of an unknown authority",
    "own_authority": "its certificate is of an authority of its own",
    "reset": "the connection is reset",
    "closed": "the connection is closed without an answer",
    "truncated": "the answer ends in the middle",
    "slow": "the answer is slow",
    "hang": "no answer comes",
}


def new_answer(
    origin: str,
    method: str,
    path: str,
    *,
    status: int = 200,
    body: Json | Absent = ABSENT,
    occurrence: int | None = None,
    outcome: MockOutcome = "answer",
    form: BodyForm = "json",
    headers: dict[str, str] | None = None,
) -> Answer:
    """Returns an answer with genes for these values. Without a body, it sends none, and no content type."""
    named = {} if body is ABSENT or form in OF_WEB_SOCKET else {"content-type": CONTENT_TYPES[form]}
    named.update(headers or {})
    return Answer(
        genes=(
            EnumGene(STATUSES).with_value(status) or EnumGene(STATUSES),
            MapGene(StringGene(), tuple((name, _header_gene(name, value)) for name, value in named.items())),
            OptionalGene(gene_of({} if body is ABSENT else body), body is not ABSENT),
        ),
        origin=origin,
        method=method,
        path=path,
        occurrence=occurrence,
        outcome=outcome,
        form=form,
    )


def answer_of_gene(origin: str, method: str, path: str, *, status: int, gene: Gene) -> Answer:
    """Returns an answer with a JSON body of that gene."""
    made = new_answer(origin, method, path, status=status, body={})
    return msgspec.structs.replace(made, genes=(*made.genes[:BODY], OptionalGene(gene, True)))


def grpc_answer(origin: str, method: str, path: str, *, message: MessageShape, gene: Gene) -> Answer:
    """Returns an answer of gRPC whose message, or list of messages, is that gene."""
    made = message_answer(origin, method, path, form="grpc", message=message, gene=gene)
    return with_header(made, GRPC_STATUS, GRPC_STATUSES[0])


def message_answer(origin: str, method: str, path: str, *, form: BodyForm, message: MessageShape, gene: Gene) -> Answer:
    """Returns an answer whose body is a message of Protocol Buffers with that gene."""
    made = new_answer(origin, method, path, body={}, form=form)
    return msgspec.structs.replace(made, genes=(*made.genes[:BODY], OptionalGene(gene, True)), message=message)


def with_header(answer: Answer, name: str, value: str) -> Answer:
    """Returns the answer with one more header."""
    headers = answer.genes[HEADERS]
    entries = headers.entries if isinstance(headers, MapGene) else ()
    named = MapGene(StringGene(), (*entries, (name, _header_gene(name, value))))
    return msgspec.structs.replace(answer, genes=(answer.genes[STATUS], named, answer.genes[BODY]))


def with_content_type(answer: Answer, content_type: str) -> Answer:
    """Returns the answer with another content type."""
    headers = answer.genes[HEADERS]
    entries = headers.entries if isinstance(headers, MapGene) else ()
    others = tuple((name, gene) for name, gene in entries if name != "content-type")
    named = MapGene(StringGene(), (*others, ("content-type", _header_gene("content-type", content_type))))
    return msgspec.structs.replace(answer, genes=(answer.genes[STATUS], named, answer.genes[BODY]))


def _header_gene(name: str, value: str) -> Gene:
    if name == GRPC_STATUS:
        return EnumGene(GRPC_STATUSES).with_value(value) or EnumGene(GRPC_STATUSES)
    if name != "content-type":
        return StringGene(value)
    # What the program asks for is set as a whole: a type that grows by mutation (`application/json/json`) is none.
    return EnumGene(tuple(dict.fromkeys((value, *CONTENT_TYPES.values()))))


def gene_of(value: Json, *, is_part: bool = False) -> Gene:
    """Returns a gene with this value, in which members of objects can be left out.

    is_part: whether it is the template of the elements of a list, which always have all their members.
    """
    match value:
        case bool():
            return BooleanGene(value)
        case int():
            return IntegerGene(value)
        case float():
            return NumberGene(value)
        case str():
            return StringGene(value)
        case dict():
            members = ((name, gene_of(member, is_part=is_part)) for name, member in value.items())
            return ObjectGene(tuple((name, gene if is_part else OptionalGene(gene)) for name, gene in members))
        case list():
            element = gene_of(value[0], is_part=True) if value else AnyGene()
            return ArrayGene(element, tuple(gene_of(item, is_part=is_part) for item in value))
        case _:
            return AnyGene(value)


def opened(gene: Gene) -> Gene:
    """Returns the gene with each object or list that is one value in it as genes of its members.

    The document within a text stays one value.
    """
    for path, inner in iter_genes(gene):
        if not isinstance(inner, AnyGene) or not isinstance(inner.value, (dict, list)):
            continue
        if not path or not isinstance(gene_at(gene, path[:-1]), JsonTextGene):
            gene = replaced_at(gene, path, gene_of(inner.value))
    return gene


def answers_in(test_case: TestCase) -> tuple[PlannedAnswer, ...]:
    """Returns the plan of a test case for the mock server."""
    return tuple(action.planned(test_case, number) for number, action in test_case.setup_of(Answer))


def answer_to(request: ExternalRequest, test_case: TestCase) -> Answer | None:
    """Returns the planned answer that a request got; None if it got none."""
    number = request.answered_by
    action = test_case.setup[number] if number is not None and number < len(test_case.setup) else None
    return action if isinstance(action, Answer) else None


def is_later(answer: Answer, test_case: TestCase) -> bool:
    """Whether the test case has another answer for the first request of this kind."""
    return answer.occurrence is None and any(
        other.request_kind == answer.request_kind and other.occurrence is not None
        for _, other in test_case.setup_of(Answer)
    )


def _rendered(test_case: TestCase, gene: Gene) -> Json | Absent:
    for path, inner in iter_genes(gene):
        if isinstance(inner, LinkedGene):
            gene = replaced_at(gene, path, AnyGene(value_of(test_case, inner)))
    return gene.phenotype()


def _header_text(value: Json) -> str:
    """Returns a value as a header can contain it: printable ASCII in one line."""
    text = value if isinstance(value, str) else json.dumps(value)
    return "".join(letter if " " <= letter <= "~" else "?" for letter in text).strip()


def _bytes_of(text: str, encoding: str) -> bytes:
    return base64.b64decode(text) if encoding == "base64" else text.encode()
