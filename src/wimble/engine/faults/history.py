"""The history of one SUT since its last start: the test cases that ran, and a log of what they made."""

from __future__ import annotations

from collections import deque
from typing import Final

from wimble.engine.faults.provenance_log import Provenance, ProvenanceLog
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import TestCase

HISTORY_LENGTH: Final = 256
"""Number of accepted test cases kept since the last start, among which the one that a fault needs is searched."""

REFUSED_LENGTH: Final = 64
"""Number of test cases kept that asked for a change and were refused (4xx) or not answered: half-done work that is not
undone is a fault, too.
"""

RECENT_LENGTH: Final = 12
"""Number of latest test cases kept, whatever they do: a test case that only reads may count something, or start an
error that occurs a moment later.
"""


class History:
    """The history of one worker's SUT. `forget` has to be called at each start."""

    def __init__(self) -> None:
        self._n_noted = 0
        self._accepted: deque[tuple[int, TestCase]] = deque(maxlen=HISTORY_LENGTH)
        self._refused: deque[tuple[int, TestCase]] = deque(maxlen=REFUSED_LENGTH)
        self._recent: deque[tuple[int, TestCase]] = deque(maxlen=RECENT_LENGTH)
        self._log = ProvenanceLog()

    def note(self, evaluation: Evaluation) -> None:
        """Adds the test case of an evaluation."""
        self._n_noted += 1
        noted = (self._n_noted, evaluation.test_case)
        self._recent.append(noted)
        if not evaluation.test_case.is_safe:
            is_refused = _is_refused(evaluation)
            # To repeat one that hung takes as long as the time-out, and it has seldom changed anything.
            (self._refused if is_refused or evaluation.has_hung else self._accepted).append(noted)
            if not is_refused:
                self._log.note(evaluation)

    @property
    def test_cases(self) -> tuple[TestCase, ...]:
        """Test cases that may have changed state, and the most recent ones of any kind; oldest first."""
        noted = dict([*self._accepted, *self._refused, *self._recent])
        return tuple(noted[number] for number in sorted(noted))

    @property
    def accepted(self) -> tuple[TestCase, ...]:
        """Test cases that asked for a change and were answered otherwise than by a refusal; oldest first."""
        return tuple(test_case for _, test_case in self._accepted)

    @property
    def provenance(self) -> Provenance:
        """The things that were made from the start until now."""
        return Provenance(self._log, len(self._log))

    def forget(self) -> None:
        """Clears the history, since the SUT was started afresh."""
        self._accepted.clear()
        self._refused.clear()
        self._recent.clear()
        self._log = ProvenanceLog()


def _is_refused(evaluation: Evaluation) -> bool:
    """Whether each call that asked for a change was refused."""
    return all(
        observation.outcome == "refused"
        for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=True)
        if not call.operation.is_safe
    )
