"""Faults that show first while test cases are made smaller: the process ends in a way that the search has not seen.

Nothing that was seen is lost. A server error counts if the test case makes no rows and plans no answers of services:
what these can lead to by themselves is known for the faults of the search only. Those of libraries do not count: which
of them are misuse is found out at the end of the search.
"""

from __future__ import annotations

from collections.abc import Iterator

from wimble.engine.events import Event
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.worker.found_findings import note_finding
from wimble.engine.worker.worker import Worker
from wimble.model.evaluation import Evaluation, Finding
from wimble.oracles.failures.crashes import DIED
from wimble.oracles.failures.server_error import NAME as SERVER_ERROR


class LaterFaults:
    """Collects the faults of the evaluations that it is told of."""

    def __init__(self, coordinator: Coordinator, worker: Worker) -> None:
        self._coordinator = coordinator
        self._worker = worker
        self._events: list[Event] = []
        self.keys: list[tuple[str, ...]] = []
        """Of the faults that are new, in order of first sight."""

    def note(self, evaluation: Evaluation) -> None:
        if self._coordinator.settings.library:
            return
        for finding in evaluation.findings:
            if _is_certain(finding, evaluation) and not self._coordinator.faults.knows(finding.key):
                self._events += note_finding(self._coordinator, self._worker, evaluation, finding)
                self.keys.append(finding.key)

    def take_events(self) -> Iterator[Event]:
        events, self._events = self._events, []
        yield from events


def _is_certain(finding: Finding, evaluation: Evaluation) -> bool:
    is_meant = finding.oracle == DIED or (finding.oracle == SERVER_ERROR and not evaluation.test_case.setup)
    return is_meant and bool(finding.cause.file)
