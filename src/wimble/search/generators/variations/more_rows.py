"""Test cases with one more row, after a query was seen to run for each row of another one.

Such a query is told only if that is seen for two numbers of rows (engine/monitors/repeated_queries.py), and it may be
chance that the search makes two. So the call that has made a row is repeated, first as it is, then with other inputs:
its values may have to be unique. If no call of the test case has made any, one is put before it that makes a resource
of the same kind.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from wimble.model.database import QueryPerRow
from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation
from wimble.model.resource_names import ONE, Place
from wimble.model.testcase import TestCase
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.resources.references import inserted
from wimble.search.sampling.sampler import Sampler

MAX_TRIES: Final = 3
"""Number of evaluations from which such test cases are made, for one query of one operation."""
MAX_WAITING: Final = 64

_Key = tuple[str, str, int]
"""Operation, query, and its runs for each row."""


class MoreRows(Generator):
    """Proposes these test cases, the oldest first."""

    learns_from = "interactions"

    def __init__(self, operations: Sequence[Operation], sampler: Sampler, max_calls: int) -> None:
        """max_calls: maximum number of calls of a test case."""
        super().__init__()
        self._sampler = sampler
        self._max_calls = max_calls
        self._creators: dict[Place, Operation] = {}
        self._waiting: deque[TestCase] = deque(maxlen=MAX_WAITING)
        self._seen: dict[_Key, set[int]] = {}
        """The numbers of rows for which the query has run."""
        self._tries: Counter[_Key] = Counter()
        self.join(operations)

    def join(self, operations: Sequence[Operation]) -> None:
        for one in operations:
            if one.effect == "create" and one.place:
                self._creators.setdefault(one.place, one)

    def is_ready(self) -> bool:
        return bool(self._waiting)

    def propose(self, progress: float) -> Proposal:
        return Proposal(self._waiting.popleft(), self)

    def observe(self, outcome: Outcome) -> None:
        evaluation = outcome.evaluation
        if outcome.proposal.generator is self:
            self.credit.add(is_success=bool(outcome.improvement.newly_covered))
        calls, observations = evaluation.test_case.calls, evaluation.observations
        for query in evaluation.queries_per_row:
            is_answered = query.call < len(observations) and observations[query.call].outcome == "ok"
            if is_answered and self._is_news(calls[query.call].operation, query):
                longer = self._with_more_rows(evaluation, query.call)
                self._waiting.extend(one for one in longer if len(one.calls) <= self._max_calls)

    def _is_news(self, operation: Operation, query: QueryPerRow) -> bool:
        """Whether another number of rows is worth a test case."""
        if query.n_rows == 1 and (operation.effect != "read" or operation.place[-1:] == (ONE,)):
            return False  # most likely it looks up one thing after the other
        key = (operation.id, query.text, query.n_runs)
        seen = self._seen.setdefault(key, set())
        seen.add(query.n_rows)
        self._tries[key] += len(seen) == 1
        return len(seen) == 1 and self._tries[key] <= MAX_TRIES

    def _with_more_rows(self, evaluation: Evaluation, index: int) -> Iterator[TestCase]:
        """Yields the test case with one more call before the one at `index`, which has read the rows."""
        test_case, observations = evaluation.test_case, evaluation.observations
        calls = test_case.calls
        made = [at for at in range(index) if not calls[at].operation.is_safe and observations[at].outcome == "ok"]
        if made:
            maker = calls[made[-1]]
            yield inserted(test_case, made[-1] + 1, (maker,))
            other = self._sampler.call(maker.operation, calls[: made[-1] + 1])
            yield inserted(test_case, made[-1] + 1, (replace(other, user=maker.user),))
            return
        creator = self._creators.get(calls[index].operation.place)
        if creator is not None:
            yield inserted(test_case, index, (self._sampler.call(creator, calls[:index]),))
