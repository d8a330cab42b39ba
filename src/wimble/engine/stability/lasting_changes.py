"""Functions of a library after which others fail, or return something of another kind: `removeAllOperators()`.

Nothing of a library is reset between calls, so one such call early in the search hides code from all calls that follow.
Tests do not see it either, since each has to hold in a process of its own.

A few calls are probes: after so many evaluations, they are made again, and have to return something of the kind that
they return on a fresh start. If one does not, the evaluations since the last look run once more, with a look after
each, until it is known which functions change something. Each call of these is followed by a fresh start from then on,
as often as a share of the search allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from wimble.library.function_binding import FunctionBinding
from wimble.library.invocation import exchange_of_function, invocation_of, kind_of, made_names
from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.search.generators.samples.shown_calls import iter_shown

MAX_PROBES: Final = 6
MAX_SHOWN: Final = 4
"""Number of these that documentation shows, at most. The others are calls that have returned."""
LEAST_PERIOD: Final = 50
"""Evaluations before the first look, and until the next one after a difference. It is the number of operations, if
there are more, so that each has run."""
MAX_PERIOD: Final = 1_000
"""Each look without a difference doubles the time until the next one, up to this number of evaluations."""
CHUNK: Final = 16
"""Evaluations that run again before the probes do; if they differ then, these run once more one by one."""
SHARE: Final = 0.15
"""Share of the search that fresh starts for such changes may take."""
MAX_CHANGING: Final = 0.5
"""If more of the functions change something, that is what the library is for, and its calls are left alone."""
_NO_DATA: Final = frozenset({"undefined", "function"})
"""Functions that return such a thing may be called for what they change: they are no probes."""


class LastingChanges:
    """Which functions change what others return, as far as is known."""

    def __init__(
        self,
        operations: Sequence[Operation],
        run: Callable[[TestCase], Evaluation | None],
        restart: Callable[[], None],
        changing: set[str] | None = None,
    ) -> None:
        """run: runs a test case beside the search; None if the process was lost, or if chance plays a part.
        changing: gets the names of the functions."""
        self._operations = operations
        self._run = run
        self._restart = restart
        self._least_period = self._period = max(LEAST_PERIOD, len(operations))
        self._candidates: dict[str, TestCase] = {}
        """Calls that have returned something, by their functions."""
        self._probes: dict[TestCase, Evaluation] | None = None
        """With what they return on a fresh start; None before the first look."""
        self._since: list[TestCase] = []
        """Test cases since the last look."""
        self._seen: set[str] = set()
        self.changing = set[str]() if changing is None else changing
        self.n_starts = 0

    def has_changed(self, test_case: TestCase) -> bool:
        """Whether a test case calls a function that is known to change something."""
        return bool(self.changing) and not self.changing.isdisjoint(functions_of(test_case))

    def note(self, evaluation: Evaluation) -> None:
        """Learns from an evaluation of the search; looks at the probes when it is time."""
        if self._probes is not None and not self._probes:
            return
        test_case = evaluation.test_case
        self._seen |= functions_of(test_case)
        if self.has_changed(test_case):
            self._start_afresh()
            return
        if evaluation.is_sut_lost or evaluation.has_hung:
            self._since.clear()
            return
        self._since.append(test_case)
        if self._probes is None:
            self._keep_candidate(evaluation)
        if len(self._since) >= self._period:
            self._look()

    def _keep_candidate(self, evaluation: Evaluation) -> None:
        if len(evaluation.observations) != 1 or evaluation.n_random_values:
            return
        exchange = exchange_of_function(evaluation.observations[0])
        if exchange.is_ok and kind_of(exchange.returned) not in _NO_DATA:
            self._candidates.setdefault(evaluation.test_case.calls[0].operation.id, evaluation.test_case)

    def _look(self) -> None:
        if self._probes is None:
            self._start_afresh(is_kept=True)
            self._probes = dict(self._steady(self._wanted_probes()))
        elif self._is_as_usual():
            self._period = min(2 * self._period, MAX_PERIOD)
            self._since.clear()
            return
        if self._probes:
            self._find_changing()
        self._period = self._least_period

    def _wanted_probes(self) -> list[TestCase]:
        by_function: dict[str, list[TestCase]] = {}
        for shown in iter_shown(self._operations):
            by_function.setdefault(shown.calls[0].operation.id, []).append(shown)
        rounds = max(map(len, by_function.values()), default=0)
        shown_first = [of_one[i] for i in range(rounds) for of_one in by_function.values() if i < len(of_one)]
        # More than are kept: some are refused, or return what says nothing.
        return [*shown_first[: 2 * MAX_SHOWN], *islice(self._candidates.values(), MAX_PROBES)]

    def _steady(self, wanted: Iterable[TestCase]) -> Iterator[tuple[TestCase, Evaluation]]:
        """Yields probes with what they return, of those that return the same after each other."""
        first = [(one, self._run(one)) for one in wanted]
        n_kept = 0
        for test_case, usual in first:
            if n_kept >= MAX_PROBES or usual is None:
                continue
            exchange = exchange_of_function(usual.observations[0])
            if (
                exchange.is_ok
                and kind_of(exchange.returned) not in _NO_DATA
                and not _differs(usual, self._run(test_case))
            ):
                n_kept += 1
                yield test_case, usual

    def _is_as_usual(self) -> bool:
        return not any(_differs(usual, self._run(probe)) for probe, usual in (self._probes or {}).items())

    def _find_changing(self) -> None:
        """Runs the test cases since the last look again, and remembers what changes the probes."""
        since = list(self._since)
        self._start_afresh()
        self._drop_unsteady()
        for start in range(0, len(since), CHUNK):
            chunk = since[start : start + CHUNK]
            if all(self.has_changed(one) for one in chunk) or self._is_as_usual_after(chunk):
                continue
            self._start_afresh()
            for test_case in chunk:
                if not self._is_as_usual_after([test_case]):
                    self.changing |= functions_of(test_case)
                    self._start_afresh()
        self._start_afresh()
        if len(self.changing) > MAX_CHANGING * len(self._seen):
            self.changing.clear()
            self._probes = {}

    def _is_as_usual_after(self, test_cases: Sequence[TestCase]) -> bool:
        for one in test_cases:
            if not self.has_changed(one):
                self._run(one)
        return self._is_as_usual()

    def _drop_unsteady(self) -> None:
        """Forgets probes that return something else on a fresh start as well: by the time, or by chance."""
        self._probes = {
            one: usual for one, usual in (self._probes or {}).items() if not _differs(usual, self._run(one))
        }

    def _start_afresh(self, *, is_kept: bool = False) -> None:
        """Starts the library afresh. is_kept: whether the test cases since the last look are still needed."""
        self.n_starts += 1
        self._restart()
        if not is_kept:
            self._since.clear()


def _differs(usual: Evaluation, other: Evaluation | None) -> bool:
    """Whether a call fails that has returned, or returns something of another kind. Where only the value is another
    one, such as by a locale, the same code runs."""
    return other is not None and _phrase(usual) != _phrase(other)


def _phrase(evaluation: Evaluation) -> str:
    return exchange_of_function(evaluation.observations[0]).phrase()


def functions_of(test_case: TestCase) -> set[str]:
    """Returns the names of all functions that a test case calls, also to make objects."""
    return {name for call in test_case.calls for name in _functions_of(call)}


def _functions_of(call: Call) -> Iterator[str]:
    binding = call.operation.binding
    if isinstance(binding, FunctionBinding):
        is_of_class = binding.kind == "method" and not binding.is_of_result
        yield call.operation.id if is_of_class or binding.kind == "constructor" else ".".join(binding.path)
        yield from made_names(invocation_of(call))
