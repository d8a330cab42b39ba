"""Finds faults of libraries: errors that no library throws on purpose, calls without an end, changed built-in objects.

*What counts as a rejection.* A library may refuse its arguments by an error. An error is a rejection if the program
itself has made it (`throw new TypeError('expected a string')`), if its class is one of the library's, if what was
thrown is no error, or if it comes from parsing the caller's own text (`JSON.parse`, or an argument that is compiled to
a regular expression as it is). What is left was raised by the engine while the program did something else: `Cannot read
properties of undefined`, `Invalid count value`, `Maximum call stack size exceeded`, `URI malformed`. An assertion of
the program is a fault, too, if it has no text of its own: it says that this never happens; with a text, it is a check.

*What counts as a sensible call.* An engine's error is a fault only if each argument has a type that its parameter
takes, by its declaration or by what the function did with it, down to members and elements. Of a parameter of which
nothing is known, only texts are sensible. Of calls that pass functions, neither errors nor time are judged: what
wimble's functions return is no caller's choice, and a library may well call them until they return something else.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from wimble.library.argument_fit import UNDEFINED, holds_function, is_fitting, iter_texts, largest_number, type_of
from wimble.library.argument_literals import call_text
from wimble.library.argument_shape import ANYTHING, Shape
from wimble.library.function_binding import FunctionBinding, Parameter, function_of
from wimble.library.invocation import FunctionExchange, Invocation, Thrown, exchange_of_function, is_forbidden
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.observation import Cause
from wimble.oracles.message_shapes import message_shape, shortened
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
LARGE: Final = 1e4
"""Work in proportion to a larger number is what the caller has asked for: `pad('a', 183423171)`, `colours(700000)`."""
_PATTERN: Final = re.compile(r"Invalid regular expression: /(?P<pattern>.*)/\w*: ", re.DOTALL)
_OF_BROWSERS: Final = re.compile(
    r"(?:window|document|navigator|location|self|localStorage|sessionStorage|XMLHttpRequest|FileReader\w*|DOMParser"
    r"|Image|Node|Element|HTML\w+|XMLSerializer|importScripts|requestAnimationFrame|getComputedStyle|Temporal)"
    r" is not defined$"
)
"""What a program for browsers, or for newer versions of the runtime, misses."""
_OF_THE_ENGINE: Final = ("TypeError", "RangeError", "ReferenceError")
"""How messages begin of errors that are raised where an operation is not possible."""
_MISMATCH: Final = re.compile(
    r"\.(?:forEach|map|filter|reduce|reduceRight|some|every|find|findIndex|join|push|pop|shift|unshift|splice|sort|flat"
    r"|flatMap|keys|entries|values|call|apply|bind|exec|test|get|set|has|add|getTime|toISOString|toFixed|then)"
    r" is not a function|is not iterable|^Cannot create property|^Cannot use 'in' operator"
)
"""What the engine says of a value that lacks a member which values of another type have."""
_REFUSED_BY_NODE: Final = re.compile(
    r'The "[\w.]+" (?:argument|property) must be .*Received (?:type |an instance of )?(?P<value>\w+)', re.DOTALL
)
"""What functions of Node say of an argument of another type than they take."""
_NO_URL: Final = ("ERR_INVALID_URL", "ERR_INVALID_URL_SCHEME")
"""Codes of what `new URL` and its users say of a text: like `JSON.parse`, they say what is wrong with it."""
_FLAGS: Final = re.compile(r"Invalid flags supplied to RegExp constructor '(?P<flags>.*)'", re.DOTALL)


def judge_exception(view: CallView) -> Verdict:
    exchange = exchange_of_function(view.observation)
    thrown = exchange.thrown
    if thrown is None or not is_unexpected(thrown) or is_of_callers_text(thrown, exchange):
        return []
    binding = function_of(view.operation)
    if not is_sensible(binding, exchange) or is_refused_by_node(thrown, binding, exchange):
        return []
    cause = view.observation.cause or NO_CAUSE
    said = f"{thrown.name}: {thrown.message}" if thrown.message else thrown.name
    place = cause_key(cause)
    # At one place, one mistake may show in messages with different names.
    shape = thrown.name if place else message_shape(said)
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


def is_unexpected(thrown: Thrown) -> bool:
    """Whether no program throws this on purpose."""
    if not thrown.is_error or _OF_BROWSERS.match(thrown.message):
        return False
    if thrown.code in _NO_URL or is_forbidden(thrown) or (thrown.name == "SyntaxError" and "JSON" in thrown.message):
        return False
    return not thrown.is_on_purpose


def is_sensible(binding: FunctionBinding, exchange: FunctionExchange) -> bool:
    """Whether each argument has a type that its parameter takes, as far as that is known."""
    pairs = _pairs(binding, exchange.invocation)
    if exchange.thrown is not None and _MISMATCH.search(exchange.thrown.message):
        # Of a text where nothing is known, this says that it was no text that the function wanted.
        given = [parameter for parameter, value in pairs if value != UNDEFINED]
        if any(parameter is None or not _is_known(parameter.shape) for parameter in given):
            return False
    return all(_is_taken(parameter, value) for parameter, value in pairs)


def is_refused_by_node(thrown: Thrown, binding: FunctionBinding, exchange: FunctionExchange) -> bool:
    """Whether a function of Node refuses a value of a type that the call itself gives, and says what is wrong."""
    found = _REFUSED_BY_NODE.match(thrown.message) if thrown.code == "ERR_INVALID_ARG_TYPE" else None
    if found is None:
        return False
    given = {type_of(value) for _, value in _pairs(binding, exchange.invocation)}
    is_all_left_out = not exchange.invocation.arguments
    value = {"Object": "object", "Array": "array"}.get(found["value"], found["value"])
    return value in given or (value == "undefined" and is_all_left_out)


def _is_known(shape: Shape) -> bool:
    """Whether something is known of the values that a parameter takes, down to members and elements."""
    inner = [*shape.members.values(), *shape.places, *(one for one in (shape.items, shape.others) if one is not None)]
    return bool(shape.kinds) and all(map(_is_known, inner))


def _pairs(binding: FunctionBinding, invocation: Invocation) -> list[tuple[Parameter | None, Json]]:
    """Returns the values of a call with their parameters, as far as they are known."""
    known = {one.name: one.parameters for one in binding.steps}
    return [
        *_paired(binding.receiver, invocation.receiver or ()),
        *_paired(binding.parameters, invocation.arguments),
        *(pair for one in invocation.steps for pair in _paired(known.get(one.method, ()), one.arguments)),
    ]


def _paired(parameters: tuple[Parameter, ...], values: tuple[Json, ...]) -> list[tuple[Parameter | None, Json]]:
    pairs: list[tuple[Parameter | None, Json]] = []
    for index, value in enumerate(values):
        last = parameters[-1] if parameters and parameters[-1].is_rest else None
        pairs.append((parameters[index] if index < len(parameters) else last, value))
    # What a call leaves out is undefined.
    left_out = parameters[len(values) :]
    return pairs + [(one, {"$undefined": True}) for one in left_out if not one.is_rest]


def _is_taken(parameter: Parameter | None, value: Json) -> bool:
    return is_fitting(ANYTHING if parameter is None else parameter.shape, value)


def is_of_callers_text(thrown: Thrown, exchange: FunctionExchange) -> bool:
    """Whether an argument was compiled to a regular expression as it is: then the caller has written the mistake."""
    found = _PATTERN.match(thrown.message) or _FLAGS.match(thrown.message)
    if thrown.name != "SyntaxError" or found is None:
        return False
    return found[1] in iter_texts(exchange.invocation.values())


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
        if exchange.failure != failure or largest_number(given) > LARGE or holds_function(given):
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


def _called(view: CallView) -> str:
    return shortened(call_text(function_of(view.operation), exchange_of_function(view.observation).invocation), 90)


def judge_memory(view: CallView) -> Verdict:
    exchange = exchange_of_function(view.observation)
    given = exchange.invocation.values()
    is_short = sum(map(len, iter_texts(given))) <= SHORT_CHARS and largest_number(given) <= LARGE
    if exchange.grown_bytes < MUCH_BYTES or not is_short:
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
    if not finding.cause.message.startswith(_OF_THE_ENGINE) or finding.call_index >= len(evaluation.observations):
        return False
    exchange = exchange_of_function(evaluation.observations[finding.call_index])
    operation = evaluation.test_case.calls[finding.call_index].operation
    thrown = Thrown(name="Error", message=finding.cause.message)
    return not is_sensible(function_of(operation), msgspec.structs.replace(exchange, thrown=thrown))


ORACLES = (POLLUTION_ORACLE, EXCEPTION_ORACLE, HANGS_ORACLE, MEMORY_ORACLE)
