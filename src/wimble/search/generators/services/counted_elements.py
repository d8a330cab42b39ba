"""Elements of an answer that the program counts are repeated until there are enough: two cancelled ferries.

An edit of one value makes one element count. That another one has to, no operand tells but the number.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from wimble.genes import OptionalGene
from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.hints import ComparisonHint, Hint
from wimble.model.operands import is_number
from wimble.model.setup_kinds.answer import BODY, Answer, gene_of
from wimble.model.setup_kinds.body_forms import BodyForm
from wimble.model.testcase import TestCase
from wimble.types import ABSENT, Json

MAX_COUNT: Final = 10
"""Larger numbers are seldom counts of elements that an answer of a test should have."""
MAX_ELEMENTS: Final = 40
"""Elements of one list after they have been repeated."""
NONE: Final = -1
_DEPTHS: Final[dict[BodyForm, tuple[int, ...]]] = {"html": (0,), "xml": (1, 2)}
"""Where elements in markup are repeated, one after the other: below the root of a document in XML."""
_MORE: Final = {"greater": 1, "greater-or-equal": 0, "identical": 0, "equal": 0}
"""Comparisons with a count on the left, and how many more than the number on the right are needed."""


def times_needed(hint: Hint) -> int:
    """Returns how often each element has to come, if the hint compares a count that is too small; else 0."""
    if not isinstance(hint, ComparisonHint) or not hint.wanted or hint.operator not in _MORE:
        return 0
    count, other = hint.left, hint.right
    if not (is_number(count) and is_number(other) and isinstance(count, int) and isinstance(other, int)):
        return 0
    needed = int(other) + _MORE[hint.operator]
    return -(-needed // int(count)) if 0 < count < needed <= MAX_COUNT else 0


def with_counted(evaluation: Evaluation, hint: Hint) -> Iterator[tuple[int, TestCase]]:
    """Yields each answer's number with the test case in which its elements are repeated as a condition needs them."""
    times = times_needed(hint)
    test_case = evaluation.test_case
    requests = evaluation.interactions_of(ExternalRequest) if times else ()
    got = dict.fromkeys(one.answered_by for one in requests if one.call == hint.call and one.answered_by is not None)
    for number in got:
        answer = test_case.setup[number] if number < len(test_case.setup) else None
        if not isinstance(answer, Answer) or answer.outcome != "answer" or answer.message is not None:
            continue
        body = answer.genes[BODY].phenotype()
        for depth in _DEPTHS.get(answer.form, (NONE,)) if body is not ABSENT else ():
            changed = _repeated(body, times, depth)
            if changed != body:
                genes = (*answer.genes[:BODY], OptionalGene(gene_of(changed), True))
                yield number, test_case.with_action(number, msgspec.structs.replace(answer, genes=genes))


def _repeated(value: Json, times: int, depth: int) -> Json:
    """Returns a document in which each list has its elements several times, and so has each element in markup that
    stands at that depth.
    """
    if isinstance(value, list):
        return [_repeated(one, times, depth) for one in value * times][:MAX_ELEMENTS]
    if not isinstance(value, dict):
        return value
    inner = {name: _repeated(member, times, depth - 1) for name, member in value.items()}
    if depth != 0:
        return inner
    return {name: [member] * times if isinstance(member, dict) else member for name, member in inner.items()}
