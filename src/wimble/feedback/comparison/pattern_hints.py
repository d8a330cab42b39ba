"""`pattern` hints: an input was matched against a regular expression.

The edits make it match, or nearly match.
"""

from __future__ import annotations

from functools import partial
from random import Random

from wimble.feedback.comparison.operand_edits import operand_edits
from wimble.feedback.comparison.question import OperandPair, Question
from wimble.feedback.edit import Proposal
from wimble.feedback.input_to_state.operand_sources import InputIndex
from wimble.model.hints import PatternHint
from wimble.model.operands import Operand, decoded
from wimble.runtimes.value_semantics import ValueSemantics

N_STRINGS = 2
"""Number of different strings that are tried for one regular expression."""


def pattern_edits(hint: PatternHint, index: InputIndex, rng: Random) -> list[Proposal]:
    """Returns proposals for one hint, unordered, possibly with repetitions."""
    pair = OperandPair(
        target=hint.target,
        call=hint.call,
        left=decoded(hint.text),
        right=decoded(hint.source),
        wanted=hint.wanted,
        ask=partial(PatternQuestion, flags=hint.flags),
    )
    return operand_edits(pair, index, rng)


class PatternQuestion(Question, frozen=True):
    """The left operand has to match the source of an expression. The expression itself is not changed."""

    flags: str = ""

    @property
    def label(self) -> str:
        return "pattern"

    def candidates(self, semantics: ValueSemantics, rng: Random) -> list[Operand]:
        if not self.is_left or not isinstance(self.other, str):
            return []
        solve = semantics.regexes.matching_string if self.wanted else semantics.regexes.near_miss
        found = (solve(self.other, self.flags, rng) for _ in range(N_STRINGS))
        return list(dict.fromkeys(text for text in found if text is not None))
