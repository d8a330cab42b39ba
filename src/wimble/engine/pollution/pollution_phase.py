"""The phase that calls functions with arguments that lead to the prototype of all objects.

The search itself comes by such names only if the program compares with them. What is found becomes a fault like those
of the search, and is minimised and verified with them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Generator, Iterator, Sequence
from typing import Final

import msgspec

from wimble.engine.events import Event, PhaseStarted
from wimble.engine.faults.hanging_functions import hanging_functions
from wimble.engine.faults.shown_faults import cause_in
from wimble.engine.pollution.poisoned_arguments import iter_poisoned
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.phase_time import POLLUTION_BY, PhaseLimit
from wimble.engine.worker.found_findings import note_finding
from wimble.engine.worker.worker import Worker
from wimble.errors import TargetError
from wimble.genes import AnyGene, Gene, OptionalGene
from wimble.library.function_binding import FunctionBinding, function_of
from wimble.library.invocation import exchange_of_function, invocation_of
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.oracles.libraries.library_faults import POLLUTION
from wimble.oracles.oracle import NO_CAUSE
from wimble.types import Json, OperationId, TargetId

SHARE: Final = 0.25
"""Calls of this phase, of those that the search has made; LEAST_CALLS and MAX_CALLS at the ends."""
LEAST_CALLS: Final = 300
MAX_CALLS: Final = 1_500
MAX_BLOCKED: Final = 3
"""Calls of one function that may not return, or end the process later: each costs a start, and perhaps its time-out."""
_WRITERS: Final = tuple(
    re.compile(names, re.IGNORECASE)
    for names in (
        r"set|merg|deep|extend|assign|defaults|mixin|pars|flatten|nest|path|zip",
        r"put|mix|default|clon|copy|load|decod|read|expand|updat|appl|overrid|config|inherit|ensure|prop|add|import|patch",
        r"",
    )
)
"""Names of functions that set members by names that they are given, likeliest first; then all others."""
FEW_OPERATIONS: Final = 12
"""Of a library with so few functions, all have their turn at the same time."""


class Polluting(msgspec.Struct, frozen=True):
    """A call that has changed a prototype."""

    finding: Finding
    covered: frozenset[TargetId]
    """The statements that it has run."""


def run_pollution(coordinator: Coordinator, worker: Worker) -> Generator[Event, None, None]:
    """Adds the faults that were found to those of the search."""
    yield PhaseStarted(phase="pollution")
    operations = [one for one in coordinator.specification.operations if not function_of(one).is_internal]
    n_made = sum(coordinator.statistics.calls_of(one.id) for one in operations)
    left = max(LEAST_CALLS, min(MAX_CALLS, int(SHARE * n_made)))
    found: list[Polluting] = []
    limit = PhaseLimit(coordinator.budget, coordinator.stop, until=POLLUTION_BY)
    try:
        for trial in _in_turns(operations, _known_calls(coordinator), hanging_functions(coordinator.faults)):
            for test_case in trial:
                if left <= 0 or limit.is_reached:
                    return
                left -= 1
                evaluation = worker.evaluate(test_case, full=True)
                polluting = _polluting(coordinator, evaluation)
                trial.note(evaluation, is_found=polluting is not None)
                if polluting is not None:
                    yield from _noted(coordinator, worker, evaluation, polluting, found)
                break
    except TargetError as error:
        coordinator.notices.warn(f"looking for changed prototypes ended early: {error.what}")


class _Trial:
    """The calls of one function that are still to be made."""

    def __init__(self, operation: Operation, known: Sequence[Call], *, is_hanging: bool) -> None:
        """is_hanging: whether a call of the function has not returned before. One more says nothing new."""
        self._operation = operation
        self._known = known
        binding = function_of(operation)
        self._waiting = iter_poisoned(binding.parameters, [invocation_of(one).arguments for one in known])
        self._n_blocked = MAX_BLOCKED - 1 if is_hanging else 0
        self.is_over = False

    def __iter__(self) -> Iterator[TestCase]:
        for arguments in self._waiting:
            call = _call_with(self._operation, arguments, self._known)
            if call is not None:
                yield TestCase((call,))
        self.is_over = True

    def note(self, evaluation: Evaluation, *, is_found: bool) -> None:
        failure = exchange_of_function(evaluation.observations[0]).failure
        self._n_blocked += failure is not None or evaluation.is_sut_lost
        # One way is enough: the others are mended with it.
        self.is_over = is_found or self._n_blocked >= MAX_BLOCKED


def _in_turns(
    operations: Sequence[Operation], known: dict[OperationId, list[Call]], hanging: Collection[OperationId]
) -> Iterator[_Trial]:
    """Yields functions, each again and again until all of its calls were made; first those whose names tell of it."""
    left = list(operations)
    for names in _WRITERS if len(operations) > FEW_OPERATIONS else _WRITERS[-1:]:
        trials = [
            _Trial(one, known.get(one.id, []), is_hanging=one.id in hanging)
            for one in left
            if names.search(_own_name(one))
        ]
        left = [one for one in left if not names.search(_own_name(one))]
        while trials:
            yield from trials
            trials = [one for one in trials if not one.is_over]


def _own_name(operation: Operation) -> str:
    binding = function_of(operation)
    return binding.own_name or binding.package


def _known_calls(coordinator: Coordinator) -> dict[OperationId, list[Call]]:
    """Returns the calls of each function that returned and are worth keeping, those with most arguments first."""
    known: dict[OperationId, list[Call]] = {}
    for test_case in coordinator.strategy.archive.iter_solutions():
        if len(test_case.calls) == 1:
            known.setdefault(test_case.calls[0].operation.id, []).append(test_case.calls[0])
    for calls in known.values():
        calls.sort(key=lambda one: (-len(invocation_of(one).arguments), str(invocation_of(one).arguments)))
    return known


def _call_with(operation: Operation, arguments: tuple[Json, ...], known: Sequence[Call]) -> Call | None:
    """Returns a call with these arguments, on an object as in a known call; None if they are not passed as they are."""
    binding = function_of(operation)
    base = known[0].genes if known else tuple(one.template for one in operation.inputs)
    start = len(binding.receiver)
    genes = [*base[:start], *_own_genes(binding, arguments), *base[start + len(binding.parameters) :]]
    call = Call(operation, tuple(genes))
    return call if invocation_of(call).arguments == arguments else None


def _own_genes(binding: FunctionBinding, arguments: tuple[Json, ...]) -> Iterator[Gene]:
    for index, one in enumerate(binding.parameters):
        if one.is_rest:
            yield OptionalGene(AnyGene(list(arguments[index:])), True)
        elif index < len(arguments):
            yield OptionalGene(AnyGene(arguments[index]), True)
        else:
            yield one.template


def _polluting(coordinator: Coordinator, evaluation: Evaluation) -> Polluting | None:
    finding = next((one for one in coordinator.judge(evaluation) if one.oracle == POLLUTION), None)
    if finding is None:
        return None
    statements = frozenset(one for one in evaluation.covered() if coordinator.table[one].kind == "statement")
    return Polluting(finding, statements)


def _noted(
    coordinator: Coordinator, worker: Worker, evaluation: Evaluation, polluting: Polluting, found: list[Polluting]
) -> Iterator[Event]:
    """Notes a fault. Of functions of which one runs all the code of the other, it is one and the same."""
    first = next((one for one in found if _is_same(one.covered, polluting.covered)), polluting)
    operation = evaluation.test_case.calls[0].operation
    cause = polluting.finding.cause
    cause = cause if cause != NO_CAUSE else cause_in(coordinator.table, [evaluation], operation)
    finding = msgspec.structs.replace(polluting.finding, key=first.finding.key, cause=cause)
    found.append(msgspec.structs.replace(polluting, finding=finding))
    yield from note_finding(coordinator, worker, evaluation, finding)


def _is_same(one: frozenset[TargetId], other: frozenset[TargetId]) -> bool:
    return bool(one and other) and (one <= other or other <= one)
