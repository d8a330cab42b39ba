"""The monitors of one worker's SUT."""

from __future__ import annotations

from collections.abc import Iterator

from wimble.engine.monitors.lockouts import Lockouts
from wimble.engine.monitors.rate_limits import RateLimit
from wimble.engine.monitors.repeated_queries import RepeatedQueries
from wimble.engine.monitors.slowdown import Slowdown
from wimble.model.evaluation import Evaluation


class Monitors:
    """Detects whether the SUT is degraded."""

    def __init__(self) -> None:
        self.slowdown = Slowdown()
        self.lockouts = Lockouts()
        self.rate_limit = RateLimit()
        self._repeated_queries = RepeatedQueries()

    def note(self, evaluation: Evaluation, *, is_search: bool) -> Iterator[str]:
        """Adds an evaluation to all monitors; yields warnings.

        is_search: the search asked for it, not the suite.
        """
        self.rate_limit.note(evaluation.observations[evaluation.n_kept :], is_search=is_search)
        self.slowdown.note(evaluation)
        self.lockouts.note(evaluation)
        if evaluation.queries_per_row:
            yield from self._repeated_queries.notes(evaluation)

    def forget(self) -> None:
        """Adapts the monitors to a fresh start of the SUT."""
        self.slowdown.forget()
        self.lockouts.forget()
