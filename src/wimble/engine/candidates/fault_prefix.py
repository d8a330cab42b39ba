"""Finds the earlier test cases that a fault needs if its own calls alone do not show it on a fresh SUT."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.joining import concatenated
from wimble.engine.candidates.needed_steps import find_needed
from wimble.engine.candidates.producers import with_provenance
from wimble.engine.candidates.trials import Trials
from wimble.engine.faults.fault_book import Witness
from wimble.engine.session.phase_time import PhaseLimit
from wimble.model.testcase import TestCase
from wimble.search.resources.resources import Resources

MAX_RESTARTS = 80
"""Maximum number of fresh starts per fault. A doubling suffix takes 9 for 256 test cases; finding 4 of 70 takes about
50.
"""
MAX_RESTARTS_OF_ALL = 200
"""Maximum number of these starts in a run: for many faults that need much state they would take most of an hour."""
MAX_REBUILDS = 2
"""Number of witnesses of a fault whose history is tried if none of them shows the fault alone."""
MAX_HUNG = 20
"""Number of evaluations, for one fault, that may wait for an answer that does not come."""
MAX_CALLS = 40
"""Maximum number of calls of a rebuilt test before it is minimised: nobody would read a longer test."""


class Rebuilt(NamedTuple):
    """A test case that shows the fault on a fresh SUT."""

    test_case: TestCase
    needs_all_calls: bool = False
    """Whether it was found out that none of its calls can be left out."""


def rebuilt(fault: Candidate, rebuild: Callable[[Candidate, Witness], Rebuilt | None]) -> Candidate | None:
    """Returns the fault with the first test case that is rebuilt from one of its witnesses and shows it, or None."""
    # A short history takes fewer starts. A history that was cut (HISTORY_LENGTH) may lack its beginning.
    witnesses = sorted(fault.witnesses, key=lambda one: (one.provenance.length, len(one.history)))
    for witness in witnesses[:MAX_REBUILDS]:
        found = rebuild(fault, witness)
        if found is not None:
            test_case = found.test_case
            return replace(fault, original=test_case, test_case=test_case, needs_all_calls=found.needs_all_calls)
    return None


def rebuild_by_provenance(
    trials: Trials, resources: Resources, candidate: Candidate, witness: Witness
) -> Rebuilt | None:
    """Returns the fault's calls after the calls that made the resources that they name.

    Returns None if that does not show the fault.
    """
    tried: list[TestCase] = []
    for under_any_name in (False, True):
        made = with_provenance(witness, resources, under_any_name=under_any_name)
        if made is not None and made not in tried and len(made.calls) <= MAX_CALLS:
            tried.append(made)
            if trials.shows_fresh(candidate, made):
                return Rebuilt(made)
    return None


def rebuild_from_history(trials: Trials, candidate: Candidate, witness: Witness, limit: PhaseLimit) -> Rebuilt | None:
    """Returns the fault's calls after the fewest earlier test cases with which they show it; None if none do."""
    needed = _after_needed(trials, candidate, witness, limit)
    if needed is not None:
        return needed
    suffix = _after_least_suffix(trials, candidate, witness, limit)
    return None if suffix is None else Rebuilt(suffix)


def _after_needed(trials: Trials, candidate: Candidate, witness: Witness, limit: PhaseLimit) -> Rebuilt | None:
    earlier, last = witness.likely, witness.evaluation.test_case
    most_hung = trials.n_hung + MAX_HUNG

    def after(numbers: Sequence[int]) -> TestCase:
        return concatenated([*(earlier[number] for number in numbers), last])

    needed = find_needed(
        len(earlier),
        start=trials.start_for_rebuilding,
        shows_after=lambda numbers: trials.shows(candidate, after(numbers)),
        should_stop=lambda: (
            limit.is_reached or trials.n_hung >= most_hung or trials.n_rebuilding >= MAX_RESTARTS_OF_ALL
        ),
        is_costly=candidate.linger_s > 0,  # late errors are waited for after each run, and others end the SUT
    )
    joined = None if needed is None else after(needed)
    if needed is None or joined is None or len(joined.calls) > MAX_CALLS:
        return None
    # Each of the test cases is needed, and so is each call if they have one each.
    return Rebuilt(joined, needs_all_calls=len(joined.calls) == len(needed) + 1)


def _after_least_suffix(trials: Trials, candidate: Candidate, witness: Witness, limit: PhaseLimit) -> TestCase | None:
    restarts = 0
    most_hung = trials.n_hung + MAX_HUNG
    last = witness.evaluation.test_case

    def is_shown_after(earlier: Sequence[TestCase]) -> bool:
        nonlocal restarts
        if trials.n_rebuilding >= MAX_RESTARTS_OF_ALL:
            return False
        restarts += 1
        trials.start_for_rebuilding()
        for test_case in earlier:
            if trials.n_hung >= most_hung or limit.is_reached:
                return False
            trials.prepare(test_case)
        return trials.shows(candidate, last)

    needed = _shortest_suffix(witness.likely, is_shown_after, limit)
    if needed is None and len(witness.likely) < len(witness.history) and not limit.is_reached:
        needed = _shortest_suffix(witness.history, is_shown_after, limit)
    if needed is None:
        return None
    # Delta debugging: leaves out halves, quarters and so on.
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
    """Returns the shortest suffix of length 1, 2, 4, ... that shows the fault; None if the whole history does not."""
    if not history or not is_shown_after(history):
        return None
    length = 1
    while not limit.is_reached:
        suffix = list(history[-length:])
        if length >= len(history) or is_shown_after(suffix):
            return suffix
        length *= 2
    return None
