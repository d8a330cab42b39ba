"""Whatever inputs and operands are, recognising and inverting them never fails."""

from __future__ import annotations

import math

from wimble.feedback.input_to_state.transforms import families_of
from wimble.feedback.input_to_state.transforms.codings import iter_views
from wimble.model.operands import DateValue, Operand
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.types import ABSENT, Json

FAMILIES = families_of(JAVASCRIPT)
INPUTS: list[Json] = [
    None, True, False, 0, 1, -1, 5, 100, 1234, 2**31, 2**53, 2**70, 10**250, 1.5, -1234.567, 5e-324, 1e308, 1e15 + 0.3,
    "", " ", "a", "12px", "-12.5px", "1e999x", "1e308", "0x1f", "1,234", "2024-02-29", "2024-02-29T10:00:00Z", "0001-01-01",
    "9999-12-31T23:59:59Z", '{"a":[1,{}]}', "[" * 12 + "1" + "]" * 12, "[]", "{", "%41%2541", "%", "aGVsbG8=", "q=1&r=",
    "\u00e9", "\U0001f600x", "yes", "off", "a-b-c", "2147483648000", "Basic YTpi",
]  # fmt: skip
OPERANDS: list[Operand] = [
    *INPUTS,
    ABSENT,
    math.nan,
    math.inf,
    DateValue(0),
    DateValue(-62135596800000),
    DateValue(10**17),
]


def test_no_step_and_no_view_fails() -> None:
    n_inverses = 0
    for own in INPUTS:
        inverses = [view.inverse for view in iter_views(own)] if isinstance(own, str) else []
        for operand in OPERANDS:
            if operand is not ABSENT and not (isinstance(operand, float) and not math.isfinite(operand)):
                for family in (*FAMILIES.always, *FAMILIES.otherwise, *FAMILIES.last):
                    inverses += [step.inverse for step in family(own, operand)]
        for inverse in inverses:
            for wanted in OPERANDS:
                inverse(wanted)
        n_inverses += len(inverses)
    assert n_inverses > 100
