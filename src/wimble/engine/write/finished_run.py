"""A run at its end: all that the result and the reports are made of."""

from __future__ import annotations

import msgspec

from wimble.engine.session.coordinator import Coordinator
from wimble.engine.verify.verify_phase import VerifiedSuite
from wimble.execute.sut.sut import Sut
from wimble.model.result import StoppedBy


class FinishedRun(msgspec.Struct, frozen=True, kw_only=True):
    """Whatever there is, also after an interrupt."""

    coordinator: Coordinator
    sut: Sut
    suite: VerifiedSuite
    stopped_by: StoppedBy
