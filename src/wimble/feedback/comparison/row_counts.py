"""Small numbers that may count inserted rows: edits insert as many rows as are wanted."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from random import Random

from wimble.feedback.comparison.question import OperandPair, Question
from wimble.feedback.edit import Proposal, SetupEdit
from wimble.feedback.input_to_state.operand_sources import InputIndex
from wimble.model.operands import is_number
from wimble.model.setup import MAX_SETUP, with_copy

COUNT_COST = 4
"""Added cost, since most small numbers count something else."""


def row_count_edits(pair: OperandPair, question: Question, index: InputIndex, rng: Random) -> Iterator[Proposal]:
    """Yields, for each table with at least so many inserted rows, copies of its last row up to the wanted number."""
    mine, setup = question.mine, index.test_case.setup
    wanted = next((value for value in question.candidates(index.values, rng) if is_number(value)), None)
    if not setup or not isinstance(mine, int) or isinstance(mine, bool) or wanted is None:
        return
    n_more = math.ceil(wanted) - mine
    if mine < 1 or not 0 < n_more <= MAX_SETUP - len(setup):
        return
    last_of: dict[Hashable, tuple[int, int]] = {}
    for number, action in enumerate(setup):
        counted = action.counted_with
        if counted is not None:
            n_before = last_of.get(counted, (0, 0))[1]
            last_of[counted] = number, n_before + 1
    for number, n_rows in last_of.values():
        if n_rows >= mine:
            test_case = index.test_case
            for _ in range(n_more):
                test_case = with_copy(test_case, number, rng)
            yield Proposal(COUNT_COST, SetupEdit(test_case.setup, pair.target, f"counts rows: {n_more} more"))
