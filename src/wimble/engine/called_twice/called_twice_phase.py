"""The phase that makes calls again, and looks for functions whose answer depends on how often they were asked.

Calls of the search are made twice. Those with two results are looked at alone: the same call is made
several times in a fresh process, and so in two more, with low and with high random numbers and another time. Only if
all three give the same series of results, neither chance nor the clock is behind it.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Generator, Iterator, Sequence
from typing import Final

import msgspec

from wimble.engine.called_twice.changed_results import N_CALLS, Change, change_of, is_comparable, may_have_state
from wimble.engine.events import Event, PhaseStarted
from wimble.engine.faults.shown_faults import NOTHING_SHOWN, ShownFaults, cause_in, shown_test
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.phase_time import CALLED_TWICE_BY, PhaseLimit
from wimble.engine.worker.worker import Worker
from wimble.errors import TargetError
from wimble.library.argument_fit import holds_function
from wimble.library.argument_literals import call_text, literal
from wimble.library.function_binding import function_of
from wimble.library.invocation import FunctionExchange, exchange_of_function, invocation_of
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.observation import Cause
from wimble.model.run_conditions import AS_TESTS_RUN, WITH_HIGH_RANDOM_VALUES, WITH_LOW_RANDOM_VALUES, start_conditions
from wimble.model.suite import VerifiedTest
from wimble.model.testcase import TestCase
from wimble.oracles.libraries.library_faults import CALLED_TWICE
from wimble.oracles.messages.message_shapes import shortened
from wimble.oracles.oracle import NO_CAUSE
from wimble.types import ABSENT, Absent, Json, OperationId

CASES_PER_OPERATION: Final = 6
MAX_CASES: Final = 150
"""Maximum number of test cases of all operations together; each is run twice."""
MAX_SUSPECTS: Final = 15
"""Operations that are looked at in processes of their own."""
TRIED_PER_OPERATION: Final = 2
_CLOCK: Final = re.compile(r"\bDate\.now\b|\bperformance\.now\b|\bhrtime\b|\bnew Date\(\)")
NOTE: Final = "it needs the same call several times in one process"


def run_called_twice(coordinator: Coordinator, worker: Worker) -> Generator[Event, None, ShownFaults]:
    """Returns notes and tests for the faults that were found."""
    notes: dict[tuple[str, ...], str] = {}
    tests: list[VerifiedTest] = []
    cases = list(_cases(coordinator))
    if not cases:
        return NOTHING_SHOWN
    yield PhaseStarted(phase="called-twice")
    limit = PhaseLimit(coordinator.budget, coordinator.stop, until=CALLED_TWICE_BY)
    worker.sut.live_under(AS_TESTS_RUN)
    try:
        for suspects in _suspects(worker, cases, limit)[:MAX_SUSPECTS]:
            for test_case in suspects[:TRIED_PER_OPERATION]:
                if limit.is_reached:
                    return ShownFaults(notes, tests)
                found = _fault(worker, test_case)
                if found is not None:
                    finding, evaluation, change = found
                    operation = test_case.calls[0].operation
                    cause = cause_in(coordinator.table, [worker.evaluate(test_case, full=True)], operation)
                    if change == "stays changed" and reads_clock(cause):
                        continue
                    finding = msgspec.structs.replace(finding, cause=cause)
                    calls = coordinator.statistics.calls_of(finding.operation)
                    coordinator.faults.note(evaluation, [finding], worker.history, calls=calls, elapsed_s=0.0)
                    notes[finding.key] = NOTE
                    tests.append(shown_test(finding, evaluation, f"{operation.id} called several times"))
                    break
    except TargetError as error:
        coordinator.notices.warn(f"making calls again ended early: {error.what}")
    finally:
        worker.sut.live_under(start_conditions(coordinator.settings))
    return ShownFaults(notes, tests)


def _cases(coordinator: Coordinator) -> Iterator[TestCase]:
    """Yields calls of the search, some for each operation, the shortest ones first."""
    of_operation: dict[OperationId, dict[str, TestCase]] = {}
    for test_case in coordinator.strategy.archive.iter_solutions():
        call = test_case.calls[0]
        invocation, binding = invocation_of(call), function_of(call.operation)
        is_judged = not (binding.is_internal or may_have_state(binding.own_name) or binding.kind == "constructor")
        if len(test_case.calls) == 1 and is_judged and not holds_function(invocation.values()):
            of_operation.setdefault(call.operation.id, {}).setdefault(call_text(binding, invocation), test_case)
    share = max(1, min(CASES_PER_OPERATION, MAX_CASES // max(1, len(of_operation))))
    n_yielded = 0
    for known in of_operation.values():
        for text in sorted(known, key=lambda one: (len(one), one))[:share]:
            if n_yielded < MAX_CASES:
                n_yielded += 1
                yield known[text]


def _suspects(worker: Worker, cases: Sequence[TestCase], limit: PhaseLimit) -> list[list[TestCase]]:
    """Returns for each operation that has some: the test cases that give another result the second time."""
    worker.restart()
    found: dict[OperationId, list[TestCase]] = {}
    for test_case in cases:
        if limit.is_reached:
            break
        evaluation = worker.evaluate(TestCase(test_case.calls * 2))
        first, second = map(exchange_of_function, evaluation.observations)
        if is_comparable(first) and is_comparable(second) and first.value() != second.value():
            found.setdefault(test_case.calls[0].operation.id, []).append(test_case)
    return list(found.values())


def _fault(worker: Worker, test_case: TestCase) -> tuple[Finding, Evaluation, Change] | None:
    """Returns the finding, if fresh processes give the same series of different results, and how these differ."""
    first: list[Json | Absent] | None = None
    found = None
    for conditions in (AS_TESTS_RUN, WITH_LOW_RANDOM_VALUES, WITH_HIGH_RANDOM_VALUES):
        worker.sut.live_under(conditions)
        worker.restart()
        evaluation = worker.evaluate(TestCase(test_case.calls * N_CALLS))
        results = list(map(exchange_of_function, evaluation.observations))
        values = [one.value() for one in results]
        change = change_of(results)
        if change is None or (first is not None and values != first):
            return None
        first, found = values, (_finding(test_case, results, change), evaluation, change)
    return found


def reads_clock(cause: Cause) -> bool:
    """Whether the file of a function asks for the time: its first call takes longer than those after it, since its code
    has not been compiled, and what expires after a millisecond has expired then."""
    return bool(_CLOCK.search("".join(linecache.getlines(cause.file))))


_SAYS: Final[dict[Change, str]] = {
    "comes back": "returns something else in every other call",
    "grows": "returns more with each call",
    "stays changed": "returns something else when it is called again",
    "fails": "fails in some of several equal calls",
}


def _finding(test_case: TestCase, results: Sequence[FunctionExchange], change: Change) -> Finding:
    operation = test_case.calls[0].operation
    called = shortened(call_text(function_of(operation), results[0].invocation), 90)
    shown = "; ".join(_shown(one) for one in results)
    return Finding(
        oracle=CALLED_TWICE,
        key=(CALLED_TWICE, operation.id),
        operation=operation.id,
        title=f"{called} {_SAYS[change]}",
        observed=f"{N_CALLS} calls in a fresh process, one after the other: {shown}",
        expected="the same call gives the same result",
        cause=NO_CAUSE,
        call_index=N_CALLS - 1,
    )


def _shown(result: FunctionExchange) -> str:
    if result.thrown is not None:
        return f"throws {result.thrown.name}: {shortened(result.thrown.message, 80)}"
    return shortened(literal(result.returned), 120) if result.returned is not ABSENT else result.phrase()
