"""Requests to services that an operation sends in some orders of tests only, as the SUT keeps the answers (tokens)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.testcase import Call
from wimble.types import OperationId

Place = tuple[str, str, str]
"""(origin, method, path) of a request to a service."""
KeptPlaces = dict[OperationId, set[Place]]
"""By operation: what it asks for before all else, unless it has kept the answer."""


def asks_elsewhere(first: Evaluation, again: Evaluation, other: Evaluation) -> bool:
    """Whether the SUT has sent other kinds of requests to services than in two runs that agree: it keeps answers."""
    usual = _asked_places(first)
    return usual == _asked_places(again) and usual != _asked_places(other)


def kept_places(all_runs: Iterable[Sequence[Evaluation]]) -> KeptPlaces:
    """all_runs: for each test case, its runs in several orders, of which the first two have the same order."""
    kept: KeptPlaces = {}
    for runs in all_runs:
        if len(runs) < 3 or not any(asks_elsewhere(runs[0], runs[1], other) for other in runs[2:]):
            continue
        always = frozenset.intersection(*map(_asked_places, runs))
        for call, asked in (one for run in runs for one in _asked_by_call(run)):
            if len(asked) > 1 and asked[0] not in always:
                kept.setdefault(call.operation.id, set()).add(asked[0])
    return kept


def relies_on_kept(evaluation: Evaluation, kept: KeptPlaces) -> bool:
    """Whether a call has asked services for something without what its operation asks for before."""
    if not kept:
        return False
    return any(asked and kept.get(call.operation.id, set()) - set(asked) for call, asked in _asked_by_call(evaluation))


def _asked_by_call(evaluation: Evaluation) -> Iterator[tuple[Call, list[Place]]]:
    for number, call in enumerate(evaluation.test_case.calls if evaluation.interactions else ()):
        yield call, list(map(_place, evaluation.interactions_of(ExternalRequest, number)))


def _asked_places(evaluation: Evaluation) -> frozenset[Place]:
    requests = evaluation.interactions_of(ExternalRequest) if evaluation.interactions else ()
    return frozenset(map(_place, requests))


def _place(request: ExternalRequest) -> Place:
    return request.origin, request.method, request.path
