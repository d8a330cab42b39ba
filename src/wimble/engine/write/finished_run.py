"""A run at its end: the data from which the result and the reports are made."""

from __future__ import annotations

import msgspec

from wimble.engine.journal.killed_run import KilledRun
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.verify.verify_phase import VerifiedSuite
from wimble.execute.sut.sut import Sut
from wimble.model.result import StoppedBy


class FinishedRun(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a run that has ended, possibly by an interrupt."""

    coordinator: Coordinator
    sut: Sut
    suite: VerifiedSuite
    stopped_by: StoppedBy
    killed: KilledRun | None = None
    """The run that was killed, if this one makes its report."""

    @property
    def is_unfinished(self) -> bool:
        """Whether a stop, or a bug of wimble, has cut the suite short, and `wimble report` can complete it."""
        return self.suite.is_unfinished and (self.killed is not None or self.coordinator.journal.is_open)
