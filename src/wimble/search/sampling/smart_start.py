"""The smart start: the test cases with which each search begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.search.access.user_calls import UserCalls
from wimble.search.sampling.call_maker import CallMaker
from wimble.search.sampling.chains import Chains
from wimble.search.sampling.optional_inputs import bare, full, has_optionals
from wimble.search.sampling.user_choice import UserChooser, as_user, is_fitting


class SmartStart:
    """Makes its test cases one by one, so that later ones can use the answers to earlier ones."""

    def __init__(
        self, calls: CallMaker, chains: Chains, *, users: UserChooser, user_calls: UserCalls, rng: Random
    ) -> None:
        self._user_calls = user_calls
        self._maker = calls
        self._chains = chains
        self._users = users
        self._rng = rng

    def test_cases(self, operations: Sequence[Operation]) -> Iterator[TestCase]:
        """Yields the initial test cases.

        Each operation is called alone, then as each user, then after its creators if it needs a resource, then alone
        again, then with required inputs only, and then with all inputs. All but the first begin with the calls that let
        a user in, as soon as these are known.
        """
        yield from self._alone(operations)
        yield from self._as_each_user(operations)
        yield from self._behind_creators(operations)
        yield from self._alone_as_user(operations)
        yield from self._with_required_inputs(operations)
        yield from self._with_all_inputs(operations)

    def _alone(self, operations: Sequence[Operation]) -> Iterator[TestCase]:
        for operation in operations:
            yield TestCase((self._maker.call(operation, ()),))

    def _alone_as_user(self, operations: Sequence[Operation]) -> Iterator[TestCase]:
        for operation in operations:
            begun = self._begun(operation)
            yield TestCase((*begun.calls, self._maker.call(operation, begun.calls)), begun.setup)

    def _as_each_user(self, operations: Sequence[Operation]) -> Iterator[TestCase]:
        for user in self._users.users:
            for operation in operations:
                if is_fitting(user, operation):
                    yield as_user(TestCase((self._maker.call(operation, ()),)), user.name, {0})

    def _behind_creators(self, operations: Sequence[Operation]) -> Iterator[TestCase]:
        for operation in operations:
            if self._chains.is_dependent(operation):
                begun = self._begun(operation)
                calls = self._chain(operation, begun)
                if len(calls) > len(begun.calls) + 1:
                    yield TestCase(tuple(calls), begun.setup)

    def _with_required_inputs(self, operations: Sequence[Operation]) -> Iterator[TestCase]:
        for operation in operations:
            if has_optionals(operation):
                begun = self._begun(operation)
                calls = self._chain(operation, begun)
                yield TestCase((*calls[:-1], bare(calls[-1])), begun.setup)

    def _with_all_inputs(self, operations: Sequence[Operation]) -> Iterator[TestCase]:
        for operation in operations:
            begun = self._begun(operation)
            calls = self._chain(operation, begun)
            filled = full(calls[-1], self._rng)
            if filled is not calls[-1]:
                yield TestCase((*calls[:-1], filled), begun.setup)

    def _begun(self, operation: Operation) -> TestCase:
        """Returns the calls that let a user in, if the operation has room behind them."""
        begun = self._user_calls.begun(operation)
        return begun if self._chains.has_room(begun.calls) else TestCase(())

    def _chain(self, operation: Operation, begun: TestCase) -> list[Call]:
        calls = [*begun.calls]
        self._chains.append(operation, calls)
        return calls
