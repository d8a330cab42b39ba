"""Test cases with one more row, after a query was seen to run for each row of another one.

Such a query is told only if that is seen for two numbers of rows (engine/monitors/repeated_queries.py), and it may be
chance that the search makes two. So the call that has made a row is repeated, first as it is, then with other inputs:
its values may have to be unique. It is repeated twice as well, since rows that refer to the same one count from three
on. A row that was inserted is copied. If the test case has made none, a call is put before the reading one whose
operation was seen to add rows to the table, for the same user, or one that makes a resource of the same kind.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from wimble.databases.asked_tables import filled_tables
from wimble.model.carried_credentials import with_credentials_of
from wimble.model.database import QueryPerRow
from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation
from wimble.model.resource_names import ONE, Place
from wimble.model.setup import MAX_SETUP, with_copy
from wimble.model.setup_kinds.database_action import DatabaseAction
from wimble.model.testcase import Call, TestCase
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.resources.references import inserted
from wimble.search.sampling.sampler import Sampler
from wimble.types import OperationId

MAX_TRIES: Final = 3
"""Number of evaluations from which such test cases are made, for one query of one operation."""
MAX_WAITING: Final = 64
MAX_LOOKS: Final = 10
"""Successful calls of one operation that are looked at, until one has filled a table."""

_Key = tuple[str, str, int]
"""Operation, query, and its runs for each row."""


class MoreRows(Generator):
    """Proposes these test cases, the oldest first."""

    learns_from = "interactions"

    def __init__(self, operations: Sequence[Operation], sampler: Sampler, rng: Random, max_calls: int) -> None:
        """max_calls: maximum number of calls of a test case."""
        super().__init__()
        self._sampler = sampler
        self._rng = rng
        self._max_calls = max_calls
        self._creators: dict[Place, Operation] = {}
        self._fillers: dict[str, Operation] = {}
        """By table: the operation that has added rows to it, as its first successful call has shown."""
        self._looks: Counter[OperationId] = Counter()
        """Successful calls of operations that were looked at, until one has filled a table."""
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
        self._note_fillers(evaluation)
        for query in _worth_a_look(evaluation.queries_per_row):
            is_answered = query.call < len(observations) and observations[query.call].outcome == "ok"
            if is_answered and self._is_news(calls[query.call].operation, query):
                longer = self._with_more_rows(evaluation, query)
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

    def _note_fillers(self, evaluation: Evaluation) -> None:
        for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=False):
            operation = call.operation
            is_worth_it = (
                observation.outcome == "ok" and not operation.is_safe and self._looks[operation.id] < MAX_LOOKS
            )
            tables = filled_tables(evaluation, observation.call_index) if is_worth_it else set()
            for table in tables:
                self._fillers.setdefault(table, operation)
            if is_worth_it:
                self._looks[operation.id] += MAX_LOOKS if tables else 1

    def _with_more_rows(self, evaluation: Evaluation, query: QueryPerRow) -> Iterator[TestCase]:
        """Yields the test case with more rows before the call of the query, which has read them."""
        test_case, index = evaluation.test_case, query.call
        calls = test_case.calls
        inserted_rows = [
            number for number, row in test_case.setup_of(DatabaseAction) if row.table.name.lower() == query.table
        ]
        if inserted_rows:
            yield from self._with_copies(test_case, inserted_rows[-1])
            return
        made = self._made(evaluation, query)
        if made and query.n_rows == 1 and calls[made[-1]].operation.entrance:
            return  # most likely the row is that of the user who calls, or of the session
        if made:
            yield from self._with_repeated(test_case, made[-1])
            return
        creator = self._fillers.get(query.table) or self._creators.get(calls[index].operation.place)
        if creator is not None:
            yield inserted(test_case, index, (self._call(creator, calls[:index], calls[index]),))

    def _call(self, operation: Operation, earlier: Sequence[Call], like: Call) -> Call:
        """Returns a call by the user of another call."""
        return with_credentials_of(self._sampler.call(operation, earlier), like)

    def _made(self, evaluation: Evaluation, query: QueryPerRow) -> list[int]:
        """Returns the calls before that of the query that have added rows to its table; if its table is not known, all
        that may have done so.
        """
        calls, observations = evaluation.test_case.calls, evaluation.observations
        made = [at for at in range(query.call) if not calls[at].operation.is_safe and observations[at].outcome == "ok"]
        return [at for at in made if query.table in filled_tables(evaluation, at)] if query.table else made

    def _with_copies(self, test_case: TestCase, number: int) -> Iterator[TestCase]:
        one = with_copy(test_case, number, self._rng)
        for longer in (one, with_copy(one, number, self._rng)):
            if len(longer.setup) <= MAX_SETUP and longer != test_case:
                yield longer

    def _with_repeated(self, test_case: TestCase, index: int) -> Iterator[TestCase]:
        maker, before = test_case.calls[index], test_case.calls[: index + 1]
        yield inserted(test_case, index + 1, (maker,))
        yield inserted(test_case, index + 1, (self._call(maker.operation, before, maker),))
        yield inserted(test_case, index + 1, (maker, maker))


def _worth_a_look(queries: Sequence[QueryPerRow]) -> list[QueryPerRow]:
    """Leaves out those that look up one thing after the other: the user, then what is the user's."""
    last = {query.call: query for query in queries if query.n_rows == 1}
    return [query for query in queries if query.n_rows > 1 or query is last[query.call]]
