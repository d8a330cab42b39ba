"""Faults of libraries that no fresh process shows again.

Most libraries have settings that hold for the whole process: locales, plugins, defaults. A search that has called
`updateLocale('en', {})` or `use(...)` sees other functions fail for the rest of that process. Who reads such a finding
cannot repeat it by its call, so it is left out, and told in one line.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from wimble.engine.faults.shortened_list import shortened_list
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.stability.repeated_runs import NOT_AGAIN

MAX_NAMED: Final = 3


def drop_unrepeated_faults(coordinator: Coordinator, notes: Mapping[tuple[str, ...], str]) -> None:
    """Removes the faults of which verification has noted that they were not seen again, and tells the user."""
    dropped = [fault for fault in coordinator.faults if notes.get(fault.key) == NOT_AGAIN]
    if not dropped:
        return
    coordinator.faults.drop({fault.key for fault in dropped})
    named = shortened_list([fault.finding.operation for fault in dropped], MAX_NAMED)
    coordinator.notices.warn(
        f"{len(dropped)} errors were seen after other calls only, which change settings of the library, and are not "
        f"reported ({named})"
    )
