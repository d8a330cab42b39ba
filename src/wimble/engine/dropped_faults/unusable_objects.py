"""Faults of methods that no call has brought to a result, of libraries.

Such a method needs an object that its constructor alone does not make, such as a renderer that a parser completes. What
fails then is the call as wimble makes it, not the method. So it is with classes that are called as functions, and with
all methods of a class of which most have never returned: they share what the object lacks, such as a compiler's stacks.
Functions of one exported object are alike: helpers of a template engine expect what the engine passes to all of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from wimble.engine.faults.shortened_list import shortened_list
from wimble.engine.session.coordinator import Coordinator
from wimble.library.argument_literals import DEFAULT
from wimble.library.function_binding import FunctionBinding
from wimble.model.operation import Operation
from wimble.oracles.libraries.library_faults import EXCEPTION
from wimble.types import OperationId

MAX_NAMED: Final = 5
LEAST_METHODS: Final = 4
"""In a class with fewer methods, those that never returned say nothing about the others."""


def drop_faults_of_unusable_objects(coordinator: Coordinator) -> None:
    """Removes exceptions of methods that have never returned, and tells the user which these are."""
    unusable = unusable_operations(coordinator.specification.operations, coordinator.statistics.has_succeeded)
    faults = [fault for fault in coordinator.faults if fault.finding.oracle == EXCEPTION]
    dropped = {fault.key for fault in faults if set(fault.operations) <= set(unusable)}
    if dropped:
        coordinator.faults.drop(dropped)
        named = shortened_list(unusable, MAX_NAMED)
        coordinator.notices.warn(
            f"errors of {len(unusable)} functions are not reported, for they never returned, or few of their class or "
            f"object did: they need more than their arguments ({named})"
        )


def unusable_operations(
    operations: Sequence[Operation], has_succeeded: Callable[[OperationId], bool]
) -> list[OperationId]:
    """Returns the methods whose objects seem to need more than a constructor gives, in order."""
    of_objects = [(one, one.binding) for one in operations if isinstance(one.binding, FunctionBinding)]
    methods: dict[_Owner, list[bool]] = defaultdict(list)
    for one, binding in of_objects:
        owner = _owner_of(binding)
        # Getters return in any state of their object.
        if owner is not None and binding.access == "call":
            methods[owner].append(has_succeeded(one.id))
    failing = {of for of, returned in methods.items() if len(returned) >= LEAST_METHODS and _most_fail(returned)}
    return [
        one.id
        for one, binding in of_objects
        if _owner_of(binding) in failing or (_needs_object(binding) and not has_succeeded(one.id))
    ]


_Owner: TypeAlias = tuple[str, bool, tuple[str, ...]]


def _owner_of(binding: FunctionBinding) -> _Owner | None:
    """Returns what the class of a method is known by, or the exported object of a function; None if it has neither."""
    if binding.kind == "method":
        return "class", binding.is_of_result, binding.path
    # The default export of a package is the package.
    n_names = len(binding.path) - (binding.path[:1] == (DEFAULT,))
    is_member = binding.kind == "function" and not binding.is_class and n_names > 1
    return ("object", False, binding.path[:-1]) if is_member else None


def _needs_object(binding: FunctionBinding) -> bool:
    # A class of which no object was ever made may be abstract.
    return binding.kind in ("method", "constructor") or binding.is_class


def _most_fail(returned: Sequence[bool]) -> bool:
    return 2 * sum(returned) < len(returned)
