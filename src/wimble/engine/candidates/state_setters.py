"""Finds the state-setters of a test: earlier test cases that made what it needs to cover its targets.

The search runs its test cases one after the other on one SUT. So many solutions depend on the state at that time, and
cover less on a fresh SUT. Finding a fault's history takes many tries. Finding state-setters takes only one or two
starts, since the inputs of the calls name what the calls need. A call that reads a whole collection names nothing in
it; its state-setters are the latest test cases that wrote to that collection.

A test case may also need no more than to have run before: what it deletes is gone then, what it stores is there, and
what it reads is in a cache. Or it has to have run many times: then a stock is used up, or a limit is reached. That no
other test case needs to be known for it matters where a value was sent by so many that it identifies nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.fault_prefix import MAX_CALLS
from wimble.engine.candidates.joining import concatenated
from wimble.engine.candidates.producers import with_makers
from wimble.engine.faults.provenance_log import Provenance
from wimble.model.testcase import TestCase
from wimble.search.resources.resources import Resources

TWICE: Final = 2


def with_state_setters(resources: Resources, candidate: Candidate) -> Iterator[Candidate]:
    """Yields the same test case after those that made what it names, after itself, and after those that wrote to what
    it reads.

    Leaves out shapes with too many calls. Yields nothing if nothing is known of what ran before it.
    """
    if candidate.provenance is None:
        return
    made = with_makers(candidate.original, candidate.provenance, resources, by_name=True)
    if made is not None and len(made.calls) <= MAX_CALLS:
        yield _as(candidate, made)
    if most_times(candidate) >= TWICE:
        yield repeated(candidate, TWICE)
    written = _after_writers(candidate.original, candidate.provenance, resources)
    if written is not None:
        yield _as(candidate, written)


def most_times(candidate: Candidate) -> int:
    """Returns how often a test case may run as part of one test."""
    n_calls = len(candidate.original.calls)
    return MAX_CALLS // n_calls if n_calls and candidate.provenance is not None else 0


def repeated(candidate: Candidate, n_times: int) -> Candidate:
    """Returns the same test case so many times, one after the other."""
    return _as(candidate, concatenated([candidate.original] * n_times))


def _after_writers(last: TestCase, provenance: Provenance, resources: Resources) -> TestCase | None:
    """Returns `last` after the latest test cases that asked for a change of one of its collections.

    It takes as many as fit into `MAX_CALLS`, and returns None if there are none.
    """
    related = {
        other.id
        for call in last.calls
        for other in (*resources.below(call.operation), *resources.collection(call.operation))
        if not other.is_safe
    }
    room = MAX_CALLS - len(last.calls)
    writers: list[TestCase] = []
    for entry in reversed(provenance.log.entries[: provenance.length]):
        test_case = entry.test_case
        if any(call.operation.id in related for call in test_case.calls):
            room -= len(test_case.calls)
            if room < 0:
                break
            writers.append(test_case)
    return concatenated([*reversed(writers), last]) if writers else None


def _as(candidate: Candidate, test_case: TestCase) -> Candidate:
    return Candidate(test_case=test_case, fault_key=None, targets=candidate.targets, original=test_case)
