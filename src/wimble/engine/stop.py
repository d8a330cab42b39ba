"""How a user stops a run: the first Ctrl-C ends the phase in good order, the second ends it at once."""

from __future__ import annotations


class StopRequest:
    """Set by the signal handler (the CLI installs it), read by the phases between two evaluations.

    While `is_immediate` (nothing to lose yet, or something that cannot be cut in pieces), the first one raises KeyboardInterrupt.
    """

    def __init__(self) -> None:
        self.is_requested = False
        self.is_immediate = True
        self.was_ever_requested = False

    def signal(self) -> None:
        """Called from the handler of SIGINT and SIGTERM."""
        if self.is_immediate or self.is_requested:
            self.was_ever_requested = True
            raise KeyboardInterrupt
        self.is_requested = True
        self.was_ever_requested = True

    def rearm(self) -> None:
        """A new phase begins: the next Ctrl-C ends that one."""
        self.is_requested = False
