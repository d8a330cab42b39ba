"""`comparison` hints: edits give inputs values with which a comparison has the wanted outcome.

See [WB-JS] §3.5.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from random import Random

from wimble.feedback.comparison.operand_edits import operand_edits
from wimble.feedback.comparison.question import OperandPair, Question
from wimble.feedback.comparison.type_names import typed_edits
from wimble.feedback.edit import Proposal
from wimble.feedback.input_to_state.operand_sources import InputIndex
from wimble.genes.taint_markers import taint_marker
from wimble.genes.text_shapes import of_same_shape
from wimble.model.hints import ComparisonHint, Operator
from wimble.model.operands import DateValue, Operand, decoded, is_number
from wimble.runtimes.value_semantics import ValueSemantics

DAY_MS = 86_400_000
MAX_FRACTIONAL = 1e9
"""In larger numbers, two more decimals are lost in the rounding of doubles."""
MAX_DECIMALS = 4
"""Maximum number of decimals of a limit that are used. More decimals come from arithmetic (0.1 + 0.2)."""


def comparison_edits(hint: ComparisonHint, index: InputIndex, rng: Random) -> list[Proposal]:
    """Returns proposals for one hint, unordered, possibly with repetitions."""
    typed = hint.typed_name
    pair = OperandPair(
        target=hint.target,
        call=hint.call,
        left=decoded(hint.left),
        right=decoded(hint.right),
        wanted=hint.wanted,
        ask=comparison_question(hint.operator),
        name=typed or hint.name,
    )
    return list(typed_edits(pair, index, rng)) if typed else operand_edits(pair, index, rng)


def comparison_question(operator: Operator) -> Callable[[Operand, Operand, bool, bool], Question]:
    """Returns a function that makes questions from `mine`, `other`, `is_left` and `wanted`."""
    return _QUESTIONS[operator]


class EqualityQuestion(Question, frozen=True):
    """The operands have to be equal; if not `wanted`, different."""

    @property
    def label(self) -> str:
        return "equal"

    @property
    def is_equality(self) -> bool:
        return True

    def candidates(self, semantics: ValueSemantics, rng: Random) -> list[Operand]:
        candidates = [self.other] if self.wanted else _different(self.other, rng)
        return [value for value in candidates if semantics.is_equal(value, self.other) == self.wanted]


def _different(value: Operand, rng: Random) -> list[Operand]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, str):
        # A check before this one may have asked for the shape.
        alike = of_same_shape(value, rng)
        return [*([alike] if alike != value else []), taint_marker(rng), "" if value else "a", value + "a"]
    if isinstance(value, DateValue):
        return [DateValue(value.ms + DAY_MS)]
    if is_number(value):
        return [value + 1, value - 1]
    return [taint_marker(rng), 1, True]


class OrderQuestion(Question, frozen=True):
    """The left operand has to be less, or greater, than the right one."""

    is_greater: bool = False
    is_inclusive: bool = False

    @property
    def label(self) -> str:
        return ("greater" if self.is_greater else "less") + (" or equal" if self.is_inclusive else "")

    @property
    def is_order(self) -> bool:
        return True

    def candidates(self, semantics: ValueSemantics, rng: Random) -> list[Operand]:
        bound = _Bound(self)
        limit = semantics.order_operand(self.other, self.mine)
        if isinstance(limit, DateValue):
            return [DateValue(math.floor(ms)) for ms in bound.numbers(limit.ms, (1, DAY_MS))]
        if isinstance(limit, str):
            return bound.texts(limit)
        if not is_number(limit):
            return []
        numbers: list[Operand] = [*bound.numbers(limit, (1, DAY_MS) if abs(limit) > 1e11 else (1,))]
        is_fractional = limit % 1 != 0 or (isinstance(self.mine, float) and self.mine % 1 != 0)
        # A whole number next to the limit may have been put there by another limit: then it has to lie between both.
        is_fractional |= is_number(self.mine) and abs(self.mine - limit) <= 1
        return [*numbers, bound.just_beyond(limit)] if is_fractional and abs(limit) < MAX_FRACTIONAL else numbers


class _Bound:
    """On which side of a limit `mine` has to be, and whether the limit itself is allowed."""

    def __init__(self, question: OrderQuestion) -> None:
        # For the right operand, less becomes greater. The negation of `a < b` is `a >= b` except for NaN,
        # for which every comparison of order is false.
        self.is_above = question.is_greater == (question.is_left == question.wanted)
        self.is_inclusive = question.is_inclusive == question.wanted

    def numbers(self, limit: float, steps: tuple[int, ...]) -> list[int | float]:
        """Returns the limit if it is allowed, then numbers beyond it.

        If none of these is the nearest whole number beyond the limit, that number comes first.
        """
        sign = 1 if self.is_above else -1
        whole = math.floor(limit) + 1 if sign > 0 else math.ceil(limit) - 1
        beyond = [limit + sign * step for step in steps]
        values = [limit, *beyond] if self.is_inclusive else beyond
        return values if whole in values else [whole, *values]

    def just_beyond(self, limit: float) -> float:
        """Returns a number beyond the limit with two more decimals: 51.299 for `< 51.3`.

        If the value has to lie between two limits, a number near one of them is most likely to satisfy the other.
        """
        decimals = min(max(0, -int(Decimal(str(limit)).normalize().as_tuple().exponent)), MAX_DECIMALS) + 2
        return round(limit + (1 if self.is_above else -1) * 10.0**-decimals, decimals)

    def texts(self, limit: str) -> list[Operand]:
        """Returns texts beyond the limit. Texts are compared by code units: a prefix is less, a longer text greater."""
        if self.is_inclusive:
            return [limit, limit + "a" if self.is_above else limit[:-1]]
        if self.is_above:
            return [limit + "a"]
        return [limit[:-1], ""] if limit else []


_QUESTIONS: dict[Operator, Callable[[Operand, Operand, bool, bool], Question]] = {
    "identical": EqualityQuestion,
    "equal": EqualityQuestion,
    "less": OrderQuestion,
    "less-or-equal": partial(OrderQuestion, is_inclusive=True),
    "greater": partial(OrderQuestion, is_greater=True),
    "greater-or-equal": partial(OrderQuestion, is_greater=True, is_inclusive=True),
}
