"""Drops promises that are awaited, as a later answer has shown."""

from __future__ import annotations

from wimble.engine.session.coordinator import Coordinator
from wimble.oracles.failures.missing_await import NAME


def drop_awaited_promises(coordinator: Coordinator) -> None:
    """Removes these findings; called after the search."""
    promises = coordinator.judge.promises
    dropped = {
        fault.key
        for fault in coordinator.faults
        if fault.finding.oracle == NAME and promises.is_awaited(fault.finding.cause.file, fault.finding.cause.line)
    }
    if dropped:
        coordinator.faults.drop(dropped)
