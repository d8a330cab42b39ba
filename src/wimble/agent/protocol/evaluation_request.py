"""The request with which the core begins an evaluation."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from wimble.model.external import ExternalOutcome, PlannedAnswer
from wimble.types import TargetId


class EvaluationRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The properties of one evaluation that agents need."""

    port: int = 0
    """The local port of the core's connection; 0 if there is none yet (then `connection` follows)."""
    next_call: int = 0
    """The index of the first call over this connection."""
    covered: Sequence[TargetId] = ()
    """Targets that are covered by now; they may include those of earlier requests."""
    full: bool = False
    """Whether covered targets are reported as well."""
    hints: bool = True
    trace: bool = False
    """Whether the agents report each statement when it is entered."""
    timed: bool = False
    """Whether the agents find the statement that takes most of the time. That takes time itself."""
    external_outcomes: Sequence[ExternalOutcome] = ()
    """Hosts to which connecting fails in this evaluation."""
    answers: Sequence[PlannedAnswer] = ()
    """What services answer in this evaluation; the agents recognise the bodies where they are parsed."""
