"""How long to wait for calls of an operation. The time is shorter once a call of it has timed out.

A search that waited the full time for each call would make no progress with an operation that hangs, or that answers
with a stream.
"""

from __future__ import annotations

from typing import Final

from wimble.types import OperationId

SUSPECT_TIMEOUT_S: Final = 2.0
"""Time-out of operations of which a call has timed out."""


class CallTimeouts:
    """Operations that have timed out or streamed. They are kept over starts of the SUT."""

    def __init__(self, call_timeout_s: float) -> None:
        self._call_timeout_s = call_timeout_s
        self._silent: set[OperationId] = set()
        self._streaming: set[OperationId] = set()

    def timeout_s(self, operation: OperationId) -> float:
        """Returns how long to wait for a call of the operation."""
        return min(self._call_timeout_s, SUSPECT_TIMEOUT_S) if operation in self._silent else self._call_timeout_s

    def is_stream(self, operation: OperationId) -> bool:
        """Whether an answer of the operation had no end."""
        return operation in self._streaming

    def note_silence(self, operation: OperationId) -> None:
        """Notes that a call of the operation has timed out."""
        self._silent.add(operation)

    def note_stream(self, operation: OperationId) -> None:
        """Notes that an answer of the operation had no end."""
        self._streaming.add(operation)
