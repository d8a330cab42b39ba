"""Ends the wait for an answer that cannot come: a service leaves a request unanswered on purpose, and no timer of the
SUT is due; or the SUT sends the same request again and again. Without it, each such test case would cost the full
time-out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from wimble.execute.looping_requests import VERY_MANY, RepeatedRequests

ASK_AFTER_S: Final = 0.1
"""Time between two questions to the SUT. What it exchanges with others on this machine meanwhile is seen as bytes."""
N_SURE: Final = 2
"""Successive answers that make it sure."""
PONG_WAIT_S: Final = 0.05
"""How long one question waits for the SUT; a busy one is asked again."""


class Asked(Protocol):
    """Tells whether the SUT waits for a service that hangs, and nothing else can happen in it."""

    def waits_in_vain(self, timeout_s: float) -> bool: ...


class EndlessWait:
    """Asks the SUT regularly while one answer is waited for."""

    def __init__(self, asked: Asked, clock: Callable[[], float]) -> None:
        self._asked = asked
        self._clock = clock
        self._next_s = clock() + ASK_AFTER_S
        self._n_sure = 0

    @property
    def is_over(self) -> bool:
        """Whether no answer can come."""
        return self._n_sure >= N_SURE

    def watch(self) -> None:
        """Asks, if it is time.

        Raises: TimeoutError, once no answer can come.
        """
        if self._clock() < self._next_s:
            return
        self._n_sure = self._n_sure + 1 if self._asked.waits_in_vain(PONG_WAIT_S) else 0
        self._next_s = self._clock() + ASK_AFTER_S
        if self.is_over:
            raise TimeoutError


class Repeating(Protocol):
    """Tells how often the SUT has sent the same to services for the call that is waited for."""

    def repeated(self) -> RepeatedRequests: ...


class RepeatingWait:
    """Waits for an answer, but not as long as usual while the SUT asks services the same again and again."""

    def __init__(self, asked: Repeating, clock: Callable[[], float], timeout_s: float, most: int = VERY_MANY) -> None:
        """most: so many requests of one kind end the wait."""
        self._asked = asked
        self._most = most
        self._clock = clock
        self._next_s = clock() + timeout_s

    def watch(self) -> None:
        """Raises: TimeoutError, once the time is over and the SUT is seen to repeat requests."""
        if self._clock() < self._next_s:
            return
        if self._asked.repeated().n_of_kind >= self._most:
            raise TimeoutError
        self._next_s = self._clock() + ASK_AFTER_S
