"""Notices a SUT that answers nearly all calls that would change something with one and the same server error: a test
case has switched on a mode (maintenance, read-only) that stays in the SUT's memory, and takes the rest of the search
along. A fresh start ends it.

Counted in calls, so that runs can be repeated.
"""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple

from wimble.model.evaluation import Evaluation
from wimble.model.observation import Cause, Observation
from wimble.types import OperationId

WINDOW: Final = 60
"""Calls that would change something."""
SHARE: Final = 0.7
"""Of these, that are answered in the same way."""
MIN_OPERATIONS: Final = 3
"""So many are answered so: a fault of one is no lock-out."""
GROWTH: Final = 2
"""How much longer the next lock-out has to last, where the SUT was open for less than a window: starts do not help for
long then."""


class _Error(NamedTuple):
    outcome_key: str
    file: str
    line: int
    message: str


class Lockouts:
    """Of one search."""

    def __init__(self) -> None:
        self._recent: deque[tuple[OperationId, _Error | None]] = deque(maxlen=WINDOW)
        self._n_calls = 0
        """Since the last start."""
        self._error: _Error | None = None
        """What locked it out; it may be over since."""
        self._locked_after = 0
        """Calls since the last start, before `_error` came."""
        self._wanted = WINDOW
        """Calls since a start, before another one."""

    def note(self, evaluation: Evaluation) -> None:
        for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=True):
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
        """Whether a fresh start is worth a try; the caller then makes one."""
        return self._error is not None and self._n_calls >= self._wanted and self._is_locked_by(self._error)

    def _is_locked_by(self, error: _Error) -> bool:
        met_by = [operation for operation, met in self._recent if met == error]
        return len(met_by) >= SHARE * WINDOW and len(set(met_by)) >= MIN_OPERATIONS

    def forget(self) -> None:
        """The SUT was started afresh."""
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
