"""Finds tests of a library that change what others return: `locale('de')` sets what stays set in the process.

Nothing is reset between tests of a library. The chosen test cases run in their order, and in reverse on another start.
Those that return something else then are asked again and again: after each other test case, on a start that nothing
has changed so far. What makes one of them differ changes a setting. Its calls count as calls that change something from
then on, as those of an API do: whatever runs after them has a fresh start. Test cases with functions that the search
saw to change something are known before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.phase_time import PhaseLimit
from wimble.engine.stability.lasting_changes import functions_of
from wimble.engine.stability.state_dependence import told_apart
from wimble.engine.worker.worker import Worker
from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation
from wimble.model.run_conditions import AS_TESTS_RUN, trial_conditions
from wimble.model.testcase import TestCase
from wimble.oracles.failures.crashes import DIED

MAX_PROBES: Final = 6
"""Number of test cases that are asked again after each other one."""
MAX_ROUNDS: Final = 4
"""How often probes are chosen: one that changes a setting may hide another one."""
CHANGED_BY: Final = 0.15
"""Share of the time after the search by which this ends."""


class Probe(NamedTuple):
    """A test case, by its number, that returns something else after others."""

    number: int
    usual: Sequence[Evaluation]
    """Its runs on a start that nothing has changed."""


class ProbedRuns(NamedTuple):
    """How test cases are run, by their numbers."""

    run: Callable[[int], Evaluation | None]
    """Runs a test case on the SUT as it is; None if the SUT was lost, or if chance plays a part."""
    restart: Callable[[], None]
    may_go_on: Callable[[], bool]
    """Whether there is time for more runs."""


def with_marked_changes(coordinator: Coordinator, worker: Worker, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Returns the candidates; those that change what others return come last, and are marked."""
    limit = PhaseLimit(coordinator.budget, coordinator.stop, until=CHANGED_BY)

    def run(number: int) -> Evaluation | None:
        worker.start_if_lost()
        evaluation = worker.evaluate(candidates[number].test_case)
        is_certain = not (evaluation.is_sut_lost or evaluation.has_hung or evaluation.n_random_values)
        return evaluation if is_certain else None

    seen = coordinator.changing_functions
    changing = {
        number for number, one in enumerate(candidates) if seen and not seen.isdisjoint(functions_of(one.test_case))
    }
    about = [number for number, one in enumerate(candidates) if not _takes_long(one) and number not in changing]
    worker.sut.live_under(AS_TESTS_RUN)
    try:
        changing |= changing_numbers(about, ProbedRuns(run, worker.restart, lambda: not limit.is_reached))
    finally:
        worker.sut.live_under(trial_conditions(coordinator.settings))
    worker.restart()
    known: dict[Operation, Operation] = {}
    return [
        *(one for number, one in enumerate(candidates) if number not in changing),
        *(_marked(candidates[number], known) for number in sorted(changing)),
    ]


def changing_numbers(numbers: Sequence[int], runs: ProbedRuns) -> set[int]:
    """Returns the test cases after which others return something else."""
    changing: set[int] = set()
    for _ in range(MAX_ROUNDS):
        others = [number for number in numbers if number not in changing]
        found = set(_after_which_probes_differ(others, _probes(others, runs), runs))
        if not found:
            break
        changing |= found
    return changing


def _probes(numbers: Sequence[int], runs: ProbedRuns) -> list[Probe]:
    """Returns test cases that return something else in another order, but the same on a fresh start, twice."""
    one_way, back = _runs_of(numbers, runs), _runs_of(numbers[::-1], runs)[::-1]
    probes: list[Probe] = []
    for number, first, other in zip(numbers, one_way, back, strict=True):
        if len(probes) >= MAX_PROBES or not runs.may_go_on():
            break
        if first is None or other is None or not _differs([first], other):
            continue
        runs.restart()
        usual = [one for one in (runs.run(number), runs.run(number)) if one is not None]
        if len(usual) > 1 and not _differs(usual[:1], usual[1]):
            probes.append(Probe(number, usual))
    return probes


def _runs_of(numbers: Sequence[int], runs: ProbedRuns) -> list[Evaluation | None]:
    runs.restart()
    return [runs.run(number) if runs.may_go_on() else None for number in numbers]


def _after_which_probes_differ(numbers: Sequence[int], probes: Sequence[Probe], runs: ProbedRuns) -> list[int]:
    found: list[int] = []
    left = list(probes)
    runs.restart()
    for number in numbers:
        if not (left and runs.may_go_on()):
            break
        runs.run(number)
        if len(_as_usual(left, runs)) < len(left):
            runs.restart()
            left = _as_usual(left, runs)  # others depend on the time, or on how often they were asked
            runs.run(number)
            if len(_as_usual(left, runs)) < len(left):
                found.append(number)
                runs.restart()
    return found


def _as_usual(probes: Sequence[Probe], runs: ProbedRuns) -> list[Probe]:
    """Returns the probes that return the same as on a start that nothing has changed."""
    return [probe for probe in probes if not _differs(probe.usual, runs.run(probe.number))]


def _differs(usual: Sequence[Evaluation], other: Evaluation | None) -> bool:
    if other is None:
        return False
    observations = zip(*(one.observations for one in usual), strict=True)
    return any(told_apart(of_call, again) for of_call, again in zip(observations, other.observations, strict=True))


def _takes_long(candidate: Candidate) -> bool:
    return candidate.ends_its_start or (candidate.fault_key is not None and candidate.fault_key[0] == DIED)


def _marked(candidate: Candidate, known: dict[Operation, Operation]) -> Candidate:
    """Returns the candidate with calls that count as changing something.

    known: operations of which there are such already. One operation has one, since they are compared by identity.
    """

    def changing(operation: Operation) -> Operation:
        return known.setdefault(operation, replace(operation, is_safe=False))

    def marked(test_case: TestCase) -> TestCase:
        return replace(
            test_case, calls=tuple(replace(call, operation=changing(call.operation)) for call in test_case.calls)
        )

    return replace(
        candidate,
        test_case=marked(candidate.test_case),
        original=marked(candidate.original),
        core=None if candidate.core is None else marked(candidate.core),
        witnesses=tuple(
            replace(one, evaluation=replace(one.evaluation, test_case=marked(one.evaluation.test_case)))
            for one in candidate.witnesses
        ),
        is_polluter=True,
    )
