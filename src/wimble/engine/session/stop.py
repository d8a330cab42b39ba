"""Stops a run: the first Ctrl-C ends the phase in good order, the second ends it at once."""

from __future__ import annotations


class StopRequest:
    """A request to stop, set by the CLI's signal handler and read by the phases between two evaluations.

    Before `make_graceful` is called, there are no results to lose, and the first Ctrl-C raises KeyboardInterrupt.
    """

    def __init__(self) -> None:
        self._is_requested = False
        self._is_immediate = True
        self._was_ever_requested = False

    @property
    def is_requested(self) -> bool:
        """Whether the current phase is to end."""
        return self._is_requested

    @property
    def was_ever_requested(self) -> bool:
        """Whether a stop of any phase was requested."""
        return self._was_ever_requested

    def signal(self) -> None:
        """Requests a stop, or raises KeyboardInterrupt. Called by the handler of SIGINT and SIGTERM."""
        self._was_ever_requested = True
        if self._is_immediate or self._is_requested:
            raise KeyboardInterrupt
        self._is_requested = True

    def rearm(self) -> None:
        """Clears the request for a new phase, which the next Ctrl-C will end."""
        self._is_requested = False

    def make_graceful(self) -> None:
        """Lets the first Ctrl-C end the phase in good order from now on."""
        self._is_immediate = False
