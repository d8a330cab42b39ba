"""Bookkeeping that nothing reads before the next evaluation, and that is done while that one's result is awaited."""

from __future__ import annotations

from collections.abc import Callable

from wimble.model.evaluation import Evaluation


class PutOffWork:
    """What is still to be done with evaluations, in order."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Callable[[Evaluation], None], Evaluation]] = []

    def add(self, work: Callable[[Evaluation], None], evaluation: Evaluation) -> None:
        """Puts off `work(evaluation)` until `catch_up`."""
        self._waiting.append((work, evaluation))

    def catch_up(self) -> None:
        """Does all that was put off."""
        waiting, self._waiting = self._waiting, []
        for work, evaluation in waiting:
            work(evaluation)
