"""Tells evaluations in which a SUT ended in work that belongs to none of their calls: a timer or a job of its own, or
what an earlier evaluation has left, as a request to a service that nobody waits for.

Such an evaluation says nothing about its test case: calls that were not answered were on their way by chance. It is
repeated on a fresh start.
"""

from __future__ import annotations

from typing import Final

from wimble.model.evaluation import Evaluation

MAX_VAIN_REPEATS: Final = 3
"""Repeats in a row that end in the same way, after which none is tried: the SUT does not live long enough for them."""


class SpontaneousEnds:
    """Whether to repeat an evaluation because of how it ended."""

    def __init__(self) -> None:
        self._n_vain = 0

    def may_repeat(self, evaluation: Evaluation) -> bool:
        return self._n_vain < MAX_VAIN_REPEATS and ended_by_itself(evaluation)

    def note_repeat(self, repeat: Evaluation) -> None:
        self._n_vain = self._n_vain + 1 if ended_by_itself(repeat) else 0


def ended_by_itself(evaluation: Evaluation) -> bool:
    """Whether the SUT ended, and by no crash that a call of the evaluation has caused."""
    is_foreign = any(crash.kind == "died" for crash in evaluation.unattributed_crashes)
    is_left = any(crash.kind == "died" and crash.late is not None for crash in evaluation.crashes)
    return (is_foreign or is_left) and evaluation.is_sut_lost
