"""Faults of libraries that show only after a call that nobody makes.

Libraries with settings for the whole process take them from calls: `addRule(rule)`. What an `addRule()` without its
argument has stored fails in the calls after it, which are fine themselves. The error says nothing about them.
"""

from __future__ import annotations

from collections.abc import Sequence

from wimble.engine.dropped_faults.told_drop import drop_and_tell
from wimble.engine.session.coordinator import Coordinator
from wimble.library.argument_fit import holds_function
from wimble.library.function_binding import function_of
from wimble.library.invocation import exchange_of_function
from wimble.model.suite import VerifiedTest
from wimble.oracles.libraries.library_faults import EXCEPTION
from wimble.oracles.libraries.sensible_calls import is_sensible


def drop_faults_after_misuse(coordinator: Coordinator, tests: Sequence[VerifiedTest]) -> None:
    """Removes the exceptions of which each test has an earlier call with arguments that nobody passes."""
    is_misused: dict[tuple[str, ...], bool] = {}
    for test in tests:
        for finding in test.findings:
            if finding.oracle == EXCEPTION:
                is_misused[finding.key] = is_misused.get(finding.key, True) and _is_misused(test, finding.call_index)
    dropped = [fault for fault in coordinator.faults if is_misused.get(fault.key, False)]
    drop_and_tell(
        coordinator,
        dropped,
        "errors were seen only after calls with arguments that their functions do not take, and are not reported",
    )


def _is_misused(test: VerifiedTest, failing: int) -> bool:
    """Whether a call before the failing one has arguments that its function does not take, or functions: what these
    return is no caller's choice.
    """
    for call, verified in zip(test.test_case.calls[:failing], test.calls, strict=False):
        exchange = exchange_of_function(verified.observation)
        is_taken = is_sensible(function_of(call.operation), exchange)
        if not is_taken or holds_function(exchange.invocation.values()):
            return True
    return False
