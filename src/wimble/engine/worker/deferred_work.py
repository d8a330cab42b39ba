"""Bookkeeping that is deferred until the next evaluation waits for the SUT; nothing reads it before."""

from __future__ import annotations

from collections.abc import Callable

from wimble.model.evaluation import Evaluation


class DeferredWork:
    """Functions that are still to be called with evaluations, in order."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Callable[[Evaluation], None], Evaluation]] = []

    def add(self, work: Callable[[Evaluation], None], evaluation: Evaluation) -> None:
        """Defers `work(evaluation)` until `catch_up`."""
        self._waiting.append((work, evaluation))

    def catch_up(self) -> None:
        """Does all work that was deferred."""
        waiting, self._waiting = self._waiting, []
        for work, evaluation in waiting:
            work(evaluation)
