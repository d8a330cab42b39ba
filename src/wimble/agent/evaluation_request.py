"""The request with which the core begins an evaluation."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from wimble.types import TargetId


class EvaluationRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One evaluation, as agents have to see it."""

    port: int = 0
    """The local port of the core's connection; 0 if there is none yet (`connection` follows)."""
    next_call: int = 0
    """The index of the first call over this connection."""
    covered: Sequence[TargetId] = ()
    """Targets covered by now; those told before may be in it again."""
    full: bool = False
    """Whether targets that are covered are reported as well."""
    hints: bool = True
    trace: bool = False
    """Whether each statement is reported as it is entered."""
