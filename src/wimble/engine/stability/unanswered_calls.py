"""Calls that were answered in the search, where sleeps are skipped, and have no answer in time when a test runs.

An input may say how long the program sleeps (`?delay=200000`). That is no fault, and a test that waits for such an
answer would only cost time.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from wimble.engine.stability.repeated_runs import Run
from wimble.engine.stability.verification import Verification
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import TestCase
from wimble.oracles.failures.no_answer import NO_ANSWER
from wimble.search.resources.references import reordered


def without_unanswered(verification: Verification, run: Run, again: Callable[[TestCase], Run]) -> Run | None:
    """Returns the run of a test, or, if the test was chosen for its coverage, one without the calls that had no answer
    although the search has found no such fault. None if nothing of what it is to cover is left.

    again: runs another test case in the same way.
    """
    unanswered = _unanswered(verification, run.evaluation)
    if run.candidate.fault_key is not None or not unanswered:
        return run
    answered = [number for number in range(len(run.test_case.calls)) if number not in unanswered]
    if not answered:
        return None
    other = again(reordered(run.test_case, answered))
    targets = run.candidate.shown_of(other.evaluation)
    if not targets or _unanswered(verification, other.evaluation):
        return None
    candidate = replace(run.candidate, test_case=other.test_case, original=other.test_case, targets=targets)
    return replace(other, candidate=candidate)


def _unanswered(verification: Verification, evaluation: Evaluation) -> set[int]:
    known = {fault.key for fault in verification.coordinator.faults}
    found = evaluation.findings
    return {one.call_index for one in found if one.oracle == NO_ANSWER.name and one.key not in known}
