"""Test cases that show races: a call twice, at once or in turn, and reads of what it acts on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from wimble.genes import Gene
from wimble.model.carried_credentials import with_credentials_of
from wimble.model.operation import Operation
from wimble.model.resource_names import ONE, named_nouns, plain_name
from wimble.model.routes import RouteFindings
from wimble.model.testcase import Call, TestCase
from wimble.search.resources.input_names import iter_named_genes
from wimble.spec.loading.discovery import is_name_of_document
from wimble.spec.routes.left_out_routes import is_health_check
from wimble.types import ABSENT

MAX_READS: Final = 4


def with_two_calls(test_case: TestCase, second: Call, reads: Sequence[Call], *, at_once: bool) -> TestCase:
    """Returns the test case with a second call after its last one, and reads after both."""
    last = len(test_case.calls) - 1
    return TestCase((*test_case.calls, second, *reads), test_case.setup, last if at_once else None)


def with_one_call(test_case: TestCase, reads: Sequence[Call]) -> TestCase:
    return TestCase((*test_case.calls, *reads), test_case.setup)


def without_the_call(test_case: TestCase, reads: Sequence[Call]) -> TestCase:
    """Returns the test case without its last call."""
    return TestCase((*test_case.calls[:-1], *reads), test_case.setup)


def tells_of_state(operation: Operation, routes: RouteFindings) -> bool:
    """Whether an operation reads what calls may change, rather than the API's document or whether the API is well."""
    path = operation.group
    is_document = operation.id in routes.own_documents or is_name_of_document(path.rpartition("/")[2])
    return operation.effect == "read" and not is_document and not is_health_check(path)


def reads_after(call: Call, operations: Sequence[Operation]) -> tuple[Call, ...]:
    """Returns calls that read what a call may have changed, those of the nearest places first.

    They are sent by the user of the call. Their inputs have the values that it has under the same names, and paths name
    what its content does (`/patients/{id}` what is its `patientId`); optional inputs are left out.
    """
    named = _named_by_content(call)
    found = [read for operation in operations if operation.effect == "read" if (read := _read(operation, call, named))]
    found.sort(key=lambda read: -_nearness(read.operation, call.operation, named))
    return tuple(found[:MAX_READS])


def _read(operation: Operation, call: Call, named: Mapping[str, Gene]) -> Call | None:
    genes = tuple(_iter_genes(operation, call, named))
    if len(genes) < len(operation.inputs):
        return None
    return with_credentials_of(Call(operation, genes, call.user), call)


def _iter_genes(operation: Operation, call: Call, named: Mapping[str, Gene]) -> Iterator[Gene]:
    """Yields the values of the inputs, up to the first one without a value."""
    given = dict(zip(((one.role, one.name) for one in call.operation.inputs), call.genes, strict=True))
    subjects = {subject.input_index: subject for subject in operation.subjects}
    for index, one in enumerate(operation.inputs):
        gene = given.get((one.role, one.name)) if one.role == "subject" or one.required else None
        subject = subjects.get(index)
        if subject is not None and (*subject.scope, ONE) != call.operation.place[: len(subject.scope) + 1]:
            gene = named.get(plain_name(subject.resource), gene)
        if gene is None and one.required:
            return
        absent = one.template.with_value(ABSENT) if gene is None else gene
        if absent is None:
            return
        yield absent


def _named_by_content(call: Call) -> dict[str, Gene]:
    """Returns what the content of a call names, by its noun: `patient` for `patientId`."""
    named: dict[str, Gene] = {}
    for one in iter_named_genes(call, 0):
        if one.role == "content":
            for noun in named_nouns(one.name):
                named.setdefault(noun, one.gene)
    return named


def _nearness(read: Operation, changed: Operation, named: Mapping[str, Gene]) -> int:
    is_named = any(plain_name(subject.resource) in named for subject in read.subjects)
    return max(_n_shared(read.place, changed.place), int(is_named))


def _n_shared(one: Sequence[str], other: Sequence[str]) -> int:
    n_shared = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        n_shared += 1
    return n_shared
