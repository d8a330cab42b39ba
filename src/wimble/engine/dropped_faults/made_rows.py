"""Drops errors about values of made rows that were seen before it was known what the API writes into that column."""

from __future__ import annotations

from wimble.engine.faults.fault_book import Fault
from wimble.engine.session.coordinator import Coordinator
from wimble.oracles.failures import graphql_errors, server_error


def drop_errors_about_made_rows(coordinator: Coordinator) -> None:
    """Removes these findings; called after the search."""
    written = coordinator.judge.written

    def is_explained(fault: Fault) -> bool:
        return fault.finding.oracle in (server_error.NAME, graphql_errors.NAME) and all(
            written.explain(one.evaluation.test_case, one.finding.call_index, one.finding.cause.message)
            for one in fault.witnesses
        )

    dropped = {fault.key for fault in coordinator.faults if is_explained(fault)}
    if dropped:
        coordinator.faults.drop(dropped)
