"""Test cases that read a list after several rows were added to it.

Programs sort, group and join rows, or run a query for each of them, only if a list has some. But what lists hold is put
back after each test case, and a search seldom makes two rows before it reads them, least of all if making one takes a
user, a customer and an order. So what an operation has done to add a row is kept, with the calls before it, and done
again before each list that asks the table: with the last call twice, with another one of its operation, and three
times.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import Final

from msgspec.structs import replace

from wimble.databases.asked_tables import asked_tables, filled_tables
from wimble.genes import Gene, OptionalGene
from wimble.model.carried_credentials import with_credentials_of
from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation
from wimble.model.resource_names import ONE
from wimble.model.testcase import Call, TestCase
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.sampling.sampler import Sampler
from wimble.types import OperationId

MAX_LOOKS: Final = 10
"""Successful calls of one operation that are looked at for the tables that it asks or fills."""
MAX_WAITING: Final = 64
N_VARIANTS: Final = 3


class FilledLists(Generator):
    """Proposes these test cases, the oldest first."""

    learns_from = "interactions"

    def __init__(self, sampler: Sampler, max_calls: int) -> None:
        """max_calls: maximum number of calls of a test case."""
        super().__init__()
        self._sampler = sampler
        self._max_calls = max_calls
        self._lists: dict[str, dict[OperationId, Operation]] = {}
        """By table: the lists that ask it."""
        self._fillers: dict[str, TestCase] = {}
        """By table: the first test case whose last call has added a row to it."""
        self._looks: Counter[OperationId] = Counter()
        self._waiting: deque[tuple[Operation, TestCase, int]] = deque(maxlen=MAX_WAITING)

    def is_ready(self) -> bool:
        return bool(self._waiting)

    def propose(self, progress: float) -> Proposal:
        return Proposal(self._made(*self._waiting.popleft()), self)

    def observe(self, outcome: Outcome) -> None:
        evaluation = outcome.evaluation
        if outcome.proposal.generator is self:
            self.credit.add(is_success=bool(outcome.improvement.newly_covered))
        calls = () if evaluation.is_sut_lost else evaluation.test_case.calls
        for call, observation in zip(calls, evaluation.observations, strict=False):
            operation = call.operation
            if observation.outcome != "ok" or self._looks[operation.id] >= MAX_LOOKS:
                continue
            if _is_list(operation):
                self._looks[operation.id] += 1
                for table in sorted(asked_tables(evaluation, observation.call_index)):
                    self._note_list(operation, table)
            elif not operation.is_safe and not operation.entrance:
                self._looks[operation.id] += 1
                for table in sorted(filled_tables(evaluation, observation.call_index)):
                    self._note_filler(evaluation, observation.call_index, table)

    def _note_list(self, operation: Operation, table: str) -> None:
        of_table = self._lists.setdefault(table, {})
        if operation.id not in of_table:
            of_table[operation.id] = operation
            if table in self._fillers:
                self._queue(operation, self._fillers[table])

    def _note_filler(self, evaluation: Evaluation, index: int, table: str) -> None:
        if table not in self._fillers:
            test_case = TestCase(evaluation.test_case.calls[: index + 1], evaluation.test_case.setup)
            self._fillers[table] = test_case
            for operation in self._lists.get(table, {}).values():
                self._queue(operation, test_case)

    def _queue(self, operation: Operation, filler: TestCase) -> None:
        if len(filler.calls) + N_VARIANTS <= self._max_calls:
            self._waiting.extend((operation, filler, variant) for variant in range(N_VARIANTS))

    def _made(self, operation: Operation, filler: TestCase, variant: int) -> TestCase:
        calls = filler.calls
        maker = calls[-1]
        other = with_credentials_of(self._sampler.call(maker.operation, calls), maker)
        before = (*calls, *((maker,), (other,), (maker, maker))[variant])
        read = self._sampler.with_bound_path(self._sampler.call(operation, before), before)
        return TestCase((*before, with_credentials_of(_bare(read), maker)), filler.setup)


def _is_list(operation: Operation) -> bool:
    return operation.effect == "read" and operation.place[-1:] != (ONE,)


def _bare(call: Call) -> Call:
    """Returns the call without optional inputs, which may leave out the rows."""

    def left_out(gene: Gene) -> Gene:
        return replace(gene, is_present=False) if isinstance(gene, OptionalGene) else gene

    return replace(call, genes=tuple(map(left_out, call.genes)))
