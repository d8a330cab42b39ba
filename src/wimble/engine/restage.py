"""Finds what a test needs that covered something because of what earlier test cases had made, and puts that before it.

The search runs its test cases on one SUT, one after the other, so many solutions stand on the state of their time; on a fresh SUT they
cover less. Unlike a fault's history, which is found by trying, this takes one start: what the calls speak of tells who made it.

Bookshop, 10,000 calls, seed 1: of 539 targets that the search covered, the tests cover 510 instead of 494.
json-server, 5,000 calls, seed 1: 655 of 702 instead of 676, a loss whose cause is not known yet.
"""

from __future__ import annotations

from wimble.engine.candidates import Candidate
from wimble.engine.context import RunContext
from wimble.engine.provenance import with_makers
from wimble.engine.rebuild import MAX_CALLS
from wimble.model.testcase import TestCase
from wimble.types import TargetId


def restage(context: RunContext, candidate: Candidate) -> bool:
    """Puts makers before a test that is there for its coverage, where it covers more of its targets with them than without.

    The candidate's targets are then those that it does cover on a fresh SUT. False, and nothing changed, where nothing is gained: it is
    left as it is then, since what it covers by the way would be lost in a smaller one.
    """
    if candidate.background is None:
        return False
    made = with_makers(candidate.original, candidate.background, context.specification.operations, by_name=True)
    if made is None or len(made.calls) > MAX_CALLS:
        return False
    alone, with_them = (_shown(context, candidate, test_case) for test_case in (candidate.original, made))
    if len(with_them) <= len(alone):
        return False
    candidate.original = candidate.test_case = made
    candidate.targets = with_them
    return True


def _shown(context: RunContext, candidate: Candidate, test_case: TestCase) -> frozenset[TargetId]:
    context.make_fresh()
    evaluation, _ = context.evaluate(test_case, full=True)
    return candidate.shown_of(evaluation)
