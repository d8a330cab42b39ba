"""How long to wait for calls of an operation. The time is shorter once a call of it has timed out.

A search that waited the full time for each call would make no progress with an operation that hangs, or that answers
with a stream. That an operation hangs is confirmed with the full time after the search, once for each operation.
"""

from __future__ import annotations

import time
from typing import Final

from wimble.types import OperationId

SUSPECT_TIMEOUT_S: Final = 2.0
"""Longest time-out of operations of which a call has timed out, and of calls that may well have no answer."""
LEAST_SUSPECT_TIMEOUT_S: Final = 1.0
"""Shortest time-out of calls that may well have no answer."""
LEAST_TIMEOUT_S: Final = 0.5
"""Shortest time-out of operations of which a call has timed out."""
LEAST_WAIT_S: Final = 0.05
"""How long an answer is waited for at least if the time is over."""
ANSWERS_IN_TIMEOUT: Final = 20.0
"""How many times longer than the slowest answer so far these time-outs are, within their limits."""
MEANS_IN_TIMEOUT: Final = 100.0
"""The same for functions of a library, of the mean of the function's own calls: some of its calls take long for what
they are given, and would keep each that has no end for the full time."""


class CallTimeouts:
    """Operations that have timed out or streamed. They are kept over starts of the SUT."""

    def __init__(self, call_timeout_s: float) -> None:
        self._call_timeout_s = call_timeout_s
        self._silent: set[OperationId] = set()
        self._confirmed: set[OperationId] = set()
        """Those that had no answer in the full time, or surely none would have come later."""
        self._streaming: set[OperationId] = set()
        self._slowest_s = 0.0
        self._own: dict[OperationId, tuple[int, float]] = {}
        """Of functions of a library: number and sum of the durations."""
        self._is_traced = False
        self._ends_s: float | None = None
        self._cuts_calls = False

    def end_at(self, ends_s: float | None, *, cuts_calls: bool = False) -> None:
        """Sets from when on no call is sent any more, on the clock `time.monotonic`; None for never.

        cuts_calls: whether no answer is waited for any more then, either.
        """
        self._ends_s = ends_s
        self._cuts_calls = cuts_calls

    @property
    def is_over(self) -> bool:
        """Whether no call is sent any more."""
        return self._ends_s is not None and time.monotonic() >= self._ends_s

    def trace(self, is_on: bool) -> None:
        """Sets whether the next calls are traced. They have a short time-out, and their durations are not noted, since
        tracing makes them longer.
        """
        self._is_traced = is_on

    def timeout_s(self, operation: OperationId, *, is_suspect: bool = False, is_final: bool = False) -> float:
        """Returns how long to wait for a call of the operation.

        is_suspect: whether it may well have no answer. is_final: whether a missing answer counts for the result.
        """
        timeout_s = self._timeout_s(operation, is_suspect=is_suspect, is_final=is_final)
        if self._ends_s is None or not self._cuts_calls:
            return timeout_s
        return min(timeout_s, max(LEAST_WAIT_S, self._ends_s - time.monotonic()))

    def _timeout_s(self, operation: OperationId, *, is_suspect: bool, is_final: bool) -> float:
        if self._is_traced:
            return min(self._call_timeout_s, max(SUSPECT_TIMEOUT_S, ANSWERS_IN_TIMEOUT * self._slowest_s))
        if is_final and operation not in self._confirmed:
            return self._call_timeout_s
        if operation in self._silent and operation in self._own:
            n_calls, total_s = self._own[operation]
            return min(self._call_timeout_s, max(LEAST_TIMEOUT_S, MEANS_IN_TIMEOUT * total_s / n_calls))
        if operation in self._silent:
            least_s = LEAST_TIMEOUT_S
        elif not is_suspect:
            return self._call_timeout_s
        else:  # without any answer so far, it is not known how fast the program is
            least_s = LEAST_SUSPECT_TIMEOUT_S if self._slowest_s else SUSPECT_TIMEOUT_S
        return min(self._call_timeout_s, SUSPECT_TIMEOUT_S, max(least_s, ANSWERS_IN_TIMEOUT * self._slowest_s))

    def repeating_s(self, operation: OperationId, *, is_final: bool = False) -> float:
        """Returns how long to wait for a call that goes on asking services the same."""
        if self.is_confirmed(operation):
            return min(LEAST_TIMEOUT_S, self._call_timeout_s)
        return self.timeout_s(operation, is_suspect=True, is_final=is_final)

    def is_confirmed(self, operation: OperationId) -> bool:
        """Whether a call of the operation was surely never answered."""
        return operation in self._confirmed

    def is_stream(self, operation: OperationId) -> bool:
        """Whether an answer of the operation had no end."""
        return operation in self._streaming

    def note_answer(self, elapsed_s: float) -> None:
        """Notes how long a call took that was answered."""
        if not self._is_traced:
            self._slowest_s = max(self._slowest_s, elapsed_s)

    def note_return(self, operation: OperationId, elapsed_s: float) -> None:
        """Notes how long a function of a library took."""
        if not self._is_traced:
            n_calls, total_s = self._own.get(operation, (0, 0.0))
            self._own[operation] = n_calls + 1, total_s + elapsed_s
            self.note_answer(elapsed_s)

    def note_silence(self, operation: OperationId, waited_s: float = 0.0, *, is_sure: bool = False) -> None:
        """Notes that a call of the operation has timed out. is_sure: whether it would have had no answer later."""
        if self._is_traced:
            return
        self._silent.add(operation)
        if is_sure or waited_s >= self._call_timeout_s:
            self._confirmed.add(operation)

    def note_stream(self, operation: OperationId) -> None:
        """Notes that an answer of the operation had no end."""
        self._streaming.add(operation)
