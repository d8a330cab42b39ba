"""Drops findings that an operation denies a resource, if the operation has found one in the same run.

Then it looks for resources in the right way, and what it denied is denied for another reason.
"""

from __future__ import annotations

from wimble.engine.session.coordinator import Coordinator
from wimble.oracles.databases.not_found import NAME as NOT_FOUND


def drop_denials_of_found_resources(coordinator: Coordinator) -> None:
    """Removes these findings; called after the search."""
    denials = [fault for fault in coordinator.faults if fault.finding.oracle == NOT_FOUND]
    has_succeeded = coordinator.statistics.has_succeeded
    dropped = {fault.key for fault in denials if has_succeeded(fault.finding.operation)}
    if dropped:
        coordinator.faults.drop(dropped)
