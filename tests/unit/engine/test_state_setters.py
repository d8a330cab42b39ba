"""A further shape of a test for coverage: with those before it that made what it speaks of."""

from __future__ import annotations

import pytest

from wimble.engine.candidates import state_setters
from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.fault_prefix import MAX_CALLS
from wimble.engine.candidates.state_setters import most_times, with_state_setters
from wimble.engine.faults.provenance_log import Provenance, ProvenanceLog
from wimble.genes import IntegerGene, ReferenceGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.search.resources.resources import Resources
from wimble.types import OperationId, TargetId

ALONE = TestCase(())
NONE = Resources(())


def candidate(provenance: Provenance | None, original: TestCase = ALONE) -> Candidate:
    return Candidate(
        test_case=original, fault_key=None, targets=frozenset([TargetId(1)]), original=original, provenance=provenance
    )


def operation(method: str, path: str) -> Operation:
    return http_operation(id=OperationId(f"{method} {path}"), method=method, path=path)


def with_calls(*operations: Operation) -> TestCase:
    return TestCase(tuple(Call(one, ()) for one in operations))


MAKE = operation("POST", "/a")


@pytest.mark.parametrize(("n_calls", "is_there"), [(2, True), (MAX_CALLS, True), (MAX_CALLS + 1, False), (0, False)])
def test_makers_come_before_it_unless_they_are_too_many(
    monkeypatch: pytest.MonkeyPatch, n_calls: int, *, is_there: bool
) -> None:
    made = with_calls(*[MAKE] * n_calls) if n_calls else None
    monkeypatch.setattr(state_setters, "with_makers", lambda *_, **__: made)
    own = candidate(Provenance(ProvenanceLog(), 0))
    staged = list(with_state_setters(NONE, own))
    assert [one.test_case for one in staged] == ([made] if is_there else [])
    assert all(one.original is made and one.targets == own.targets for one in staged)
    assert own.test_case is ALONE


def test_nothing_is_known_of_what_was_there() -> None:
    assert list(with_state_setters(NONE, candidate(None))) == []


POSTS, POST, LIST, OTHER = (
    operation("POST", "/posts"),
    operation("PUT", "/posts/{id}"),
    operation("GET", "/posts"),
    operation("POST", "/users"),
)


def log_of(*test_cases: TestCase) -> ProvenanceLog:
    log = ProvenanceLog()
    for test_case in test_cases:
        observations = tuple(
            http_observation(call_index=index, request=HttpRequest("POST", "/"), response=HttpResponse(201, (), b""))
            for index in range(len(test_case.calls))
        )
        log.note(Evaluation(test_case=test_case, observations=observations, reached={}))
    return log


def test_a_list_comes_behind_what_was_written_to_it_before() -> None:
    resources = Resources((POSTS, POST, LIST, OTHER))
    log = log_of(with_calls(POSTS), with_calls(OTHER), with_calls(LIST, POST), with_calls(POSTS))
    _, staged = with_state_setters(resources, candidate(Provenance(log, 3), with_calls(LIST)))
    assert [call.operation.id for call in staged.test_case.calls] == [one.id for one in (POSTS, LIST, POST, LIST)]


def test_of_many_writers_the_last_ones_count() -> None:
    resources = Resources((POSTS, POST, LIST))
    log = log_of(with_calls(POST), *[with_calls(POSTS)] * (MAX_CALLS + 5))
    _, staged = with_state_setters(resources, candidate(Provenance(log, len(log)), with_calls(LIST)))
    assert len(staged.test_case.calls) == MAX_CALLS
    assert {call.operation.id for call in staged.test_case.calls} == {POSTS.id, LIST.id}


@pytest.mark.parametrize(("n_calls", "is_there"), [(1, True), (MAX_CALLS // 2, True), (MAX_CALLS // 2 + 1, False)])
def test_it_comes_behind_itself_unless_that_is_too_long(n_calls: int, *, is_there: bool) -> None:
    own = candidate(Provenance(ProvenanceLog(), 0), with_calls(*[OTHER] * n_calls))
    staged = [one.test_case for one in with_state_setters(NONE, own)]
    assert staged == ([with_calls(*[OTHER] * 2 * n_calls)] if is_there else [])


def test_a_test_case_is_repeated_as_often_as_a_test_may_be_long() -> None:
    provenance = Provenance(ProvenanceLog(), 0)
    assert most_times(candidate(provenance, with_calls(OTHER, OTHER, LIST))) == MAX_CALLS // 3
    assert most_times(candidate(provenance)) == most_times(candidate(None, with_calls(OTHER))) == 0


def test_what_the_second_time_refers_to_is_in_its_own_calls() -> None:
    made = Call(operation("POST", "/things"), ())
    read = Call(
        http_operation(
            id=OperationId("GET /things/{id}"),
            method="GET",
            path="/things/{id}",
            inputs=(HttpInput(name="id", location="path", template=IntegerGene(), required=True),),
        ),
        (ReferenceGene(0, "/id", IntegerGene(1)),),
    )
    (staged,) = with_state_setters(NONE, candidate(Provenance(ProvenanceLog(), 0), TestCase((made, read))))
    assert [gene.call for call in staged.test_case.calls for gene in call.genes] == [0, 2]  # type: ignore[attr-defined]
