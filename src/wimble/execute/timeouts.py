"""How long calls to an operation may take: less, once one of them has taken all the time there was.

A search that waited in full each time would stand still for an operation that hangs, or that answers with a stream.
"""

from __future__ import annotations

from typing import Final

from wimble.types import OperationId

SUSPECT_TIMEOUT_S: Final = 2.0


class CallTimeouts:
    """What is remembered of operations; outlives starts of the SUT."""

    def __init__(self, call_timeout_s: float) -> None:
        self._call_timeout_s = call_timeout_s
        self._silent: set[OperationId] = set()
        self._streaming: set[OperationId] = set()

    def timeout_s(self, operation: OperationId) -> float:
        return min(self._call_timeout_s, SUSPECT_TIMEOUT_S) if operation in self._silent else self._call_timeout_s

    def is_stream(self, operation: OperationId) -> bool:
        """Whether an answer of it had no end."""
        return operation in self._streaming

    def note_silence(self, operation: OperationId) -> None:
        self._silent.add(operation)

    def note_stream(self, operation: OperationId) -> None:
        self._streaming.add(operation)
