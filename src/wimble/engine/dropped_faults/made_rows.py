"""Drops errors about values of made rows that were seen before it was known what the API writes into that column."""

from __future__ import annotations

from typing import Final

from wimble.engine.faults.fault_book import Fault
from wimble.engine.faults.same_mend.missing_values import members_that_may_lack
from wimble.engine.session.coordinator import Coordinator
from wimble.oracles.failures import crashes, graphql_errors, no_answer, server_error

WITHOUT_WORDS: Final = (no_answer.BLOCKED.name, no_answer.NO_ANSWER.name, crashes.DIED)
"""Oracles of what a number that is too large may bring about without an error: a loop, or an end of the process."""


def drop_errors_about_made_rows(coordinator: Coordinator) -> None:
    """Removes these findings; called after the search."""
    written = coordinator.judge.written

    def is_explained(fault: Fault) -> bool:
        if fault.finding.oracle in WITHOUT_WORDS and not fault.finding.cause.message:
            return all(written.are_beyond(one.evaluation.test_case) for one in fault.witnesses)
        if fault.finding.oracle not in (server_error.NAME, graphql_errors.NAME):
            return False
        members = members_that_may_lack(fault.finding.cause)
        return all(
            written.explain(one.evaluation.test_case, one.finding.call_index, one.finding.cause.message)
            or any(written.lacks(one.evaluation.test_case, member) for member in members)
            for one in fault.witnesses
        )

    dropped = {fault.key for fault in coordinator.faults if is_explained(fault)}
    if dropped:
        coordinator.faults.drop(dropped)
