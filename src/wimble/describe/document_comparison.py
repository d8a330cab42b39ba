"""Compares what calls have shown with what the document declares.

What an oracle finds is no difference here a second time: statuses 5xx are faults, and members that a closed schema
forbids are violations of it. A declared part counts as unseen only if its operation was answered with success.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wimble.describe.call_records import AnswerRecord, CallRecords, OperationRecord
from wimble.describe.declared_members import DeclaredMembers, members_of
from wimble.describe.described_inputs import declared_forms, is_used_body
from wimble.describe.inferred_document import is_nothing
from wimble.describe.security_schemes import is_credential
from wimble.describe.sent_values import key_of
from wimble.describe.shape_schemas import split_members
from wimble.describe.shapes import Shape
from wimble.http.binding import HttpBinding, binding_of
from wimble.http.declarations import ResponseSpec
from wimble.model.comparison import Comparison, Difference
from wimble.model.operation import Operation

FIRST_ERROR = 500
"""Statuses from here on are faults, which documents rarely declare."""


def compared(
    operations: Iterable[Operation],
    records: CallRecords,
    *,
    undocumented: Iterable[str] = (),
    unserved: Iterable[str] = (),
) -> Comparison:
    """Returns the differences of a document with the calls of a run.

    operations: those that were called. undocumented: ids of those among them that the document lacks. unserved: ids of
    operations of the document that the SUT has not.
    """
    added, missing = set(undocumented), set(unserved)
    extra: list[Difference] = []
    unseen = [Difference(operation=id_, kind="operation") for id_ in missing]
    for record in records.of(operations):
        operation = record.operation
        if operation.id in added and not is_nothing(record):
            extra.append(Difference(operation=operation.id, kind="operation"))
        if not isinstance(operation.binding, HttpBinding) or operation.binding.graphql:
            continue
        if operation.id in added or operation.id in missing:
            continue
        extra += _undocumented_inputs(record)
        extra += _undocumented_answers(record)
        if record.n_accepted:
            unseen += _unseen(record)
        else:
            unseen.append(Difference(operation=operation.id, kind="operation", detail="never answered with success"))
    return Comparison(undocumented=tuple(sorted(extra)), unseen=tuple(sorted(unseen)))


def _undocumented_inputs(record: OperationRecord) -> Iterator[Difference]:
    binding, operation = binding_of(record.operation), record.operation.id
    declared_inputs = {key_of(given) for given in binding.inputs if not given.is_undeclared}
    for key, known in record.accepted.items():
        is_learnt = key in record.learnt or (key[0] == "body" and is_used_body(record))
        if is_learnt and key not in declared_inputs and known.n_sent and not is_credential(key):
            name = f"{key[1]} ({key[0]})" if key[1] else "body"
            yield Difference(operation=operation, kind="parameter", detail=name)
    for place in sorted(_accepted_members(record)):
        if ("body", place.removeprefix("$.")) in record.learnt and place not in _declared_body(record).places:
            yield Difference(operation=operation, kind="body member", detail=place)


def _undocumented_answers(record: OperationRecord) -> Iterator[Difference]:
    binding, operation = binding_of(record.operation), record.operation.id
    if not binding.responses:
        return
    for status in record.statuses:
        if not 200 <= status < FIRST_ERROR:
            continue
        spec = declared_response(binding, status)
        if spec is None:
            yield Difference(operation=operation, kind="status", detail=str(status))
            continue
        for (answered, media_type), answer in sorted(record.answers.items()):
            if answered == status and media_type:
                yield from _undocumented_answer(operation, spec, media_type, answer)


def _undocumented_answer(
    operation: str, spec: ResponseSpec, media_type: str, answer: AnswerRecord
) -> Iterator[Difference]:
    declared = dict(spec.content)
    if not declared:
        return
    if media_type not in declared:
        if not any("*" in known for known in declared):
            yield Difference(operation=operation, kind="media type", detail=f"{spec.status} {media_type}")
        return
    schema = declared[media_type]
    if not isinstance(schema, dict):
        return
    known = members_of(schema)
    for place in _seen_members(answer.shape):
        holder, _, _ = place.rpartition(".")
        if place not in known.places and holder in known.objects:
            yield Difference(operation=operation, kind="answer member", detail=f"{spec.status} {place}")


def _seen_members(shape: Shape, place: str = "$") -> Iterator[str]:
    if shape.elements is not None:
        yield from _seen_members(shape.elements, f"{place}[]")
    for name, member in split_members(shape)[0].items():
        yield f"{place}.{name}"
        yield from _seen_members(member, f"{place}.{name}")


def _unseen(record: OperationRecord) -> Iterator[Difference]:
    binding, operation = binding_of(record.operation), record.operation.id
    statuses = record.statuses
    for spec in binding.responses:
        seen = [status for status in statuses if declared_response(binding, status) is spec]
        if spec.status == "default" or spec.status.startswith("5"):
            continue
        if not seen:
            yield Difference(operation=operation, kind="status", detail=spec.status)
        else:
            yield from _unseen_in_answers(record, spec, seen)
    seen_members = _accepted_members(record)
    for place in sorted(_declared_body(record).places - seen_members):
        holder = place.rpartition(".")[0]
        if holder == "$" or holder in seen_members:
            yield Difference(operation=operation, kind="body member", detail=place)
    for given in binding.inputs:
        key = key_of(given)
        known = record.accepted.get(key)
        is_sent = known is not None and known.n_sent
        if not (given.is_undeclared or is_sent or is_credential(key) or given.location in ("path", "body")):
            yield Difference(operation=operation, kind="parameter", detail=f"{given.name} ({given.location})")


def _declared_body(record: OperationRecord) -> DeclaredMembers:
    """Returns the members that are declared of the body, in any of its media types."""
    given = next((one for one in binding_of(record.operation).inputs if one.location == "body"), None)
    if given is None or given.is_undeclared:
        return DeclaredMembers()
    return members_of({"anyOf": [schema for _, schema in declared_forms(given).values()]})


def _accepted_members(record: OperationRecord) -> set[str]:
    """Returns the members that accepted bodies had."""
    known = record.accepted.get(("body", ""))
    return set() if known is None else {place for shape in known.shapes.values() for place in _seen_members(shape)}


def _unseen_in_answers(record: OperationRecord, spec: ResponseSpec, seen: list[int]) -> Iterator[Difference]:
    operation = record.operation.id
    for media_type, schema in spec.content:
        answers = [record.answers[status, media_type] for status in seen if (status, media_type) in record.answers]
        if not answers:
            if "*" not in media_type:
                yield Difference(operation=operation, kind="media type", detail=f"{spec.status} {media_type}")
            continue
        if not isinstance(schema, dict):
            continue
        known = members_of(schema)
        shown = {place for answer in answers for place in _seen_members(answer.shape)}
        for place in sorted(known.places - shown):
            holder = place.rpartition(".")[0]
            if holder == "$" or holder in shown or holder.removesuffix("[]") in shown or holder == "$[]":
                yield Difference(operation=operation, kind="answer member", detail=f"{spec.status} {place}")


def declared_response(binding: HttpBinding, status: int) -> ResponseSpec | None:
    """Returns the declaration of a status: itself, its range, or the default."""
    by_status = {spec.status: spec for spec in binding.responses}
    return by_status.get(str(status)) or by_status.get(f"{status // 100}XX") or by_status.get("default")
