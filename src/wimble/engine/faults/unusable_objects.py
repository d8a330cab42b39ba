"""Faults of methods that no call has brought to a result, of libraries.

Such a method needs an object that its constructor alone does not make, such as a renderer that a parser completes. What
fails then is the call as wimble makes it, not the method. So it is with classes that are called as functions.
"""

from __future__ import annotations

from typing import Final

from wimble.engine.session.coordinator import Coordinator
from wimble.library.function_binding import FunctionBinding
from wimble.oracles.library_faults import EXCEPTION

MAX_NAMED: Final = 5


def drop_faults_of_unusable_objects(coordinator: Coordinator) -> None:
    """Removes exceptions of methods that have never returned, and tells the user which these are."""
    unusable = [
        operation.id
        for operation in coordinator.specification.operations
        if isinstance(operation.binding, FunctionBinding)
        and (operation.binding.kind == "method" or operation.binding.is_class)
        and not coordinator.statistics.has_succeeded(operation.id)
    ]
    faults = [fault for fault in coordinator.faults if fault.finding.oracle == EXCEPTION]
    dropped = {fault.key for fault in faults if set(fault.operations) <= set(unusable)}
    if dropped:
        coordinator.faults.drop(dropped)
        named = ", ".join(unusable[:MAX_NAMED]) + (", ..." if len(unusable) > MAX_NAMED else "")
        coordinator.notices.warn(
            f"errors of {len(unusable)} methods are not reported, for they never returned: their objects need more "
            f"than a constructor gives ({named})"
        )
