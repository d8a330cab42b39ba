"""Questions: conditions that an operand of a hint has to satisfy. Each kind is in the file of its hint."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import msgspec

from wimble.genes import Gene
from wimble.model.operands import Operand
from wimble.runtimes.value_semantics import ValueSemantics
from wimble.types import TargetId


class Question(msgspec.Struct, frozen=True):
    """Asks for values of `mine` for which the outcome is `wanted`, while the operand `other` stays unchanged."""

    mine: Operand
    other: Operand
    is_left: bool
    """Whether `mine` is the left operand, or the receiver of a method."""
    wanted: bool

    def candidates(self, semantics: ValueSemantics, rng: Random) -> list[Operand]:
        """Returns values that give the wanted outcome, best first; empty if there are none or none is known."""
        raise NotImplementedError

    @property
    def label(self) -> str:
        """One or two words for the question, for logs and reports."""
        raise NotImplementedError

    def because(self, how: str) -> str:
        """Returns the reason of an edit, for logs and reports."""
        return f"{self.label} {str(self.wanted).lower()}: {how}"

    @property
    def is_equality(self) -> bool:
        """Whether the operands have to be equal, or different."""
        return False

    @property
    def is_order(self) -> bool:
        """Whether the operands have to be in order of size, as the ends of a range."""
        return False

    @property
    def is_met_by_most_values(self) -> bool:
        """Whether most values satisfy it, so that any value is worth a try if there was none."""
        return False

    def specialised(self, gene: Gene, rng: Random) -> Gene | None:
        """Returns the gene restricted to values that satisfy the question, or None if that is impossible.

        Mutations of the gene keep the restriction.
        """
        return None


class OperandPair(msgspec.Struct, frozen=True):
    """The two operands of a hint, of which either may come from an input."""

    target: TargetId
    call: int
    left: Operand
    right: Operand
    wanted: bool
    ask: Callable[[Operand, Operand, bool, bool], Question]
    """Makes the question for one side, from `mine`, `other`, `is_left` and `wanted`."""
    name: str = ""
    """The path from which an operand was read; empty if unknown."""
    is_left_only: bool = False
    """Whether the right operand is no value of the program but a part of the question."""

    def questions(self) -> list[Question]:
        """Returns the question for the left operand, and then the one for the right operand unless `is_left_only`."""
        left = self.question(self.left, self.right, is_left=True)
        return [left] if self.is_left_only else [left, self.question(self.right, self.left, is_left=False)]

    def question(self, mine: Operand, other: Operand, *, is_left: bool) -> Question:
        return self.ask(mine, other, is_left, self.wanted)
