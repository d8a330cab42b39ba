"""Calls of libraries that are slow, rather than without an end.

The search waits for a call as long as `--call-timeout` says. What then has not returned may only need longer, in an
instrumented program on a busy machine: such as all dates of a rule up to the year 9999.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from wimble.engine.dropped_faults.told_drop import drop_and_tell
from wimble.engine.session.coordinator import Coordinator
from wimble.model.testcase import TestCase
from wimble.oracles.libraries.library_faults import HANGS

LONGER_WAIT: Final = 5.0
"""How many times as long a call is waited for again."""
MAX_REPEATED: Final = 12
"""Further hangs are left as they are."""


def drop_slow_calls(coordinator: Coordinator, returns_within: Callable[[TestCase, float], bool]) -> None:
    """Removes hangs of calls that return if they are given more time, and tells the user.

    returns_within: whether the calls of a test case return within so many seconds, in a fresh process.
    """
    hanging = [fault for fault in coordinator.faults if fault.finding.oracle == HANGS][:MAX_REPEATED]
    limit_s = LONGER_WAIT * coordinator.settings.call_timeout_s
    slow = [one for one in hanging if returns_within(one.witnesses[0].evaluation.test_case, limit_s)]
    drop_and_tell(
        coordinator,
        slow,
        f"calls did not return within {coordinator.settings.call_timeout_s:g} s, but within {limit_s:g} s, and are not "
        "reported",
    )
