"""Detects lockouts: the SUT answers nearly all calls that would change something with the same server error.

The cause is usually a mode (maintenance, read-only) that a test case has switched on and that stays in the SUT's
memory. It spoils the rest of the search. A fresh start ends it. Lockouts are measured in calls, so that runs can be
repeated.
"""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple

from wimble.model.evaluation import Evaluation
from wimble.model.observation import Cause, Observation
from wimble.types import OperationId

WINDOW: Final = 60
"""Number of latest calls that are regarded; only calls that would change something count."""
SHARE: Final = 0.7
"""Share of these calls that has to meet the same error."""
MIN_OPERATIONS: Final = 3
"""Number of operations that have to meet the error: an error of one operation only is no lockout."""
GROWTH: Final = 2
"""Factor by which the next lockout has to last longer if the last start helped for less than a window."""


class _Error(NamedTuple):
    outcome_key: str
    file: str
    line: int
    message: str


class Lockouts:
    """The lockouts of one search."""

    def __init__(self) -> None:
        self._recent: deque[tuple[OperationId, _Error | None]] = deque(maxlen=WINDOW)
        self._n_calls = 0
        """Since the last start."""
        self._error: _Error | None = None
        """The error of the latest lockout, which may be over; None if there was none since the start."""
        self._locked_after = 0
        """Number of calls between the last start and the lockout by `_error`."""
        self._wanted = WINDOW
        """Number of calls that have to follow a start before the next one."""

    def note(self, evaluation: Evaluation) -> None:
        """Adds the calls of an evaluation that would change something."""
        for call, observation in evaluation.sent_calls():
            if not call.operation.is_safe:
                self._note(call.operation.id, _error_of(observation))

    def _note(self, operation: OperationId, error: _Error | None) -> None:
        self._n_calls += 1
        self._recent.append((operation, error))
        if error is not None and self._is_locked_by(error):
            if self._error is None:
                self._locked_after = self._n_calls - WINDOW
            self._error = error

    @property
    def is_locked_out(self) -> bool:
        """Whether a fresh start may help; the caller then makes one."""
        return self._error is not None and self._n_calls >= self._wanted and self._is_locked_by(self._error)

    def _is_locked_by(self, error: _Error) -> bool:
        met_by = [operation for operation, met in self._recent if met == error]
        return len(met_by) >= SHARE * WINDOW and len(set(met_by)) >= MIN_OPERATIONS

    def forget(self) -> None:
        """Adapts to a fresh start of the SUT."""
        if self.is_locked_out:
            self._wanted = WINDOW if self._locked_after > WINDOW else self._wanted * GROWTH
        self._recent.clear()
        self._error = None
        self._n_calls = 0


def _error_of(observation: Observation) -> _Error | None:
    if observation.outcome != "failed":
        return None
    cause = observation.cause or Cause()
    return _Error(observation.outcome_key, cause.file, cause.line, cause.message)
