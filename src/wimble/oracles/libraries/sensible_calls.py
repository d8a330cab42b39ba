"""Which errors are no faults: what a library rejects on purpose, and what follows from arguments that nobody passes.

*What counts as a rejection.* A library may refuse its arguments by an error. An error is a rejection if the program
itself has made it (`throw new TypeError('expected a string')`), if its class is one of the library's, if what was
thrown is no error, or if it comes from parsing the caller's own text (`JSON.parse`, a locale of `Intl`, or an argument
that is compiled to a regular expression). What is left was raised by the engine while the program did something else:
`Cannot read properties of undefined`, `Invalid count value`, `Maximum call stack size exceeded`, `URI malformed`. An
assertion of the program is a fault, too, if it has no text of its own: it says that this never happens; with a text, it
is a check.

*What counts as a sensible call.* An engine's error is a fault only if users may call the function, and each argument
has a type that its parameter takes, by its declaration or by what the function did with it, down to members and
elements. Of a parameter of which nothing is known, only texts are sensible.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from wimble.library.argument_fit import (
    UNDEFINED,
    has_unknown_object,
    is_fitting,
    iter_scalars,
    iter_texts,
    largest_number,
    type_of,
)
from wimble.library.argument_literals import literal
from wimble.library.argument_shape import ANYTHING, Shape
from wimble.library.function_binding import FunctionBinding, Parameter
from wimble.library.invocation import FunctionExchange, Invocation, Thrown, is_forbidden
from wimble.library.made_objects import iter_made
from wimble.types import Json

_PATTERN: Final = re.compile(r"Invalid regular expression: /(?P<pattern>.*)/\w*: ", re.DOTALL)
_OF_BROWSERS: Final = re.compile(
    r"(?:window|document|navigator|location|self|localStorage|sessionStorage|XMLHttpRequest|FileReader\w*|DOMParser"
    r"|Image|Node|Element|HTML\w+|XMLSerializer|importScripts|requestAnimationFrame|getComputedStyle|Temporal)"
    r" is not defined$"
)
"""What a program for browsers, or for newer versions of the runtime, misses."""
_MISMATCH: Final = re.compile(
    r"\.(?:forEach|map|filter|reduce|reduceRight|some|every|find|findIndex|join|push|pop|shift|unshift|splice|sort|flat"
    r"|flatMap|keys|entries|values|call|apply|bind|exec|test|get|set|has|add|getTime|toISOString|toFixed|then)"
    r" is not a function|is not iterable|^Cannot create property|^Cannot use 'in' operator"
)
"""What the engine says of a value that lacks a member which values of another type have."""
_LACKING: Final = re.compile(
    r"^Cannot (?:read propert|convert undefined or null|destructure propert)"
    r"| is not (?:a function|iterable|a constructor)$"
)
"""What the engine says where a value lacks a member."""
_REFUSED_BY_NODE: Final = re.compile(
    r'The "[\w.]+" (?:argument|property) must be .*Received (?:type |an instance of )?(?P<value>\w+)', re.DOTALL
)
"""What functions of Node say of an argument of another type than they take."""
_NO_URL: Final = ("ERR_INVALID_URL", "ERR_INVALID_URL_SCHEME")
"""Codes of what `new URL` and its users say of a text: like `JSON.parse`, they say what is wrong with it."""
_OUT_OF_RANGE: Final = re.compile(
    r'(?:The (?:argument|property|value of) ["\'][\w.]+["\'] (?:is (?:invalid|out of range)\.|must be).* Received '
    r"(?P<value>.+))"
    r"|Unknown (?:encoding|credential|signal): (?P<name>.+)",
    re.DOTALL,
)
"""The same, of a value; the codes are those of `_REFUSED_VALUES`."""
_OUT_OF_BOUNDS: Final = re.compile(r"\w+ is out of range: >= (-?\d+) && <= (-?\d+)$")
"""The same, of a number, by functions that are not written in JavaScript."""
_REFUSED_VALUES: Final = ("ERR_INVALID_ARG_VALUE", "ERR_OUT_OF_RANGE", "ERR_UNKNOWN_ENCODING", "ERR_UNKNOWN_SIGNAL")
LARGE: Final = 1e4
"""Work, or memory, in proportion to a larger number is what the caller has asked for: `pad('a', 183423171)`."""
_TOO_LONG: Final = re.compile(r"Invalid (?:string|array|typed array) length|Array buffer allocation failed")
"""What the engine says of a size for which there is no room."""
_OF_INTL: Final = re.compile(
    r"Incorrect locale information provided|Invalid time zone specified: "
    r"|Invalid (?:currency|unit|language|region|script)\b|Value .+ out of range for Intl\.|Invalid option : "
)
"""What the classes of `Intl` say of a locale, a time zone or an option: they say what is wrong with it."""
_NO_DATE: Final = re.compile(r"Invalid time value$|.*date value is not finite", re.IGNORECASE)
"""What the engine says of a date that is out of the range of dates, where it is to be written."""
_NO_FUNCTION: Final = re.compile(r"[A-Za-z_$][\w$]*(?:\[[^\]]*\])? is not a function")
"""What the engine says of a variable that is called, such as a callback: the caller has not passed one."""
_NOT_EXTENSIBLE: Final = re.compile(r"Cannot (?:add|define) property \S+ object is not extensible$")
"""What the engine says where a program sets a member of what cannot have more, such as the exports of an ES module."""
_NO_METHOD: Final = re.compile(r"(?P<value>[A-Za-z_$][\w$]*)\.[A-Za-z_$][\w$]* is not a function")
"""What the engine says of a value, by its name, that lacks a method."""
_OF_DIGITS: Final = re.compile(
    r"to(?:Fixed|Precision|Exponential|String)\(\) (?:digits |radix )?argument must be between (\d+) and (\d+)"
)
"""What the engine says of a number of digits, or of a base."""
_NO_BIGINT: Final = re.compile(
    r"The number (?P<number>\S+) cannot be converted to a BigInt because|Cannot convert (?P<text>.+) to a BigInt$",
    re.DOTALL,
)
"""What the engine says of a number or a text that is no whole number, like `JSON.parse` of a text that is no JSON."""
_OF_TEXTS: Final = re.compile(
    r"\.(?:charAt|charCodeAt|codePointAt|substr|substring|slice|split|replace|replaceAll|match|matchAll|search|trim\w*"
    r"|to(?:Lower|Upper)Case|startsWith|endsWith|indexOf|lastIndexOf|includes|concat|padStart|padEnd|repeat|normalize"
    r"|localeCompare|at) is not a function"
)
"""What the engine says of a value that is no text."""
WRITTEN_UNDEFINED: Final[Json] = {"$undefined": True}
"""`undefined` as an argument that others follow; it is told by its identity."""
_IN_PATTERNS: Final = re.compile(r"chars?|characters|charset|pattern|re|regexp?|regex|exp|expr", re.I)
"""Names of parameters whose texts become parts of regular expressions, as far as documentation tells of such."""
_FLAGS: Final = re.compile(r"Invalid flags supplied to RegExp constructor '(?P<flags>.*)'", re.DOTALL)


def is_unexpected(thrown: Thrown) -> bool:
    """Whether no program throws this on purpose."""
    if not thrown.is_error or _OF_BROWSERS.match(thrown.message):
        return False
    if thrown.name == "RangeError" and _OF_INTL.match(thrown.message):
        return False
    if thrown.code in _NO_URL or is_forbidden(thrown) or (thrown.name == "SyntaxError" and "JSON" in thrown.message):
        return False
    return not thrown.is_on_purpose


def is_sensible(binding: FunctionBinding, exchange: FunctionExchange) -> bool:
    """Whether users may make the call, and each argument has a type that its parameter takes, as far as known."""
    if binding.is_internal or _has_marks(exchange.invocation.values()):
        return False
    pairs = _pairs(binding, exchange.invocation)
    message = exchange.thrown.message if exchange.thrown is not None else ""
    # Of a text where nothing is known, this says that it was no text that the function wanted.
    given = [parameter for parameter, value in pairs if value != UNDEFINED]
    if _MISMATCH.search(message) and any(one is None or not _is_known(one.shape) for one in given):
        return False
    if _NO_FUNCTION.match(message):
        return False
    # A class that is called as a function sets members of what it is called on: of the exports.
    if binding.kind == "function" and _NOT_EXTENSIBLE.match(message):
        return False
    is_about_type = _OF_TEXTS.search(message) or _MISMATCH.search(message)
    if is_about_type and any(one is not None and _may_be_text(one) for one in given):
        return False
    lacking = _NO_METHOD.match(message)
    if lacking is not None and any(_is_guessed(one, value, lacking["value"]) for one, value in pairs):
        return False
    # Only a declaration, or a look at the function, tells what `(...args) => other(...args)` takes.
    if not exchange.invocation.arguments and _takes_only_unknown(binding) and _LACKING.search(message):
        return False
    # Which members such an object needs, only the documentation says, if anything.
    if _LACKING.search(message) and any(
        one is not None and has_unknown_object(one.shape, value) for one, value in pairs
    ):
        return False
    return all(_is_taken(parameter, value) for parameter, value in pairs)


def _takes_only_unknown(binding: FunctionBinding) -> bool:
    """Whether all that is known of a function's arguments is that there may be any number of them."""
    return len(binding.parameters) == 1 and binding.parameters[0].is_rest and not binding.parameters[0].is_declared


def _has_marks(values: Iterable[Json]) -> bool:
    """Whether an object has a member by which libraries know objects of their own: `__isYupRef`."""
    for value in values:
        if isinstance(value, list) and _has_marks(value):
            return True
        if isinstance(value, dict) and (any(name.startswith("__") for name in value) or _has_marks(value.values())):
            return True
    return False


def is_refused_by_node(thrown: Thrown, binding: FunctionBinding, exchange: FunctionExchange) -> bool:
    """Whether a function of Node, or a method of numbers, refuses a value that the call itself gives, and says why."""
    bounds = _OF_DIGITS.match(thrown.message)
    if bounds is not None:
        given_numbers = (one for one in iter_scalars(exchange.invocation.values()) if isinstance(one, (int, float)))
        return any(not int(bounds[1]) <= one <= int(bounds[2]) for one in given_numbers)
    if thrown.name in ("RangeError", "SyntaxError", "TypeError") and (no := _NO_BIGINT.match(thrown.message)):
        is_fraction = no["number"] is not None and any(map(_is_fraction, iter_scalars(exchange.invocation.values())))
        return is_fraction or _is_given_as(no["number"] or no["text"], exchange)
    if _TOO_LONG.match(thrown.message):
        return largest_number(exchange.invocation.values()) > LARGE
    if _NO_DATE.match(thrown.message):
        return largest_number(_without_dates(exchange.invocation.values())) > LARGE
    if thrown.code in _REFUSED_VALUES:
        return _is_refused_value(thrown, list(iter_scalars(exchange.invocation.values())))
    found = _REFUSED_BY_NODE.match(thrown.message) if thrown.code == "ERR_INVALID_ARG_TYPE" else None
    if found is None:
        return False
    given = {type_of(value) for _, value in _pairs(binding, exchange.invocation)}
    is_all_left_out = not exchange.invocation.arguments
    value = {"Object": "object", "Array": "array"}.get(found["value"], found["value"])
    return value in given or (value in ("undefined", "function") and is_all_left_out)


def _is_refused_value(thrown: Thrown, given: list[Json]) -> bool:
    bounds = _OUT_OF_BOUNDS.match(thrown.message)
    if bounds is not None:
        return any(isinstance(one, int | float) and not int(bounds[1]) <= one <= int(bounds[2]) for one in given)
    refused = _OUT_OF_RANGE.match(thrown.message)
    if refused is None:
        return False
    is_too_large = thrown.code == "ERR_OUT_OF_RANGE" and largest_number(given) > LARGE
    # Node writes control characters in another way than literals of tests do.
    is_with_nul = "\\x00" in thrown.message and any(isinstance(one, str) and "\0" in one for one in given)
    # A text that was read as a number.
    is_no_number = refused["value"] == "NaN" and any(isinstance(one, str) for one in given)
    is_given = refused["name"] in given or refused["value"] in map(literal, given)
    return is_given or is_too_large or is_with_nul or is_no_number


def _without_dates(values: Iterable[Json]) -> list[Json]:
    """Returns the values, without dates among them and their members: their numbers are no sizes."""
    kept: list[Json] = []
    for value in values:
        if isinstance(value, dict):
            kept += [] if type_of(value) == "Date" else _without_dates(value.values())
        else:
            kept += _without_dates(value) if isinstance(value, list) else [value]
    return kept


def _is_fraction(value: Json) -> bool:
    return isinstance(value, float) and not value.is_integer()


def _is_given_as(written: str, exchange: FunctionExchange) -> bool:
    """Whether a scalar of the call is written like this, as a number or as a text."""
    given = list(iter_scalars(exchange.invocation.values()))
    return written in given or written in map(literal, given)


def is_misfit(binding: FunctionBinding, exchange: FunctionExchange) -> bool:
    """Whether an argument has another type than the one that somebody has declared for its parameter."""
    pairs = _pairs(binding, exchange.invocation)
    return any(one is not None and one.is_declared and not _is_taken(one, value) for one, value in pairs)


def _is_known(shape: Shape) -> bool:
    """Whether something is known of the values that a parameter takes, down to members and elements."""
    inner = [*shape.members.values(), *shape.places, *(one for one in (shape.items, shape.others) if one is not None)]
    return bool(shape.kinds) and all(map(_is_known, inner))


def _may_be_text(parameter: Parameter) -> bool:
    """Whether a run has left open whether an argument is a text or something else."""
    return "string" in parameter.shape.kinds and len(parameter.shape.kinds) > 1 and not parameter.is_declared


def _is_guessed(parameter: Parameter | None, value: Json, name: str) -> bool:
    """Whether the value is an object for a parameter of this name, of which only a run has told something."""
    is_named = parameter is not None and parameter.name == name and not parameter.is_declared
    return is_named and type_of(value) == "object"


def _pairs(binding: FunctionBinding, invocation: Invocation) -> list[tuple[Parameter | None, Json]]:
    """Returns the values of a call with their parameters, as far as they are known."""
    known = {one.name: one.parameters for one in binding.steps}
    return [
        *_paired(binding.receiver, invocation.receiver or ()),
        *_paired(binding.parameters, invocation.arguments),
        *(pair for one in invocation.steps for pair in _paired(known.get(one.method, ()), one.arguments)),
        *(
            pair
            for name, *given in iter_made(invocation.values())
            for pair in _paired(binding.makers.get(name, ()), tuple(given))
        ),
    ]


def _paired(parameters: tuple[Parameter, ...], values: tuple[Json, ...]) -> list[tuple[Parameter | None, Json]]:
    pairs: list[tuple[Parameter | None, Json]] = []
    for index, value in enumerate(values):
        last = parameters[-1] if parameters and parameters[-1].is_rest else None
        is_written = value == UNDEFINED and index < len(parameters)
        value = WRITTEN_UNDEFINED if is_written else value
        pairs.append((parameters[index] if index < len(parameters) else last, value))
    # What a call leaves out is undefined.
    left_out = parameters[len(values) :]
    return pairs + [(one, {"$undefined": True}) for one in left_out if not one.is_rest]


def _is_taken(parameter: Parameter | None, value: Json) -> bool:
    # Overloads let a caller leave out what follows, rather than write `undefined` in front of other arguments.
    if value is WRITTEN_UNDEFINED:
        if parameter is None or (parameter.is_declared and "undefined" in parameter.shape.kinds):
            return True
        return not parameter.is_declared and is_fitting(parameter.shape, UNDEFINED)
    return is_fitting(ANYTHING if parameter is None else parameter.shape, value)


def is_of_callers_text(thrown: Thrown, binding: FunctionBinding, exchange: FunctionExchange) -> bool:
    """Whether an argument was compiled to a regular expression as it is: then the caller has written the mistake.

    So it is with one that is a part of the expression, if the name of its parameter says that it will be.
    """
    found = _PATTERN.match(thrown.message) or _FLAGS.match(thrown.message)
    if thrown.name != "SyntaxError" or found is None:
        return False
    parts = [
        value
        for parameter, value in _pairs(binding, exchange.invocation)
        if parameter is not None and isinstance(value, str) and value and _IN_PATTERNS.fullmatch(parameter.name)
    ]
    return found[1] in iter_texts(exchange.invocation.values()) or any(part in found[1] for part in parts)
