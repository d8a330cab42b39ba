"""The phase that looks for races: for each operation that changes something, two calls are sent at once.

It comes after the search, since it needs test cases in which an operation succeeds, and since its runs cannot be
repeated exactly: which call comes first is up to the SUT. So a race counts only if most of its runs show it. Calls in
turn may show a fault that the search has not found; it has a test as other faults have.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import partial
from itertools import islice
from typing import Final

from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.events import Event, PhaseStarted
from wimble.engine.faults.shown_faults import NOTHING_SHOWN, ShownFaults
from wimble.engine.races.other_inputs import iter_with_other_inputs
from wimble.engine.races.pairs_of_calls import CallPair, pairs_of_calls
from wimble.engine.races.race_probe import RaceProbe, has_finding
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.phase_time import LEAST_SHARE_OF_RACES, RACES_BY, PhaseLimit
from wimble.engine.verify.late_tests import LateTests
from wimble.engine.worker.worker import Worker
from wimble.errors import TargetError
from wimble.model.run_conditions import later_conditions
from wimble.model.suite import VerifiedTest
from wimble.oracles.databases.at_once import NAME as RACE

NO_TEST: Final = "a test cannot determine which of two calls comes first"
NO_TIME: Final = "it was seen after the tests were made, and there was no time for one"
MAX_CASES: Final = 40
"""Maximum number of test cases that are run with two calls at once."""
MAX_OTHERS: Final = 6
MAX_OTHERS_AFRESH: Final = 2
"""Maximum number of other second calls that are tried for one test case, on the present start and on starts of their
own."""


def run_races(
    coordinator: Coordinator, worker: Worker, tests: Sequence[VerifiedTest], starts: StartPolicy
) -> Generator[Event, None, ShownFaults]:
    """Adds the races that it finds to the faults, and what calls in turn have shown; returns tests, and why there is
    none.

    tests: the suite.
    """
    settings = coordinator.settings
    cases = list(pairs_of_calls(coordinator, tests))[:MAX_CASES] if settings.command and settings.uses("races") else []
    if not cases:
        return NOTHING_SHOWN
    yield PhaseStarted(phase="races", n_steps=len(cases))
    worker.sut.live_under(later_conditions(settings))
    late = LateTests(coordinator, worker, starts)
    try:
        worker.start_if_lost()  # before the limit, which a start might use up
        limit = PhaseLimit(coordinator.budget, coordinator.stop, until=RACES_BY, least=LEAST_SHARE_OF_RACES)
        probe = RaceProbe(coordinator, worker, starts, limit)
        left = yield from _look_at_all(probe, cases, tests)
        if left:
            coordinator.notices.warn(_told_left(len(left), len(cases), probe))
        for test_case in probe.with_limited_places():
            if not limit.is_reached and (last_place := probe.at_last_place(test_case)) is not None:
                yield from probe.look_at(last_place, last_place.calls[-1])
        for test_case, finding in probe.failing_in_turn:
            if limit.is_reached:
                late.notes[finding.key] = NO_TIME
            else:
                late.make(test_case, finding, partial(has_finding, finding))
    except TargetError as error:
        coordinator.notices.warn(f"looking for races ended early: {error.what}")
    yield from coordinator.notices.take_events()
    races = {fault.key: NO_TEST for fault in coordinator.faults if fault.finding.oracle == RACE}
    return ShownFaults({**late.notes, **races}, late.tests)


def _look_at_all(
    probe: RaceProbe, cases: Sequence[CallPair], tests: Sequence[VerifiedTest]
) -> Generator[Event, None, list[CallPair]]:
    """Looks at all cases, first without starts of the SUT where that may do; returns those that are not decided."""
    left = list(cases)
    if probe.begin_in_place():
        left = yield from _looked_at(probe, left, tests)
    if left and probe.begin_afresh(left):
        left = yield from _looked_at(probe, left, tests)
    return left


def _looked_at(
    probe: RaceProbe, cases: Sequence[CallPair], tests: Sequence[VerifiedTest]
) -> Generator[Event, None, list[CallPair]]:
    """Looks at cases, the most promising ones first; returns those that are not decided."""
    cases = sorted(cases, key=lambda case: case.is_spare or not probe.is_promising(case))
    left: list[CallPair] = []
    for number, case in enumerate(cases):
        if probe.limit.is_reached:
            return [*left, *cases[number:]]
        if not probe.is_vain(case) and not (yield from probe.look_at(case.test_case, case.second)):
            left.append(case)
        if probe.takes_one_twice:
            yield from _looked_at_others(probe, case, tests)
        yield probe.progress((number + 1) / len(cases))
    return left


def _looked_at_others(probe: RaceProbe, case: CallPair, tests: Sequence[VerifiedTest]) -> Generator[Event, None, None]:
    """Looks at a case with other second calls, until one shows a race."""
    others = iter_with_other_inputs(case.test_case, case.second, tests)
    for other in islice(others, MAX_OTHERS if probe.is_in_place else MAX_OTHERS_AFRESH):
        if probe.limit.is_reached or case.second.operation.id in probe.found_in:
            return
        yield from probe.look_at(other.test_case, other.second)


def _told_left(n_left: int, n_cases: int, probe: RaceProbe) -> str:
    told = f"looked for in {n_cases - n_left} of {n_cases} test cases" if n_left < n_cases else "not looked for"
    return f"races were {told}: {probe.limit.reason}{probe.told_start()}"
