"""Errors that are no faults, since a library or its runtime rejects the caller's arguments by them.

An error is such a rejection if the program itself has made it (`throw new TypeError('expected a string')`), if its
class is one of the library's, if what was thrown is no error, or if it comes from parsing the caller's own text
(`JSON.parse`, a locale of `Intl`, or an argument that is compiled to a regular expression). What is left was raised by
the engine while the program did something else: `Cannot read properties of undefined`, `Invalid count value`, `Maximum
call stack size exceeded`, `URI malformed`. An assertion of the program is a fault, too, if it has no text of its own:
it says that this never happens; with a text, it is a check.
"""

from __future__ import annotations

import re
from typing import Final

from wimble.library.argument_fit import iter_scalars, iter_texts, largest_number, type_of, without_dates
from wimble.library.argument_literals import literal
from wimble.library.function_binding import FunctionBinding
from wimble.library.invocation import FunctionExchange, Thrown, is_forbidden
from wimble.oracles.libraries.engine_messages import (
    FLAGS,
    NO_BIGINT,
    NO_DATE,
    NO_URL,
    OF_BROWSERS,
    OF_DIGITS,
    OF_INTL,
    OUT_OF_BOUNDS,
    OUT_OF_RANGE,
    PATTERN,
    REFUSED_BY_BUILTIN,
    REFUSED_VALUES,
    TOO_LONG,
)
from wimble.oracles.libraries.given_arguments import LARGE, pairs_of
from wimble.types import Json

_IN_PATTERNS: Final = re.compile(r"chars?|characters|charset|pattern|re|regexp?|regex|exp|expr", re.I)
"""Names of parameters whose texts become parts of regular expressions, as far as documentation tells of such."""


def is_unexpected(thrown: Thrown) -> bool:
    """Whether no program throws this on purpose."""
    if not thrown.is_error or OF_BROWSERS.match(thrown.message):
        return False
    if thrown.name == "RangeError" and OF_INTL.match(thrown.message):
        return False
    if thrown.code in NO_URL or is_forbidden(thrown) or (thrown.name == "SyntaxError" and "JSON" in thrown.message):
        return False
    return not thrown.is_on_purpose


def is_of_callers_text(thrown: Thrown, binding: FunctionBinding, exchange: FunctionExchange) -> bool:
    """Whether an argument was compiled to a regular expression as it is: then the caller has written the mistake.

    So it is with one that is a part of the expression, if the name of its parameter says that it will be.
    """
    found = PATTERN.match(thrown.message) or FLAGS.match(thrown.message)
    if thrown.name != "SyntaxError" or found is None:
        return False
    parts = [
        value
        for parameter, value in pairs_of(binding, exchange.invocation)
        if parameter is not None and isinstance(value, str) and value and _IN_PATTERNS.fullmatch(parameter.name)
    ]
    return found[1] in iter_texts(exchange.invocation.values()) or any(part in found[1] for part in parts)


def is_refused_by_builtin(thrown: Thrown, binding: FunctionBinding, exchange: FunctionExchange) -> bool:
    """Whether a built-in function refuses a value that the call itself gives, and says why."""
    bounds = OF_DIGITS.match(thrown.message)
    if bounds is not None:
        given_numbers = (one for one in iter_scalars(exchange.invocation.values()) if isinstance(one, (int, float)))
        return any(not int(bounds[1]) <= one <= int(bounds[2]) for one in given_numbers)
    if thrown.name in ("RangeError", "SyntaxError", "TypeError") and (no := NO_BIGINT.match(thrown.message)):
        is_fraction = no["number"] is not None and any(map(_is_fraction, iter_scalars(exchange.invocation.values())))
        return is_fraction or _is_given_as(no["number"] or no["text"], exchange)
    if TOO_LONG.match(thrown.message):
        values = exchange.invocation.values()
        return largest_number(values) > LARGE or any(map(_is_fraction, iter_scalars(values)))
    if NO_DATE.match(thrown.message):
        return largest_number(without_dates(exchange.invocation.values())) > LARGE
    if thrown.code in REFUSED_VALUES:
        return _is_refused_value(thrown, list(iter_scalars(exchange.invocation.values())))
    found = REFUSED_BY_BUILTIN.match(thrown.message) if thrown.code == "ERR_INVALID_ARG_TYPE" else None
    if found is None:
        return False
    given = {type_of(value) for _, value in pairs_of(binding, exchange.invocation)}
    is_all_left_out = not exchange.invocation.arguments
    value = {"Object": "object", "Array": "array"}.get(found["value"], found["value"])
    return value in given or (value in ("undefined", "function") and is_all_left_out)


def _is_refused_value(thrown: Thrown, given: list[Json]) -> bool:
    bounds = OUT_OF_BOUNDS.match(thrown.message)
    if bounds is not None:
        return any(isinstance(one, int | float) and not int(bounds[1]) <= one <= int(bounds[2]) for one in given)
    refused = OUT_OF_RANGE.match(thrown.message)
    if refused is None:
        return False
    is_too_large = thrown.code == "ERR_OUT_OF_RANGE" and largest_number(given) > LARGE
    # The runtime writes control characters in another way than literals of tests do.
    is_with_nul = "\\x00" in thrown.message and any(isinstance(one, str) and "\0" in one for one in given)
    # A text that was read as a number.
    is_no_number = refused["value"] == "NaN" and any(isinstance(one, str) for one in given)
    is_given = refused["name"] in given or refused["value"] in map(literal, given)
    return is_given or is_too_large or is_with_nul or is_no_number


def _is_fraction(value: Json) -> bool:
    return isinstance(value, float) and not value.is_integer()


def _is_given_as(written: str, exchange: FunctionExchange) -> bool:
    """Whether a scalar of the call is written like this, as a number or as a text."""
    given = list(iter_scalars(exchange.invocation.values()))
    return written in given or written in map(literal, given)
