"""Faults of methods that no call has brought to a result, of libraries.

Such a method needs an object that its constructor alone does not make, such as a renderer that a parser completes. What
fails then is the call as wimble makes it, not the method. So it is with classes that are called as functions, and with
all methods of a class of which most have never returned: they share what the object lacks, such as a compiler's stacks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Final

from wimble.engine.session.coordinator import Coordinator
from wimble.library.function_binding import FunctionBinding
from wimble.model.operation import Operation
from wimble.oracles.library_faults import EXCEPTION
from wimble.types import OperationId

MAX_NAMED: Final = 5
LEAST_METHODS: Final = 4
"""Of a class with fewer methods, those that never returned say nothing about the others."""


def drop_faults_of_unusable_objects(coordinator: Coordinator) -> None:
    """Removes exceptions of methods that have never returned, and tells the user which these are."""
    unusable = unusable_operations(coordinator.specification.operations, coordinator.statistics.has_succeeded)
    faults = [fault for fault in coordinator.faults if fault.finding.oracle == EXCEPTION]
    dropped = {fault.key for fault in faults if set(fault.operations) <= set(unusable)}
    if dropped:
        coordinator.faults.drop(dropped)
        named = ", ".join(unusable[:MAX_NAMED]) + (", ..." if len(unusable) > MAX_NAMED else "")
        coordinator.notices.warn(
            f"errors of {len(unusable)} methods are not reported, for they never returned, or few of their class did: "
            f"their objects need more than a constructor gives ({named})"
        )


def unusable_operations(
    operations: Sequence[Operation], has_succeeded: Callable[[OperationId], bool]
) -> list[OperationId]:
    """Returns the methods whose objects seem to need more than a constructor gives, in order."""
    of_objects = [(one, one.binding) for one in operations if isinstance(one.binding, FunctionBinding)]
    of_objects = [(one, binding) for one, binding in of_objects if binding.kind == "method" or binding.is_class]
    methods: dict[tuple[bool, tuple[str, ...]], list[bool]] = defaultdict(list)
    for one, binding in of_objects:
        if binding.kind == "method":
            methods[_class_of(binding)].append(has_succeeded(one.id))
    failing = {of for of, returned in methods.items() if len(returned) >= LEAST_METHODS and _most_fail(returned)}
    return [
        one.id
        for one, binding in of_objects
        if not has_succeeded(one.id) or (binding.kind == "method" and _class_of(binding) in failing)
    ]


def _class_of(binding: FunctionBinding) -> tuple[bool, tuple[str, ...]]:
    return binding.is_of_result, binding.path


def _most_fail(returned: Sequence[bool]) -> bool:
    return 2 * sum(returned) < len(returned)
