"""Changes the calls and rows of a test case: adds, removes, replaces, reorders and rebinds them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final, TypeAlias

from wimble.model.operation import Operation
from wimble.model.setup import MAX_SETUP, with_copy, without_setup
from wimble.model.testcase import Call, TestCase
from wimble.search.resources.references import inserted, reordered, without_call
from wimble.search.sampling.sampler import Sampler
from wimble.search.sampling.violations import violated
from wimble.settings import Settings

BOUND_AGAIN_PROBABILITY: Final = 0.7
"""Probability that, after a call was added, the path of the target's call is bound again to the calls before it."""
OPERATOR_WEIGHTS: Final = {
    "add before": 4.0,  # added calls reach new states; the other operators keep test cases short and varied
    "remove": 2.0,
    "duplicate": 1.0,
    "swap": 1.0,
    "replace": 1.0,
    "append": 1.0,
    "rebind": 2.0,
    "resample": 2.0,
    "change user": 2.0,
    "violate": 0.5,
    "copy row": 1.0,
    "drop row": 1.0,
}
MAX_TRIES: Final = 3
"""Number of operators that are tried, since not all apply to every test case. After that, values are changed
instead.
"""

Operator: TypeAlias = Callable[[TestCase, int], TestCase | None]
"""Returns a mutant of the parent for the index of the call that reached the target, or None if it does not apply."""


class StructureMutation:
    """The operators with their weights, without those of techniques that are switched off."""

    def __init__(self, sampler: Sampler, settings: Settings, rng: Random) -> None:
        self._sampler = sampler
        self._max_calls = max(1, settings.max_test_calls)
        self._rng = rng
        table: tuple[tuple[str, tuple[str, Operator]], ...] = (
            ("", ("add before", self._add_before)),
            ("", ("remove", self._remove)),
            ("", ("duplicate", self._duplicate)),
            ("", ("swap", self._swap)),
            ("", ("replace", self._replace)),
            ("", ("append", self._append)),
            ("", ("rebind", self._rebind)),
            ("", ("resample", self._resample)),
            *((("", ("change user", sampler.users.changed)),) if sampler.users.users else ()),
            ("violations", ("violate", self._violate)),
        )
        self._operators = [(OPERATOR_WEIGHTS[name], operator) for name, operator in settings.in_use(table)]
        self._row_operators = [
            (OPERATOR_WEIGHTS["copy row"], self._copy_row),
            (OPERATOR_WEIGHTS["drop row"], self._drop_row),
        ]
        """For parents that insert rows."""

    def mutant(self, parent: TestCase, target_call: int) -> TestCase | None:
        """Returns a mutant, or None if no operator that was drawn applies.

        target_call: index of the call that reached the target.
        """
        operators = (*self._operators, *self._row_operators) if parent.setup else self._operators
        weights = [weight for weight, _ in operators]
        for _ in range(MAX_TRIES):
            _, operator = self._rng.choices(operators, weights)[0]
            mutant = operator(parent, min(target_call, len(parent.calls) - 1))
            if mutant is not None and mutant is not parent and len(mutant.calls) <= self._max_calls:
                return mutant
        return None

    def _add_before(self, parent: TestCase, target_call: int) -> TestCase | None:
        """Adds a call before the one that reached the target.

        It is a call of a creator of what that call needs, of a relative, or of any operation.
        """
        if len(parent.calls) >= self._max_calls:
            return None
        sampler, rng = self._sampler, self._rng
        target = parent.calls[target_call]
        index = rng.randint(0, target_call)
        new = sampler.call(self._operation_to_add(target), parent.calls[:index])
        new = sampler.shared_values.named_as(new, target)
        mutant = inserted(parent, index, (new,))
        named = sampler.shared_values.left_out_as(mutant.calls[target_call + 1], new)
        mutant = mutant.with_call(target_call + 1, named)
        return self._bound_again(mutant, target_call + 1) if rng.random() < BOUND_AGAIN_PROBABILITY else mutant

    def _operation_to_add(self, target: Call) -> Operation:
        rng, sampler = self._rng, self._sampler
        resources = sampler.resources
        operations = sampler.operations
        kind = rng.choice(("creator", "relative", "own", "any"))
        if kind == "own":
            # The state that one call leaves may be what the next call of the operation needs.
            return target.operation
        mate = None
        if kind != "any":
            creators = [o for binding in resources.bindings(target.operation) for o in binding.creators]
            relatives = [*resources.siblings(target.operation), *resources.collection(target.operation)]
            operations = tuple(creators if creators and kind == "creator" else relatives) or operations
            mate = None if kind == "creator" else sampler.same_names.mate(target.operation, rng)
        return mate or rng.choice(operations)

    def _append(self, parent: TestCase, target_call: int) -> TestCase | None:
        if len(parent.calls) >= self._max_calls:
            return None
        resources = self._sampler.resources
        target = parent.calls[target_call].operation
        related = (*resources.siblings(target), *resources.below(target)) or self._sampler.operations
        new = self._sampler.call(self._rng.choice(related), parent.calls)
        return TestCase((*parent.calls, new), parent.setup)

    def _remove(self, parent: TestCase, target_call: int) -> TestCase | None:
        others = [index for index in range(len(parent.calls)) if index != target_call]
        return without_call(parent, self._rng.choice(others)) if others else None

    def _duplicate(self, parent: TestCase, target_call: int) -> TestCase | None:
        if len(parent.calls) >= self._max_calls:
            return None
        index = self._rng.randint(0, target_call)
        return inserted(parent, index, (parent.calls[index],))

    def _swap(self, parent: TestCase, target_call: int) -> TestCase | None:
        if len(parent.calls) < 2:
            return None
        order = list(range(len(parent.calls)))
        first = self._rng.randrange(len(order) - 1)
        order[first], order[first + 1] = order[first + 1], order[first]
        return reordered(parent, order)

    def _replace(self, parent: TestCase, target_call: int) -> TestCase | None:
        """Replaces a call before the one that reached the target by a call of another operation."""
        if target_call == 0:
            return None
        index = self._rng.randrange(target_call)
        new = self._sampler.call(self._rng.choice(self._sampler.operations), parent.calls[:index])
        return parent.with_call(index, new)

    def _resample(self, parent: TestCase, target_call: int) -> TestCase | None:
        """Draws new values for one of the calls."""
        index = self._rng.randint(0, target_call)
        return parent.with_call(index, self._sampler.call(parent.calls[index].operation, parent.calls[:index]))

    def _copy_row(self, parent: TestCase, target_call: int) -> TestCase | None:
        """Adds a row like one that is inserted: many branches depend on a number of rows."""
        if len(parent.setup) >= MAX_SETUP:
            return None
        return with_copy(parent, self._rng.randrange(len(parent.setup)), self._rng)

    def _drop_row(self, parent: TestCase, target_call: int) -> TestCase:
        return without_setup(parent, self._rng.randrange(len(parent.setup)))

    def _violate(self, parent: TestCase, target_call: int) -> TestCase | None:
        """Makes the call that reached the target violate the API description in one input."""
        call = parent.calls[target_call]
        changed = violated(call, self._rng)
        return None if changed is call else parent.with_call(target_call, changed)

    def _rebind(self, parent: TestCase, target_call: int) -> TestCase | None:
        operation = parent.calls[target_call].operation
        if target_call == 0 or not (operation.needs or self._sampler.resources.bindings(operation)):
            return None
        if operation.needs:
            mutant = self._sampler.with_needs(parent, target_call + 1)
        else:
            mutant = self._bound_again(parent, target_call)
        return mutant if mutant != parent else None

    def _bound_again(self, test_case: TestCase, index: int) -> TestCase:
        call = self._sampler.with_bound_path(test_case.calls[index], test_case.calls[:index])
        return test_case.with_call(index, call)
