"""A run: the successive mutations of the test case chosen for a target. Better mutants replace their parent."""

from __future__ import annotations

from typing import Final

import msgspec

from wimble.model.evaluation import Evaluation
from wimble.model.testcase import TestCase
from wimble.search.archive.archive import Choice, Entry
from wimble.search.mutation.acceleration import Step
from wimble.types import TargetId

MAX_EDITS: Final = 3
"""Maximum number of edits in one run, before it is mutated."""
MAX_BONUS: Final = 40
"""Maximum number of further mutations that a run can earn, one for each that comes closer. That is enough to search a
64-bit range.
"""


class MutationRun(msgspec.Struct):
    """The state of one run."""

    target: TargetId
    entry: Entry
    parent: TestCase
    h: float
    call: int
    """Index of the parent's call that reached the target."""
    mutations_left: int
    is_in_vain: bool
    """Whether the target has a distance, and had used up its allowance before the run."""
    edits_left: int = MAX_EDITS
    bonus_left: int = MAX_BONUS
    step: Step | None = None
    """The change of a number that has just brought the parent closer."""

    @classmethod
    def of(cls, choice: Choice, n_mutations: int) -> MutationRun:
        """Returns the run for a choice of the archive."""
        return cls(
            target=choice.target,
            entry=choice.entry,
            parent=choice.entry.test_case,
            h=choice.h,
            call=choice.call,
            mutations_left=n_mutations,
            is_in_vain=choice.has_gradient and choice.n_in_vain > 0 and choice.kind != "limit",
        )

    def spend_edit(self) -> None:
        """Counts an edit that is about to be evaluated."""
        self.edits_left -= 1

    def end_edits(self) -> None:
        """Notes that there is no further edit."""
        self.edits_left = 0

    def spend_mutation(self) -> None:
        """Counts a mutant that is about to be evaluated."""
        self.mutations_left -= 1

    def take_step(self) -> Step | None:
        """Returns the step to repeat, and clears it."""
        step, self.step = self.step, None
        return step

    def observe(self, evaluation: Evaluation, step: Step | None) -> None:
        """Notes the evaluation of a mutant that changed a number by `step`, or in other ways.

        It becomes the parent unless it is worse on the target, or as good but longer. A better mutant earns the run
        another mutation.
        """
        reached = evaluation.reached.get(self.target)
        if reached is None or evaluation.is_sut_lost:
            return
        if reached.h > self.h and self.bonus_left > 0:
            self.bonus_left -= 1
            self.mutations_left += 1
            # If a call before the changed one came closer, the change is cut off.
            self.step = step if step is not None and step.address.call <= reached.call else None
        if reached.h > self.h or (reached.h == self.h and reached.call <= self.call):
            test_case = evaluation.test_case
            self.parent = TestCase(test_case.calls[: reached.call + 1], test_case.setup)
            self.h, self.call = reached.h, reached.call
