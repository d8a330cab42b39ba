"""Drops 502, 503, 504 and 424 of operations that were seen to call services only after that.

They say that another service has failed, which such an operation may well say.
"""

from __future__ import annotations

from wimble.engine.session.coordinator import Coordinator
from wimble.oracles.failures.server_error import tells_of_failed_service


def drop_failures_passed_on(coordinator: Coordinator) -> None:
    """Removes these findings; called after the search."""
    callers = coordinator.judge.callers
    dropped = {
        fault.key
        for fault in coordinator.faults
        if tells_of_failed_service(fault.finding) and callers.issuperset(fault.operations)
    }
    if dropped:
        coordinator.faults.drop(dropped)
