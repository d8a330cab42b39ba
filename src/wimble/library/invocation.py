"""A call of a function with its result, and the outcome that this means for the search."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Literal

import msgspec

from wimble.library.function_binding import FunctionBinding, Parameter, function_of
from wimble.library.made_objects import MADE, METHOD, USED, is_used, iter_made, without_absent
from wimble.model.observation import BLOCKED, Cause, Complaint, Exchange, Observation, Outcome
from wimble.model.operands import DateValue
from wimble.model.testcase import Call
from wimble.types import ABSENT, Absent, Json

UNDEFINED: Json = {"$undefined": True}
"""How values of calls write `undefined` (protocol/README.md, "Values of calls")."""

Failure = Literal["blocked", "pending", "process-lost", "not-run"]
"""`pending`: the call returned a promise that was not settled in time."""


class Thrown(msgspec.Struct, frozen=True, kw_only=True):
    """The value that a call threw."""

    name: str
    """Its class; the type of a value that is no error."""
    message: str = ""
    code: str = ""
    is_error: bool = True
    has_own_name: bool = False
    """Whether its `name` is not that of its class."""
    is_on_purpose: bool = False
    """Whether the program has made the error itself, rather than the engine."""


FORBIDDEN_CODE: Final = "ERR_ACCESS_DENIED"
NO_NETWORK: Final = "fetch failed"
NOT_USABLE_CODE: Final = "WIMBLE_NOT_USABLE"
"""Of an error of the host: a method that was to be called on an argument is none, or returns a promise."""


def is_forbidden(thrown: Thrown) -> bool:
    """Whether a call failed since its process may not write files or has no network, or since the host did not make it
    to its end: elsewhere it may not fail."""
    return thrown.code in (FORBIDDEN_CODE, NOT_USABLE_CODE) or thrown.message == NO_NETWORK


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """A call of a method on the object of the call that follows."""

    method: str
    arguments: tuple[Json, ...] = ()


class Invocation(msgspec.Struct, frozen=True, kw_only=True):
    """A call as it is made: values as protocol/README.md says, without arguments at the end that are left out."""

    operation: str
    arguments: tuple[Json, ...]
    receiver: tuple[Json, ...] | None = None
    """Arguments of what makes the object, for a method; the object, if that is made by a function of its own."""
    steps: tuple[Step, ...] = ()
    """Calls on the object before this one."""
    chained: tuple[bool, ...] | None = None
    """After the call: for each step and the call itself, as far as they were made, whether it was a call on what the
    step before had returned, rather than on the same object. None if there was nothing to choose."""
    awaited: tuple[bool, ...] = ()
    """With it: whether what made the object, and then each of these calls, returned a promise that was waited for."""

    left: tuple[bool, ...] = ()
    """For the same: whether such a promise was not settled when the next call was made."""

    def made(self, method: str) -> tuple[Step, ...]:
        """Returns the steps and the call itself, a call of `method`, as far as they were made."""
        links = (*self.steps, Step(method=method, arguments=self.arguments))
        return links if self.chained is None else links[: len(self.chained)]

    def has_ended_in_step(self) -> bool:
        """Whether the last call that was made is one of the steps, rather than the call itself."""
        return self.chained is not None and len(self.chained) <= len(self.steps)

    def has_awaited(self, index: int) -> bool:
        """Whether a promise was waited for: of what made the object for 0, then of the calls on it."""
        return self.awaited[index : index + 1] == (True,)

    def has_left(self, index: int) -> bool:
        """Whether a promise of those that `has_awaited` tells was not settled when the next call was made."""
        return self.left[index : index + 1] == (True,)

    @property
    def waits(self) -> bool:
        """Whether a promise was waited for before the last call."""
        return any(self.awaited[: len(self.chained or ())])

    def values(self) -> list[Json]:
        """Returns all arguments."""
        return [*self.arguments, *(self.receiver or ()), *(value for one in self.steps for value in one.arguments)]


def made_names(invocation: Invocation) -> set[str]:
    """Returns the names of what makes objects for a call, as a program imports it: not those of methods."""
    return {held[0] for held in iter_made(invocation.values()) if not held[0].startswith(METHOD)}


class FunctionExchange(Exchange):
    """A call of a function with its result: exactly one of `returned`, `thrown` and `failure` is set."""

    invocation: Invocation
    returned: Json | Absent = ABSENT
    thrown: Thrown | None = None
    failure: Failure | None = None
    is_whole: bool = False
    """Whether nothing of the returned value was left out."""
    is_awaited: bool = False
    is_iterated: bool = False
    """Whether the call returned a generator, whose items are told in its place."""
    is_endless: bool = False
    """Whether this had more items than were read."""
    polluted: tuple[str, ...] = ()
    """What the call has added to prototypes of built-in classes."""
    cpu_s: float = 0.0
    """Processor time of the call."""
    grown_bytes: int = 0
    """How much memory the process has taken during the call."""

    is_compared_whole = True

    @property
    def is_ok(self) -> bool:
        """Whether the call returned."""
        return self.thrown is None and self.failure is None

    def value(self) -> Json | Absent:
        if self.thrown is not None:
            return {"$error": {"name": self.thrown.name, "message": self.thrown.message}}
        return self.returned

    def text(self) -> str:
        return self.thrown.message if self.thrown is not None else ""

    def complaint(self) -> Complaint:
        return "input" if self.thrown is not None and self.thrown.is_on_purpose else ""

    def named(self, operation: str) -> str:
        made = self.invocation.made("")
        owner, sign, _ = operation.partition("#")
        return f"{owner}#{made[-1].method}" if sign and made and self.invocation.has_ended_in_step() else operation

    def steps_before(self) -> tuple[str, ...]:
        return tuple(one.method for one in self.invocation.made("")[:-1])

    @property
    def ends_in_promise(self) -> bool:
        """Whether the last call that was made returned a promise, rather than one before it."""
        if self.invocation.chained is None or not self.invocation.awaited or self.is_iterated:
            return self.is_awaited
        return self.is_awaited and self.invocation.has_awaited(len(self.invocation.chained))

    def phrase(self) -> str:
        if self.thrown is not None:
            return f"throws {self.thrown.name}"
        if self.failure is not None:
            return {
                "blocked": "never returns",
                "pending": "returns a promise that is never settled",
                "process-lost": "ends the process",
                "not-run": "is not run",
            }[self.failure]
        return f"returns {kind_of(self.returned)}"

    def kept(self) -> FunctionExchange:
        return FunctionExchange(
            self.invocation,
            self.returned,
            self.thrown,
            self.failure,
            self.is_whole,
            self.is_awaited,
            self.is_iterated,
            self.is_endless,
        )


def invocation_of(call: Call) -> Invocation:
    """Returns the call with the values of its genes."""
    binding = function_of(call.operation)
    n_receiver, n_own = len(binding.receiver), len(binding.receiver) + len(binding.parameters)
    values = [gene.phenotype() for gene in call.genes]
    return Invocation(
        operation=call.operation.id,
        arguments=_with_rest(_passed(values[n_receiver:n_own]), binding.parameters),
        receiver=_with_rest(_passed(values[:n_receiver]), binding.receiver) if binding.kind == "method" else None,
        steps=tuple(_steps(binding, values[n_own:])),
    )


def _with_rest(arguments: list[Json], parameters: Sequence[Parameter]) -> tuple[Json, ...]:
    if parameters and parameters[-1].is_rest and len(arguments) == len(parameters):
        rest = arguments.pop()
        arguments += rest if isinstance(rest, list) else [rest]
    return tuple(arguments)


def _steps(binding: FunctionBinding, values: Sequence[Json]) -> Iterator[Step]:
    produced = () if binding.producer is None else (*binding.siblings, binding.producer)
    known = {one.name: one for one in (*binding.steps, *produced)}
    for row in values[0] if values and isinstance(values[0], list) else ():
        name = row[0] if isinstance(row, list) and row else None
        # A hint may have replaced the name.
        if isinstance(name, str) and name in known:
            yield Step(method=name, arguments=_with_rest(_passed(without_absent(row[1:])), known[name].parameters))


def _passed(values: list[Json]) -> list[Json]:
    while values and values[-1] is ABSENT:
        values.pop()
    return [UNDEFINED if value is ABSENT else _well_formed(value) for value in values]


def _well_formed(value: Json) -> Json:
    """Returns the value with something that the notation allows in place of what mutants have put into it, and with the
    notation in place of numbers that JSON does not know.
    """
    if isinstance(value, float) and not math.isfinite(value):
        return {"$number": "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"}
    if isinstance(value, list):
        return [_well_formed(item) for item in value]
    if isinstance(value, DateValue):  # an operand that a hint has put there
        return {"$date": value.ms}
    if not isinstance(value, dict):
        return value
    value = _without_added(value)
    if len(value) == 1:
        key, held = next(iter(value.items()))
        if key == MADE and isinstance(held, list):
            return {MADE: [_well_formed(one) for one in without_absent(held)]}
        if key == USED and is_used(value):
            made, calls = _well_formed(held[0]), [_well_formed(without_absent(call)) for call in held[1]]
            return {USED: [made, calls]} if calls else made
        if key in _NOTATIONS:
            is_allowed, instead = _NOTATIONS[key]
            return value if is_allowed(held) else {key: instead}
    return {key: _well_formed(member) for key, member in value.items()}


def _without_added(value: dict[str, Json]) -> dict[str, Json]:
    """Returns the notation of an object that the library makes, without members that a mutant has added to it."""
    if isinstance(value.get(MADE), list):
        return {MADE: value[MADE]}
    held = value.get(USED)
    if isinstance(held, list) and len(held) == 2 and isinstance(held[0], dict) and MADE in held[0]:
        return {USED: [_without_added(held[0]), held[1]]}
    return value


_NUMBERS: Final = ("NaN", "Infinity", "-Infinity", "-0")
_WHOLE: Final = re.compile(r"-?[0-9]+")
_NOTATIONS: Final[Mapping[str, tuple[Callable[[Json], bool], Json]]] = {
    "$number": (lambda held: held in _NUMBERS, "NaN"),
    "$bigint": (lambda held: isinstance(held, str) and _WHOLE.fullmatch(held) is not None, "0"),
    "$function": (lambda held: isinstance(held, str), "nothing"),
    "$regexp": (lambda held: isinstance(held, list) and [type(one) for one in held] == [str, str], ["", ""]),
}
"""What such a notation may hold, and what it holds instead of something else."""


def function_observation(
    call_index: int, exchange: FunctionExchange, *, elapsed_s: float = 0.0, cause: Cause | None = None
) -> Observation:
    """Returns the observation of a call with this exchange."""
    outcome, keys = _outcome(exchange)
    return Observation(
        call_index=call_index, outcome=outcome, outcome_keys=keys, exchange=exchange, elapsed_s=elapsed_s, cause=cause
    )


def _outcome(exchange: FunctionExchange) -> tuple[Outcome, tuple[str, ...]]:
    if exchange.failure is not None:
        outcomes: dict[Failure, tuple[Outcome, str]] = {
            "blocked": ("hung", BLOCKED),
            "pending": ("hung", "pending"),
            "process-lost": ("crashed", "process-lost"),
            "not-run": ("not-run", "not-run"),
        }
        outcome, key = outcomes[exchange.failure]
        return outcome, (key,)
    if exchange.thrown is not None:
        return ("refused" if exchange.thrown.is_on_purpose else "failed"), (f"throws {exchange.thrown.name}",)
    return "ok", (f"returns {kind_of(exchange.returned)}",)


_KINDS = {
    "$undefined": "undefined", "$number": "number", "$bigint": "bigint", "$date": "Date", "$regexp": "RegExp",
    "$map": "Map", "$set": "Set", "$bytes": "Buffer", "$function": "function", "$bare": "object",
}  # fmt: skip


def kind_of(value: Json | Absent) -> str:
    """Returns the name of a value's type or class, as a reader of the program would call it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return "string" if value else "an empty string"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, list):
        return "array" if value else "an empty array"
    if isinstance(value, dict) and len(value) == 1:
        key, held = next(iter(value.items()))
        if key in _KINDS:
            return "NaN" if value == {"$number": "NaN"} else _KINDS[key]
        if key in ("$instance", "$error") and isinstance(held, dict):
            return str(held.get("class") or held.get("name") or "object")
        if key == "$opaque":
            return str(held)
    return "object"


def exchange_of_function(observation: Observation) -> FunctionExchange:
    """Returns the exchange of a call of a function. Raises TypeError if the call was of another kind."""
    exchange = observation.exchange
    if not isinstance(exchange, FunctionExchange):
        raise TypeError(f"not a call of a function: {type(exchange).__name__}")
    return exchange
