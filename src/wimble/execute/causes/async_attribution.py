"""Attributes late errors to the evaluation whose calls started the work.

The agent's side is agents/node/src/runtime/calls/async-attribution.cjs.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

import msgspec

from wimble.genes import LinkedGene, contains_gene
from wimble.model.evaluation import Crash, Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.setup import MAX_SETUP
from wimble.model.setup_kinds.answer import Answer
from wimble.model.testcase import TestCase

MAX_REMEMBERED: Final = 256
"""Number of evaluations that are kept. A later error comes from a long timer, and is reported as an unattributed
crash.
"""


class LateWork:
    """The evaluations since the SUT's start whose calls may still have work in progress."""

    def __init__(self) -> None:
        self._evaluations: OrderedDict[int, Evaluation] = OrderedDict()

    def clear(self) -> None:
        """Discards all evaluations, since no work of the old process is left after a fresh start."""
        self._evaluations.clear()

    def remember(self, evaluation: Evaluation, seqs: Iterable[int]) -> None:
        """Keeps an evaluation. seqs: the numbers of the agents' evaluations that it consists of."""
        for seq in seqs:
            self._evaluations[seq] = evaluation
            if len(self._evaluations) > MAX_REMEMBERED:
                self._evaluations.popitem(last=False)

    def settle(self, evaluation: Evaluation) -> Evaluation:
        """Returns the evaluation without crashes of other evaluations' work.

        These crashes go to `late` and `unattributed_crashes`. The end of the SUT stays in the evaluation as well, since
        the SUT has to be started again.
        """
        if all(crash.late is None for crash in evaluation.crashes):
            return evaluation
        late: list[Evaluation] = []
        unattributed: list[Crash] = []
        for crash in evaluation.crashes:
            if crash.late is None:
                continue
            origin = self._evaluations.get(crash.late.seq)
            if origin is None:
                unattributed.append(crash)
                continue
            own = msgspec.structs.replace(crash, late=None, call_index=crash.late.call)
            late.append(
                msgspec.structs.replace(
                    origin,
                    test_case=_with_answers_got(origin.test_case, evaluation),
                    crashes=(own,),
                    reached={},
                    hints=(),
                    late=(),
                    unattributed_crashes=(),
                )
            )
        kept = tuple(crash for crash in evaluation.crashes if crash.late is None or crash.kind == "died")
        return msgspec.structs.replace(
            evaluation, crashes=kept, late=tuple(late), unattributed_crashes=tuple(unattributed)
        )


def _with_answers_got(test_case: TestCase, later: Evaluation) -> TestCase:
    """Returns a test case, whose work has failed in a later evaluation, with the answers of services that were got
    there by requests for which it plans none: its work may have sent them, as nothing else tells.
    """
    planned = {answer.request_kind for _, answer in test_case.setup_of(Answer)}
    requests = later.interactions_of(ExternalRequest)
    numbers = sorted({one.answered_by for one in requests if one.answered_by is not None})
    got = [answer for answer in map(later.test_case.setup.__getitem__, numbers) if isinstance(answer, Answer)]
    # Links lead to other parts of the test case that an answer is of.
    added = [one for one in got if one.request_kind not in planned and not contains_gene(LinkedGene, *one.genes)]
    setup = (*test_case.setup, *added)
    return TestCase(test_case.calls, setup, test_case.at_once) if added and len(setup) <= MAX_SETUP else test_case
