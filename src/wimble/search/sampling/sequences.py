"""Sequences of calls: random ones, and templates that lead to an operation.

The templates follow from what operations do to resources [Resources].
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.search.access.user_calls import UserCalls
from wimble.search.learned.handed_on import HandedOn
from wimble.search.resources.resources import Resources
from wimble.search.sampling.call_maker import CallMaker
from wimble.search.sampling.chains import FOLLOW_UP_PROBABILITY, Chains
from wimble.search.sampling.same_names import MATE_PROBABILITY, SameNames

RANDOM_SEQUENCE_PROBABILITY: Final = 0.1
"""Probability of a test case that follows no template; only such test cases find relations that names do not show."""
ALONE_PROBABILITY: Final = 0.2
"""Probability of calling an operation on one resource without creating the resource, as a check for unknown ids."""


class RandomSequences:
    """Calls of any operations in any order."""

    def __init__(
        self,
        operations: Sequence[Operation],
        calls: CallMaker,
        max_calls: int,
        *,
        user_calls: UserCalls,
        handed_on: HandedOn,
        rng: Random,
    ) -> None:
        self._operations = operations
        self._handed_on = handed_on
        self._user_calls = user_calls
        self._maker = calls
        self._max_calls = max_calls
        self._rng = rng

    def join(self, operations: Sequence[Operation]) -> None:
        """Adds operations."""
        self._operations = (*self._operations, *operations)

    def sample(self) -> TestCase:
        """Returns a test case of 1 to `max_calls` calls."""
        calls: list[Call] = []
        for _ in range(self._rng.randint(1, self._max_calls)):
            calls.append(self._maker.call(self._any_operation(), calls))
        return TestCase(tuple(calls))

    def sample_for(self, operation: Operation) -> TestCase:
        """Returns a test case that leads to the operation: here it calls only what lets it in, and the operation."""
        begun = self._begun(operation)
        return TestCase((*begun.calls, self._maker.call(operation, begun.calls)), begun.setup)

    def _begun(self, operation: Operation) -> TestCase:
        begun = self._user_calls.begun_otherwise(operation, self._user_calls.begun(operation), self._maker.call)
        return self._handed_on.begun(operation, begun, self._giver)

    def _giver(self, operation: Operation, calls: Sequence[Call]) -> Call:
        """Returns a call that is answered what a later one takes."""
        return self._maker.call(operation, calls)

    def _any_operation(self) -> Operation:
        return self._operations[int(self._rng.random() * len(self._operations))]


class TemplateSequences(RandomSequences):
    """Uses templates in most cases: what an operation needs is created before it, and what it creates is used."""

    def __init__(
        self,
        operations: Sequence[Operation],
        calls: CallMaker,
        max_calls: int,
        *,
        chains: Chains,
        resources: Resources,
        same_names: SameNames,
        user_calls: UserCalls,
        handed_on: HandedOn,
        rng: Random,
    ) -> None:
        super().__init__(operations, calls, max_calls, user_calls=user_calls, handed_on=handed_on, rng=rng)
        self._chains = chains
        self._resources = resources
        self._same_names = same_names

    def _giver(self, operation: Operation, calls: Sequence[Call]) -> Call:
        return self._chains.producer(operation, calls)

    def sample(self) -> TestCase:
        if self._rng.random() < RANDOM_SEQUENCE_PROBABILITY:
            return super().sample()
        return self.sample_for(self._any_operation())

    def sample_for(self, operation: Operation) -> TestCase:
        rng = self._rng
        begun = self._begun(operation)
        calls = [*begun.calls]
        if self._chains.is_dependent(operation):
            if rng.random() < ALONE_PROBABILITY:
                calls.append(self._maker.call(operation, calls))
            else:
                self._chains.append(operation, calls)
                self._chains.append_follow_ups(operation, calls)
        elif rng.random() < MATE_PROBABILITY and (mate := self._same_names.mate(operation, rng)) is not None:
            self._append_with_mates(operation, mate, calls)
        elif operation.effect == "create":
            self._chains.append_creation(operation, calls)
        else:
            creators = [o for o in self._resources.siblings(operation) if o.effect == "create"]
            if creators and rng.random() < 0.5:
                for _ in range(rng.randint(1, 3)):
                    self._chains.append(rng.choice(creators), calls)
            self._chains.append(operation, calls)
        return TestCase(tuple(calls[: self._max_calls]), begun.setup)

    def _append_with_mates(self, operation: Operation, mate: Operation, calls: list[Call]) -> None:
        """Appends the operation after calls of operations that have inputs of the same name."""
        rng = self._rng
        self._chains.append(mate, calls)
        calls[-1] = self._same_names.naming(calls[-1], operation, rng)
        while len(calls) + 1 < self._max_calls and rng.random() < FOLLOW_UP_PROBABILITY:
            calls.append(self._chains.new_call(self._same_names.mate(operation, rng) or mate, calls))
        self._chains.append(operation, calls)
