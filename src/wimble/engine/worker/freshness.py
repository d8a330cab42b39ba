"""Records what happened to a SUT since its last start, and whether another test case may run on it."""

from __future__ import annotations

from wimble.model.evaluation import Evaluation


class Freshness:
    """Counts since the last start; `forget` has to be called at each start."""

    def __init__(self) -> None:
        self._is_dirty = False
        self._is_lost = False
        self._has_own_start = False
        self._n_calls = 0

    @property
    def is_dirty(self) -> bool:
        """Whether a call may have changed the SUT's state."""
        return self._is_dirty

    @property
    def is_lost(self) -> bool:
        """Whether the SUT has to be started again before the next evaluation."""
        return self._is_lost

    @property
    def has_own_start(self) -> bool:
        """Whether the last start was made for a test case with a start of its own."""
        return self._has_own_start

    @property
    def n_calls(self) -> int:
        return self._n_calls

    def note(self, evaluation: Evaluation) -> None:
        self._n_calls += len(evaluation.test_case.calls) - evaluation.n_kept
        self._is_dirty = self._is_dirty or not evaluation.test_case.is_safe
        self._is_lost = self._is_lost or evaluation.is_sut_lost

    def note_own_start(self) -> None:
        """Notes that a test case with a start of its own runs next."""
        self._has_own_start = True

    def note_shared_start(self) -> None:
        """Notes that a test case which shares a start runs next, and that nothing before it has changed anything."""
        self._has_own_start = False

    def note_loss(self) -> None:
        """Notes that the SUT has to be started again."""
        self._is_lost = True

    def forget(self) -> None:
        """Resets all counts, since the SUT was started afresh."""
        self._is_dirty = self._is_lost = self._has_own_start = False
        self._n_calls = 0
