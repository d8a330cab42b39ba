"""Stops a run: the first Ctrl-C ends the phase in good order, the second ends it at once."""

from __future__ import annotations


class StopRequest:
    """Set by the signal handler (the CLI installs it), read by the phases between two evaluations.

    Until `make_graceful` there is nothing to lose, and the first one raises KeyboardInterrupt.
    """

    def __init__(self) -> None:
        self._is_requested = False
        self._is_immediate = True
        self._was_ever_requested = False

    @property
    def is_requested(self) -> bool:
        """Whether the phase that runs is to end."""
        return self._is_requested

    @property
    def was_ever_requested(self) -> bool:
        """Whether any phase was to end."""
        return self._was_ever_requested

    def signal(self) -> None:
        """Called from the handler of SIGINT and SIGTERM."""
        self._was_ever_requested = True
        if self._is_immediate or self._is_requested:
            raise KeyboardInterrupt
        self._is_requested = True

    def rearm(self) -> None:
        """A new phase begins: the next Ctrl-C ends that one."""
        self._is_requested = False

    def make_graceful(self) -> None:
        """From now on the first one ends the phase in good order."""
        self._is_immediate = False
