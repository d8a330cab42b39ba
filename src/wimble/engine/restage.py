"""Finds what a test needs that covered something because of what earlier test cases had made, and puts that before it.

The search runs its test cases on one SUT, one after the other, so many solutions stand on the state of their time; on a fresh SUT they
cover less. Unlike a fault's history, which is found by trying, this takes a start or two: what the calls speak of tells who made it. A call
that reads a whole collection speaks of nothing in it; there whatever was written to that collection last may be what it found.
"""

from __future__ import annotations

from collections.abc import Iterator

from wimble.engine.candidates import Candidate
from wimble.engine.context import RunContext
from wimble.engine.joining import concatenated
from wimble.engine.ledger import Background
from wimble.engine.provenance import with_makers
from wimble.engine.rebuild import MAX_CALLS
from wimble.model.testcase import TestCase
from wimble.search.resources import Resources


def restaged(context: RunContext, candidate: Candidate) -> Iterator[Candidate]:
    """Further candidates: the same test case behind those that made what it speaks of, and behind those that wrote to what it reads; none
    where nobody did, or too many."""
    if candidate.background is None:
        return
    made = with_makers(candidate.original, candidate.background, context.resources, by_name=True)
    if made is not None and len(made.calls) <= MAX_CALLS:
        yield _as(candidate, made)
    written = _behind_writers(candidate.original, candidate.background, context.resources)
    if written is not None:
        yield _as(candidate, written)


def _behind_writers(last: TestCase, background: Background, resources: Resources) -> TestCase | None:
    """`last` behind the latest test cases that asked for a change of one of its collections, as many as there is room for."""
    related = {
        other.id
        for call in last.calls
        for other in (*resources.below(call.operation), *resources.collection(call.operation))
        if not other.is_safe
    }
    room = MAX_CALLS - len(last.calls)
    writers: list[TestCase] = []
    for entry in reversed(background.ledger.entries[: background.length]):
        test_case = entry.test_case
        if any(call.operation.id in related for call in test_case.calls):
            room -= len(test_case.calls)
            if room < 0:
                break
            writers.append(test_case)
    return concatenated([*reversed(writers), last]) if writers else None


def _as(candidate: Candidate, test_case: TestCase) -> Candidate:
    return Candidate(test_case=test_case, fault_key=None, targets=candidate.targets, original=test_case)
