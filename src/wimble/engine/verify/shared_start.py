"""Verification if a SUT starts too slowly for a start per test: the tests of a file share one start, in their order.

All candidates run once, one after the other. Then files are verified as they will run: from a fresh start, with all
tests in the same order, first in a rehearsal (rehearsals.py), and then until they are settled (settled_files.py). Some
tests turn out to hold a secret only then, since what is secret is learnt from answers; they count as left out, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.worth import by_worth_on_one_start
from wimble.engine.events import Event
from wimble.engine.session.notices import tests_were
from wimble.engine.session.phase_time import (
    VERIFIED_BY,
    VERIFIED_IN_ONE_FILE_BY,
    OutOfTime,
    PhaseLimit,
    limit_of_second_runs,
)
from wimble.engine.stability.expected_requests import expecting
from wimble.engine.stability.late_ends import may_end_later
from wimble.engine.stability.polluters import PolluterSearch
from wimble.engine.stability.repeated_runs import (
    Run,
    run_in_file,
    without_repeats,
)
from wimble.engine.stability.shown_runs import shown_run
from wimble.engine.stability.verification import Verification
from wimble.engine.verify.files_of_tests import TestFile
from wimble.engine.verify.lasting_traces import leave_traces
from wimble.engine.verify.rehearsals import as_rehearsed, has_time_to_rehearse, is_rehearsal, rehearsed_files
from wimble.engine.verify.secrets_in_tests import told_secrets, without_secrets
from wimble.engine.verify.settled_files import settle
from wimble.model.suite import VerifiedTest

SHARE_OF_STARTS = 0.4
"""Share of the time for the first runs that is kept for tests after which the SUT has to be started again, as after a
call without an answer, if there is no time for all: they come last, and each shows a fault."""


def verify_in_shared_starts(
    verification: Verification, candidates: Sequence[Candidate], limit: PhaseLimit, verified: list[VerifiedTest]
) -> Iterator[Event]:
    """Verifies the candidates, and appends tests to `verified`, file by file.

    The SUT must have been started just now.
    """
    coordinator = verification.coordinator
    order = _in_order(verification, candidates, limit)
    candidates = order.candidates
    shown: dict[int, Run | None] = {}
    search = PolluterSearch(
        verification.worker,
        candidates,
        lambda candidate: run_in_file(verification, candidate, candidate.test_case),
        may_look=lambda: not limit.is_reached,
    )
    yield from _first_pass(verification, order, limit, search, shown)
    if len(shown) < len(candidates):
        verification.warn(f"{tests_were(len(candidates) - len(shown))} not verified and so not written: {limit.reason}")

    def ends_later(run: Run) -> bool:
        return may_end_later(coordinator.faults, run.evaluation)

    chosen = [
        replace(run, candidate=replace(run.candidate, is_polluter=number in search.polluters or ends_later(run)))
        for number, run in shown.items()
        if run is not None
    ]
    chosen = without_secrets(verification, without_repeats(chosen))
    coordinator.stop.rearm()
    again = _limit_of_further_runs(verification)
    has_rehearsed = verification.starts.has_one_file and (
        is_rehearsal(list(shown.values()), chosen) or not has_time_to_rehearse(verification, chosen, again)
    )
    files = (as_rehearsed if has_rehearsed else rehearsed_files)(verification, chosen, again)
    n_untimely = len(chosen) - sum(len(file.trials) + file.n_secret for file in files.values())
    if n_untimely:
        verification.warn(f"{tests_were(n_untimely)} not run a second time and so not written: {limit.reason}")
    leave_traces(verification, chosen, limit)
    try:
        yield from settle(verification, files, again)
    finally:  # keeps what is verified if the SUT does not start again
        for file in files.values():
            file.leave_out_secrets(verification)
        verified += [test for file in files.values() for test in file.sure]
    _tell_what_was_left_out(verification, list(files.values()), len(chosen) - n_untimely, limit)


def _first_pass(
    verification: Verification, order: _Order, limit: PhaseLimit, search: PolluterSearch, shown: dict[int, Run | None]
) -> Iterator[Event]:
    """Runs the candidates, each on the SUT as those before it left it, and adds their runs to `shown`, by number.

    One that takes long comes after all others: its calls may make the program wait, each as long as dozens of others.
    """
    worker, candidates = verification.worker, order.candidates
    long = list[int]()
    number = 0

    def shown_by(candidate: Candidate, patience_s: float | None) -> Run | None:
        with worker.within(limit, patience_s=patience_s):
            run = shown_run(verification, candidate, partial(run_in_file, verification, candidate))
        return None if run is None else expecting(run)

    while number < len(candidates) and not limit.is_reached:
        if number < order.n_without_starts and limit.is_spent(order.share_without_starts):
            number = order.n_without_starts
        candidate = candidates[number]
        n_calls = len(candidate.test_case.calls)
        patience_s = None if candidate.ends_its_start else verification.coordinator.budget.patience_s(n_calls)
        try:
            shown[number] = shown_by(candidate, patience_s)
        except OutOfTime:
            long.append(number)
            number += 1
            continue
        number = search.next_after(number, shown[number])
        yield from verification.coordinator.notices.take_events()
        yield verification.coordinator.progress("verify", number / (2 * len(candidates)))
    with suppress(OutOfTime):
        for number in long:
            if limit.is_reached:
                break
            shown[number] = shown_by(candidates[number], None)


def _limit_of_further_runs(verification: Verification) -> PhaseLimit:
    coordinator = verification.coordinator
    until = VERIFIED_IN_ONE_FILE_BY if verification.starts.has_one_file else VERIFIED_BY
    return limit_of_second_runs(coordinator.budget, coordinator.stop, until=until)


def _tell_what_was_left_out(
    verification: Verification, files: Sequence[TestFile], n_chosen: int, limit: PhaseLimit
) -> None:
    n_unrepeated = 0
    if not verification.coordinator.stop.is_requested:
        n_unrepeated = sum(file.n_cut + (0 if file.was_run else len(file.trials)) for file in files)
    if n_unrepeated:
        verification.warn(f"{tests_were(n_unrepeated)} not run a second time and so not written: {limit.reason}")
    n_secret = sum(file.n_secret for file in files)
    if n_secret:
        verification.warn(told_secrets(n_secret))
    n_sure = sum(len(file.sure) for file in files)
    n_unsure = sum(len(file.verified) for file in files) - n_sure
    if n_unsure:
        verification.warn(
            f"{n_unsure} tests that ran after one that was left out were not run without it and so not written"
        )
    n_left_out = n_chosen - n_sure - n_unsure - n_secret - n_unrepeated
    if n_left_out > 0:
        verification.warn(f"{n_left_out} of {n_chosen} tests answered differently when repeated and were left out")


class _Order(NamedTuple):
    """The candidates as they are run first. Those without starts come first and end by that share of the time, unless
    there is time for all.
    """

    candidates: Sequence[Candidate]
    n_without_starts: int = 0
    share_without_starts: float = 1.0


def _in_order(verification: Verification, candidates: Sequence[Candidate], limit: PhaseLimit) -> _Order:
    """Returns the candidates in their order, or by worth if there is no time for all of them.

    In their order, which is that of the search, many find what those before them have made.
    """
    budget = verification.coordinator.budget
    n_calls = sum(len(one.test_case.calls) for one in candidates)
    n_starts = sum(one.ends_its_start for one in candidates)
    starting_s = n_starts * verification.worker.next_start_s
    if limit.allows(budget.cold_calls_s(n_calls) + starting_s, 1.0):
        return _Order(candidates)
    by_worth = [candidates[number] for number in by_worth_on_one_start(candidates)]
    if not n_starts:
        return _Order(by_worth)
    kept = min(SHARE_OF_STARTS, limit.share_of(starting_s))
    return _Order(by_worth, len(candidates) - n_starts, 1.0 - kept)
