"""The queue of edits that are tried at once: edits from the hints of a test case with new results.

It is limited, so that useless hints (a comparison that no input can satisfy) cannot starve the rest of the search.
"""

from __future__ import annotations

from collections import deque

from wimble.search.archive.archive import Entry
from wimble.types import TargetId

MAX_LENGTH = 500
"""Maximum number of waiting entries; the oldest ones are dropped. A dropped entry keeps its edits, which are tried when
it is sampled.
"""
MAX_CREDIT = 8.0
CREDIT_PER_OTHER = 0.5
"""Credit that an evaluation of another generator earns: half a queued edit. So the queue gets at most a third of the
budget if its edits fail.
"""
CREDIT_FOR_SUCCESS = 2.0
"""Credit for a queued edit that improved something: it pays for itself and for one more."""
MAX_FAILURES_PER_TARGET = 40
"""Number of failed edits after which a target's edits wait until one of its test cases is sampled."""
MAX_SUCCESSES_PER_TARGET = 100
"""The same for edits that improved something. Of a target that depends on the clock (`expires > Date.now()`) each
evaluation comes closer than the one before, and would pay for the next edit without end.
"""


class EditQueue:
    """Decides from which (target, entry) to take the next edit; newest first."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[TargetId, Entry]] = deque(maxlen=MAX_LENGTH)
        self._failures: dict[TargetId, int] = {}
        self._n_successes: dict[TargetId, int] = {}
        self._credit = MAX_CREDIT

    def put(self, target: TargetId, entry: Entry) -> None:
        """Adds the pair if the entry has edits for the target, and not too many edits for the target have failed."""
        if entry.has_edits(target) and self._is_open(target):
            self._waiting.append((target, entry))

    def take(self) -> tuple[TargetId, Entry] | None:
        """Returns the pair to try now; None if nothing waits or the credit is used up.

        The caller puts it back while it has edits left.
        """
        if not self._waiting or self._credit < 1.0:
            self._credit = min(MAX_CREDIT, self._credit + CREDIT_PER_OTHER)
            return None
        return self._waiting.pop()

    def charge(self) -> None:
        """Spends credit for an edit of the queue that is about to be evaluated."""
        self._credit -= 1.0

    def put_back(self, target: TargetId, entry: Entry) -> None:
        """Puts the pair behind all others, so that each target gets its turn."""
        if len(self._waiting) < MAX_LENGTH and self._is_open(target):
            self._waiting.appendleft((target, entry))

    def report(self, target: TargetId, *, is_success: bool) -> None:
        """Notes whether an edit for the target improved anything."""
        if is_success:
            self._credit = min(MAX_CREDIT, self._credit + CREDIT_FOR_SUCCESS)
            self._failures.pop(target, None)
            self._n_successes[target] = self._n_successes.get(target, 0) + 1
        else:
            self._failures[target] = self._failures.get(target, 0) + 1

    def _is_open(self, target: TargetId) -> bool:
        return (
            self._failures.get(target, 0) < MAX_FAILURES_PER_TARGET
            and self._n_successes.get(target, 0) < MAX_SUCCESSES_PER_TARGET
        )
