"""The run of a candidate that shows what it has to show: of its smallest test case, or of one that it came from."""

from __future__ import annotations

from collections.abc import Callable

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.stability.repeated_runs import NOT_AGAIN, NOT_BEHIND, Run
from wimble.engine.stability.unanswered_calls import without_unanswered
from wimble.engine.stability.verification import Verification
from wimble.model.testcase import TestCase


def shapes_of(candidate: Candidate) -> list[TestCase]:
    """Returns the minimised test case, then the test cases that it came from."""
    shapes = [candidate.test_case]
    shapes += [shape for shape in (candidate.original, *candidate.shapes) if shape not in shapes]
    return shapes


def shown_run(verification: Verification, candidate: Candidate, run: Callable[[TestCase], Run]) -> Run | None:
    """Returns a run of the first of the candidate's shapes that shows its fault or covers its targets.

    If no shape shows the fault, the result is None, and that is noted. If no shape covers the targets, they need state
    that earlier tests had built up; the result is then the run of the last shape, which is still worth a test, but for
    calls that are answered in the search only.
    """
    last = None
    for shape in shapes_of(candidate):
        last = run(shape)
        if candidate.is_shown_by(last.evaluation):
            return without_unanswered(verification, last, run)
    if last is not None and candidate.fault_key is None:
        return without_unanswered(verification, last, run)
    verification.note_fault(candidate.fault_key, NOT_BEHIND if verification.starts.shares_start else NOT_AGAIN)
    return None
