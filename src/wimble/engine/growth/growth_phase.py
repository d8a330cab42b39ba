"""The phase that looks for calls whose time grows faster than their texts, such as by a regular expression that
backtracks. A caller can then stop the whole process with a text of moderate length.

A form of a text is suspicious if it takes long with some thousand repetitions, and clearly more than twice as long as
with half of them. Then its length is doubled, step by step, and the processor's time is measured, which other programs
on the machine do not change. The growth is a fault if time grows clearly faster than the text over several steps, and a
text of at most MAX_CHARS takes SLOW_S.

The times decide, so this phase runs after everything that has to be repeatable.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import pairwise
from typing import Final

import msgspec

from wimble.engine.events import Event, PhaseStarted
from wimble.engine.faults.hanging_functions import hanging_functions
from wimble.engine.faults.shown_faults import ShownFaults, cause_in
from wimble.engine.growth.called_packages import called_packages
from wimble.engine.growth.pumped_texts import PumpedText, iter_pumped
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.phase_time import GROWTH_BY, PhaseLimit
from wimble.engine.worker.worker import Worker
from wimble.execute.sut.library_sut import LibrarySut
from wimble.library.function_binding import function_of
from wimble.library.invocation import exchange_of_function
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.observation import Cause
from wimble.model.targets import TargetTable
from wimble.model.testcase import TestCase
from wimble.oracles.libraries.library_faults import GROWTH
from wimble.oracles.oracle import NO_CAUSE
from wimble.search.generators.solver.call_scalars import named_sites
from wimble.types import OperationId, TargetId

FIRST_TIMES: Final = 8_000
SHORT_TIMES: Final = 16
"""Repetitions of the shortest text that is measured."""
SUSPICIOUS_S: Final = 0.015
"""Processor time of a call with FIRST_TIMES repetitions; a linear scan takes some hundred times less."""
SUSPICIOUS_EXPONENT: Final = 1.2
"""From half the repetitions to all of them: less is linear time, with some chance in what was measured."""
MAX_CHARS: Final = 50_000
SLOW_S: Final = 0.5
LEAST_MEASURED_S: Final = 0.004
"""Shorter times say nothing about growth."""
PLACED_S: Final = (0.3, 0.02)
"""Time of a call with whose text the statement is looked for that takes it; the second, if the first does not return
while the time between statements is measured: a deep recursion may take fifty times as long then."""
LEAST_STEPS: Final = 3
LEAST_EXPONENT: Final = 1.6
"""Time in proportion to the length's power of this, at least: a square with some linear work beside it."""
MAX_CALLS: Final = 1_500
"""In the whole phase."""
SHARE: Final = 0.2
"""The same, of the calls that the run has made; LEAST_CALLS if that is less."""
LEAST_CALLS: Final = 200
CALLS_PER_TEXT: Final = 100
MAX_BLOCKED: Final = 2
"""Calls with one text that may block: each costs its time-out and a start."""
MAX_ALL_BLOCKED: Final = 24
"""The same, of all texts: a library with many functions that may not return would be measured for half an hour."""
NOTE: Final = "it would take as long as the call"


class Growth(msgspec.Struct, frozen=True):
    """A call whose time grows too fast."""

    finding: Finding
    piece: str
    """What is repeated in its text."""
    covered: frozenset[TargetId]
    """Statements, by the call with a short text of this form."""
    cause: Cause = NO_CAUSE
    """The statement that takes the time, if it is one of the library."""

    def is_of_cause(self, other: Growth) -> bool:
        """Whether both take their time at one place, or by one piece of text in one package that they call; if the
        place is not known, whether one of both runs all the code of the other: an alias, or a function that calls the
        other one.
        """
        if self.cause.file and other.cause.file:
            if (self.cause.file, self.cause.line) == (other.cause.file, other.cause.line):
                return True
            return self.piece == other.piece and bool(called_packages(self.cause) & called_packages(other.cause))
        is_within = self.covered <= other.covered or other.covered <= self.covered
        return bool(self.covered and other.covered) and is_within and self.piece == other.piece


class Point(msgspec.Struct, frozen=True):
    """A measured call with a text."""

    n_chars: int
    cpu_s: float
    is_over: bool = True
    """Whether the call returned in time."""


def run_growth(coordinator: Coordinator, worker: Worker) -> Generator[Event, None, ShownFaults]:
    """Returns notes on the faults that were found."""
    yield PhaseStarted(phase="growth")
    notes: dict[tuple[str, ...], str] = {}
    found: list[Growth] = []
    operations = coordinator.specification.operations
    n_made = sum(coordinator.statistics.calls_of(operation.id) for operation in operations)
    limit = PhaseLimit(coordinator.budget, coordinator.stop, until=GROWTH_BY)
    left, n_blocked = max(LEAST_CALLS, min(MAX_CALLS, int(SHARE * n_made))), 0
    grown_calls: set[OperationId] = set()
    for test_case, place, text in _measured(_by_new_code(worker, coordinator.table, list(_longest_calls(coordinator)))):
        operation = test_case.calls[0].operation
        if operation.id in grown_calls:
            continue
        if left <= 0 or n_blocked >= MAX_ALL_BLOCKED or limit.is_reached:
            return ShownFaults(notes)
        meter = _Meter(worker, coordinator.table, test_case, place, limit)
        growth = _grown(meter, text, [one.piece for one in found])
        left -= meter.n_calls
        n_blocked += meter.n_blocked
        if growth is not None and meter.last is not None:
            # Growth of one cause is one fault, seen in several functions.
            first = next((one for one in found if growth.is_of_cause(one)), growth)
            cause = growth.cause
            if not cause.file:
                cause = cause_in(coordinator.table, [worker.evaluate(test_case, full=True)], operation)
            finding = msgspec.structs.replace(growth.finding, key=first.finding.key, cause=cause)
            calls = coordinator.statistics.calls_of(finding.operation)
            coordinator.faults.note(meter.last, [finding], worker.history, calls=calls, elapsed_s=0.0)
            notes[finding.key] = NOTE
            found.append(growth)
            grown_calls.add(operation.id)
    return ShownFaults(notes)


def _longest_calls(coordinator: Coordinator) -> Iterator[TestCase]:
    """Yields a test case per operation: of its solutions, the one with the most text."""
    hanging = hanging_functions(coordinator.faults)
    best: dict[OperationId, tuple[int, TestCase]] = {}
    for test_case in coordinator.strategy.archive.iter_solutions():
        length = sum(len(text) for _, text, _ in _texts(test_case))
        operation = test_case.calls[0].operation.id
        is_internal = function_of(test_case.calls[0].operation).is_internal
        is_measurable = len(test_case.calls) == 1 and operation not in hanging and not is_internal
        if is_measurable and length > best.get(operation, (0, test_case))[0]:
            best[operation] = (length, test_case)
    for operation in sorted(best):
        yield best[operation][1]


def _by_new_code(worker: Worker, table: TargetTable, test_cases: Sequence[TestCase]) -> list[TestCase]:
    """Returns the test cases, those first that run the most code, and those last of which others run all the code: an
    alias, or a part that has been measured within the whole."""
    runs = []
    for test_case in test_cases:
        covered = worker.evaluate(test_case, full=True).covered()
        runs.append((frozenset(one for one in covered if table[one].kind == "statement"), test_case))
    runs.sort(key=lambda run: -len(run[0]))
    new: list[TestCase] = []
    known: list[TestCase] = []
    seen: set[TargetId] = set()
    for statements, test_case in runs:
        (known if statements and statements <= seen else new).append(test_case)
        seen |= statements
    return [*new, *known]


def _measured(test_cases: Sequence[TestCase]) -> Iterator[tuple[TestCase, str, str]]:
    """Yields the texts to lengthen, each with its place and its test case.

    Those of steps come last: the method that is called in a step has been measured by then, and the fault is its own.
    """
    for is_of_step in (False, True):
        for test_case in test_cases:
            binding = function_of(test_case.calls[0].operation)
            n_own = len(binding.receiver) + len(binding.parameters)
            for place, text, number in _texts(test_case):
                if (number >= n_own) is is_of_step:
                    yield test_case, place, text


def _texts(test_case: TestCase) -> list[tuple[str, str, int]]:
    """Returns the texts of a call, each with its place and the number of the input that holds it."""
    sites = named_sites(test_case, 0, None)
    return [(one.place, one.value, site.address.input) for one, site in sites if isinstance(one.value, str)]


class _Meter:
    """Makes one call with other texts at one place, and measures it."""

    def __init__(self, worker: Worker, table: TargetTable, test_case: TestCase, place: str, limit: PhaseLimit) -> None:
        self._limit = limit
        self._worker = worker
        self._table = table
        self._test_case = test_case
        self.place = place
        self.n_calls = 0
        self.n_blocked = 0
        self.last: Evaluation | None = None

    @property
    def is_over(self) -> bool:
        """Whether there is no time left to measure."""
        return self._limit.is_reached

    @property
    def operation(self) -> str:
        return self._test_case.calls[0].operation.id

    def covered(self, text: str) -> frozenset[TargetId]:
        """Returns the statements that the call with a text runs."""
        test_case = self._holding(text)
        if test_case is None:
            return frozenset()
        self.n_calls += 1
        covered = self._worker.evaluate(test_case, full=True).covered()
        return frozenset(one for one in covered if self._table[one].kind == "statement")

    def cause(self, text: str) -> Cause:
        """Returns the statement that takes the time of the call with a text; NO_CAUSE if it is not known."""
        test_case, sut = self._holding(text), self._worker.sut
        if test_case is None or not isinstance(sut, LibrarySut):
            return NO_CAUSE
        self.n_calls += 1
        cause = sut.slowest_statement(test_case)
        if cause is None:  # the process may have ended
            self._worker.restart()
        return cause or NO_CAUSE

    def _holding(self, text: str) -> TestCase | None:
        """Returns the call with a text; None if the place cannot hold it."""
        site = next((site for one, site in named_sites(self._test_case, 0, None) if one.place == self.place), None)
        put = None if site is None else site.put(text)
        return None if put is None else self._test_case.with_gene(*put)

    def point(self, text: str) -> Point | None:
        """Returns what the call took; None if the place cannot hold the text, or the process ended, if only later."""
        test_case = self._holding(text)
        if test_case is None:
            return None
        self.n_calls += 1
        self.last = self._worker.evaluate(test_case)
        exchange = exchange_of_function(self.last.observations[0])
        self.n_blocked += exchange.failure is not None or self.last.is_sut_lost
        if exchange.failure not in (None, "blocked") or (self.last.is_sut_lost and exchange.failure is None):
            return None
        return Point(len(text), exchange.cpu_s, exchange.failure is None)


def _grown(meter: _Meter, text: str, known: Sequence[str]) -> Growth | None:
    n_blocked = 0
    for number, pumped in enumerate(iter_pumped(text, known)):
        if number >= CALLS_PER_TEXT or n_blocked > MAX_BLOCKED or meter.is_over:
            return None
        first = meter.point(pumped.text(FIRST_TIMES))
        if first is None:
            return None
        if first.is_over and (first.cpu_s < SUSPICIOUS_S or not has_grown(meter.point, pumped, first)):
            continue
        n_blocked += not first.is_over
        points = doubled(meter.point, pumped)
        if is_super_linear(points) and is_super_linear(measured_again(meter.point, pumped, points)):
            covered = meter.covered(pumped.text(SHORT_TIMES))
            return Growth(_finding(meter, pumped, points), pumped.piece, covered, _cause(meter, pumped, points))
    return None


def _cause(meter: _Meter, pumped: PumpedText, points: Sequence[Point]) -> Cause:
    """Returns the statement that takes the time; NO_CAUSE if it is not known."""
    for most_s in PLACED_S:
        cause = meter.cause(pumped.text(_times(pumped, _shown_well(points, most_s))))
        if cause.file:
            return cause
    return NO_CAUSE


def has_grown(measure: Callable[[str], Point | None], pumped: PumpedText, whole: Point) -> bool:
    """Whether a call with FIRST_TIMES repetitions takes clearly more than twice as long as with half of them.

    It costs one call, where doubling the length costs a dozen.
    """
    half = measure(pumped.text(FIRST_TIMES // 2))
    return half is not None and _exponent(half, whole) >= SUSPICIOUS_EXPONENT


def doubled(measure: Callable[[str], Point | None], pumped: PumpedText) -> list[Point]:
    """Returns the times of longer and longer texts, until one is slow; the last may have MAX_CHARS of pieces.

    measure: returns what a call with a text takes; None ends it.
    """
    points: list[Point] = []
    times, most = SHORT_TIMES, MAX_CHARS // len(pumped.piece)
    while True:
        point = measure(pumped.text(times))
        if point is None:
            break
        points.append(point)
        if not point.is_over or point.cpu_s >= SLOW_S:
            break
        # Exponential time leaves no room for doubling.
        is_steep = len(points) > 1 and point.cpu_s > LEAST_MEASURED_S and point.cpu_s > 6 * points[-2].cpu_s
        if times == most:
            break
        times = min(most, times + 2 if is_steep else times * 2)
    return points


def measured_again(
    measure: Callable[[str], Point | None], pumped: PumpedText, points: Sequence[Point]
) -> Sequence[Point]:
    """Returns the points with the last two measured once more: one call may take long for the machine's reasons, or
    since many calls before it have used something up."""
    again = []
    for point in points[-2:]:
        measured = measure(pumped.text(_times(pumped, point)))
        if measured is None:
            return ()
        again.append(measured)
    return [*points[:-2], *again]


def _times(pumped: PumpedText, point: Point) -> int:
    """Returns how often the piece was repeated at a point."""
    return (point.n_chars - len(pumped.head) - len(pumped.end)) // len(pumped.piece)


def _shown_well(points: Sequence[Point], most_s: float) -> Point:
    """Returns the longest text that took some time, but not long: to find the statement takes several times as long."""
    fast = [one for one in points if one.is_over and one.cpu_s <= most_s]
    return max(fast, key=lambda one: one.n_chars, default=points[0])


def is_super_linear(points: Sequence[Point]) -> bool:
    """Whether the last of the points is slow, and time grew faster than length in each of the last steps."""
    if not points or (points[-1].is_over and points[-1].cpu_s < SLOW_S):
        return False
    measured = [point for point in points if point.is_over and point.cpu_s >= LEAST_MEASURED_S]
    if not points[-1].is_over:
        # What does not return takes SLOW_S at least.
        return len(points) > 1 and _exponent(points[-2], points[-1]) >= LEAST_EXPONENT
    exponents = [_exponent(*step) for step in pairwise(measured)][-LEAST_STEPS:]
    return len(exponents) >= LEAST_STEPS and min(exponents) >= LEAST_EXPONENT


def _exponent(short: Point, long: Point) -> float:
    """Returns the power of the length with which time grew between two points, at least."""
    before = max(short.cpu_s, LEAST_MEASURED_S)
    after = long.cpu_s if long.is_over else SLOW_S
    return math.log(max(after / before, 1.0)) / math.log(long.n_chars / max(1, short.n_chars))


def _finding(meter: _Meter, pumped: PumpedText, points: Sequence[Point]) -> Finding:
    shown = ", ".join(_shown(point) for point in points[-4:])
    named = meter.operation if meter.last is None else meter.last.observations[0].exchange.named(meter.operation)
    return Finding(
        oracle=GROWTH,
        key=(GROWTH, meter.operation, meter.place),
        operation=meter.operation,
        title=f"{named} takes time that grows faster than its text: {_shown(points[-1])}",
        observed=f"a text with {pumped.piece!r} repeated: {shown}",
        expected="time in proportion to the length of the text",
        cause=NO_CAUSE,
        call_index=0,
    )


def _shown(point: Point) -> str:
    took = f"{point.cpu_s:.2f} s" if point.is_over else "no end"
    return f"{took} for {point.n_chars:,} characters"
