"""Questions: conditions that an operand of a hint has to meet. The kinds stand in the files of the hints."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import msgspec

from wimble.genes import Gene
from wimble.model.operands import Operand
from wimble.runtimes.value_semantics import ValueSemantics
from wimble.types import TargetId


class Question(msgspec.Struct, frozen=True):
    """With which values of `mine` would the outcome be `wanted`? `other` is the operand that stays as it is."""

    mine: Operand
    other: Operand
    is_left: bool
    """Whether `mine` is the left operand, or the receiver of a method."""
    wanted: bool

    def candidates(self, semantics: ValueSemantics, rng: Random) -> list[Operand]:
        """Values that give the wanted outcome, best first; empty if there is none or none is known."""
        raise NotImplementedError

    @property
    def label(self) -> str:
        """A word or two for the question, for logs and reports."""
        raise NotImplementedError

    def because(self, how: str) -> str:
        """The reason of an edit, for logs and reports."""
        return f"{self.label} {str(self.wanted).lower()}: {how}"

    @property
    def is_equality(self) -> bool:
        """Whether the operands have to be equal, or different."""
        return False

    @property
    def is_order(self) -> bool:
        """Whether the operands have to be in order of size, as the ends of a range are."""
        return False

    @property
    def is_met_by_most_values(self) -> bool:
        """Whether any value may do where there was none."""
        return False

    def specialised(self, gene: Gene, rng: Random) -> Gene | None:
        """The gene restricted to values that meet the question, which its mutations keep to; None if it cannot be."""
        return None


class OperandPair(msgspec.Struct, frozen=True):
    """Two operands of one hint, of which either may come from an input."""

    target: TargetId
    call: int
    left: Operand
    right: Operand
    wanted: bool
    ask: Callable[[Operand, Operand, bool, bool], Question]
    """Makes the question of one side: from `mine`, `other`, `is_left` and `wanted`."""
    name: str = ""
    """The path that an operand was read from; empty if it is not known."""
    is_left_only: bool = False
    """Whether the right operand is no value of the program but a part of what was asked."""

    def questions(self) -> list[Question]:
        """The question that is asked of the left operand, then the one of the right operand."""
        left = self.question(self.left, self.right, is_left=True)
        return [left] if self.is_left_only else [left, self.question(self.right, self.left, is_left=False)]

    def question(self, mine: Operand, other: Operand, *, is_left: bool) -> Question:
        return self.ask(mine, other, is_left, self.wanted)
