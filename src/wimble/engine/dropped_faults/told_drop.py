"""Faults that are left out of a report, with a warning that says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from wimble.engine.faults.fault_book import Fault
from wimble.engine.faults.shortened_list import shortened_list
from wimble.engine.session.coordinator import Coordinator

MAX_NAMED: Final = 3


def drop_and_tell(coordinator: Coordinator, dropped: Sequence[Fault], why: str) -> None:
    """Removes the faults, if there are any, and tells the user how many, why, and of which operations.

    why: follows their number: `errors were seen ..., and are not reported`.
    """
    if not dropped:
        return
    coordinator.faults.drop({fault.key for fault in dropped})
    named = shortened_list([fault.finding.operation for fault in dropped], MAX_NAMED)
    coordinator.notices.warn(f"{len(dropped)} {why} ({named})")
