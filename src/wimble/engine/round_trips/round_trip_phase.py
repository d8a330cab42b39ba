"""The phase that reads texts, writes what was read, and reads that again: both values have to be the same.

The first value is one that the reader itself has made of a text, so it is one that its language can express; no claim
is made about other values. And the two functions have to fit each other: most texts have to come back.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Final, NamedTuple

from wimble.engine.events import Event, PhaseStarted
from wimble.engine.faults.shown_faults import ShownFaults, cause_in, shown_test
from wimble.engine.round_trips.written_again import ReaderAndWriter, can_be_passed, is_same, iter_pairs
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.phase_time import ROUND_TRIPS_BY, PhaseLimit
from wimble.engine.worker.worker import Worker
from wimble.library.argument_literals import literal
from wimble.library.function_binding import function_of
from wimble.library.invocation import FunctionExchange, exchange_of_function, invocation_of
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.observation import Cause
from wimble.model.operation import Operation
from wimble.model.suite import VerifiedTest
from wimble.model.testcase import Call, TestCase
from wimble.oracles.libraries.library_faults import ROUND_TRIP
from wimble.oracles.messages.message_shapes import shortened
from wimble.types import ABSENT, Json

MAX_TEXTS: Final = 60
"""Maximum number of texts that are tried on one reader, with three calls each."""
MAX_CHARS: Final = 500
LEAST_SAME: Final = 3
"""Different values that have to come back, before one that does not is a fault."""
LEAST_SHARE: Final = 0.8
"""The same, of all values: two functions of which fewer come back read and write with different care."""
NOTE: Final = "it needs three calls, each with what the one before has returned"
EMPTY: Final[tuple[Json, ...]] = (None, "", [], {}, {"$bare": {}}, {"$undefined": True})


class Trip(NamedTuple):
    """A text that was read, written and read again."""

    text: str
    value: Json
    written: str
    again: FunctionExchange
    calls: tuple[Call, ...]
    """The reader's, the writer's, and the reader's with what was written."""

    @property
    def is_same(self) -> bool:
        return self.again.returned is not ABSENT and is_same(self.value, self.again.returned)


def run_round_trips(coordinator: Coordinator, worker: Worker) -> Generator[Event, None, ShownFaults]:
    """Returns notes and tests for the faults that were found."""
    notes: dict[tuple[str, ...], str] = {}
    tests: list[VerifiedTest] = []
    pairs = list(iter_pairs(coordinator.specification.operations))
    if pairs:
        yield PhaseStarted(phase="round-trips")
    limit = PhaseLimit(coordinator.budget, coordinator.stop, until=ROUND_TRIPS_BY)
    for pair in pairs:
        trips = []
        for text in _texts(coordinator, pair.reader):
            if limit.is_reached:
                return ShownFaults(notes, tests)
            trip = _trip(worker, pair, text)
            if trip is not None:
                trips.append(trip)
        wrong = fault_among(trips)
        if wrong is None:
            continue
        # Once more in a fresh process, since state may have come between.
        worker.restart()
        evaluation = worker.evaluate(TestCase(wrong.calls), full=True)
        again = [exchange_of_function(one) for one in evaluation.observations]
        if [one.value() for one in again] == [wrong.value, wrong.written, wrong.again.value()]:
            finding = _finding(pair, wrong, cause_in(coordinator.table, _alone(worker, wrong), pair.reader))
            calls = coordinator.statistics.calls_of(finding.operation)
            coordinator.faults.note(evaluation, [finding], worker.history, calls=calls, elapsed_s=0.0)
            notes[finding.key] = NOTE
            tests.append(shown_test(finding, evaluation, f"{pair.reader.id} of what {pair.writer.id} has written"))
    return ShownFaults(notes, tests)


def _alone(worker: Worker, trip: Trip) -> Iterator[Evaluation]:
    """Yields an evaluation of the reader by itself."""
    yield worker.evaluate(TestCase(trip.calls[:1]), full=True)


def fault_among(trips: list[Trip]) -> Trip | None:
    """Returns the one with the shortest text of those that are faults; None if there is none."""
    same = [trip for trip in trips if trip.is_same]
    wrong = [trip for trip in trips if not trip.is_same]
    n_values = len({literal(trip.value) for trip in same})
    if not wrong or n_values < LEAST_SAME or len(same) < LEAST_SHARE * len(trips):
        return None
    return min(wrong, key=lambda trip: (len(trip.text), trip.text))


def _texts(coordinator: Coordinator, reader: Operation) -> Iterator[str]:
    """Yields the texts with which the search has called the reader, each once, those of the documentation first."""
    found = dict.fromkeys(shown[0] for shown in function_of(reader).examples if shown and isinstance(shown[0], str))
    for test_case in coordinator.strategy.archive.iter_solutions():
        call = test_case.calls[0]
        arguments = invocation_of(call).arguments if call.operation.id == reader.id else ()
        if arguments and isinstance(arguments[0], str) and len(arguments[0]) <= MAX_CHARS:
            found.setdefault(arguments[0])
    yield from list(found)[:MAX_TEXTS]


def _trip(worker: Worker, pair: ReaderAndWriter, text: str) -> Trip | None:
    """Returns None if the text is not read, or what was read cannot be written."""
    first = _called(worker, pair.reader, text)
    value = None if first is None else _whole(first[1])
    if first is None or value is None or value in EMPTY:
        return None
    second = _called(worker, pair.writer, value)
    written = None if second is None else _whole(second[1])
    third = _called(worker, pair.reader, written) if isinstance(written, str) else None
    if second is None or third is None or not isinstance(written, str):
        return None
    again = third[1]
    is_judged = again.failure is None and (again.thrown is not None or again.is_whole)
    return Trip(text, value, written, again, (first[0], second[0], third[0])) if is_judged else None


def _called(worker: Worker, operation: Operation, argument: Json) -> tuple[Call, FunctionExchange] | None:
    """Returns what a call with one argument did; None if the operation cannot have it."""
    values = [argument, *[ABSENT] * (len(operation.inputs) - 1)]
    genes = [one.template.with_value(value) for one, value in zip(operation.inputs, values, strict=True)]
    known = tuple(gene for gene in genes if gene is not None)
    if len(known) < len(genes):
        return None
    call = Call(operation, known)
    # A template may change a value: what is called is what counts.
    if invocation_of(call).arguments != (argument,):
        return None
    return call, exchange_of_function(worker.evaluate(TestCase((call,))).observations[0])


def _whole(exchange: FunctionExchange) -> Json:
    """Returns what a call returned, if it can be passed again; else None."""
    value = exchange.returned
    is_usable = value is not ABSENT and exchange.is_whole and not exchange.is_awaited
    return value if is_usable and value is not ABSENT and can_be_passed(value) else None


def _finding(pair: ReaderAndWriter, trip: Trip, cause: Cause) -> Finding:
    reader, writer = pair.reader.id, pair.writer.id
    thrown = trip.again.thrown
    if thrown is not None:
        result = f"throws {thrown.name}: {shortened(thrown.message)}"
    else:
        result = f"returns {shortened(literal(trip.again.value()), 200)}"
    read = f"{reader}({shortened(literal(trip.text), 90)})"
    return Finding(
        oracle=ROUND_TRIP,
        key=(ROUND_TRIP, reader, writer),
        operation=reader,
        title=f"{reader}({writer}(value)) is another value, for that of {read}",
        observed=f"{read} returns {shortened(literal(trip.value), 200)}; {writer} writes it as "
        f"{shortened(literal(trip.written), 200)}, for which {reader} {result}",
        expected=f"{reader} reads what {writer} has written of a value of its own",
        cause=cause,
        call_index=len(trip.calls) - 1,
    )
