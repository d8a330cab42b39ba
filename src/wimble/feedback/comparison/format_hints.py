"""`format` hints: edits of an input that was checked for a format, so that it has that format or not.

See [WB-Advanced] §4.3.
"""

from __future__ import annotations

from random import Random

from wimble.feedback.comparison.operand_edits import operand_edits
from wimble.feedback.comparison.question import OperandPair, Question
from wimble.feedback.edit import Proposal
from wimble.feedback.input_to_state.operand_sources import InputIndex
from wimble.genes import AnyGene, Gene, JsonTextGene, StringGene
from wimble.genes.string_specialisation import SPECIALISATIONS
from wimble.genes.taint_markers import taint_marker
from wimble.model.hints import FormatHint
from wimble.model.operands import Operand, decoded
from wimble.runtimes.value_semantics import ValueSemantics

N_STRINGS = 3
"""Number of different strings that are tried for one format."""
EMPTY_DOCUMENT = "{}"


def format_edits(hint: FormatHint, index: InputIndex, rng: Random) -> list[Proposal]:
    """Returns proposals for one hint, unordered, possibly with repetitions."""
    pair = OperandPair(
        target=hint.target,
        call=hint.call,
        left=decoded(hint.value),
        right=decoded(hint.format),
        wanted=hint.wanted,
        ask=FormatQuestion,
        is_left_only=True,
    )
    return operand_edits(pair, index, rng)


class FormatQuestion(Question, frozen=True):
    """The left operand has to be a text of the format that the right one names."""

    @property
    def label(self) -> str:
        return "format"

    def candidates(self, semantics: ValueSemantics, rng: Random) -> list[Operand]:
        asked = SPECIALISATIONS.get(self.other) if isinstance(self.other, str) else None
        if asked is None:
            return []
        draw = asked.draw if self.wanted else asked.miss
        # Of a list or a scalar, no members are missed that could be added next.
        first = [EMPTY_DOCUMENT] if self.wanted and self.other == "json" else []
        return list(dict.fromkeys([*first, *(draw(rng) for _ in range(N_STRINGS))]))

    def specialised(self, gene: Gene, rng: Random) -> Gene | None:
        if not isinstance(gene, StringGene) or not isinstance(self.other, str):
            return None
        if self.other == "json":
            return JsonTextGene(AnyGene({taint_marker(rng): taint_marker(rng)}), gene)
        return gene.specialised(self.other, rng)
