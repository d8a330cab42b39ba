"""What an operand would have to be for a comparison to turn out as wanted.

One function per family of operators, in a table; values come best first. `mine` is the operand that can be changed,
`other` the one that stays, `is_left` on which side `mine` stands.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from random import Random

import msgspec

from wimble.feedback.values import DateValue, Operand, is_number, to_number
from wimble.genes.asked import ASKED
from wimble.genes.marks import mark
from wimble.solve.regex import matching_string, near_miss
from wimble.types import ABSENT

DAY_MS = 86_400_000
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
MAX_FRACTIONAL = 1e9
"""Beyond, two more decimals are lost in the rounding of doubles."""
MAX_DECIMALS = 4
"""Of a limit, as far as it is followed; more come of arithmetic (0.1 + 0.2), and nobody has written them."""
N_REGEX_STRINGS = 2
"""Different strings tried for one regular expression."""
N_FORMAT_STRINGS = 3
"""Different strings tried for one format."""


class Question(msgspec.Struct, frozen=True):
    """One comparison, seen from the operand that can be changed."""

    operator: str
    mine: Operand
    other: Operand
    is_left: bool
    wanted: bool
    flags: str = ""


def wanted_operands(question: Question, rng: Random) -> list[Operand]:
    """Values for `mine` with which the outcome is as wanted, best first. Empty where there is none or none is known."""
    family = _FAMILIES.get(question.operator)
    return [] if family is None else family(question, rng)


def _for_equality(question: Question, rng: Random) -> list[Operand]:
    other = question.other
    if question.wanted:
        return [] if isinstance(other, float) and math.isnan(other) else [other]
    return _different(other, rng)


def _different(value: Operand, rng: Random) -> list[Operand]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, str):
        return [mark(rng), "" if value else "a", value + "a"]
    if isinstance(value, DateValue):
        return [DateValue(value.ms + DAY_MS)]
    if is_number(value):
        return [value + 1, value - 1]
    return [mark(rng), 1, True]


def _for_order(question: Question, rng: Random) -> list[Operand]:
    operator = question.operator if question.is_left else _FLIPPED[question.operator]
    if not question.wanted:
        # !(a < b) is a >= b for all but NaN, which makes every order false.
        operator = _NEGATED[operator]
    other = question.other
    if isinstance(other, DateValue):
        return [DateValue(math.floor(ms)) for ms in _bounded(operator, other.ms, (1, DAY_MS))]
    if isinstance(other, str):
        number = to_number(other)
        if number is None or isinstance(question.mine, str):
            return list(_bounded_text(operator, other))
        other = number
    if isinstance(other, bool):
        other = int(other)
    if other is None:
        other = 0
    if not is_number(other):
        return []
    values = _bounded(operator, other, (1, DAY_MS) if abs(other) > 1e11 else (1,))
    is_fractional = other % 1 != 0 or (isinstance(question.mine, float) and question.mine % 1 != 0)
    return [*values, _just_beyond(operator, other)] if is_fractional and abs(other) < MAX_FRACTIONAL else [*values]


def _just_beyond(operator: str, limit: float) -> float:
    """Two more decimals: 51.299 for `< 51.3`. Between two limits, what is near to one of them is most often allowed by the other."""
    decimals = min(max(0, -int(Decimal(str(limit)).normalize().as_tuple().exponent)), MAX_DECIMALS) + 2
    return round(limit + (1 if operator.startswith(">") else -1) * 10.0**-decimals, decimals)


def _bounded(operator: str, limit: float, steps: tuple[int, ...]) -> list[int | float]:
    """The boundary where it is allowed, then beyond it; whole numbers besides where the limit is none."""
    sign = 1 if operator.startswith(">") else -1
    whole = math.floor(limit) + 1 if sign > 0 else math.ceil(limit) - 1
    beyond = [limit + sign * step for step in steps]
    values = [limit, *beyond] if operator.endswith("=") else beyond
    return values if whole in values else [whole, *values]


def _bounded_text(operator: str, limit: str) -> list[Operand]:
    """Strings compare by code units: a prefix is less, a longer string greater."""
    if operator == ">":
        return [limit + "a"]
    if operator == "<":
        return [limit[:-1], ""] if limit else []
    return [limit, limit + "a" if operator == ">=" else limit[:-1]]


def _for_affix(question: Question, rng: Random) -> list[Operand]:
    """`startsWith`, `endsWith`, `includes`: receiver on the left, argument on the right."""
    mine, other = question.mine, question.other
    if not isinstance(other, str):
        return []
    if not question.is_left:
        return _affix_arguments(question.operator, other, question.wanted, rng)
    if not question.wanted:
        return [text for text in (mark(rng), "") if other not in text]
    own = mine if isinstance(mine, str) else ""
    joined = {"startsWith": [other + own], "endsWith": [own + other], "includes": [other + own, own + other]}
    return list(dict.fromkeys([*joined[question.operator], other]))


def _affix_arguments(operator: str, receiver: str, is_wanted: bool, rng: Random) -> list[Operand]:
    if not is_wanted:
        return [receiver + mark(rng, 1), mark(rng)]
    if operator == "endsWith":
        return list(dict.fromkeys([receiver, receiver[-1:], ""]))
    return list(dict.fromkeys([receiver, receiver[:1], ""]))


def _for_regex(question: Question, rng: Random) -> list[Operand]:
    if not question.is_left or not isinstance(question.other, str):
        return []
    solve = matching_string if question.wanted else near_miss
    found = (solve(question.other, question.flags, rng) for _ in range(N_REGEX_STRINGS))
    return list(dict.fromkeys(text for text in found if text is not None))


def _for_truth(question: Question, rng: Random) -> list[Operand]:
    mine = question.mine
    if not question.is_left:
        return []
    if question.wanted:
        if isinstance(mine, str):
            return [mark(rng)]
        if isinstance(mine, (int, float)) and not isinstance(mine, bool):
            return [1]
        return [True, 1, mark(rng)]
    if isinstance(mine, bool):
        return [False, ABSENT]
    if isinstance(mine, str):
        return ["", ABSENT, None]
    return [0, ABSENT, None, ""]


def _for_format(question: Question, rng: Random) -> list[Operand]:
    """`format`: the text on the left, the format's name on the right."""
    asked = ASKED.get(question.other) if isinstance(question.other, str) and question.is_left else None
    if asked is None:
        return []
    if question.wanted:
        return list(dict.fromkeys(asked.draw(rng) for _ in range(N_FORMAT_STRINGS)))
    return list(dict.fromkeys(asked.miss(rng) for _ in range(N_FORMAT_STRINGS)))


_FAMILIES: dict[str, Callable[[Question, Random], list[Operand]]] = {
    "===": _for_equality,
    "==": _for_equality,
    "switch": _for_equality,
    "<": _for_order,
    "<=": _for_order,
    ">": _for_order,
    ">=": _for_order,
    "startsWith": _for_affix,
    "endsWith": _for_affix,
    "includes": _for_affix,
    "regex": _for_regex,
    "truthy": _for_truth,
    "format": _for_format,
}
