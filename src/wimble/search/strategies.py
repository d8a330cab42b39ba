"""The search strategies by name. An experiment adds a class and a line here, never a flag."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Protocol

from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation
from wimble.model.targets import TargetTable
from wimble.model.testcase import TestCase
from wimble.runtimes.value_semantics import ValueSemantics
from wimble.search.archive.archive import Archive, Improvement
from wimble.search.attempt_log import AttemptLog
from wimble.search.mio import MioStrategy
from wimble.search.random_search import RandomStrategy
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings


class Strategy(Protocol):
    """Decides which test case to run next (`next_test_case`), and learns from evaluations (`observe`).

    It never does I/O and never reads the clock. `progress` is the used share of the budget, 0.0 to 1.0, measured by the
    caller. Evaluations may return in another order than their test cases were proposed in. Evaluations of test cases
    from elsewhere are accepted, too.
    """

    archive: Archive
    attempts: AttemptLog
    sampler: Sampler
    wants_hints: bool
    """Whether the agent should collect hints."""

    def next_test_case(self, progress: float) -> TestCase: ...

    def wants_all(self, test_case: TestCase) -> bool:
        """Whether the SUT should report covered targets of a proposed test case, too, and hints about them."""
        ...

    def is_edit(self, test_case: TestCase) -> bool:
        """Whether a proposed test case, which was not observed yet, holds what a hint has asked for."""
        ...

    def prepare(self) -> None:
        """Makes ahead what the next test case may need.

        It is called once in each evaluation, before its result is known, while there is nothing to do but to wait for
        the SUT.
        """
        ...

    def join(self, operations: Sequence[Operation]) -> None:
        """Takes in operations that have become known during the search."""
        ...

    def observe(self, evaluation: Evaluation, progress: float) -> Improvement: ...

    def take_failures(self) -> list[str]:
        """Returns what has failed in the strategy since the last call, for the user. The search goes on without it."""
        ...


StrategyFactory = Callable[[Sequence[Operation], TargetTable, Settings, Random, ValueSemantics], Strategy]

STRATEGIES: dict[str, StrategyFactory] = {
    "mio": MioStrategy,
    "random": RandomStrategy,
}
