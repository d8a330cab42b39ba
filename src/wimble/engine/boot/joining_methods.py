"""Has operations of a program without a router join the search, which shows methods that the program compares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wimble.http.binding import binding_of, http_operation
from wimble.http.exchange import request_of
from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation, Specification
from wimble.model.routes import RegisteredOperation
from wimble.model.targets import TargetTable
from wimble.spec.routes.compared_methods import ComparedOperation, compared_operations
from wimble.spec.routes.route_comparison import path_shape
from wimble.types import OperationId

MAX_JOINED: Final = 200
"""Maximum number of operations that join."""


class JoiningMethods:
    """Further operations, as the calls of the search have shown them."""

    def __init__(self, described: Specification) -> None:
        """described: the description of the API, with the operations that the search leaves out."""
        self._explored = described.routes.explored
        self._known = {_key(operation) for operation in described.operations}
        self._n_left = MAX_JOINED

    def found(self, evaluation: Evaluation, table: TargetTable) -> list[tuple[Operation, RegisteredOperation]]:
        """Returns the operations that a test case has shown and that were not known, with where they were seen."""
        if self._explored is None or not evaluation.hints:
            return []
        found = []
        for one, sibling in _compared(evaluation):
            target = table[one.target]
            operation = _operation(one, sibling)
            is_tried = (target.file, target.line) in self._explored
            if is_tried or _key(operation) in self._known or self._n_left <= 0:
                continue
            self._n_left -= 1
            self._known.add(_key(operation))
            found.append((operation, RegisteredOperation(operation.id, target.file, target.line)))
        return found


def _compared(evaluation: Evaluation) -> Iterator[tuple[ComparedOperation, Operation]]:
    """Yields the operations that the hints of each call tell, with the operation that was called."""
    for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=False):
        hints = [hint for hint in evaluation.hints if getattr(hint, "call", None) == observation.call_index]
        if not hints or not observation.is_answered:
            continue
        binding = binding_of(call.operation)
        sent_path = request_of(observation).target.partition("?")[0]
        for one in compared_operations(hints, binding.method, binding.path, sent_path):
            yield one, call.operation


def _operation(one: ComparedOperation, sibling: Operation) -> Operation:
    """Returns the operation, whose parameters are those of the one that was called."""
    inputs = [
        declared
        for declared in binding_of(sibling).inputs
        if declared.location == "path" and "{" + declared.name + "}" in one.template
    ]
    name = OperationId(f"{one.method} {one.template}")
    return http_operation(id=name, method=one.method, path=one.template, inputs=inputs)


def _key(operation: Operation) -> tuple[str, str]:
    binding = binding_of(operation)
    return binding.method, path_shape(binding.path)
