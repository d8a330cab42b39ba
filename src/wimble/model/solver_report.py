"""What the solver was asked about a target, and what it said: for `explain` and summary.json."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

SOLVED: Final = "solved"
NOT_ASKED: Final = "the run ended before the solver was asked"
NO_TRACE: Final = "the SUT recorded no conditions of the call"
NO_CONDITION: Final = "its condition does not depend on the inputs, as far as they could be followed"
DECIDED: Final = "no inputs change its outcome as long as a part of it depends on none of them"
"""Such as a sum with what is no number because an input is missing."""


class SolverReport(msgspec.Struct, omit_defaults=True):
    """The questions about one target."""

    outcome: str = ""
    """`solved`, or what stood in the way."""
    condition: str = ""
    """The condition of the target over the inputs of the call, in the notation of the program."""
    n_traced: int = 0
    """Test cases that were run with tracing."""
    answers: dict[str, int] = {}
    """Number of questions by the rung that answered, or by the reason why there is no answer."""
    has_run: bool = False
    """Whether the values were run on the SUT without tracing."""

    def note_traced(self) -> None:
        self.n_traced += 1

    def note_condition(self, condition: str) -> None:
        self.condition = condition

    def note_answer(self, said: str) -> None:
        """said: the rung that answered, or the reason why there is no answer."""
        self.answers[said] = self.answers.get(said, 0) + 1

    def note_outcome(self, outcome: str) -> None:
        self.outcome = outcome

    def note_run(self) -> None:
        self.has_run = True


class SolverCounts(msgspec.Struct, frozen=True):
    """The number of questions to the solver in a run, by its answers."""

    rounds: int = 0
    traced: int = 0
    """Test cases that were run with tracing."""
    cached: int = 0
    """Questions that had been answered before."""
    answers: Mapping[str, int] = {}
    """Number of questions by the rung that answered, or by the reason why there is no answer."""
    missed: Mapping[str, int] = {}
    """Number of questions that a rung was asked without success: `characters: too hard`."""
