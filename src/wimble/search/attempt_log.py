"""The attempt log: what was tried for each target, to explain why it stays uncovered (`wimble explain`).

No decision of the search depends on it. An evaluation is counted only for the target that its test case was made for,
so its cost does not depend on the number of targets.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import msgspec

from wimble.model.evaluation import Evaluation
from wimble.model.hints import Hint
from wimble.types import TargetId

MAX_EDITS = 40
"""Number of different edits kept per target; further ones are only counted."""
MAX_RECENT = 200
"""Number of latest evaluations whose hints are kept. They give the latest operands of targets that were not worked
on.
"""


class TargetAttempts(msgspec.Struct):
    """The attempts at one target."""

    samplings: int = 0
    """How often it was chosen."""
    evaluations: int = 0
    """Number of test cases that were made for it."""
    edits: dict[str, int] = {}
    """How often an edit was made, by the edit's `why`."""
    other_edits: int = 0
    mutations: dict[str, int] = {}
    """How often each kind of mutation was made."""
    last_improvement: int = 0
    """Number of the last evaluation in which a test case came closer; 0 if there was none."""
    latest: tuple[Hint, ...] = ()
    """The hints about the target in the last of its evaluations that gave such hints."""

    def add_edit(self, why: str) -> None:
        """Counts an edit. If there are MAX_EDITS different ones already, a new one counts as `other_edits`."""
        if why in self.edits or len(self.edits) < MAX_EDITS:
            self.edits[why] = self.edits.get(why, 0) + 1
        else:
            self.other_edits += 1


class AttemptLog:
    """The attempts at each target."""

    def __init__(self) -> None:
        self._attempts: dict[TargetId, TargetAttempts] = {}
        self._recent: deque[tuple[Hint, ...]] = deque(maxlen=MAX_RECENT)
        self._n_evaluations = 0

    def attempts_at(self, target: TargetId) -> TargetAttempts:
        """Returns the attempts at the target; empty ones if there are none."""
        return self._attempts.get(target) or TargetAttempts()

    def note_choice(self, target: TargetId) -> None:
        """Counts that the target was chosen."""
        self._of(target).samplings += 1

    def note(
        self, evaluation: Evaluation, target: TargetId | None, *, edit: str = "", mutation: str | None = None
    ) -> None:
        """Counts an evaluation of a test case that was made for the target, by an edit or a mutation."""
        self._n_evaluations += 1
        if evaluation.hints:
            self._recent.append(evaluation.hints)
        if target is None:
            return
        attempts = self._of(target)
        attempts.evaluations += 1
        if edit:
            attempts.add_edit(edit)
        elif mutation is not None:
            attempts.mutations[mutation] = attempts.mutations.get(mutation, 0) + 1
        hints = tuple([hint for hint in evaluation.hints if hint.target == target])
        if hints:
            attempts.latest = hints

    def note_improvement(self, targets: Sequence[TargetId]) -> None:
        """Notes that the last evaluation came closer to these targets than any before it."""
        for target in targets:
            self._of(target).last_improvement = self._n_evaluations

    def latest_hints(self) -> dict[TargetId, tuple[Hint, ...]]:
        """Returns the latest hints about each target that are still kept; meant for the end of a search."""
        latest: dict[TargetId, tuple[Hint, ...]] = {
            target: attempts.latest for target, attempts in self._attempts.items() if attempts.latest
        }
        for hints in self._recent:
            own: dict[TargetId, list[Hint]] = {}
            for hint in hints:
                own.setdefault(hint.target, []).append(hint)
            latest.update({target: tuple(told) for target, told in own.items()})
        return latest

    def _of(self, target: TargetId) -> TargetAttempts:
        attempts = self._attempts.get(target)
        if attempts is None:
            attempts = self._attempts[target] = TargetAttempts()
        return attempts
