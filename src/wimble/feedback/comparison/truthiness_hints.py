"""`truthiness` hints: a value was itself a condition; edits of inputs make it true, or false."""

from __future__ import annotations

from random import Random

from wimble.feedback.comparison.operand_edits import operand_edits
from wimble.feedback.comparison.question import OperandPair, Question
from wimble.feedback.edit import Proposal
from wimble.feedback.input_to_state.operand_sources import InputIndex
from wimble.genes.taint_markers import taint_marker
from wimble.model.hints import TruthinessHint
from wimble.model.operands import Operand, decoded
from wimble.runtimes.value_semantics import ValueSemantics
from wimble.types import ABSENT


def truthiness_edits(hint: TruthinessHint, index: InputIndex, rng: Random) -> list[Proposal]:
    """Returns proposals for one hint, unordered, possibly with repetitions."""
    pair = OperandPair(
        target=hint.target,
        call=hint.call,
        left=decoded(hint.value),
        right=None,
        wanted=hint.wanted,
        ask=TruthinessQuestion,
        name=hint.name,
        is_left_only=True,
    )
    return operand_edits(pair, index, rng)


class TruthinessQuestion(Question, frozen=True):
    """The left operand has to be true as a condition; the right one is ignored."""

    @property
    def label(self) -> str:
        return "truthy"

    @property
    def is_met_by_most_values(self) -> bool:
        return True

    def candidates(self, semantics: ValueSemantics, rng: Random) -> list[Operand]:
        candidates = _likely_true(self.mine, rng) if self.wanted else _likely_false(self.mine)
        return [value for value in candidates if semantics.is_truthy(value) == self.wanted]


def _likely_true(mine: Operand, rng: Random) -> list[Operand]:
    """Returns values of the type of `mine`, if that type has values that count as true, else of several types."""
    if isinstance(mine, str):
        return [taint_marker(rng)]
    if isinstance(mine, (int, float)) and not isinstance(mine, bool):
        return [1]
    return [True, 1, taint_marker(rng)]


def _likely_false(mine: Operand) -> list[Operand]:
    if isinstance(mine, bool):
        return [False, ABSENT]
    if isinstance(mine, str):
        return ["", ABSENT, None]
    return [0, ABSENT, None, ""]
