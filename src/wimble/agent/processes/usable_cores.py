"""How many cores of the machine wimble and the SUT may use."""

from __future__ import annotations

import os


def usable_cores() -> int:
    """Returns the number of cores on which this process may run (`taskset`, a container's set), at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1
