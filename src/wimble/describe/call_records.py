"""Records what calls sent and what was answered, as far as the inferred document needs it. Bounded, and cheap per call.

The first calls of each operation and status are examined, then those whose answer looks different, and a share of the
others. A record never depends on the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, Literal, NamedTuple

import msgspec

from wimble.describe.readability import is_readable, roughness, shortened
from wimble.describe.readable_values import n_unusual_texts
from wimble.describe.secret_names import is_secret_name
from wimble.describe.sent_values import Key, http_inputs, left_out, read_text, sent_values
from wimble.describe.shapes import Shape
from wimble.genes.gene import Gene, Resolver
from wimble.genes.undeclared import FileText
from wimble.http.binding import HttpBinding
from wimble.http.exchange import HttpExchange
from wimble.http.http_messages import HttpResponse
from wimble.http.texts import is_json_type
from wimble.model.evaluation import Evaluation
from wimble.model.observation import Observation, call_resolver
from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.oracles.security.sent_inputs import replaced_scalars
from wimble.types import ABSENT, Absent, Json

FIRST_EXAMINED: Final = 30
"""Number of answers of an operation with one status that are all examined."""
LOOKED_AT: Final = 1_000
"""Number of answers up to which those are examined that have other top-level keys than all before."""
EXAMINED_SHARE: Final = 24
"""Later, one of so many is examined, whatever it looks like."""
MAX_KINDS: Final = 64
"""Number of different top-level keys, or media types, of one status that are examined at their first occurrence."""
MAX_BODY_BYTES: Final = 200_000
"""A longer body is not looked into."""
LARGE_BODY_BYTES: Final = 8_000
"""Only the first few bodies that are longer than this are looked into."""
FIRST_LARGE: Final = 5
MAX_REMEMBERED: Final = 2_000
"""Number of different bodies of a status that are recognised when they come again."""
MAX_INPUTS: Final = 200
"""Number of inputs of an operation, with those that no document declares."""
MAX_HEADERS: Final = 40
UNUSUAL_TEXT: Final = 8
"""What a text costs that nobody would write there: more than the length of one that somebody would."""
MAX_EXAMPLE_BYTES: Final = 4_000
"""A longer body is no example, unless there is no other."""

WRONG_TYPE: Final = 1_000
"""What an input of another type than the declared one makes worse: the example would break the document's schema."""
WITHOUT_BODY: Final = 200
"""What makes a call without a body a worse example of an operation that takes one."""

Result = Literal["ok", "redirected"]


class Example(msgspec.Struct, frozen=True):
    """A call with its answer, as values."""

    rank: int
    """The lower, the easier to read."""
    inputs: dict[Key, Json]
    """The values that were sent; not those that were left out."""
    media_type: str
    """The media type of the body that was sent; empty if there was none."""
    answer: Json
    """The body of the answer; ABSENT if it has none that can be shown."""
    test_case: TestCase | None = None
    """What was run, up to this call."""


class AnswerRecord(msgspec.Struct):
    """Answers of one operation with one status and media type."""

    n: int = 0
    n_examined: int = 0
    n_large: int = 0
    shape: Shape = msgspec.field(default_factory=Shape)
    """The merged shape of the bodies in JSON."""
    headers: dict[str, Shape] = msgspec.field(default_factory=dict)
    """Values of headers by name in lower case; `n_values` is the number of examined answers that had it."""
    example: Example | None = None
    kinds: set[int] = msgspec.field(default_factory=set)
    bodies: set[int] = msgspec.field(default_factory=set)


class InputRecord(msgspec.Struct):
    """One input in the calls of an operation that had one result."""

    n_sent: int = 0
    n_left_out: int = 0
    shapes: dict[str, Shape] = msgspec.field(default_factory=dict)
    """The values by media type; it is empty for parameters."""
    files: set[str] = msgspec.field(default_factory=set)
    """Members of a form that were sent as files."""


class CarriedRecord(msgspec.Struct):
    """A place of credentials. Nothing of their values is kept but the word in front: `Bearer`."""

    n_calls: int = 0
    scheme: str = ""


class OperationRecord(msgspec.Struct, kw_only=True):
    """The calls of one operation."""

    operation: Operation
    answers: dict[tuple[int, str], AnswerRecord] = msgspec.field(default_factory=dict)
    """By status and media type; the media type is empty if there is no body."""
    by_header: dict[tuple[int, str | None], AnswerRecord] = msgspec.field(default_factory=dict)
    """The same by status and the whole header Content-Type, which is not taken apart for each call."""
    inputs: dict[Result, dict[Key, InputRecord]] = msgspec.field(default_factory=dict)
    n_with_result: dict[Result, int] = msgspec.field(default_factory=dict)
    refused_without: dict[Key, int] = msgspec.field(default_factory=dict)
    """Number of examined calls without an input that the SUT did not accept."""
    forbidden_without: dict[Key, int] = msgspec.field(default_factory=dict)
    """Number of those that were answered 401 or 403."""
    n_accepted_as: dict[str, int] = msgspec.field(default_factory=dict)
    """Number of accepted calls by user; "" for none."""
    carried: dict[tuple[str, str], CarriedRecord] = msgspec.field(default_factory=dict)
    """Credentials from earlier answers that accepted calls have carried: by kind of place (`header`) and name."""
    forbidden_with: set[frozenset[tuple[str, str]]] = msgspec.field(default_factory=set)
    """The places of credentials that calls have carried which were answered 401 or 403."""
    n_uncarried: int = 0
    """Number of accepted calls without such credentials."""
    n_forbidden: int = 0
    """Number of answers 401 and 403 to calls without a user."""
    learnt: frozenset[Key] = frozenset()
    """Inputs that no document declares, and that the program is known to use. The name of a member of the body is its
    path, joined by dots."""
    validated: Mapping[Key, Gene] = msgspec.field(default_factory=dict)
    """Genes of the schemas that validators apply to such inputs."""
    members_read: frozenset[str] = frozenset()
    """Members of an undeclared body that the program was seen to look for, also in vain."""

    @property
    def accepted(self) -> dict[Key, InputRecord]:
        """The inputs of calls that did what was asked; if there are none, of those that were redirected."""
        return self.inputs.get("ok") or self.inputs.get("redirected") or {}

    @property
    def n_accepted(self) -> int:
        return self.n_with_result.get("ok") or self.n_with_result.get("redirected") or 0

    @property
    def statuses(self) -> list[int]:
        """All statuses that were answered, ascending."""
        return sorted({status for status, _ in self.answers})


class CallRecords:
    """The records of all operations of one run."""

    def __init__(self) -> None:
        self._records: dict[str, OperationRecord] = {}
        self._examines_all = False

    @contextmanager
    def examining_all(self) -> Iterator[None]:
        """Examines each call as long as the context lasts, because each was made to learn something."""
        self._examines_all = True
        try:
            yield
        finally:
            self._examines_all = False

    def note(self, evaluation: Evaluation) -> None:
        """Records the calls of an evaluation."""
        observations = evaluation.observations
        resolver: Resolver | None = None
        for call, observation in zip(evaluation.test_case.calls, observations, strict=True):
            exchange = observation.exchange
            if not isinstance(exchange, HttpExchange) or exchange.response is None or exchange.is_graphql:
                continue
            record = self._record_of(call.operation)
            if record is None:
                continue
            answer, is_new = self._counted(record, exchange.response)
            if self._examines_all or is_new:
                resolver = resolver or call_resolver(observations)
                answered = _Answered(evaluation.test_case, call, observation, exchange, exchange.response)
                _examine(record, answer, answered, resolver)

    def note_learnt(
        self,
        operation: Operation,
        learnt: Iterable[Key],
        validated: Mapping[Key, Gene] | None = None,
        members_read: frozenset[str] = frozenset(),
    ) -> None:
        """Records which inputs the program is known to use although no document declares them.

        Calls carry others as well, to find that out. validated: genes of what validators demand of them. members_read:
        members of an undeclared body that it was seen to look for.
        """
        record = self._record_of(operation)
        if record is not None:
            record.learnt, record.validated = frozenset(learnt), validated or {}
            record.members_read = members_read

    def of(self, operations: Iterable[Operation]) -> list[OperationRecord]:
        """Returns the records of operations; those of operations without an answer are empty."""
        return [self._records.get(one.id) or OperationRecord(operation=one) for one in operations]

    def _record_of(self, operation: Operation) -> OperationRecord | None:
        record = self._records.get(operation.id)
        if record is None:
            if not isinstance(operation.binding, HttpBinding) or operation.binding.graphql:
                return None
            record = self._records[operation.id] = OperationRecord(operation=operation)
        record.operation = operation
        return record

    def _counted(self, record: OperationRecord, response: HttpResponse) -> tuple[AnswerRecord, bool]:
        """Returns the record of answers like this, and whether the answer is worth to be examined."""
        has_body = bool(response.body) or response.is_truncated
        written = (response.status, response.header("content-type") if has_body else None)
        answer = record.by_header.get(written)
        if answer is None:
            key = (response.status, response.media_type if has_body else "")
            answer = record.answers.setdefault(key, AnswerRecord())
            if len(record.by_header) < MAX_KINDS:
                record.by_header[written] = answer
        answer.n += 1
        if answer.n <= FIRST_EXAMINED or answer.n % EXAMINED_SHARE == 0:
            return answer, True
        if answer.n > LOOKED_AT or len(answer.kinds) >= MAX_KINDS or len(response.body) > LARGE_BODY_BYTES:
            return answer, False
        return answer, _kind_of(response) not in answer.kinds


def _kind_of(response: HttpResponse) -> int:
    """Returns a number that differs for bodies with other top-level keys."""
    body = response.json()
    if isinstance(body, list) and body:
        body = body[0]
    return hash(tuple(body)) if isinstance(body, dict) else hash(type(body))


class _Answered(NamedTuple):
    """One answered call."""

    test_case: TestCase
    call: Call
    observation: Observation
    exchange: HttpExchange
    response: HttpResponse


def _examine(record: OperationRecord, answer: AnswerRecord, one: _Answered, resolve: Resolver) -> None:
    answer.n_examined += 1
    _add_headers(answer, one.response)
    body = _add_body(answer, one.response)
    sent = sent_values(one.call, resolve)
    outcome = one.observation.outcome
    if outcome in ("ok", "redirected"):
        _add_inputs(record, outcome, one.call, sent)
        record.n_accepted_as[one.call.user] = record.n_accepted_as.get(one.call.user, 0) + 1
        _add_carried(record, one.call, resolve)
    else:
        is_forbidden = one.response.status in (401, 403)
        if is_forbidden and not one.call.user:
            record.n_forbidden += 1
        if is_forbidden and len(record.forbidden_with) < MAX_KINDS:
            record.forbidden_with.add(frozenset(_place_of(place) for place in _carried_by(one.call, resolve)))
        for key in dict.fromkeys([*left_out(one.call, sent), *(key for key in record.accepted if key not in sent)]):
            record.refused_without[key] = record.refused_without.get(key, 0) + 1
            if is_forbidden:
                record.forbidden_without[key] = record.forbidden_without.get(key, 0) + 1
    _take_example(answer, one, sent, body)


def _add_headers(answer: AnswerRecord, response: HttpResponse) -> None:
    for name in dict.fromkeys(name for name, _ in response.headers):
        shape = answer.headers.get(name)
        if shape is None:
            if len(answer.headers) >= MAX_HEADERS:
                continue
            shape = answer.headers[name] = Shape()
        shape.add(read_text(response.header(name)))


def _add_body(answer: AnswerRecord, response: HttpResponse) -> Json:
    """Adds the body to the shape, unless it was added already. Returns it as a value; ABSENT if it is not one."""
    if not response.body or len(response.body) > MAX_BODY_BYTES:
        return ABSENT
    if not is_json_type(response.media_type):
        return response.body.decode("utf-8", "replace") if response.media_type == "text/plain" else ABSENT
    body = response.json()
    if body is ABSENT:
        return ABSENT
    mark = hash(response.body)
    if mark in answer.bodies:
        return body
    if len(response.body) > LARGE_BODY_BYTES:
        answer.n_large += 1
        if answer.n_large > FIRST_LARGE:
            return body
    if len(answer.bodies) < MAX_REMEMBERED:
        answer.bodies.add(mark)
    if len(answer.kinds) < MAX_KINDS:
        answer.kinds.add(_kind_of(response))
    answer.shape.add(body)
    return body


def _add_inputs(record: OperationRecord, result: Result, call: Call, sent: dict[Key, tuple[Json, str]]) -> None:
    inputs = record.inputs.setdefault(result, {})
    n_before = record.n_with_result.get(result, 0)
    record.n_with_result[result] = n_before + 1
    for key in dict.fromkeys([*sent, *left_out(call, sent), *inputs]):
        known = inputs.get(key)
        if known is None:
            if len(inputs) >= MAX_INPUTS:
                continue
            known = inputs[key] = InputRecord(n_left_out=n_before)
        if key not in sent:
            known.n_left_out += 1
            continue
        value, media_type = sent[key]
        known.n_sent += 1
        if isinstance(value, dict):
            known.files.update(name for name, member in value.items() if isinstance(member, FileText))
        known.shapes.setdefault(media_type, Shape()).add(value if key[0] == "body" else read_text(value))


def _add_carried(record: OperationRecord, call: Call, resolve: Resolver) -> None:
    carried = _carried_by(call, resolve)
    record.n_uncarried += not carried
    for place, value in carried.items():
        known = record.carried.setdefault(_place_of(place), CarriedRecord())
        known.n_calls += 1
        known.scheme = value.partition(" ")[0] if isinstance(value, str) and " " in value else ""


def _carried_by(call: Call, resolve: Resolver) -> dict[str, Json]:
    """Returns the credentials of a call by their places; else its undeclared inputs that are called like some."""
    carried: Json | Absent = ABSENT
    for given, gene in zip(call.operation.inputs, call.genes, strict=True):
        if given.role == "credential":
            carried = gene.phenotype(resolve)
    return carried if isinstance(carried, dict) and carried else dict(_own_keys(call, resolve))


def _place_of(place: str) -> tuple[str, str]:
    """Returns kind and name."""
    kind, _, name = place.partition(" ")
    return ("cookie" if kind == "set-cookie" else kind, name)


def _take_example(answer: AnswerRecord, one: _Answered, sent: dict[Key, tuple[Json, str]], body: Json) -> None:
    """Keeps the call if it is easier to read than the one that is kept."""
    request = one.exchange.request
    n_bytes = len(request.target) + len(request.body or b"") + len(one.response.body)
    rank = n_bytes // 20 + (MAX_EXAMPLE_BYTES if n_bytes > MAX_EXAMPLE_BYTES else 0)
    if answer.example is not None and rank >= answer.example.rank:
        return
    inputs = {key: value for key, (value, _) in sent.items()}
    rank += UNUSUAL_TEXT * sum(n_unusual_texts(value, name) for (_, name), value in inputs.items())
    rank += 2 * roughness(list(inputs.values())) + (0 if body is ABSENT else roughness(body))
    if body in ([], {}) or (isinstance(body, dict) and [] in body.values()):
        rank += MAX_EXAMPLE_BYTES // 2  # an answer without content shows nothing
    rank += WRONG_TYPE * sum(1 for _ in replaced_scalars(one.call))
    if ("body", "") not in sent and any(given.location == "body" for given in http_inputs(one.call)):
        rank += WITHOUT_BODY
    if answer.example is None or rank < answer.example.rank:
        media_type = next((media_type for _, media_type in sent.values() if media_type), "")
        calls = one.test_case.calls[: one.observation.call_index + 1]
        test_case = TestCase(calls, one.test_case.setup)
        shown = shortened(body)
        answer.example = Example(
            rank, shortened(inputs), media_type, shown if is_readable(shown) else ABSENT, test_case
        )


def _own_keys(call: Call, resolve: Resolver) -> Iterator[tuple[str, Json]]:
    """Yields the undeclared parameters of a call that are called like credentials, as those that it carries."""
    for given, gene in zip(call.operation.inputs, call.genes, strict=True):
        sent = gene.phenotype(resolve) if given.is_undeclared and given.sent_in in ("header", "cookie") else ABSENT
        if isinstance(sent, dict):
            yield from ((f"{given.sent_in} {name}", value) for name, value in sent.items() if is_secret_name(name))
