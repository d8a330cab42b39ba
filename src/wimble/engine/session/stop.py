"""Stops a run: the first Ctrl-C ends the phase in good order, the second ends all phases at once, and so does
time.

What follows a stop has a few seconds, whatever the budget of the run is: a person waits for it, or a system that kills
the process soon.
"""

from __future__ import annotations

import time
from typing import Final

AFTER_STOP_S: Final = 8.0
"""Time from the first signal to the end of the last phase. Containers are killed 10 s after a SIGTERM."""


class StopRequest:
    """A request to stop, set by the CLI's signal handler and read by the phases between two evaluations.

    Before `make_graceful` is called, there are no results to lose, and the first Ctrl-C raises KeyboardInterrupt.
    """

    def __init__(self) -> None:
        self._is_requested = False
        self._is_immediate = True
        self._ends_at_s: float | None = None
        self._has_expired = False
        self._is_writing = False

    @property
    def is_requested(self) -> bool:
        """Whether the current phase is to end."""
        return self._is_requested or self._has_expired

    @property
    def was_ever_requested(self) -> bool:
        """Whether a stop of any phase was requested."""
        return self._ends_at_s is not None

    @property
    def has_expired(self) -> bool:
        """Whether no phase has time any more."""
        return self._has_expired

    @property
    def left_s(self) -> float | None:
        """Seconds that are left after a stop; None if none was requested."""
        return None if self._ends_at_s is None else max(0.0, self._ends_at_s - time.monotonic())

    def signal(self) -> None:
        """Requests a stop, or raises KeyboardInterrupt. Called by the handler of SIGINT and SIGTERM."""
        if self._is_immediate or (self._is_writing and self._is_requested):
            raise KeyboardInterrupt
        is_first = self._ends_at_s is None
        if is_first:
            self._ends_at_s = time.monotonic() + AFTER_STOP_S
        self._is_requested = True
        if not is_first:
            self.expire()

    def expire(self) -> None:
        """Ends all phases: the time after a stop is over. Called by a timer, too, since a phase may be waiting.

        Raises: KeyboardInterrupt, unless the phases have ended already.
        """
        self._has_expired = True
        if not self._is_writing:
            raise KeyboardInterrupt

    def rearm(self) -> None:
        """Clears the request for a new phase, unless the time after a stop is over."""
        self._is_requested = False

    def make_graceful(self) -> None:
        """Lets the first Ctrl-C end the phase in good order from now on."""
        self._is_immediate = False

    def begin_writing(self) -> None:
        """Lets nothing but two more signals interrupt what comes now: restoring, and writing what was found."""
        self._is_writing = True
        self._is_requested = False
