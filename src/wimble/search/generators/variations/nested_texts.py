"""Texts of nested brackets, for inputs of which the program compares characters with brackets.

What matches brackets reads an opening one only to want the closing one later: each of them alone leads nowhere, and a
text becomes worse before it becomes better. So texts in which all of them match are tried, once each.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from wimble.feedback.input_to_state.input_sites import iter_sites
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import TestCase
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.generators.variations.table_keys import looked_up
from wimble.types import OperationId

PAIRS: Final = ("()", "[]", "{}", "<>")
DEPTHS: Final = (1, 2, 3, 4, 6, 10)
"""How deep brackets are nested in one text each."""
MAX_INPUTS: Final = 2
"""Texts of a call in which they are tried."""
MAX_QUEUED: Final = 200
_PAIR_OF: Final = {sign: pair for pair in PAIRS for sign in pair}


class NestedTexts(Generator):
    """Proposes a call in which a character was compared with a bracket, with texts of nested brackets."""

    learns_from: ClassVar[str] = "hints"

    def __init__(self) -> None:
        super().__init__()
        self._pairs: dict[OperationId, set[str]] = {}
        """Those with which characters of an operation's inputs were compared."""
        self._queue: deque[TestCase] = deque()

    def is_ready(self) -> bool:
        return bool(self._queue)

    def propose(self, progress: float) -> Proposal | None:
        return Proposal(self._queue.popleft(), self)

    def observe(self, outcome: Outcome) -> None:
        if outcome.proposal.generator is self:
            self.credit.add(is_success=bool(outcome.improvement.newly_covered))
        for call, sent in self._newly_compared(outcome.evaluation):
            test_case = outcome.evaluation.test_case
            pairs = sorted(self._pairs[test_case.calls[call].operation.id])
            made = list(_with_nested(test_case, call, sent, pairs))
            self._queue.extend(made[: MAX_QUEUED - len(self._queue)])

    def _newly_compared(self, evaluation: Evaluation) -> list[tuple[int, str]]:
        """Returns the calls with characters that were compared with a bracket of a pair that was not known yet."""
        calls, found = evaluation.test_case.calls, dict[int, str]()
        for hint in evaluation.hints:
            for sent, sign in looked_up(hint):
                pair = _PAIR_OF.get(str(sign))
                if pair is None or len(sent) != 1 or not 0 <= hint.call < len(calls):
                    continue
                known = self._pairs.setdefault(calls[hint.call].operation.id, set())
                if pair not in known:
                    known.add(pair)
                    found[hint.call] = sent
        return list(found.items())


def _with_nested(test_case: TestCase, call: int, sent: str, pairs: Sequence[str]) -> Iterator[TestCase]:
    """Yields the test case with each text in the place of those that hold the character."""
    sites = [
        site
        for site in iter_sites(test_case, call, None)
        if isinstance(site.value, str) and sent in site.value and site.is_free()
    ]
    for site in sites[:MAX_INPUTS]:
        for text in nested_texts(pairs):
            place = site.put(text)
            if place is not None:
                yield test_case.with_gene(*place)


def nested_texts(pairs: Sequence[str]) -> list[str]:
    """Returns texts in which the brackets match: one in the other, one after the other, and around other characters."""
    found = ["".join(pairs)]
    for depth in DEPTHS:
        taken = [pairs[level % len(pairs)] for level in range(depth)]
        found.append("".join(one[0] for one in taken) + "".join(one[1] for one in reversed(taken)))
    inner = "a"
    for pair in pairs:
        inner = f"a{pair[0]}{inner}{pair[1]}"
    return list(dict.fromkeys([*found, inner]))
