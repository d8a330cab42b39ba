"""Finds faults of libraries: errors that no library throws on purpose, calls without an end, changed built-in objects.

`rejections.py` and `sensible_calls.py` say which errors are no faults. Of calls that pass functions, neither errors nor
time are judged: what wimble's functions return is no caller's choice, and a library may well call them until they
return something else.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from wimble.library.argument_fit import (
    INFINITY,
    holds_function,
    iter_numbers,
    iter_scalars,
    iter_texts,
    largest_number,
)
from wimble.library.argument_literals import call_text
from wimble.library.function_binding import function_of
from wimble.library.invocation import Thrown, exchange_of_function
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.observation import Cause
from wimble.oracles.libraries.given_arguments import LARGE
from wimble.oracles.libraries.rejections import is_of_callers_text, is_refused_by_builtin, is_unexpected
from wimble.oracles.libraries.sensible_calls import has_to_return, is_misfit, is_sensible
from wimble.oracles.messages.message_shapes import message_shape, shortened
from wimble.oracles.oracle import NO_CAUSE, CallOracle, CallView, EvaluationOracle, Oracle, Verdict, cause_key, place_of
from wimble.types import Json

EXCEPTION: Final = "exception"
HANGS: Final = "hangs"
GROWTH: Final = "super-linear-time"
ROUND_TRIP: Final = "round-trip"
CALLED_TWICE: Final = "called-twice"
MEMORY: Final = "memory"
POLLUTION: Final = "prototype-pollution"
MUCH_BYTES: Final = 256 * 1024 * 1024
"""Memory that a call with short arguments may take."""
SHORT_CHARS: Final = 10_000
MUCH: Final = 1000
"""A number above which a call may take its time: the work may grow with its square or cube. Numbers within texts are
dates as well, so `LARGE` is for them."""
_ENDS: Final = re.compile(r"abort|exit|quit|terminate|die|kill|bail\w*|panic|fatal|shutdown", re.IGNORECASE)
"""Names of functions that are there to end the process."""
_NO_EXPRESSION: Final = re.compile(r"Invalid regular expression: ")
_EXIT: Final = "process.exit("
_STREAMS: Final = "(node:internal/streams/"
_OF_CALLBACK: Final = "Error: failed"
"""How the message begins of the error that a function throws, or hands on, which a call passes."""
_OF_THE_ENGINE: Final = ("TypeError", "RangeError", "ReferenceError")
"""How messages begin of errors that are raised where an operation is not possible."""


def judge_exception(view: CallView) -> Verdict:
    exchange = exchange_of_function(view.observation)
    thrown = exchange.thrown
    binding = function_of(view.operation)
    if thrown is None or not is_unexpected(thrown) or is_of_callers_text(thrown, binding, exchange):
        return []
    if exchange.invocation.has_ended_in_step():
        return []  # each step is an operation itself, of which more is known than of a step
    if not is_sensible(binding, exchange) or is_refused_by_builtin(thrown, binding, exchange):
        return []
    cause = view.observation.cause or NO_CAUSE
    said = f"{thrown.name}: {thrown.message}" if thrown.message else thrown.name
    # Texts that become parts of expressions are not escaped: a function mends that for all of its expressions at once.
    place = () if _NO_EXPRESSION.match(thrown.message) else cause_key(cause)
    # At one place, one mistake may show in messages with different names.
    shape = thrown.name if place or _NO_EXPRESSION.match(thrown.message) else message_shape(said)
    return [
        Finding(
            oracle=EXCEPTION,
            key=(EXCEPTION, *(place or (view.operation.id,)), shape),
            operation=view.operation.id,
            title=f"{_called(view)} throws {shortened(said)}",
            observed=f"{shortened(said, 300)}{place_of(cause)}",
            expected="a result, or an error that says what is wrong with the arguments",
            cause=cause,
            call_index=view.observation.call_index,
        )
    ]


def judge_pollution(view: CallView) -> Verdict:
    exchange = exchange_of_function(view.observation)
    if not exchange.polluted:
        return []
    names = ", ".join(exchange.polluted[:3])
    return [
        Finding(
            oracle=POLLUTION,
            key=(POLLUTION, view.operation.id),
            operation=view.operation.id,
            title=f"{_called(view)} adds {names} to all objects",
            observed=f"after the call there is {names}, which was not there before",
            expected="a call leaves the prototypes of built-in classes as they are",
            cause=_without_message(view.observation.cause),
            call_index=view.observation.call_index,
        )
    ]


def _without_message(cause: Cause | None) -> Cause:
    return NO_CAUSE if cause is None else Cause(file=cause.file, line=cause.line, statement=cause.statement)


def _judge_failure(name: str, failure: str, says: str, expected: str) -> CallOracle:
    def judge_call(view: CallView) -> Verdict:
        observation = view.observation
        exchange = exchange_of_function(observation)
        given = exchange.invocation.values()
        if exchange.failure != failure or _asks_for_much(given) or holds_function(given):
            return []
        if not has_to_return(function_of(view.operation), exchange):
            return []
        cause = observation.cause or NO_CAUSE
        return [
            Finding(
                oracle=name,
                key=(name, *(cause_key(cause) or (view.operation.id,))),
                operation=view.operation.id,
                title=f"{_called(view)} {says}",
                observed=f"no result after {observation.elapsed_s:.1f} s{place_of(cause)}",
                expected=expected,
                cause=cause,
                call_index=observation.call_index,
            )
        ]

    return judge_call


def _asks_for_much(given: list[Json]) -> bool:
    """Whether the work may be what the caller has asked for: a table of 8,509 rows has 72 million cells."""
    is_endless = any(one == INFINITY for one in iter_scalars(given))
    return is_endless or any(abs(one) > MUCH for one in iter_numbers(given)) or largest_number(given) > LARGE


def _called(view: CallView) -> str:
    return shortened(call_text(function_of(view.operation), exchange_of_function(view.observation).invocation), 90)


def judge_memory(view: CallView) -> Verdict:
    exchange = exchange_of_function(view.observation)
    given = exchange.invocation.values()
    is_short = sum(map(len, iter_texts(given))) <= SHORT_CHARS and largest_number(given) <= LARGE
    if exchange.grown_bytes < MUCH_BYTES or not is_short or function_of(view.operation).is_internal:
        return []
    return [
        Finding(
            oracle=MEMORY,
            key=(MEMORY, view.operation.id),
            operation=view.operation.id,
            title=f"{_called(view)} takes more than {MUCH_BYTES // 2**20} MiB of memory",
            observed=f"the process grew by {exchange.grown_bytes // 2**20} MiB during the call",
            expected="memory in proportion to the arguments",
            cause=_without_message(view.observation.cause),
            call_index=view.observation.call_index,
        )
    ]


MEMORY_ORACLE = Oracle(MEMORY, judge_memory)
EXCEPTION_ORACLE = Oracle(EXCEPTION, judge_exception, yields_to=frozenset([POLLUTION]))
POLLUTION_ORACLE = Oracle(POLLUTION, judge_pollution)
HANGS_ORACLE = Oracle(
    HANGS, _judge_failure(HANGS, "blocked", "does not return", "each call returns within the time-out")
)


def of_sensible_calls(judge: EvaluationOracle) -> EvaluationOracle:
    """Returns a judge of crashes without those by which the engine answers arguments of types that nobody takes."""

    def judge_sensible(evaluation: Evaluation) -> Verdict:
        return [one for one in judge(evaluation) if not _is_of_odd_arguments(evaluation, one)]

    return judge_sensible


def _is_of_odd_arguments(evaluation: Evaluation, finding: Finding) -> bool:
    if finding.call_index >= len(evaluation.observations):
        return False
    message = finding.cause.message
    exchange = exchange_of_function(evaluation.observations[finding.call_index])
    binding = function_of(evaluation.test_case.calls[finding.call_index].operation)
    if message.startswith(_EXIT):
        return binding.may_exit or _ENDS.fullmatch(binding.own_name) is not None
    if message.startswith(_OF_CALLBACK) and holds_function(exchange.invocation.values()):
        return True
    if not message.startswith(_OF_THE_ENGINE):
        # Made by the program, which hands it on to those who listen to a stream; or refuses an argument by it.
        return _STREAMS in finding.cause.stack or is_misfit(binding, exchange)
    thrown = Thrown(name="Error", message=finding.cause.message)
    return not is_sensible(binding, msgspec.structs.replace(exchange, thrown=thrown))


ORACLES = (POLLUTION_ORACLE, EXCEPTION_ORACLE, HANGS_ORACLE, MEMORY_ORACLE)
