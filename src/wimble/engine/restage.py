"""Finds what a test needs that covered something because of what earlier test cases had made, and puts that before it.

The search runs its test cases on one SUT, one after the other, so many solutions stand on the state of their time; on a fresh SUT they
cover less. Unlike a fault's history, which is found by trying, this takes one start: what the calls speak of tells who made it.
"""

from __future__ import annotations

from wimble.engine.candidates import Candidate
from wimble.engine.context import RunContext
from wimble.engine.provenance import with_makers
from wimble.engine.rebuild import MAX_CALLS


def restaged(context: RunContext, candidate: Candidate) -> Candidate | None:
    """A further candidate: the same test case behind those that made what it speaks of; None where nobody did, or too many."""
    if candidate.background is None:
        return None
    made = with_makers(candidate.original, candidate.background, context.specification.operations, by_name=True)
    if made is None or len(made.calls) > MAX_CALLS:
        return None
    return Candidate(test_case=made, fault_key=None, targets=candidate.targets, original=made)
