"""`substring` hints: the program checked whether a text contains another one; edits give the wanted outcome."""

from __future__ import annotations

from functools import partial
from random import Random

from wimble.feedback.comparison.operand_edits import operand_edits
from wimble.feedback.comparison.question import OperandPair, Question
from wimble.feedback.edit import Proposal
from wimble.feedback.input_to_state.operand_sources import InputIndex
from wimble.genes.taint_markers import taint_marker
from wimble.model.hints import Place, SubstringHint
from wimble.model.operands import Operand, decoded
from wimble.runtimes.value_semantics import ValueSemantics


def substring_edits(hint: SubstringHint, index: InputIndex, rng: Random) -> list[Proposal]:
    """Returns proposals for one hint, unordered, possibly with repetitions."""
    pair = OperandPair(
        target=hint.target,
        call=hint.call,
        left=decoded(hint.text),
        right=decoded(hint.part),
        wanted=hint.wanted,
        ask=partial(SubstringQuestion, place=hint.place),
    )
    return operand_edits(pair, index, rng)


class SubstringQuestion(Question, frozen=True):
    """The left operand has to contain the right one."""

    place: Place = "anywhere"

    @property
    def label(self) -> str:
        return {"start": "starts with", "end": "ends with", "anywhere": "includes"}[self.place]

    def candidates(self, semantics: ValueSemantics, rng: Random) -> list[Operand]:
        other = self.other
        if not isinstance(other, str):
            return []
        if not self.is_left:
            return self._parts_of(other, rng)
        if not self.wanted:
            return [text for text in (taint_marker(rng), "") if other not in text]
        own = self.mine if isinstance(self.mine, str) else ""
        joined = {"start": [other + own], "end": [own + other], "anywhere": [other + own, own + other]}
        return list(dict.fromkeys([*joined[self.place], other]))

    def _parts_of(self, text: str, rng: Random) -> list[Operand]:
        if not self.wanted:
            return [text + taint_marker(rng, 1), taint_marker(rng)]
        return list(dict.fromkeys([text, text[-1:] if self.place == "end" else text[:1], ""]))
