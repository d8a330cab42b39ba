"""Finds the earlier test cases that a fault needs, when its own calls alone do not show it on a fresh SUT."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wimble.engine.candidates import Candidate, is_shown, make_fresh_for
from wimble.engine.context import RunContext
from wimble.engine.faults import Witness
from wimble.engine.joining import concatenated
from wimble.engine.limits import PhaseLimit
from wimble.engine.provenance import with_provenance
from wimble.model.testcase import TestCase

MAX_RESTARTS = 80
"""Fresh starts per fault: a doubling suffix takes 9 for 256 test cases, finding 4 needed ones among 70 some 50."""
MAX_CALLS = 40
"""Calls of a rebuilt test before it is made smaller; with more, little is gained by a test that nobody reads."""


def rebuild_by_provenance(context: RunContext, candidate: Candidate, witness: Witness) -> TestCase | None:
    """The fault's calls behind those that made what they speak of; None where that does not bring it about."""
    tried: list[TestCase] = []
    for under_any_name in (False, True):
        made = with_provenance(witness, context.resources, under_any_name=under_any_name)
        if made is not None and made not in tried and len(made.calls) <= MAX_CALLS:
            tried.append(made)
            make_fresh_for(context, candidate, made)
            if is_shown(context, candidate, made):
                return made
    return None


def rebuild_from_history(
    context: RunContext, candidate: Candidate, witness: Witness, limit: PhaseLimit
) -> TestCase | None:
    """The fault's calls with the fewest earlier test cases before them that bring it about; None where none do."""
    restarts = 0
    last = witness.evaluation.test_case

    def is_shown_after(earlier: Sequence[TestCase]) -> bool:
        nonlocal restarts
        restarts += 1
        context.make_fresh(entirely=True)
        for test_case in earlier:
            context.evaluate(test_case)
        return is_shown(context, candidate, last)

    needed = _shortest_suffix(witness.likely, is_shown_after, limit)
    if needed is None and len(witness.likely) < len(witness.history):
        needed = _shortest_suffix(witness.history, is_shown_after, limit)
    if needed is None:
        return None
    chunk = len(needed) // 2
    while chunk and restarts < MAX_RESTARTS and not limit.is_reached:
        start = 0
        while start < len(needed) and restarts < MAX_RESTARTS:
            without = needed[:start] + needed[start + chunk :]
            if len(without) < len(needed) and is_shown_after(without):
                needed = without
            else:
                start += chunk
        chunk //= 2
    joined = concatenated([*needed, last])
    return joined if len(joined.calls) <= MAX_CALLS else None


def _shortest_suffix(
    history: Sequence[TestCase], is_shown_after: Callable[[Sequence[TestCase]], bool], limit: PhaseLimit
) -> list[TestCase] | None:
    length = 1
    while history and not limit.is_reached:
        suffix = list(history[-length:])
        if is_shown_after(suffix):
            return suffix
        if length >= len(history):
            return None
        length *= 2
    return None
