"""Keeps operations rare whose calls take far longer than those of the others, or often end the SUT.

An operation that never answers costs a time-out with each call. Called as often as the others, it takes most of the
search. So operations that take a hundred times as long as is usual share a tenth of the search. After a call that has
ended the SUT, it has to be started again, which takes as long as a hundred calls. So starts that are due to operations
of which this is known take at most a third of the search. Beyond that, only those of their calls are made that send
nothing like what has ended it (`fatal_shapes.py`).

A function of a library does as much work as a number asks for: `new Cache({ max: 1e9 })`. Whichever function waits for
it then, the numbers are the cause. So calls with numbers as large as those of calls that did not return, or took a
second, share a tenth of the search, too. Numbers that make an object may be far smaller: methods of a matrix do work
for each pair of its rows. So they are compared with each other. And a method that takes a second by itself takes it
wherever it is called on the object of another call, before that or before the object is passed; such calls share a
further tenth. A call that did not return is not made again with the same arguments.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Final

import msgspec

from wimble.library.argument_fit import largest_number, without_dates
from wimble.library.function_binding import FunctionBinding
from wimble.library.invocation import invocation_of
from wimble.library.made_objects import iter_calls, iter_made
from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation
from wimble.model.testcase import Call, SetupAction, TestCase
from wimble.search.fatal_shapes import FatalShapes
from wimble.types import OperationId

FACTOR: Final = 100.0
"""How many times longer than usual calls of a slow operation take."""
LEAST_S: Final = 0.1
"""Shortest mean duration of a slow operation, in seconds."""
N_KNOWN: Final = 2
"""Number of calls after which the duration of an operation counts as known."""
SHARE: Final = 0.1
"""Largest share of the search that calls of slow operations may take together."""
LOST_S: Final = 0.5
"""Assumed duration of the start of the SUT after a call that has ended it."""
LOST_SHARE: Final = 0.33
"""Largest share of the search that starts after such calls may take."""
FATAL_S: Final = 0.02
"""Least time that starts have taken per call of an operation that often ends the SUT: one call in 25 has ended it."""
HUNG_S: Final = 2.0
"""In searches with a budget in calls: assumed duration of a call that was not answered in time."""
ANSWERED_S: Final = 0.005
"""In searches with a budget in calls: assumed duration of every other call."""
LONG_S: Final = 1.0
"""A call that takes so long is like one that does not return."""
LEAST_SIZE: Final = 10_000.0
"""Smaller numbers ask for little work."""
LEAST_OBJECT_SIZE: Final = 256.0
"""The same, of numbers that make an object."""


class _Spent(msgspec.Struct):
    n_calls: int = 0
    total_s: float = 0.0
    n_ends: int = 0
    """Number of calls that have ended the SUT."""
    shapes: FatalShapes | None = None
    """None as long as no call has."""

    @property
    def mean_s(self) -> float:
        return self.total_s / self.n_calls if self.n_calls else 0.0

    @property
    def answering_s(self) -> float:
        """The mean without starts after ends."""
        return (self.total_s - self.n_ends * LOST_S) / max(1, self.n_calls)

    @property
    def is_fatal(self) -> bool:
        return self.n_ends >= N_KNOWN and self.n_ends * LOST_S >= FATAL_S * self.n_calls


class Effort:
    """The time that the calls of each operation have taken.

    A search with a budget in calls is repeatable, so there the clock is not read: calls count as answered or hung.
    """

    def __init__(self, operations: Sequence[Operation], *, is_repeatable: bool) -> None:
        self._is_repeatable = is_repeatable
        self._spent: dict[OperationId, _Spent] = {}
        self._operations: dict[OperationId, Operation] = {}
        self.join(operations)
        self._total_s = self._slow_s = self._lost_s = 0.0
        self._slow: frozenset[OperationId] = frozenset()
        self._least_size = math.inf
        """The smallest of the largest numbers of calls that did not return, or took long."""
        self._least_object_size = math.inf
        """The same, among numbers that made an object."""
        self._size_s = 0.0
        """Time of calls with such numbers."""
        self._long_methods: set[str] = set()
        """Methods that took long by themselves."""
        self._steps_s = 0.0
        """Time of calls that took long after one of these was called on an object."""
        self._endless: set[bytes] = set()
        """Calls of functions of a library that did not return."""

    def join(self, operations: Sequence[Operation]) -> None:
        """Adds operations."""
        for operation in operations:
            self._spent[operation.id] = _Spent()
            self._operations[operation.id] = operation

    def note(self, evaluation: Evaluation) -> None:
        """Adds the durations of the calls of a test case."""
        is_suspect = False
        last = -1
        self._endless |= set(_endless(evaluation))
        if evaluation.is_sut_lost:
            last = max((one.call_index for one in evaluation.observations if one.outcome != "not-run"), default=-1)
        for call, observation in evaluation.sent_calls():
            spent = self._spent.get(call.operation.id)
            if spent is None or observation.outcome == "not-run":
                continue
            is_hung = observation.outcome == "hung"
            elapsed_s = (HUNG_S if is_hung else ANSWERED_S) if self._is_repeatable else observation.elapsed_s
            has_ended = observation.call_index == last
            if has_ended:
                elapsed_s += LOST_S
                self._lost_s += LOST_S
            spent.n_calls += 1
            self._total_s += elapsed_s
            if elapsed_s >= LEAST_S and (
                self._is_by_steps(call, elapsed_s) or self._is_by_size(call, elapsed_s, has_ended=has_ended)
            ):
                continue
            spent.n_ends += has_ended
            if has_ended and spent.shapes is None:
                spent.shapes = FatalShapes()
            if spent.shapes is not None:
                spent.shapes.note(call, has_ended=has_ended, setup=evaluation.test_case.setup)
            spent.total_s += elapsed_s
            if call.operation.id in self._slow:
                self._slow_s += elapsed_s
            is_suspect = is_suspect or elapsed_s >= LEAST_S
        if is_suspect:
            self._find_slow()

    def _is_by_size(self, call: Call, elapsed_s: float, *, has_ended: bool) -> bool:
        """Whether a call took long for a large number, as far as is known."""
        if has_ended or elapsed_s >= LONG_S:
            size, object_size = _size_of(call), _object_size_of(call)
            if object_size >= LEAST_OBJECT_SIZE:
                self._least_object_size = min(self._least_object_size, object_size)
            if size >= max(LEAST_SIZE, object_size + 1):  # not the number that made an object
                self._least_size = min(self._least_size, size)
        is_by_size = self._is_large(call)
        self._size_s += elapsed_s if is_by_size else 0.0
        return is_by_size

    def _is_large(self, call: Call) -> bool:
        """Whether a call has a number as large as those of calls that took long."""
        if _size_of(call) >= self._least_size:
            return True
        return self._least_object_size < math.inf and _object_size_of(call) >= self._least_object_size

    def _is_by_steps(self, call: Call, elapsed_s: float) -> bool:
        """Whether a call took long for a method that was called before it, as far as is known."""
        before = _methods_before(call)
        binding = call.operation.binding
        if not before and elapsed_s >= LONG_S and isinstance(binding, FunctionBinding) and binding.method:
            self._long_methods.add(binding.method)
        is_by_steps = not before.isdisjoint(self._long_methods)
        self._steps_s += elapsed_s if is_by_steps else 0.0
        return is_by_steps

    def _find_slow(self) -> None:
        known = {name: spent for name, spent in self._spent.items() if spent.n_calls >= N_KNOWN}
        if len(known) < 2:
            return
        limit_s = max(LEAST_S, FACTOR * median(spent.mean_s for spent in known.values()))
        self._slow = frozenset(name for name, spent in known.items() if spent.mean_s >= limit_s)
        self._slow_s = sum(self._spent[name].total_s for name in self._slow)

    def admits(self, test_case: TestCase) -> bool:
        """Whether the test case calls no operation of a kind that has used up its share of the search, passes no number
        of such a kind, calls no such method on an object before, and repeats no call that did not return."""
        if self._endless and any(_written(call) in self._endless for call in test_case.calls if _is_function(call)):
            return False
        is_slow_spent = bool(self._slow) and self._slow_s > SHARE * self._total_s
        is_lost_spent = self._lost_s > LOST_SHARE * self._total_s
        if self._size_s > SHARE * self._total_s and any(map(self._is_large, test_case.calls)):
            return False
        if self._steps_s > SHARE * self._total_s and any(
            not self._long_methods.isdisjoint(_methods_before(one)) for one in test_case.calls
        ):
            return False
        if not is_slow_spent and not is_lost_spent:
            return True
        return not any(
            (is_slow_spent and call.operation.id in self._slow) or (is_lost_spent and self._is_fatal(call.operation))
            for call in test_case.calls
            if not self._is_safe(call, test_case.setup)
        )

    def _is_fatal(self, operation: Operation) -> bool:
        spent = self._spent.get(operation.id)
        return spent is not None and spent.is_fatal

    def _is_safe(self, call: Call, setup: Sequence[SetupAction]) -> bool:
        """Whether a call of an operation that only takes long because it often ends the SUT is not likely to end it."""
        spent = self._spent.get(call.operation.id)
        if spent is None or spent.shapes is None:
            return False
        return spent.answering_s < LEAST_S and not spent.shapes.suspects(call, setup)

    def least_called(self) -> Operation:
        """Returns the operation with the fewest calls among those that are neither slow nor end the SUT."""
        quick = [name for name in self._operations if name not in self._slow]  # at least half of all
        others = [name for name in quick if not self._spent[name].is_fatal] or quick
        return self._operations[min(others, key=lambda name: self._spent[name].n_calls)]


def _is_function(call: Call) -> bool:
    return isinstance(call.operation.binding, FunctionBinding)


def _endless(evaluation: Evaluation) -> Iterator[bytes]:
    """Yields the calls of functions of a library that did not return."""
    for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=False):
        if observation.outcome == "hung" and _is_function(call):
            yield _written(call)


def _written(call: Call) -> bytes:
    """Returns a call of a function of a library as a key."""
    return msgspec.json.encode(invocation_of(call))


def _size_of(call: Call) -> float:
    """Returns the largest number that a function of a library is given; 0.0 for other calls."""
    return largest_number(without_dates(invocation_of(call).values())) if _is_function(call) else 0.0


def _object_size_of(call: Call) -> float:
    """Returns the largest number among what makes objects for a function of a library; 0.0 for other calls."""
    if not _is_function(call):
        return 0.0
    invocation = invocation_of(call)
    given = [
        *(invocation.receiver or ()),
        *(value for _, *values in iter_made(invocation.values()) for value in values),
    ]
    return largest_number(without_dates(given))


def _methods_before(call: Call) -> set[str]:
    """Returns the methods of objects of a library that are called before the call itself, or on its arguments."""
    if not _is_function(call):
        return set()
    invocation = invocation_of(call)
    on_arguments = (method for _, (method, *_) in iter_calls(invocation.values()))
    return {*(step.method for step in invocation.steps), *map(str, on_arguments)}
