"""Has operations join the search for the keys of a table in which the program looks up a path parameter: the functions
of `/api/{function}`, the collections of `/{collection}/{id}`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from wimble.http.binding import HttpBinding, binding_of, bound
from wimble.http.exchange import request_of
from wimble.model.evaluation import Evaluation
from wimble.model.hints import Hint
from wimble.model.operation import Operation, Specification
from wimble.model.routes import RegisteredOperation
from wimble.model.targets import TargetTable
from wimble.spec.routes.keyed_paths import KeyedSegment, keyed_segments, with_key
from wimble.spec.routes.route_comparison import path_shape
from wimble.spec.routes.route_operations import ANY_METHODS
from wimble.types import OperationId, TargetId

MAX_JOINED: Final = 200
"""Maximum number of operations that join."""
MIN_FOUND: Final = 2
"""Number of keys that have to be sent and found in a table, if none is missed: one alone may be found by chance."""
METHODS_OF_ANY: Final = ("GET", "POST")
"""The methods that are tried with a key on a route that takes any: its functions are called, whatever the method is."""


class JoiningKeys:
    """Tables of operations, as the calls of the search have shown them."""

    def __init__(self, described: Specification) -> None:
        """described: the description of the API, with the operations that the search leaves out. Where a document has
        named the operations, their parameters are what it says.
        """
        self._is_looked_for = described.kind == "routes"
        self._looked: set[tuple[str, str]] = set()
        """Paths up to a parameter, with the keys of tables that have joined there."""
        self._found: dict[tuple[str, TargetId], set[str]] = {}
        self._n_left = MAX_JOINED
        self._of_any = set(_of_any_method(described))

    def found(
        self, evaluation: Evaluation, table: TargetTable, known: Iterable[Operation]
    ) -> list[tuple[Operation, RegisteredOperation]]:
        """Returns the operations that a test case has shown and that were not known, with where they were seen.

        known: the operations of the API, as they were described.
        """
        if not self._is_looked_for or self._n_left <= 0 or not evaluation.hints:
            return []
        found: list[tuple[Operation, RegisteredOperation]] = []
        for segment in _segments(evaluation, table):
            if not self._follows_input(segment):
                continue
            keys = [key for key in segment.keys if (segment.path, key) not in self._looked]
            if not keys:
                continue
            self._looked.update((segment.path, key) for key in keys)
            joining = list(self._keyed(segment, keys, known))
            known = [*known, *joining]
            place = table[segment.target]
            found += [(one, RegisteredOperation(one.id, place.file, place.line)) for one in joining]
        return found

    def _follows_input(self, segment: KeyedSegment) -> bool:
        """Whether the parameter is what is looked up: a key was missed, or two have been found."""
        if not segment.found:
            return True
        found = self._found.setdefault((segment.path, segment.target), set())
        found.add(segment.found)
        return len(found) >= MIN_FOUND

    def _keyed(self, segment: KeyedSegment, keys: list[str], known: Iterable[Operation]) -> Iterator[Operation]:
        """Yields the operations with each of the keys in place of the parameter, in the order of the keys."""
        bindings = [binding_of(operation) for operation in known]
        have = {(binding.method, path_shape(binding.path)) for binding in bindings}
        below = [binding for binding in bindings if segment.is_of(binding.path) and self._is_tried(binding)]
        for key in keys:
            for binding in below:
                operation = _with_key(binding, segment, key)
                new = (binding.method, path_shape(binding_of(operation).path))
                if new not in have and self._n_left > 0:
                    have.add(new)
                    self._n_left -= 1
                    yield operation

    def _is_tried(self, binding: HttpBinding) -> bool:
        return binding.method in METHODS_OF_ANY or f"{binding.method} {binding.path}" not in self._of_any


def _of_any_method(described: Specification) -> Iterator[str]:
    """Yields the ids of the operations of routes that take any method."""
    by_route: dict[tuple[str, str, int], list[str]] = {}
    for one in described.routes.registered:
        path = one.operation.partition(" ")[2]
        by_route.setdefault((path, one.file, one.line), []).append(one.operation)
    for operations in by_route.values():
        if len(operations) >= len(ANY_METHODS):
            yield from operations


def _segments(evaluation: Evaluation, table: TargetTable) -> Iterator[KeyedSegment]:
    for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=False):
        if not observation.is_answered or "{" not in binding_of(call.operation).path:
            continue
        hints: list[Hint] = [hint for hint in evaluation.hints if getattr(hint, "call", None) == observation.call_index]
        sent_path = request_of(observation).target.partition("?")[0]
        yield from keyed_segments(hints, binding_of(call.operation).path, sent_path, table)


def _with_key(binding: HttpBinding, segment: KeyedSegment, key: str) -> Operation:
    """Returns the operation with a key in place of the parameter; its other inputs are the same."""
    path = with_key(binding.path, segment, key)
    inputs = tuple(one for one in binding.inputs if one.location != "path" or "{" + one.name + "}" in path)
    new = msgspec.structs.replace(binding, path=path, inputs=inputs, operation_id="")
    return bound(new, id=OperationId(f"{binding.method} {path}"))
