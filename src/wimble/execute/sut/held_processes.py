"""Holds the SUT's processes for the moment in which two calls are sent to them.

Two calls that are sent at once arrive one after the other: a program that needs less time for its check and its change
than lies between them is done with the first call when the second one comes. Processes that are held, and then go on,
find both calls in one turn of their event loop, on a busy machine as well.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager


@contextmanager
def held(pids: Iterable[int]) -> Iterator[None]:
    """Stops the processes, and lets them go on at the end. Those that have ended are left out."""
    stopped = []
    try:
        for pid in pids:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGSTOP)
                stopped.append(pid)
        yield
    finally:
        for pid in stopped:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGCONT)
