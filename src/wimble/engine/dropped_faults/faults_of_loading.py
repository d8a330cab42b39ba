"""Faults of libraries that no call brings about: a timer or a promise from loading ends the process.

A search that runs meanwhile sees one of its calls lost. What ends the process without any call is no fault of that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from wimble.engine.session.coordinator import Coordinator
from wimble.oracles.failures.crashes import DIED

WATCHED_S: Final = 2.0
"""How long a process without calls is watched."""


def drop_faults_of_loading(coordinator: Coordinator, ends_alone: Callable[[float], bool]) -> None:
    """Removes ends of the process if it ends without calls, too, and tells the user.

    ends_alone: whether a fresh process ends within so many seconds without a call.
    """
    dropped = {fault.key for fault in coordinator.faults if fault.finding.oracle == DIED}
    if dropped and ends_alone(WATCHED_S):
        coordinator.faults.drop(dropped)
        coordinator.notices.warn(
            f"the library ends the process within {WATCHED_S:g} s after it was loaded, without any call: calls that "
            "were lost by that are no faults"
        )
