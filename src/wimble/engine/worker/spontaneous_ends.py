"""Tells evaluations in which a SUT ended in work that belongs to no call: a timer or a job of its own.

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
    """Whether the SUT ended, and by no crash that a call has caused."""
    has_ended = any(crash.kind == "died" for crash in evaluation.unattributed_crashes)
    return has_ended and evaluation.is_sut_lost
