"""The calls that a library's documentation shows: each is tried once, as it stands there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wimble.library.function_binding import FunctionBinding
from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.search.generators.generator import Generator, Proposal
from wimble.types import ABSENT, Json


class ShownCalls(Generator):
    """Proposes the examples of each operation in turn; APIs have none here (their document's are values of genes)."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        super().__init__()
        self._waiting = iter_shown(operations)
        self._next = next(self._waiting, None)

    def is_ready(self) -> bool:
        return self._next is not None

    def propose(self, progress: float) -> Proposal | None:
        shown, self._next = self._next, next(self._waiting, None)
        return None if shown is None else Proposal(shown, self, is_sampled=True)


def iter_shown(operations: Sequence[Operation]) -> Iterator[TestCase]:
    for operation in operations:
        binding = operation.binding
        if not isinstance(binding, FunctionBinding):
            continue
        for index, arguments in enumerate(binding.examples):
            receiver = binding.made_by[index % len(binding.made_by)] if binding.made_by else ()
            call = _call(operation, binding, receiver, arguments)
            if call is not None:
                yield TestCase((call,))


def _call(
    operation: Operation, binding: FunctionBinding, receiver: Sequence[Json], arguments: Sequence[Json]
) -> Call | None:
    """Returns a call with these arguments; None if an input cannot hold one."""
    values = [*_spread(receiver, len(binding.receiver)), *_spread(arguments, len(binding.parameters))]
    if binding.parameters and binding.parameters[-1].is_rest:
        values[-1] = list(arguments[len(binding.parameters) - 1 :])
    if binding.steps:
        values.append(ABSENT)
    genes = []
    for index, (one, value) in enumerate(zip(operation.inputs, values, strict=True)):
        # Documentation shows no object by itself.
        is_object = index == 0 and binding.is_made
        gene = one.template if is_object else one.template.with_value(value)
        if gene is None:
            return None
        genes.append(gene)
    return Call(operation, tuple(genes))


def _spread(values: Sequence[Json], count: int) -> list[Json]:
    return [values[index] if index < len(values) else ABSENT for index in range(count)]
