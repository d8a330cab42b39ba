"""Passes what one function of a library has returned to another one: what is written is read, what is made is used.

Texts in a language that only the library knows, and objects as its functions expect them, come from its own functions.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from random import Random
from typing import Final

import msgspec

from wimble.genes import Gene
from wimble.library.invocation import FunctionExchange
from wimble.library.passed_values import passed_again
from wimble.model.observation import Observation
from wimble.model.testcase import Call
from wimble.types import ABSENT, Absent, Json, OperationId

PASSED_PROBABILITY: Final = 0.1
"""Probability that a new call gets a result of another operation."""
MAX_KEPT: Final = 16
"""Results of each operation."""
MAX_BYTES: Final = 400
"""Longer results, written as JSON, make calls slow and tests long."""
ATTEMPTS: Final = 3
"""Number of results that are tried until an input takes one."""


class PassedResults:
    """The latest different results of each operation."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._results: dict[OperationId, deque[Json]] = {}

    def observe(self, call: Call, observation: Observation) -> None:
        """Keeps the result of a call that returned one that can be an argument."""
        exchange = observation.exchange
        if observation.outcome != "ok" or not isinstance(exchange, FunctionExchange) or not exchange.is_whole:
            return
        value = passed_again(exchange.returned)
        if not _is_telling(value) or len(msgspec.json.encode(value)) > MAX_BYTES:
            return
        kept = self._results.setdefault(call.operation.id, deque(maxlen=MAX_KEPT))
        if value not in kept:
            kept.append(value)

    def applied(self, call: Call, earlier: Sequence[Call]) -> Call:
        """Sampling step: the first input that can be a result of another operation becomes one."""
        others = [kept for name, kept in self._results.items() if name != call.operation.id]
        if not others or self._rng.random() >= PASSED_PROBABILITY:
            return call
        for _ in range(ATTEMPTS):
            genes = _with_first(call.genes, self._rng.choice(self._rng.choice(others)))
            if genes is not None:
                return Call(call.operation, genes, call.user)
        return call


def _is_telling(value: Json | Absent) -> bool:
    """Whether a value is one that samples do not have anyway."""
    return value is not ABSENT and not isinstance(value, bool) and value not in (None, "", [], {}, 0, 1)


def _with_first(genes: Sequence[Gene], value: Json) -> tuple[Gene, ...] | None:
    for index, gene in enumerate(genes):
        new = gene.with_value(value)
        if new is not None:
            return (*genes[:index], new, *genes[index + 1 :])
    return None
