"""Values that a program accepts once: idempotency keys, ids of requests and messages, nonces.

A program may keep them in its memory, which no reset of a database clears. A copy of a test case that sends one again
is answered as a repetition, whatever else has changed in it. So most copies have new ones; the others, and calls of one
test case with the same value, show what a repetition does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Final

from wimble.genes import StringGene
from wimble.genes.probabilities import MARKER_LENGTH
from wimble.genes.taint_markers import taint_marker
from wimble.genes.text_shapes import of_same_shape
from wimble.model.learned_input import LearnedInput
from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.search.learned.members import value_of_input, with_input
from wimble.types import OperationId

KEPT_PROBABILITY: Final = 0.15
"""Probability that a copy of a test case keeps its values for one use."""
_NAME: Final = re.compile(
    r"idempoten|nonce|dedup|(?:request|message|correlation|transaction|delivery|event)[-_]?(?:id|key)$", re.IGNORECASE
)


def is_for_one_use(one: LearnedInput) -> bool:
    """Whether the name of the input says that each call has a value of its own."""
    return _NAME.search(one.path[-1]) is not None


class SingleUse:
    """The inputs of the operations that take a value once."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._inputs: dict[OperationId, list[LearnedInput]] = {}

    def note(self, operation: Operation, one: LearnedInput) -> None:
        if is_for_one_use(one):
            self._inputs.setdefault(operation.id, []).append(one)

    def renewed(self, test_case: TestCase) -> TestCase:
        """Returns the copy of an earlier test case with other values for one use; equal ones stay equal.

        A value that is longer than a made-up one keeps its shape: the search may have found that a program asks for it.
        """
        if not self._inputs or self._rng.random() < KEPT_PROBABILITY:
            return test_case
        sent = [(index, one, text) for index, call in enumerate(test_case.calls) for one, text in self._sent(call)]
        if not sent:
            return test_case
        new = {text: self._other(text) for text in dict.fromkeys(text for _, _, text in sent)}
        calls = list(test_case.calls)
        for index, one, text in sent:
            calls[index] = with_input(calls[index], one, StringGene(new[text])) or calls[index]
        return TestCase(tuple(calls), test_case.setup)

    def _other(self, text: str) -> str:
        return of_same_shape(text, self._rng) if len(text) > MARKER_LENGTH else taint_marker(self._rng)

    def _sent(self, call: Call) -> Iterator[tuple[LearnedInput, str]]:
        for one in self._inputs.get(call.operation.id, ()):
            value = value_of_input(call, one)
            if isinstance(value, str) and value:
                yield one, value
