"""Faults of libraries that no fresh process shows again.

Most libraries have settings that hold for the whole process: locales, plugins, defaults. A search that has called
`updateLocale('en', {})` or `use(...)` sees other functions fail for the rest of that process. Who reads such a finding
cannot repeat it by its call, so it is left out, and told in one line.
"""

from __future__ import annotations

from collections.abc import Mapping

from wimble.engine.dropped_faults.told_drop import drop_and_tell
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.stability.repeated_runs import NOT_AGAIN


def drop_unrepeated_faults(coordinator: Coordinator, notes: Mapping[tuple[str, ...], str]) -> None:
    """Removes the faults of which verification has noted that they were not seen again, and tells the user."""
    dropped = [fault for fault in coordinator.faults if notes.get(fault.key) == NOT_AGAIN]
    drop_and_tell(
        coordinator,
        dropped,
        "errors were seen after other calls only, which change settings of the library, and are not reported",
    )
