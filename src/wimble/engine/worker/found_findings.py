"""Notes what phases after the search find, one finding at a time."""

from __future__ import annotations

from collections.abc import Iterator

from wimble.engine.events import Event, FindingFound
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.worker.worker import Worker
from wimble.model.evaluation import Evaluation, Finding


def note_finding(coordinator: Coordinator, worker: Worker, evaluation: Evaluation, finding: Finding) -> Iterator[Event]:
    """Adds a finding to the faults, and yields it if it is a new one. evaluation: it shows the finding."""
    calls, elapsed_s = coordinator.budget.calls, coordinator.budget.elapsed_s
    for fault in coordinator.faults.note(evaluation, [finding], worker.history, calls=calls, elapsed_s=elapsed_s):
        yield FindingFound(finding=fault.finding, calls=calls, elapsed_s=elapsed_s)
