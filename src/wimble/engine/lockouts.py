"""Notices a SUT that answers nearly all calls that would change something with one and the same server error: a test case has switched on a
mode (maintenance, read-only) that stays in the SUT's memory, and takes the rest of the search along. A fresh start ends it.

Counted in calls, so that runs can be repeated.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import Final, NamedTuple

from wimble.model.evaluation import Evaluation, Observation
from wimble.types import OperationId

WINDOW: Final = 60
"""Calls that would change something."""
SHARE: Final = 0.7
"""Of these, that are answered in the same way."""
MIN_OPERATIONS: Final = 3
"""So many are answered so: a fault of one is no lock-out."""
GROWTH: Final = 2
"""How much longer the next lock-out has to last, where the SUT was open for less than a window: starts do not help for long then."""


class _Error(NamedTuple):
    status: int
    file: str
    line: int
    message: str


class Lockouts:
    """Of one search."""

    def __init__(self) -> None:
        self._recent: deque[tuple[OperationId, _Error | None]] = deque(maxlen=WINDOW)
        self._errors: Counter[_Error] = Counter()
        """Of `_recent`."""
        self._n_calls = 0
        """Since the last start."""
        self._locked_after: int | None = None
        """After so many of them; None: it is not, or was not."""
        self._wanted = WINDOW
        """Calls since a start, before another one."""

    def note(self, evaluation: Evaluation) -> None:
        for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=True):
            if not call.operation.is_safe:
                self._note(call.operation.id, _error_of(observation))

    def _note(self, operation: OperationId, error: _Error | None) -> None:
        self._n_calls += 1
        if len(self._recent) == WINDOW:
            _, oldest = self._recent[0]
            if oldest is not None:
                self._errors[oldest] -= 1
        self._recent.append((operation, error))
        if error is not None:
            self._errors[error] += 1
            if self._locked_after is None and self._is_locked_by(error):
                self._locked_after = self._n_calls - WINDOW

    @property
    def is_locked_out(self) -> bool:
        """Whether a fresh start is worth a try; the caller then makes one."""
        if self._locked_after is None or self._n_calls < self._wanted:
            return False
        return self._is_locked_by(self._errors.most_common(1)[0][0])

    def _is_locked_by(self, error: _Error) -> bool:
        if self._errors[error] < SHARE * WINDOW:
            return False
        return len({operation for operation, met in self._recent if met == error}) >= MIN_OPERATIONS

    def forget(self) -> None:
        """The SUT was started afresh."""
        if self._locked_after is not None and self.is_locked_out:
            self._wanted = WINDOW if self._locked_after > WINDOW else self._wanted * GROWTH
        self._recent.clear()
        self._errors.clear()
        self._n_calls = 0
        self._locked_after = None


def _error_of(observation: Observation) -> _Error | None:
    response = observation.response
    if response is None or response.status < 500:
        return None
    cause = observation.cause
    return (
        _Error(response.status, cause.file, cause.line, cause.message) if cause else _Error(response.status, "", 0, "")
    )
