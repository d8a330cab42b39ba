"""The context of verification: the worker, the start policy, and notes on faults that have no test."""

from __future__ import annotations

from collections.abc import Mapping

from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.candidates.trials import Trials
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.worker.worker import Worker


class Verification:
    """A worker that runs candidates as the suite will run them."""

    def __init__(self, coordinator: Coordinator, trials: Trials) -> None:
        self.coordinator = coordinator
        self.trials = trials
        self._fault_notes: dict[tuple[str, ...], str] = {}

    @property
    def worker(self) -> Worker:
        return self.trials.worker

    @property
    def starts(self) -> StartPolicy:
        return self.trials.starts

    @property
    def fault_notes(self) -> Mapping[tuple[str, ...], str]:
        """By the finding's key: why a fault has no test."""
        return self._fault_notes

    def warn(self, message: str) -> None:
        self.coordinator.notices.warn(message)

    def note_fault(self, key: tuple[str, ...] | None, note: str) -> None:
        """Notes why a candidate's fault has no test; does nothing if `key` is None (a candidate for coverage)."""
        if key is not None:
            self._fault_notes[key] = note

    def withdraw_note(self, key: tuple[str, ...] | None) -> None:
        """Removes the note, since the fault has a test after all."""
        if key is not None:
            self._fault_notes.pop(key, None)
