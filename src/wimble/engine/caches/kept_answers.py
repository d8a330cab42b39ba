"""The phase that looks for answers which the SUT keeps after a creation.

A program may fill what it keeps at the first read since its start, and the search has long read all there is. So the
phase begins with a fresh start, on which each creation runs between two reads. Those whose second read does not ask
the database (`oracles/databases/kept_answer.py`) are looked at closely, with four starts for each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterator, Sequence
from typing import Final, NamedTuple

from wimble.databases.asked_tables import asked_tables
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.candidates.suite_databases import has_all_put_back
from wimble.engine.events import Event, PhaseStarted
from wimble.engine.faults.shown_faults import NOTHING_SHOWN, ShownFaults
from wimble.engine.races.race_cases import reads_after, tells_of_state, with_one_call
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.phase_time import RACES_BY, PhaseLimit
from wimble.engine.verify.late_tests import LateTests
from wimble.engine.worker.found_findings import note_finding
from wimble.engine.worker.worker import Worker
from wimble.errors import TargetError
from wimble.model.evaluation import Evaluation
from wimble.model.run_conditions import later_conditions
from wimble.model.suite import VerifiedTest
from wimble.model.testcase import Call, TestCase
from wimble.oracles.databases.kept_answer import (
    finding_of,
    is_meant_to_be_old,
    keeps_answers,
    may_be_kept,
    shown_difference,
)
from wimble.oracles.databases.stale_answer import NAME
from wimble.search.resources.references import inserted

MAX_CASES: Final = 60
MAX_CLOSE_LOOKS: Final = 6
"""Maximum number of cases that are looked at closely."""
N_RUNS: Final = 2
"""Number of runs with the read before the creation, and of those without it."""
SHARE: Final = 0.3
"""Share of the time that is left until the end of the phases about races."""


class Case(NamedTuple):
    creating: TestCase
    """Its last call creates something."""
    read: Call

    def after(self) -> TestCase:
        return with_one_call(self.creating, (self.read,))

    def between(self) -> TestCase:
        """Returns the test case with the read before the creation, too."""
        longer = inserted(self.creating, len(self.creating.calls) - 1, (self.read,))
        return with_one_call(longer, (self.read,))


def run_kept_answers(
    coordinator: Coordinator, worker: Worker, tests: Sequence[VerifiedTest], starts: StartPolicy
) -> Generator[Event, None, ShownFaults]:
    """Adds the kept answers that it finds to the faults, and returns their tests.

    tests: the suite.
    """
    settings = coordinator.settings
    if not settings.command or not has_all_put_back(worker.sut.databases):
        return NOTHING_SHOWN
    if any(map(keeps_answers, coordinator.runtime.projects.used_packages(settings.working_dir))):
        return NOTHING_SHOWN
    cases = list(cases_of(coordinator, tests))[:MAX_CASES]
    if not cases:
        return NOTHING_SHOWN
    yield PhaseStarted(phase="caches", n_steps=len(cases))
    worker.sut.live_under(later_conditions(settings))
    limit = PhaseLimit(coordinator.budget, coordinator.stop, until=RACES_BY, share=SHARE)
    late = LateTests(coordinator, worker, starts)
    look = _CloseLook(coordinator, worker, late)
    try:
        if limit.has_left(worker.start_s * (1 + 2 * N_RUNS)):
            for case in _suspicious(worker, cases, limit)[:MAX_CLOSE_LOOKS]:
                if not limit.is_reached:
                    yield from look.at(case)
    except TargetError as error:
        coordinator.notices.warn(f"looking for answers that are kept ended early: {error.what}")
    yield from coordinator.notices.take_events()
    return ShownFaults(late.notes, late.tests)


def cases_of(coordinator: Coordinator, tests: Sequence[VerifiedTest]) -> Iterator[Case]:
    """Yields each operation that creates, as its shortest test does, with reads of what it may have changed.

    Reads that are known to be stale after changes are left out.
    """
    described = coordinator.specification
    stale = {fault.finding.operation for fault in coordinator.faults if fault.finding.oracle == NAME}
    reads = [one for one in described.operations if tells_of_state(one, described.routes) and one.id not in stale]
    for operation in described.operations:
        if operation.is_safe or operation.effect not in ("create", "other"):
            continue
        found = [one for test in tests if (one := test.beginning(operation)) is not None]
        if found:
            creating = min(found, key=lambda one: (len(one.calls), len(one.setup)))
            yield from (Case(creating, read) for read in reads_after(creating.calls[-1], reads))


def _suspicious(worker: Worker, cases: Sequence[Case], limit: PhaseLimit) -> list[Case]:
    """Returns the cases whose second read may be answered by what is kept; all run on one start.

    What was read on it before may be kept already, so it counts what a read has ever asked for. Each read comes at
    most once.
    """
    worker.make_fresh(entirely=True)
    asked: defaultdict[str, set[str]] = defaultdict(set)
    found: dict[str, Case] = {}
    for case in cases:
        if limit.is_reached:
            break
        between = worker.evaluate(case.between())
        for call, observation in zip(between.test_case.calls, between.observations, strict=False):
            asked[call.operation.id] |= asked_tables(between, observation.call_index)
        if may_be_kept(between, asked[case.read.operation.id]):
            found.setdefault(case.read.operation.id, case)
    return list(found.values())


class _CloseLook:
    """Runs cases on fresh starts."""

    def __init__(self, coordinator: Coordinator, worker: Worker, late: LateTests) -> None:
        self._coordinator = coordinator
        self._worker = worker
        self._late = late

    def at(self, case: Case) -> Iterator[Event]:
        between = self._run(case.between())
        if not may_be_kept(between):
            return
        after = self._run(case.after(), full=True)
        if is_meant_to_be_old(between, *self._own_and_shared_files(after)):
            return
        runs_after = [after, *(self._run(case.after()) for _ in range(N_RUNS - 1))]
        runs_between = [between, *(self._run(case.between()) for _ in range(N_RUNS - 1))]
        difference = shown_difference(runs_after, runs_between)
        if difference and all(map(may_be_kept, runs_between)):
            finding = finding_of(between, difference)
            yield from note_finding(self._coordinator, self._worker, between, finding)
            self._late.make(between.test_case, finding, may_be_kept)

    def _own_and_shared_files(self, after: Evaluation) -> tuple[list[str], list[str]]:
        """Returns the files whose code the last call was the first to run, and the others."""
        last = len(after.test_case.calls) - 1
        own: set[str] = set()
        shared: set[str] = set()
        for target in after.covered():
            file = self._coordinator.table[target].file
            (own if after.reached[target].call == last else shared).add(file)
        return sorted(own - {""}), sorted(shared - own - {""})

    def _run(self, test_case: TestCase, *, full: bool = False) -> Evaluation:
        self._worker.make_fresh(entirely=True)
        return self._worker.evaluate(test_case, full=full)
