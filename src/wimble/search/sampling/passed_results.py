"""Passes what one function of a library has returned to another one: what is written is read, what is made is used.

Texts in a language that only the library knows, and objects as its functions expect them, come from its own functions.
What holds objects of its classes is made by the same call once more, as an argument.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple, TypeVar

import msgspec

from wimble.genes import Gene, OptionalGene
from wimble.library.argument_shape import ANYTHING, Shape
from wimble.library.function_binding import FunctionBinding
from wimble.library.invocation import FunctionExchange
from wimble.library.made_objects import gene_of_argument
from wimble.library.passed_values import is_kept_by_library, made_again, passed_again
from wimble.model.observation import Observation
from wimble.model.testcase import Call
from wimble.types import ABSENT, Absent, Json, OperationId

PASSED_PROBABILITY: Final = 0.1
"""Probability that a new call gets a result of another operation."""
MADE_PROBABILITY: Final = 0.3
"""Probability that a new call gets a result with members for a parameter of which the function reads such: lists of
parts, trees, and objects of the library's classes, which nothing else has."""
MAX_KEPT: Final = 16
"""Results of each operation."""
MAX_BYTES: Final = 400
"""Longer results, written as JSON, make calls slow and tests long."""
MAX_LOOKS: Final = 30
"""Number of results that are looked at until one has the members that are read."""
ATTEMPTS: Final = 3
"""Number of results that are tried until an input takes one."""


_Kept = TypeVar("_Kept")


class _Made(NamedTuple):
    """A result that has members, or holds what has some."""

    argument: Json
    """The same value; of what holds objects of the library's classes, what makes it once more."""
    returned: Json


class PassedResults:
    """The latest different results of each operation."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._results: dict[OperationId, deque[Json]] = {}
        self._made: dict[OperationId, deque[_Made]] = {}

    def observe(self, call: Call, observation: Observation) -> None:
        """Keeps the result of a call that returned one that can be an argument."""
        exchange = observation.exchange
        if observation.outcome != "ok" or not isinstance(exchange, FunctionExchange):
            return
        value = passed_again(exchange.returned)
        if isinstance(value, Absent) or not exchange.is_whole:
            self._keep_made(call, exchange)
        elif _is_telling(value):
            self._keep(self._results, call, value, sent=value)
            if _has_structure(value):
                self._keep(self._made, call, _Made(value, value), sent=value)

    def _keep_made(self, call: Call, exchange: FunctionExchange) -> None:
        binding, returned = call.operation.binding, exchange.returned
        is_promised = exchange.is_awaited or exchange.is_iterated
        if isinstance(binding, FunctionBinding) and is_kept_by_library(returned) and not is_promised:
            argument = made_again(binding, exchange.invocation)
            if argument is not ABSENT:
                self._keep(self._made, call, _Made(argument, returned), sent=argument)

    def _keep(self, results: dict[OperationId, deque[_Kept]], call: Call, value: _Kept, *, sent: Json) -> None:
        """sent: the argument that it becomes."""
        if len(msgspec.json.encode(sent)) > MAX_BYTES:
            return
        kept = results.setdefault(call.operation.id, deque(maxlen=MAX_KEPT))
        if value not in kept:
            kept.append(value)

    def applied(self, call: Call, earlier: Sequence[Call]) -> Call:
        """Sampling step: the first input that can be a result of another operation becomes one."""
        if self._made and self._rng.random() < MADE_PROBABILITY:
            made = self._with_made(call)
            if made is not None:
                return made
        others = [kept for name, kept in self._results.items() if name != call.operation.id]
        if not others or self._rng.random() >= PASSED_PROBABILITY:
            return call
        for _ in range(ATTEMPTS):
            genes = _with_first(call.genes, self._rng.choice(self._rng.choice(others)))
            if genes is not None:
                return Call(call.operation, genes, call.user)
        return call

    def _with_made(self, call: Call) -> Call | None:
        """Returns the call with a result in the place of an argument that may be one, by what is known of it."""
        binding = call.operation.binding
        if not isinstance(binding, FunctionBinding):
            return None
        parameters = (*binding.receiver, *binding.parameters)
        places = [index for index, one in enumerate(parameters) if _HOLDING & set(one.shape.kinds)]
        if not places:
            return None
        index, kept = self._rng.choice(places), list(self._made.values())
        for _ in range(MAX_LOOKS):
            one = self._rng.choice(self._rng.choice(kept))
            if may_be(parameters[index].shape, one.returned):
                new, genes = OptionalGene(gene_of_argument(one.argument), True), call.genes
                return Call(call.operation, (*genes[:index], new, *genes[index + 1 :]), call.user)
        return None


def may_be(shape: Shape, returned: Json | Absent) -> bool:
    """Whether what a call has returned may be an argument of this shape: it has what a function reads of it."""
    if isinstance(returned, list):
        items = shape.items or ANYTHING
        may_hold = not items.kinds or bool(_HOLDING & set(items.kinds))
        return "array" in shape.kinds and bool(returned) and may_hold and _has_half(_read(items), returned[0])
    names = _read(shape)
    return "object" in shape.kinds and bool(names) and _has_half(names, returned)


_HOLDING: Final = frozenset({"object", "array"})


def _read(shape: Shape) -> set[str]:
    """Returns the names of the members that are read, without methods, which belong to the class."""
    return {name for name, member in shape.members.items() if "function" not in member.kinds}


def _has_half(names: set[str], value: Json | Absent) -> bool:
    """Whether a value has at least half of the members with these names."""
    held = value.get("$instance", value) if isinstance(value, dict) else {}
    members: dict[str, Json] = held.get("members", held) or {}
    return 2 * len(names & members.keys()) >= len(names)


def _has_structure(value: Json) -> bool:
    """Whether a value holds members, or lists of others, which samples seldom have in the form that is read."""
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and isinstance(value[0], (dict, list)))


def _is_telling(value: Json | Absent) -> bool:
    """Whether a value is one that samples do not have anyway."""
    return value is not ABSENT and not isinstance(value, bool) and value not in (None, "", [], {}, 0, 1)


def _with_first(genes: Sequence[Gene], value: Json) -> tuple[Gene, ...] | None:
    for index, gene in enumerate(genes):
        new = gene.with_value(value)
        if new is not None:
            return (*genes[:index], new, *genes[index + 1 :])
    return None
